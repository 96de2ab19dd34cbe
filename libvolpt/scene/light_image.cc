#include "libvolpt/scene/light_image.h"

#include "libvolpt/core/environment.hd.h"
#include "libvolpt/scene/exact_trig.h"
#include "libvolpt/scene/light/light_resample.h"
#include "libvolpt/scene/scene_fields.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::uint32_t kMaxEdge = 2048;
constexpr auto kMaxRadiance = static_cast<float>(scene_range("environment.radiance").highest);

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

/// LightImage::blur of one band; of large pictures from every few pixels.
float measure_blur(LightImage const& light, std::vector<float> const& values, int width, int height)
{
    EnvironmentView view;
    view.edge = light.edge;
    view.texels = light.texels.data();
    int const step = std::max(1, width / 1024);
    double sum = 0, area = 0;
    for (int row = 0; row < height; row += step) {
        SineCosineDouble const polar = sine_cosine_of_degrees(180 * (row + 0.5) / height);
        for (int column = 0; column < width; column += step) {
            SineCosineDouble const turn = sine_cosine_of_degrees(360 * (column + 0.5) / width);
            float const pixel = values[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                                       static_cast<std::size_t>(column)];
            if (pixel == 0) continue;
            Vec3 const direction{static_cast<float>(polar.sine * turn.sine),
                                 static_cast<float>(polar.sine * turn.cosine), static_cast<float>(polar.cosine)};
            float const seen = read_light_image(view, light.bands, 0, to_hemisphere(direction));
            sum += polar.sine * std::abs(static_cast<double>(seen) / static_cast<double>(pixel) - 1);
            area += polar.sine;
        }
    }
    return area > 0 ? static_cast<float>(sum / area) : 0;
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
    light.blur = measure_blur(light, planes[0], image.width, image.height);
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
