#include "libvolpt/scene/light_image.h"

#include "libvolpt/core/environment.hd.h"
#include "libvolpt/scene/exact_trig.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::uint32_t kMaxEdge = 2048;
constexpr float kMaxRadiance = 1e9f; // as for the constant light (scene_fields.def)
constexpr int kSubsamples = 4;       // per axis and texel

/// One plane of values, clamped at the poles and periodic around.
class LatLongPlane {
public:
    LatLongPlane(int width, int height, std::vector<float> values)
        : width_(width), height_(height), values_(std::move(values))
    {
    }

    /// Bilinear between pixel centres; u and v in [0, 1].
    double read(double u, double v) const
    {
        double const x = u * width_ - 0.5;
        double const y = std::clamp(v * height_ - 0.5, 0.0, height_ - 1.0);
        double const fx = x - std::floor(x);
        double const fy = y - std::floor(y);
        int const x0 = (static_cast<int>(std::floor(x)) + width_) % width_;
        int const x1 = (x0 + 1) % width_;
        int const y0 = static_cast<int>(y);
        int const y1 = std::min(y0 + 1, height_ - 1);
        return (1 - fy) * ((1 - fx) * at(x0, y0) + fx * at(x1, y0)) + fy * ((1 - fx) * at(x0, y1) + fx * at(x1, y1));
    }

private:
    double at(int x, int y) const
    {
        return static_cast<double>(
            values_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)]);
    }

    int width_;
    int height_;
    std::vector<float> values_;
};

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

Channel const& find_channel(Image const& image, std::string_view name, std::string const& where)
{
    Channel const* const channel = image.find(name);
    if (channel == nullptr)
        fail_input(fmt::format("no channel {}", name), where, "a light image has R, G and B, or Y",
                   "give such an image");
    check_values(*channel, image, where);
    return *channel;
}

enum class LoneBand { luminance, own_channel };

/// One plane per band; then the channels of a coloured picture that no band takes.
std::vector<LatLongPlane> pick_planes(Image const& image, std::span<std::uint32_t const> numbers, LoneBand lone_band,
                                      std::string const& where)
{
    auto const plane = [&](std::vector<float> values) {
        return LatLongPlane(image.width, image.height, std::move(values));
    };
    std::vector<LatLongPlane> planes;
    if (image.find("Y") != nullptr) {
        Channel const& y = find_channel(image, "Y", where);
        for (std::size_t b = 0; b < numbers.size(); ++b) planes.push_back(plane(y.values));
        return planes;
    }
    Channel const* const rgb[3] = {&find_channel(image, "R", where), &find_channel(image, "G", where),
                                   &find_channel(image, "B", where)};
    if (lone_band == LoneBand::luminance && numbers.size() == 1 && numbers[0] == 0) {
        std::vector<float> luminance(image.pixel_count());
        for (std::size_t i = 0; i < luminance.size(); ++i)
            luminance[i] = 0.2126f * rgb[0]->values[i] + 0.7152f * rgb[1]->values[i] + 0.0722f * rgb[2]->values[i];
        planes.push_back(plane(std::move(luminance)));
        return planes;
    }
    for (std::uint32_t const number : numbers) {
        if (number > 2)
            fail_input(fmt::format("no channel for band {}", number), where, "the image has R, G and B alone",
                       "give a constant light or a one-channel image");
        planes.push_back(plane(rgb[number]->values));
    }
    for (std::uint32_t channel = 0; channel < 3; ++channel)
        if (std::ranges::find(numbers, channel) == numbers.end()) planes.push_back(plane(rgb[channel]->values));
    return planes;
}

struct LatLongCoord {
    double u, v;
};

LatLongCoord to_lat_long(Vec3 d) // light's frame, z up: the picture's (x, y, z) is (d.x, d.z, -d.y)
{
    double const x = static_cast<double>(d.x);
    double const up = static_cast<double>(d.z);
    double const z = -static_cast<double>(d.y);
    double const u = arc_tangent2(x, -z) / (2 * kPi);
    double const v = arc_tangent2(std::sqrt(x * x + z * z), up) / kPi;
    return {u < 0 ? u + 1 : u, v};
}

LightImage resample(Image const& image, std::span<std::uint32_t const> channels, LoneBand lone_band,
                    std::string const& where)
{
    if (image.transfer != Transfer::linear)
        fail_input("values are sRGB-coded", where, "light adds up in linear values",
                   "give an .exr, .hdr or .pfm; ImageMagick makes one: convert LIGHT.png -colorspace RGB LIGHT.pfm");
    std::vector<LatLongPlane> const planes = pick_planes(image, channels, lone_band, where);
    LightImage light;
    light.checksum = hash_image(image);
    light.bands = static_cast<std::uint32_t>(channels.size());
    // A hemisphere's square then has about as many texels as the half of the picture it comes from.
    light.edge = std::clamp(static_cast<std::uint32_t>(std::max(image.width / 2, image.height)), 8u, kMaxEdge);
    light.texels.reserve(std::size_t{2} * light.edge * light.edge * light.bands);
    double const step = 1.0 / (light.edge * kSubsamples);
    for (std::uint32_t hemisphere = 0; hemisphere < 2; ++hemisphere)
        for (std::uint32_t row = 0; row < light.edge; ++row)
            for (std::uint32_t column = 0; column < light.edge; ++column) {
                LatLongCoord coords[kSubsamples * kSubsamples];
                for (int s = 0; s < kSubsamples * kSubsamples; ++s)
                    coords[s] = to_lat_long(from_hemisphere(
                        {hemisphere, static_cast<float>((column * kSubsamples + s % kSubsamples + 0.5) * step),
                         static_cast<float>((row * kSubsamples + s / kSubsamples + 0.5) * step)}));
                for (std::size_t i = 0; i < planes.size(); ++i) {
                    double sum = 0;
                    for (LatLongCoord const& c : coords) sum += planes[i].read(c.u, c.v);
                    auto const texel = static_cast<float>(sum / (kSubsamples * kSubsamples));
                    light.largest = std::max(light.largest, texel);
                    if (i < light.bands) light.texels.push_back(texel);
                }
            }
    return light;
}

} // namespace

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
