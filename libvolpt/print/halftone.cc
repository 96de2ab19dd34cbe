#include "libvolpt/print/halftone.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <utility>

namespace volpt {
namespace {

struct MixtureColour {
    std::span<std::uint16_t const> parts;
    Triple lab{};
    double texels = 0;
    std::size_t box = 0;
};

struct Box {
    std::vector<MixtureColour*> colours;
    Triple mean{};
    Triple spread{}; ///< sums of squared distances along each axis
};

Box measure_box(std::vector<MixtureColour*> colours)
{
    Box box{std::move(colours), {}, {}};
    double texels = 0;
    for (MixtureColour const* const colour : box.colours) {
        texels += colour->texels;
        for (std::size_t i = 0; i < 3; ++i) box.mean[i] += colour->texels * colour->lab[i];
    }
    for (double& mean : box.mean) mean /= texels;
    for (MixtureColour const* const colour : box.colours)
        for (std::size_t i = 0; i < 3; ++i)
            box.spread[i] += colour->texels * (colour->lab[i] - box.mean[i]) * (colour->lab[i] - box.mean[i]);
    return box;
}

double sum_spread(Box const& box)
{
    return box.colours.size() < 2 ? 0 : box.spread[0] + box.spread[1] + box.spread[2];
}

/// False if no box has two colours.
bool cut_widest(std::vector<Box>& boxes)
{
    auto const widest = std::ranges::max_element(boxes, {}, sum_spread);
    if (widest == boxes.end() || !(sum_spread(*widest) > 0)) return false;
    auto const axis = static_cast<std::size_t>(std::ranges::max_element(widest->spread) - widest->spread.begin());
    double const at = widest->mean[axis];
    auto& colours = widest->colours;
    auto const high = std::stable_partition(colours.begin(), colours.end(),
                                            [&](MixtureColour const* colour) { return colour->lab[axis] < at; });
    std::vector<MixtureColour*> rest(high, colours.end());
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
    for (MixtureColour const* const colour : box.colours) {
        texels += colour->texels;
        for (std::size_t ink = 0; ink < inks; ++ink) mixture[ink] += colour->texels * colour->parts[ink];
    }
    for (double& part : mixture) part /= texels * kVoxelParts;
    return mixture;
}

/// g of a mixture by band.
struct BandAnisotropies {
    void add(double forward, double scattering)
    {
        if (!(scattering > 0)) return; // nothing scatters by this g
        lowest = std::min(lowest, forward / scattering);
        highest = std::max(highest, forward / scattering);
    }
    /// Less changes no picture: sigma_s (1 - g) by 2e-4 at g .5.
    bool differ() const { return highest - lowest > 1e-4; }
    double mean() const { return highest < lowest ? 0 : 0.5 * (lowest + highest); }

    double lowest = std::numeric_limits<double>::infinity();
    double highest = -std::numeric_limits<double>::infinity();
};

} // namespace

void round_mixture(std::span<double const> fractions, std::span<std::uint16_t> parts)
{
    // Running sums are rounded, not parts, so that the last one is exact.
    double sum = 0;
    std::int32_t before = 0;
    for (std::size_t i = 0; i < fractions.size(); ++i) {
        sum += fractions[i];
        auto const after =
            i + 1 == fractions.size()
                ? kVoxelParts
                : std::clamp(static_cast<std::int32_t>(std::lround(sum * kVoxelParts)), before, kVoxelParts);
        parts[i] = static_cast<std::uint16_t>(after - before);
        before = after;
    }
}

InkDiffusion::InkDiffusion(int width, int height, std::size_t inks, std::span<std::uint16_t const> parts)
    : width_(width), height_(height), inks_(inks), parts_(parts), owed_(parts.size(), 0)
{
    for (auto& row : rows_) row.assign(static_cast<std::size_t>(width) * inks, 0);
}

void InkDiffusion::spread(std::int32_t const* error, int x, int dx)
{
    bool const has_ahead = x + dx >= 0 && x + dx < width_;
    bool const has_back = x - dx >= 0 && x - dx < width_;
    auto const place = [&](std::size_t row, int at) {
        return rows_[row].data() + static_cast<std::size_t>(at) * inks_;
    };
    for (std::size_t ink = 0; ink < inks_; ++ink) {
        std::int32_t const e = error[ink];
        std::int32_t const ahead = has_ahead ? e * 7 / 16 : 0;
        std::int32_t const back = has_back ? e * 3 / 16 : 0;
        std::int32_t const corner = has_ahead ? e / 16 : 0;
        if (has_ahead) {
            place(0, x + dx)[ink] += ahead;
            place(1, x + dx)[ink] += corner;
        }
        if (has_back) place(1, x - dx)[ink] += back;
        place(1, x)[ink] += e - ahead - back - corner;
    }
}

void InkDiffusion::halftone_slice(std::span<std::uint8_t> labels)
{
    std::vector<std::int32_t> due(inks_);
    Rng rng = seed_rng(0, 0, static_cast<std::uint32_t>(slice_), 0);
    bool const is_upwards = slice_ % 2 != 0;
    for (int line = 0; line < height_; ++line) {
        int const y = is_upwards ? height_ - 1 - line : line;
        // By the row of the whole strip: in slices of an even height, too, a row has either direction in turn.
        bool const is_back = ((slice_ % 2) * (height_ % 2) + line) % 2 != 0;
        int const dx = is_back ? -1 : 1;
        for (int i = 0; i < width_; ++i) {
            int const x = is_back ? width_ - 1 - i : i;
            std::size_t const texel =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
            std::uint16_t const* const wanted = parts_.data() + texel * inks_;
            std::int32_t const* const errors = rows_[0].data() + static_cast<std::size_t>(x) * inks_;
            std::int32_t* const owed = owed_.data() + texel * inks_;
            for (std::size_t ink = 0; ink < inks_; ++ink) due[ink] = wanted[ink] + errors[ink];
            std::size_t const chosen = choice_.choose(wanted, due, owed, rng);
            labels[texel] = static_cast<std::uint8_t>(chosen);
            due[chosen] -= kVoxelParts;
            for (std::size_t ink = 0; ink < inks_; ++ink) owed[ink] += wanted[ink] - (ink == chosen ? kVoxelParts : 0);
            spread(due.data(), x, dx);
        }
        std::swap(rows_[0], rows_[1]);
        std::ranges::fill(rows_[1], 0);
    }
    ++slice_;
}

std::vector<double> InkDiffusion::find_unpaid_voxels() const
{
    std::vector<std::int64_t> sums(inks_, 0);
    for (std::size_t i = 0; i < rows_[0].size(); ++i) sums[i % inks_] += rows_[0][i];
    std::vector<double> voxels(inks_);
    for (std::size_t ink = 0; ink < inks_; ++ink) voxels[ink] = static_cast<double>(sums[ink]) / kVoxelParts;
    return voxels;
}

MixtureTable reduce_mixtures(InkModel const& model, std::span<std::uint16_t const> parts, std::size_t most)
{
    std::size_t const inks = model.inks();
    auto const is_less = [](std::span<std::uint16_t const> a, std::span<std::uint16_t const> b) {
        return std::ranges::lexicographical_compare(a, b);
    };
    std::map<std::span<std::uint16_t const>, MixtureColour, decltype(is_less)> colours(is_less);
    std::vector<MixtureColour*> of_texel;
    for (std::size_t at = 0; at < parts.size(); at += inks) {
        auto const mixture = parts.subspan(at, inks);
        MixtureColour& colour = colours.try_emplace(mixture).first->second;
        colour.texels += 1;
        of_texel.push_back(&colour);
    }
    MixtureTable table;
    table.mixtures.emplace_back(inks, 0.0)[model.core()] = 1;
    std::vector<MixtureColour*> others;
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
        for (MixtureColour* const colour : box.colours) colour->box = table.mixtures.size();
        table.mixtures.push_back(average_mixture(box, inks));
    }
    for (MixtureColour const* const colour : of_texel) table.labels.push_back(static_cast<std::uint8_t>(colour->box));
    return table;
}

Material mix_materials(std::span<Material const> materials, std::span<double const> fractions, std::string name)
{
    Material mixed;
    mixed.name = std::move(name);
    BandAnisotropies g;
    for (std::size_t band = 0; band < materials.front().sigma_t.size(); ++band) {
        double sigma_t = 0, sigma_a = 0, forward = 0;
        for (std::size_t i = 0; i < materials.size(); ++i) {
            double const t = fractions[i] * static_cast<double>(materials[i].sigma_t[band]);
            double const a = t * static_cast<double>(materials[i].one_minus_albedo[band]);
            sigma_t += t;
            sigma_a += a;
            forward += (t - a) * static_cast<double>(materials[i].g);
        }
        mixed.sigma_t.push_back(static_cast<float>(sigma_t));
        mixed.one_minus_albedo.push_back(sigma_t > 0 ? static_cast<float>(std::min(1.0, sigma_a / sigma_t)) : 0.0f);
        g.add(forward, sigma_t - sigma_a);
    }
    if (g.differ())
        fail_input(fmt::format("g of {} is between {:.4g} and {:.4g} by band", mixed.name, g.lowest, g.highest),
                   "mixing inks", "its inks differ in g and scatter differently by band, and a material has one g",
                   "give the inks one g, or print with --halftone diffusion, which does not mix them");
    mixed.g = static_cast<float>(g.mean());
    return mixed;
}

} // namespace volpt
