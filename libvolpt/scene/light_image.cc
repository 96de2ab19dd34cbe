#include "libvolpt/scene/light_image.h"

#include "libvolpt/scene/light/light_resample.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::uint32_t kMaxEdge = 2048;
constexpr float kMaxRadiance = 1e9f; // as for the constant light (scene_fields.def)

void check_values(Channel const& channel, Image const& image, std::string const& where)
{
    for (std::size_t i = 0; i < channel.values.size(); ++i) {
        float const value = channel.values[i];
        if (value >= 0 && value <= kMaxRadiance) continue; // NaN fails too
        auto const width = static_cast<std::size_t>(image.width);
        fail_input(fmt::format("channel {} is {} at pixel {},{}", channel.name, value, i % width, i / width), where,
                   "radiance is between 0 and 1e9", "clean the image first");
    }
}

enum class LoneBand { luminance, own_channel };

/// One plane per band; then the channels of a coloured picture that no band takes.
std::vector<std::vector<float>> pick_planes(Image const& image, std::span<std::uint32_t const> numbers,
                                            LoneBand lone_band, std::string const& where)
{
    std::vector<std::vector<float>> planes;
    if (image.find("Y") != nullptr) {
        Channel const& y = require_radiance(image, "Y", where);
        for (std::size_t b = 0; b < numbers.size(); ++b) planes.push_back(y.values);
        return planes;
    }
    Channel const* const rgb[3] = {&require_radiance(image, "R", where), &require_radiance(image, "G", where),
                                   &require_radiance(image, "B", where)};
    if (lone_band == LoneBand::luminance && numbers.size() == 1 && numbers[0] == 0) {
        std::vector<float> luminance(image.pixel_count());
        for (std::size_t i = 0; i < luminance.size(); ++i)
            luminance[i] = 0.2126f * rgb[0]->values[i] + 0.7152f * rgb[1]->values[i] + 0.0722f * rgb[2]->values[i];
        planes.push_back(std::move(luminance));
        return planes;
    }
    for (std::uint32_t const number : numbers) {
        if (number > 2)
            fail_input(fmt::format("no channel for band {}", number), where, "the image has R, G and B alone",
                       "give a constant light or a one-channel image");
        planes.push_back(rgb[number]->values);
    }
    for (std::uint32_t channel = 0; channel < 3; ++channel)
        if (std::ranges::find(numbers, channel) == numbers.end()) planes.push_back(rgb[channel]->values);
    return planes;
}

LightImage resample(Image const& image, std::span<std::uint32_t const> channels, LoneBand lone_band,
                    std::string const& where)
{
    if (image.transfer != Transfer::linear)
        fail_input("values are sRGB-coded", where, "light adds up in linear values",
                   "give an .exr, .hdr or .pfm; ImageMagick makes one: convert LIGHT.png -colorspace RGB LIGHT.pfm");
    std::vector<std::vector<float>> const planes = pick_planes(image, channels, lone_band, where);
    LightImage light;
    light.checksum = hash_image(image);
    light.bands = static_cast<std::uint32_t>(channels.size());
    // A hemisphere's square then has about as many texels as the half of the picture it comes from.
    auto const edge = static_cast<std::uint32_t>(std::max(image.width / 2, image.height));
    light.edge = std::clamp(edge + edge % 2, 8u, kMaxEdge);
    light.texels.resize(std::size_t{2} * light.edge * light.edge * light.bands);
    LightResampler const resampler(static_cast<std::uint32_t>(image.width), static_cast<std::uint32_t>(image.height),
                                   light.edge);
    for (std::size_t i = 0; i < planes.size(); ++i) {
        std::vector<float> const texels = resampler.resample(planes[i]);
        light.largest = std::max(light.largest, std::ranges::max(texels));
        if (i < light.bands)
            for (std::size_t t = 0; t < texels.size(); ++t) light.texels[t * light.bands + i] = texels[t];
    }
    return light;
}

} // namespace

Channel const& require_radiance(Image const& image, std::string_view name, std::string const& where)
{
    Channel const* const channel = image.find(name);
    if (channel == nullptr)
        fail_input(fmt::format("no channel {}", name), where, "a light image has R, G and B, or Y",
                   "give such an image");
    check_values(*channel, image, where);
    return *channel;
}

Hash128 hash_image(Image const& image)
{
    StreamHasher hasher;
    std::int32_t const size[2] = {image.width, image.height};
    hasher.add(std::as_bytes(std::span(size)));
    for (Channel const& channel : image.channels) {
        hasher.add(std::as_bytes(std::span(channel.name)));
        hasher.add(std::as_bytes(std::span(channel.values)));
    }
    return hasher.digest();
}

LightImage make_light_image(Image const& image, std::span<std::uint32_t const> band_numbers, std::string const& where)
{
    return resample(image, band_numbers, LoneBand::luminance, where);
}

LightImage make_light_image(Image const& image, VolumeMeta const& volume, std::string const& where)
{
    if (volume.light_channels.empty()) return make_light_image(image, volume.band_numbers, where);
    return resample(image, volume.light_channels, LoneBand::own_channel, where);
}

} // namespace volpt
