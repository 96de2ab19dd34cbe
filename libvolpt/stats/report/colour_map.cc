// Colours between a few that are equally far apart in lightness.
#include "libvolpt/stats/report/colour_map.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace volpt {
namespace {

using Rgb = std::array<float, 3>;

constexpr std::array<Rgb, 6> kMagnitude{{{0, 0, 0.02f},
                                         {0.23f, 0.06f, 0.44f},
                                         {0.55f, 0.16f, 0.51f},
                                         {0.87f, 0.29f, 0.41f},
                                         {1, 0.62f, 0.43f},
                                         {0.99f, 0.99f, 0.75f}}};
constexpr std::array<Rgb, 5> kSign{
    {{0.02f, 0.19f, 0.38f}, {0.26f, 0.58f, 0.76f}, {0.97f, 0.97f, 0.97f}, {0.84f, 0.38f, 0.30f}, {0.40f, 0, 0.12f}}};
constexpr Rgb kNoNumber{0.5f, 0.5f, 0.5f};

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

} // namespace

Image paint(std::span<float const> values, int width, int height, ColourScale scale)
{
    Image picture = make_image(width, height, Transfer::srgb, {"R", "G", "B"});
    std::span<Rgb const> const colours =
        scale.map == ColourMap::sign ? std::span<Rgb const>(kSign) : std::span<Rgb const>(kMagnitude);
    for (std::size_t i = 0; i < values.size(); ++i) {
        float const share = values[i] / scale.end;
        float const position = scale.map == ColourMap::sign ? 0.5f + 0.5f * share : share;
        Rgb const colour = std::isnan(values[i]) ? kNoNumber : pick(colours, position);
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

} // namespace volpt
