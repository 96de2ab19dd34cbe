// Planes of known content with noise of known variance, and guides for them.
#pragma once

#include "libvolpt/denoise/denoise_plane.h"

#include <cmath>
#include <random>
#include <vector>

namespace volpt::test {

using Plane = std::vector<float>;

/// value(x, y) for each pixel, row by row.
template <class Value>
Plane make_plane(std::size_t width, std::size_t height, Value value)
{
    Plane plane;
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x) plane.push_back(static_cast<float>(value(x, y)));
    return plane;
}

/// An opaque surface of this albedo, seen from straight above.
inline Guides make_flat_guides(std::size_t width, std::size_t height, Plane const& albedo)
{
    Guides guides;
    guides.width = static_cast<std::uint32_t>(width);
    guides.height = static_cast<std::uint32_t>(height);
    guides.bands = 1;
    Plane const zeros(albedo.size()), ones(albedo.size(), 1.0f);
    guides.coverage = ones;
    guides.depth_mm = ones;
    guides.normal[0] = guides.normal[1] = zeros;
    guides.normal[2] = ones;
    guides.albedo = guides.beneath = {albedo};
    guides.thinness = guides.emission = zeros;
    return guides;
}

/// Adds nearly normal noise of this standard deviation.
inline NoisyPlane add_noise(std::size_t width, std::size_t height, Plane const& truth, double deviation,
                            std::uint64_t seed = 1)
{
    std::mt19937_64 random(seed);
    auto const draw = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    NoisyPlane noisy{width, height, truth, Plane(truth.size(), static_cast<float>(deviation * deviation))};
    for (float& value : noisy.values) {
        double sum = -6;
        for (int i = 0; i < 12; ++i) sum += draw();
        value += static_cast<float>(deviation * sum);
    }
    return noisy;
}

inline double measure_rmse(Plane const& a, Plane const& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += (static_cast<double>(a[i]) - static_cast<double>(b[i])) *
               (static_cast<double>(a[i]) - static_cast<double>(b[i]));
    return std::sqrt(sum / static_cast<double>(a.size()));
}

} // namespace volpt::test
