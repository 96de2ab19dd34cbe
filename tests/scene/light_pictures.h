// Lat-long pictures as lights, and where their pixels shine from.
#pragma once

#include "libvolpt/scene/light_image.h"
#include "libvolpt/scene/scene.h"
#include "tests/support/make_volume.h"

#include <cmath>
#include <functional>
#include <numbers>

namespace volpt::test {

inline constexpr std::uint32_t kGrey[] = {0};

inline Image make_picture(int width, int height, std::function<float(int x, int y)> const& value,
                          std::string const& channel = "Y")
{
    Image image;
    image.width = width;
    image.height = height;
    Channel& y = image.add_channel(channel);
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column)
            y.values[static_cast<std::size_t>(row * width + column)] = value(column, row);
    return image;
}

inline double dot_product(Vec3d const& a, Vec3d const& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Mitsuba 3's envmap: the direction that picture point (u, v) shines from, y up.
inline Vec3d to_direction(double u, double v)
{
    double const around = 2 * std::numbers::pi * u, down = std::numbers::pi * v;
    return {std::sin(around) * std::sin(down), std::cos(down), -std::cos(around) * std::sin(down)};
}

/// Mean over the sphere of the picture's pixels, rows weighted by their solid angle.
inline double average_picture(Image const& image, std::size_t channel = 0)
{
    double sum = 0, weights = 0;
    for (int y = 0; y < image.height; ++y) {
        double const solid =
            std::cos(std::numbers::pi * y / image.height) - std::cos(std::numbers::pi * (y + 1) / image.height);
        for (int x = 0; x < image.width; ++x) {
            sum += solid *
                   static_cast<double>(image.channels[channel].values[static_cast<std::size_t>(y * image.width + x)]);
            weights += solid;
        }
    }
    return sum / weights;
}

} // namespace volpt::test
