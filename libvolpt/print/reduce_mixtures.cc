// Cuts the colours of a picture's mixtures into boxes.
#include "libvolpt/print/reduce_mixtures.h"

#include "libvolpt/print/diffuse_inks.h"

#include <algorithm>
#include <map>

namespace volpt {
namespace {

struct Colour {
    std::span<std::uint16_t const> parts;
    Triple lab{};
    double texels = 0;
    std::size_t box = 0;
};

struct Box {
    std::vector<Colour*> colours;
    Triple mean{};
    Triple spread{}; ///< sums of squared distances along each axis
};

Box measure_box(std::vector<Colour*> colours)
{
    Box box{std::move(colours), {}, {}};
    double texels = 0;
    for (Colour const* const colour : box.colours) {
        texels += colour->texels;
        for (std::size_t i = 0; i < 3; ++i) box.mean[i] += colour->texels * colour->lab[i];
    }
    for (double& mean : box.mean) mean /= texels;
    for (Colour const* const colour : box.colours)
        for (std::size_t i = 0; i < 3; ++i)
            box.spread[i] += colour->texels * (colour->lab[i] - box.mean[i]) * (colour->lab[i] - box.mean[i]);
    return box;
}

double sum_spread(Box const& box)
{
    return box.colours.size() < 2 ? 0 : box.spread[0] + box.spread[1] + box.spread[2];
}

/// True if there were two colours to part.
bool cut_widest(std::vector<Box>& boxes)
{
    auto const widest = std::ranges::max_element(boxes, {}, sum_spread);
    if (widest == boxes.end() || !(sum_spread(*widest) > 0)) return false;
    auto const axis = static_cast<std::size_t>(std::ranges::max_element(widest->spread) - widest->spread.begin());
    double const at = widest->mean[axis];
    auto& colours = widest->colours;
    auto const high = std::stable_partition(colours.begin(), colours.end(),
                                            [&](Colour const* colour) { return colour->lab[axis] < at; });
    std::vector<Colour*> rest(high, colours.end());
    colours.erase(high, colours.end());
    if (rest.empty() || widest->colours.empty()) { // rounding of the mean of nearly equal colours
        auto& full = rest.empty() ? widest->colours : rest;
        auto& empty = rest.empty() ? rest : widest->colours;
        empty.push_back(full.back());
        full.pop_back();
    }
    *widest = measure_box(std::move(widest->colours));
    boxes.push_back(measure_box(std::move(rest)));
    return true;
}

std::vector<double> average_mixture(Box const& box, std::size_t inks)
{
    std::vector<double> mixture(inks, 0);
    double texels = 0;
    for (Colour const* const colour : box.colours) {
        texels += colour->texels;
        for (std::size_t ink = 0; ink < inks; ++ink) mixture[ink] += colour->texels * colour->parts[ink];
    }
    for (double& part : mixture) part /= texels * kVoxelParts;
    return mixture;
}

} // namespace

MixtureTable reduce_mixtures(InkModel const& model, std::span<std::uint16_t const> parts, std::size_t most)
{
    std::size_t const inks = model.inks();
    auto const is_less = [](std::span<std::uint16_t const> a, std::span<std::uint16_t const> b) {
        return std::ranges::lexicographical_compare(a, b);
    };
    std::map<std::span<std::uint16_t const>, Colour, decltype(is_less)> colours(is_less);
    std::vector<Colour*> of_texel;
    for (std::size_t at = 0; at < parts.size(); at += inks) {
        auto const mixture = parts.subspan(at, inks);
        Colour& colour = colours.try_emplace(mixture).first->second;
        colour.texels += 1;
        of_texel.push_back(&colour);
    }
    MixtureTable table;
    table.mixtures.emplace_back(inks, 0.0)[model.core()] = 1;
    std::vector<Colour*> others;
    std::vector<double> fractions(inks);
    for (auto& [mixture, colour] : colours) {
        if (mixture[model.core()] == kVoxelParts) continue;
        for (std::size_t ink = 0; ink < inks; ++ink) fractions[ink] = static_cast<double>(mixture[ink]) / kVoxelParts;
        colour.parts = mixture;
        colour.lab = model.predict_lab(fractions);
        others.push_back(&colour);
    }
    std::vector<Box> boxes;
    if (!others.empty()) boxes.push_back(measure_box(std::move(others)));
    while (!boxes.empty() && boxes.size() + 1 < most && cut_widest(boxes)) {
    }
    for (Box const& box : boxes) {
        for (Colour* const colour : box.colours) colour->box = table.mixtures.size();
        table.mixtures.push_back(average_mixture(box, inks));
    }
    for (Colour const* const colour : of_texel) table.labels.push_back(static_cast<std::uint8_t>(colour->box));
    return table;
}

Material mix_materials(std::span<Material const> materials, std::span<double const> fractions, std::string name)
{
    Material mixed;
    mixed.name = std::move(name);
    double scattering = 0, forward = 0;
    for (std::size_t band = 0; band < materials.front().sigma_t.size(); ++band) {
        double sigma_t = 0, sigma_a = 0;
        for (std::size_t i = 0; i < materials.size(); ++i) {
            double const t = fractions[i] * static_cast<double>(materials[i].sigma_t[band]);
            double const a = t * static_cast<double>(materials[i].one_minus_albedo[band]);
            sigma_t += t;
            sigma_a += a;
            scattering += t - a;
            forward += (t - a) * static_cast<double>(materials[i].g);
        }
        mixed.sigma_t.push_back(static_cast<float>(sigma_t));
        mixed.one_minus_albedo.push_back(sigma_t > 0 ? static_cast<float>(std::min(1.0, sigma_a / sigma_t)) : 0.0f);
    }
    mixed.g = scattering > 0 ? static_cast<float>(forward / scattering) : 0.0f;
    return mixed;
}

} // namespace volpt
