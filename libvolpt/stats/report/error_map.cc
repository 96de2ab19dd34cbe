#include "libvolpt/stats/report/error_map.h"

#include "libvolpt/image/codecs/codecs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

using Rgb = std::array<float, 3>;

// Neighbouring colours of a scale are about equally far apart in lightness.
constexpr std::array<Rgb, 6> kMagnitude{{{0, 0, 0.02f},
                                         {0.23f, 0.06f, 0.44f},
                                         {0.55f, 0.16f, 0.51f},
                                         {0.87f, 0.29f, 0.41f},
                                         {1, 0.62f, 0.43f},
                                         {0.99f, 0.99f, 0.75f}}};
constexpr std::array<Rgb, 5> kSign{
    {{0.02f, 0.19f, 0.38f}, {0.26f, 0.58f, 0.76f}, {0.97f, 0.97f, 0.97f}, {0.84f, 0.38f, 0.30f}, {0.40f, 0, 0.12f}}};
constexpr Rgb kNotANumber{0.5f, 0.5f, 0.5f};

/// The colour at `position`, 0..1.
Rgb pick(std::span<Rgb const> colours, float position)
{
    float const place = std::clamp(position, 0.0f, 1.0f) * static_cast<float>(colours.size() - 1);
    auto const low = std::min(static_cast<std::size_t>(place), colours.size() - 2);
    float const share = place - static_cast<float>(low);
    Rgb colour;
    for (std::size_t i = 0; i < 3; ++i) colour[i] = colours[low][i] + share * (colours[low + 1][i] - colours[low][i]);
    return colour;
}

/// The 99th percentile of the magnitudes by nearest rank; 1 if all are 0, so that the scale is not empty.
float find_end(std::vector<float> const& values)
{
    std::vector<float> sizes;
    for (float const value : values)
        if (std::isfinite(value)) sizes.push_back(std::abs(value));
    if (sizes.empty()) return 1;
    auto const rank = static_cast<std::ptrdiff_t>((sizes.size() * 99 + 99) / 100 - 1);
    std::nth_element(sizes.begin(), sizes.begin() + rank, sizes.end());
    float const percentile = sizes[static_cast<std::size_t>(rank)];
    float const end = percentile > 0 ? percentile : std::ranges::max(sizes);
    return end > 0 ? end : 1;
}

ColourScale choose_scale(std::string_view metric, std::vector<float> const& values)
{
    if (metric == "flip" || metric == "hdrflip" || metric == "de2000_noise_share") return {ColourMap::magnitude, 1};
    return {metric == "bias" ? ColourMap::sign : ColourMap::magnitude, find_end(values)};
}

std::string title_of(std::string_view metric)
{
    if (metric == "flip") return "FLIP";
    if (metric == "hdrflip") return "HDR-FLIP";
    if (metric == "de76" || metric == "de94" || metric == "de2000") return "Delta E " + std::string(metric.substr(2));
    if (metric == "de2000_noise") return "Delta E 2000 expected of the noise alone";
    if (metric == "de2000_noise_share") return "share of Delta E 2000 that is noise";
    return std::string(metric);
}

} // namespace

Image paint(std::span<float const> values, int width, int height, ColourScale scale)
{
    Image picture = make_image(width, height, Transfer::srgb, {"R", "G", "B"});
    std::span<Rgb const> const colours =
        scale.map == ColourMap::sign ? std::span<Rgb const>(kSign) : std::span<Rgb const>(kMagnitude);
    for (std::size_t i = 0; i < values.size(); ++i) {
        float const share = values[i] / scale.end;
        float const position = scale.map == ColourMap::sign ? 0.5f + 0.5f * share : share;
        Rgb const colour = std::isnan(values[i]) ? kNotANumber : pick(colours, position);
        for (std::size_t c = 0; c < 3; ++c) picture.channels[c].values[i] = colour[c];
    }
    return picture;
}

Image paint_scale(ColourScale scale, int width)
{
    std::vector<float> values;
    float const low = scale.map == ColourMap::sign ? -scale.end : 0;
    for (int x = 0; x < width; ++x)
        values.push_back(low + (scale.end - low) * static_cast<float>(x) / static_cast<float>(width - 1));
    return paint(values, width, 1, scale);
}

std::optional<NamedMap> find_error_map(Verdict const& verdict, std::string_view name)
{
    if (name == "z" || name == "blocks") {
        if (!verdict.expectation) return {};
        ColourScale const scale{ColourMap::sign, 5};
        if (name == "z") return NamedMap{"z", "z of test - reference", verdict.expectation->z_map, scale};
        return NamedMap{"blocks", fmt::format("z of sums over blocks of {0} x {0} pixels", kBlockEdge),
                        verdict.expectation->block_map, scale};
    }
    std::string_view const metric = name == "difference" ? "bias" : name;
    auto const found = std::ranges::find(verdict.image.maps, metric, &ErrorMap::metric);
    if (found == verdict.image.maps.end()) return {};
    NamedMap map{std::string(name), title_of(metric), found->values, choose_scale(metric, found->values)};
    if (metric == "bias") map.title = "test - reference, mean over the channels";
    return map;
}

void write_error_map(std::filesystem::path const& path, NamedMap const& map, int width, int height)
{
    if (is_display_image(path)) {
        write_image(path, paint(map.values, width, height, map.scale));
        return;
    }
    Image image = make_image(width, height, Transfer::linear, {"Y"});
    image.channels[0].values = map.values;
    image.metadata = {{"error_map", map.name}};
    write_image(path, image);
}

} // namespace volpt
