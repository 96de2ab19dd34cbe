#include "libvolpt/stats/report/patches.h"

#include "libvolpt/colour/delta_e.h"
#include "libvolpt/image/linear_rgb.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr int kPatchesPerSide = 24;
constexpr float kNearest = 5;

struct PatchMean {
    Colour rgb, lab;
    float scatter; ///< root mean square distance of the pixels' L*a*b* from `lab`
    bool is_whole; ///< false if pixels are left out, as NaN
};

Colour read_lab(Colour rgb)
{
    return to_lab(to_relative_xyz(rgb));
}

float measure_distance(Colour one, Colour two)
{
    float sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += (one[i] - two[i]) * (one[i] - two[i]);
    return std::sqrt(sum);
}

PatchMean average_patch(Image const& image, Patch const& patch)
{
    auto const width = static_cast<std::size_t>(patch.width);
    std::vector<Colour> pixels;
    std::vector<float> red(width), green(width), blue(width);
    std::array<double, 3> sum{};
    for (int y = patch.y; y < patch.y + patch.height; ++y) {
        load_linear_rgb(image, y, patch.x, patch.x + patch.width, {red.data(), green.data(), blue.data()});
        for (std::size_t i = 0; i < width; ++i) {
            if (std::isnan(red[i]) || std::isnan(green[i]) || std::isnan(blue[i])) continue;
            pixels.push_back({red[i], green[i], blue[i]});
            for (std::size_t c = 0; c < 3; ++c) sum[c] += static_cast<double>(pixels.back()[c]);
        }
    }
    auto const count = static_cast<double>(pixels.size());
    Colour const mean{static_cast<float>(sum[0] / count), static_cast<float>(sum[1] / count),
                      static_cast<float>(sum[2] / count)};
    PatchMean result{mean, read_lab(mean), 0, pixels.size() == width * static_cast<std::size_t>(patch.height)};
    for (Colour const& pixel : pixels) {
        float const distance = measure_distance(read_lab(pixel), result.lab);
        result.scatter += distance * distance / static_cast<float>(count);
    }
    result.scatter = std::sqrt(result.scatter);
    return result;
}

float average_noise(std::span<float const> noise, int width, Patch const& patch)
{
    double sum = 0, count = 0;
    for (int y = patch.y; y < patch.y + patch.height; ++y)
        for (int x = patch.x; x < patch.x + patch.width; ++x) {
            auto const value = static_cast<double>(
                noise[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)]);
            if (std::isnan(value)) continue;
            sum += value * value;
            count += 1;
        }
    return static_cast<float>(std::sqrt(sum) / count);
}

struct Candidate {
    Patch patch;
    PatchMean mean;
    float nearest = INFINITY; ///< distance from the nearest chosen one
};

std::vector<Candidate> list_candidates(Image const& picture)
{
    int const side = std::max(1, std::min(picture.width, picture.height) / kPatchesPerSide);
    std::vector<Candidate> candidates;
    for (int y = 0; y + side <= picture.height; y += side)
        for (int x = 0; x + side <= picture.width; x += side) {
            Patch const patch{"", x, y, side, side};
            PatchMean const mean = average_patch(picture, patch);
            if (mean.is_whole && std::isfinite(mean.scatter)) candidates.push_back({patch, mean});
        }
    if (candidates.empty()) return candidates;
    std::vector<float> scatters;
    for (Candidate const& candidate : candidates) scatters.push_back(candidate.mean.scatter);
    auto const middle = scatters.begin() + static_cast<std::ptrdiff_t>((scatters.size() - 1) / 2);
    std::ranges::nth_element(scatters, middle);
    std::erase_if(candidates, [&](Candidate const& candidate) { return candidate.mean.scatter > *middle; });
    return candidates;
}

void check_inside(Patch const& patch, Image const& picture)
{
    bool const inside = patch.x >= 0 && patch.y >= 0 && patch.width >= 1 && patch.height >= 1 &&
                        patch.width <= picture.width - patch.x && patch.height <= picture.height - patch.y;
    if (!inside)
        fail_usage(fmt::format("patch '{}' ({},{} {}x{}) leaves the picture", patch.name, patch.x, patch.y, patch.width,
                               patch.height),
                   fmt::format("the picture has {} x {} pixels", picture.width, picture.height));
}

std::vector<PatchColours> measure_opaque(Image const& target, Image const& prediction,
                                         std::vector<Patch> const& patches, Illuminant illuminant,
                                         std::span<float const> noise)
{
    Matrix3 const adaptation = adapt_from_d65(illuminant);
    std::vector<PatchColours> measured;
    for (Patch const& patch : patches) {
        PatchColours colours{patch, average_patch(target, patch).rgb, average_patch(prediction, patch).rgb, {}, {}, 0,
                             0};
        colours.target_lab = to_lab(apply(adaptation, to_relative_xyz(colours.target_rgb)));
        colours.prediction_lab = to_lab(apply(adaptation, to_relative_xyz(colours.prediction_rgb)));
        Colour test = colours.prediction_lab, reference = colours.target_lab;
        measure_de2000({&test[0], &test[1], &test[2]}, {&reference[0], &reference[1], &reference[2]}, 1,
                       &colours.de2000);
        if (!noise.empty()) colours.noise = average_noise(noise, target.width, patch);
        measured.push_back(colours);
    }
    return measured;
}

} // namespace

std::vector<Patch> choose_patches(Image const& picture, std::size_t count)
{
    require_colours(picture, "a table of patches");
    std::vector<Candidate> candidates =
        list_candidates(is_opaque(picture) ? picture : display_over(picture, list_default_backgrounds().back().colour));
    std::vector<Patch> chosen;
    auto next = std::ranges::max_element(candidates, {}, [](Candidate const& c) { return c.mean.lab[0]; });
    while (next != candidates.end() && chosen.size() < count && next->nearest >= kNearest) {
        chosen.push_back(next->patch);
        chosen.back().name = std::to_string(chosen.size());
        Colour const lab = next->mean.lab;
        for (Candidate& candidate : candidates)
            candidate.nearest = std::min(candidate.nearest, measure_distance(candidate.mean.lab, lab));
        next = std::ranges::max_element(candidates, {}, &Candidate::nearest);
    }
    return chosen;
}

std::vector<PatchColours> measure_patches(Image const& target, Image const& prediction,
                                          std::vector<Patch> const& patches, Illuminant illuminant,
                                          std::span<float const> noise,
                                          std::vector<DisplayBackground> const& backgrounds)
{
    require_colours(target, "a table of patches");
    require_colours(prediction, "a table of patches");
    if (target.width != prediction.width || target.height != prediction.height)
        fail_usage(fmt::format("the target has {} x {} pixels, the prediction {} x {}", target.width, target.height,
                               prediction.width, prediction.height),
                   "patches are at the same place in both");
    for (Patch const& patch : patches) check_inside(patch, target);
    if (is_opaque(target) && is_opaque(prediction))
        return measure_opaque(target, prediction, patches, illuminant, noise);
    std::vector<PatchColours> worst;
    for (DisplayBackground const& background : backgrounds) {
        std::vector<PatchColours> const measured =
            measure_opaque(display_over(target, background.colour), display_over(prediction, background.colour),
                           patches, illuminant, noise);
        if (worst.empty()) worst = measured;
        for (std::size_t i = 0; i < measured.size(); ++i)
            if (measured[i].de2000 > worst[i].de2000) worst[i] = measured[i];
    }
    return worst;
}

} // namespace volpt
