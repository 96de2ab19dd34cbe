// What the resampling of a light keeps: the integral of every pixel as core looks it up, its direction, an even sky.
#include "libvolpt/core/rng.hd.h"
#include "tests/scene/light_pictures.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace volpt::test {
namespace {

/// What core's lookup makes of texels: for each texel of a hemisphere's square, the integral of its weight over the
/// solid angle, and of its weight times the direction. Midpoints of kSteps x kSteps pieces a texel.
struct LookupIntegrals {
    static constexpr std::uint32_t kSteps = 32;

    explicit LookupIntegrals(std::uint32_t texels) : edge(texels), weights(texels * texels), moments(texels * texels)
    {
        double const step = 1.0 / (edge * kSteps);
        for (std::uint32_t row = 0; row < edge * kSteps; ++row)
            for (std::uint32_t column = 0; column < edge * kSteps; ++column)
                add((column + 0.5) * step, (row + 0.5) * step, step * step);
    }

    void add(double u, double v, double area)
    {
        double const x = u + v - 1, y = u - v, z = 1 - std::abs(x) - std::abs(y);
        double const length = std::sqrt(x * x + y * y + z * z);
        double const solid_angle = 2 * area / (length * length * length);
        double const at_x = std::clamp(u * edge - 0.5, 0.0, edge - 1.0),
                     at_y = std::clamp(v * edge - 0.5, 0.0, edge - 1.0);
        auto const x0 = static_cast<std::uint32_t>(at_x), y0 = static_cast<std::uint32_t>(at_y);
        for (std::uint32_t const dy : {0u, 1u})
            for (std::uint32_t const dx : {0u, 1u}) {
                double const across = dx == 0 ? 1 - (at_x - x0) : at_x - x0,
                             down = dy == 0 ? 1 - (at_y - y0) : at_y - y0;
                std::size_t const texel = std::min(y0 + dy, edge - 1) * std::size_t{edge} + std::min(x0 + dx, edge - 1);
                double const weight = solid_angle * across * down;
                weights[texel] += weight;
                moments[texel][0] += weight * x / length;
                moments[texel][1] += weight * y / length;
                moments[texel][2] += weight * z / length;
            }
    }

    double integrate(LightImage const& light) const
    {
        double sum = 0;
        for (std::size_t i = 0; i < light.texels.size(); ++i)
            sum += static_cast<double>(light.texels[i]) * weights[i % weights.size()];
        return sum;
    }

    /// In the light's frame.
    Vec3d find_centre(LightImage const& light) const
    {
        Vec3d centre{};
        for (std::size_t i = 0; i < light.texels.size(); ++i) {
            Vec3d const& moment = moments[i % moments.size()];
            double const value = static_cast<double>(light.texels[i]), side = i < moments.size() ? 1 : -1;
            for (std::size_t axis = 0; axis < 3; ++axis) centre[axis] += value * (axis == 2 ? side : 1) * moment[axis];
        }
        double const length = std::sqrt(dot_product(centre, centre));
        return {centre[0] / length, centre[1] / length, centre[2] / length};
    }

    std::uint32_t edge;
    std::vector<double> weights;
    std::vector<Vec3d> moments;
};

TEST(LightResampling, TheIntegralOverTheSphereIsThatOfThePixels)
{
    Rng rng = seed_rng(4, 0, 0, 0);
    for (auto const& [width, height] : {std::pair{128, 64}, {128, 37}, {101, 64}}) {
        Image const image = make_picture(width, height, [&](int, int) { return std::pow(to_unit(rng.draw()), 8.0f); });
        LightImage const light = make_light_image(image, kGrey, "picture");
        ASSERT_EQ(light.edge, 64u);
        EXPECT_NEAR(LookupIntegrals(64).integrate(light) / (4 * std::numbers::pi * average_picture(image)), 1, 1e-6);
    }
}

TEST(LightResampling, EveryPixelKeepsItsLightAndItsDirection)
{
    constexpr int kWidth = 128, kHeight = 64;
    LookupIntegrals const lookup(64);
    for (int const row : {0, 1, 2, 3, 20, 31, 32, 50, 61, 62, 63})
        for (int const column : {0, 15, 16, 37, 64, 127}) {
            SCOPED_TRACE(testing::Message() << column << ',' << row);
            Image const image =
                make_picture(kWidth, kHeight, [&](int x, int y) { return x == column && y == row ? 1000.0f : 0.0f; });
            LightImage const light = make_light_image(image, kGrey, "picture");
            EXPECT_NEAR(lookup.integrate(light) / (4 * std::numbers::pi * average_picture(image)), 1, 1e-5);
            Vec3d const from = to_direction((column + 0.5) / kWidth, (row + 0.5) / kHeight);
            double const cosine = dot_product(lookup.find_centre(light), {from[0], -from[2], from[1]});
            EXPECT_LT(std::acos(std::min(cosine, 1.0)), 0.4 * std::numbers::pi / kHeight);
        }
}

TEST(LightResampling, ABrightPixelLeavesAnEvenSkyAsItIs)
{
    // The sun of an HDR picture: five texels away the sky is what it was.
    LightImage const light = make_light_image(
        make_picture(128, 64, [](int x, int y) { return x == 40 && y == 10 ? 1e7f : 0.25f; }), kGrey, "picture");
    std::size_t changed = 0;
    for (float const texel : light.texels) {
        EXPECT_GE(texel, 0.25f * (1 - 1e-6f));
        changed += texel > 0.25f * (1 + 1e-6f) ? 1 : 0;
    }
    EXPECT_LE(changed, 25u);
}

} // namespace
} // namespace volpt::test
