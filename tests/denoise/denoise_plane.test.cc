#include "tests/denoise/noisy_planes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace volpt::test {
namespace {

constexpr std::size_t kWidth = 150, kHeight = 101; // no multiples of any cell

DenoisedPlane denoise(NoisyPlane const& noisy, Guides const& guides, int threads = 1)
{
    return denoise_plane(noisy, FeatureMaker(guides, threads).make(0), threads);
}

Plane make_steps()
{
    return make_plane(kWidth, kHeight, [](std::size_t x, std::size_t y) {
        return 0.2 + 0.5 * (x >= 70) + 0.15 * (y >= 40) + 0.001 * static_cast<double>(x);
    });
}

TEST(DenoisePlane, FlatFieldStaysFlat)
{
    Plane const truth(kWidth * kHeight, 0.4f);
    DenoisedPlane const denoised =
        denoise(add_noise(kWidth, kHeight, truth, 0.2), make_flat_guides(kWidth, kHeight, Plane(truth.size(), 0.5f)));
    auto const [least, most] = std::ranges::minmax(denoised.values);
    EXPECT_GT(least, 0.25f); // of 15,150 pixels: three quarters of the standard deviation of one
    EXPECT_LT(most, 0.55f);
    EXPECT_LT(measure_rmse(denoised.values, truth), 0.2 * 0.08);
}

TEST(DenoisePlane, FlatFieldWithDetailedGuidesStaysFlat)
{
    Plane const truth(kWidth * kHeight, 0.4f);
    DenoisedPlane const denoised =
        denoise(add_noise(kWidth, kHeight, truth, 0.2), make_flat_guides(kWidth, kHeight, make_steps()));
    EXPECT_LT(measure_rmse(denoised.values, truth), 0.2 * 0.1);
}

TEST(DenoisePlane, WithoutNoiseEveryValueStays)
{
    Plane const truth = make_plane(kWidth, kHeight, [](std::size_t x, std::size_t y) {
        return 0.5 + 0.4 * std::sin(static_cast<double>(x * x + 3 * y)) * (x > 20);
    });
    NoisyPlane const clean{kWidth, kHeight, truth, Plane(truth.size(), 0.0f)};
    DenoisedPlane const denoised = denoise(clean, make_flat_guides(kWidth, kHeight, make_steps()));
    for (std::size_t i = 0; i < truth.size(); ++i) {
        EXPECT_NEAR(denoised.values[i], truth[i], 2e-6) << i;
        EXPECT_EQ(denoised.errors[i], 0) << i;
    }
}

TEST(DenoisePlane, BitsDoNotDependOnThreads)
{
    Plane const truth = make_steps();
    NoisyPlane const noisy = add_noise(kWidth, kHeight, truth, 0.1);
    Guides const guides = make_flat_guides(kWidth, kHeight, truth);
    DenoisedPlane const one = denoise(noisy, guides, 1);
    for (int const threads : {2, 3, 7}) {
        DenoisedPlane const many = denoise(noisy, guides, threads);
        EXPECT_EQ(one.values, many.values) << threads;
        EXPECT_EQ(one.errors, many.errors) << threads;
    }
}

TEST(DenoisePlane, EdgesOfGuidesStaySharp)
{
    Plane const truth = make_steps();
    DenoisedPlane const denoised =
        denoise(add_noise(kWidth, kHeight, truth, 0.1), make_flat_guides(kWidth, kHeight, truth));
    EXPECT_LT(measure_rmse(denoised.values, truth), 0.1 / 5);
    double left = 0, right = 0; // of the edge
    for (std::size_t y = 0; y < 40; ++y) {
        left += static_cast<double>(denoised.values[y * kWidth + 69]) / 40;
        right += static_cast<double>(denoised.values[y * kWidth + 70]) / 40;
    }
    EXPECT_NEAR(right - left, 0.501, 0.03);
}

TEST(DenoisePlane, EdgesThatNoGuideShowsStay)
{
    Plane const truth = make_steps();
    double const deviation = 0.02;
    DenoisedPlane const denoised = denoise(add_noise(kWidth, kHeight, truth, deviation),
                                           make_flat_guides(kWidth, kHeight, Plane(truth.size(), 0.5f)));
    EXPECT_LT(measure_rmse(denoised.values, truth), deviation);
}

TEST(DenoisePlane, DetailThatTheFilmHasLostIsNotPutBack)
{
    auto const is_bright = [](std::size_t x) { return x / 2 % 2 == 0; };
    Plane const stripes = make_plane(kWidth, kHeight, [&](std::size_t x, std::size_t) { return is_bright(x); });
    Plane const truth(stripes.size(), 0.5f);
    DenoisedPlane const denoised =
        denoise(add_noise(kWidth, kHeight, truth, 0.1), make_flat_guides(kWidth, kHeight, stripes));
    double contrast = 0;
    for (std::size_t i = 0; i < truth.size(); ++i)
        contrast += static_cast<double>(denoised.values[i] - truth[i]) * (is_bright(i % kWidth) ? 1 : -1);
    EXPECT_LT(std::abs(contrast / static_cast<double>(truth.size())), 0.002); // its standard error is 0.0008
}

TEST(DenoisePlane, DetailThatTheFilmHasBlurredIsBlurred)
{
    // A line pattern of contrast 1 in the guide, of which the film has a fifth.
    auto const wave = [](std::size_t x) { return std::sin(2 * 3.14159265 * static_cast<double>(x) / 8); };
    Plane const lines = make_plane(kWidth, kHeight, [&](std::size_t x, std::size_t) { return 0.5 + 0.5 * wave(x); });
    Plane const truth = make_plane(kWidth, kHeight, [&](std::size_t x, std::size_t) { return 0.5 + 0.1 * wave(x); });
    DenoisedPlane const denoised =
        denoise(add_noise(kWidth, kHeight, truth, 0.2), make_flat_guides(kWidth, kHeight, lines));
    double product = 0, power = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        product += static_cast<double>(denoised.values[i]) * wave(i % kWidth);
        power += wave(i % kWidth) * wave(i % kWidth);
    }
    EXPECT_NEAR(product / power, 0.1, 0.01);
}

TEST(DenoisePlane, PixelsWithoutVarianceAreNoRisk)
{
    Plane const truth = make_steps();
    NoisyPlane noisy = add_noise(kWidth, kHeight, truth, 0.1);
    for (std::size_t i = 0; i < truth.size(); ++i)
        if (i % kWidth < 30 || i % 7 == 0) {
            noisy.values[i] = truth[i];
            noisy.variances[i] = 0;
        }
    DenoisedPlane const denoised = denoise(noisy, make_flat_guides(kWidth, kHeight, truth));
    for (float const value : denoised.values) ASSERT_TRUE(std::isfinite(value));
    EXPECT_LT(measure_rmse(denoised.values, truth), 0.1 / 4);
}

TEST(DenoisePlane, BlackPlaneStaysBlack)
{
    NoisyPlane const black{kWidth, kHeight, Plane(kWidth * kHeight), Plane(kWidth * kHeight)};
    EXPECT_EQ(denoise(black, make_flat_guides(kWidth, kHeight, make_steps())).values, black.values);
}

TEST(DenoisePlane, SmallestPictures)
{
    for (auto const& [width, height] : {std::pair<std::size_t, std::size_t>{1, 1}, {1, 5}, {3, 1}, {2, 2}}) {
        Plane const truth(width * height, 0.5f);
        DenoisedPlane const denoised =
            denoise(add_noise(width, height, truth, 0.1), make_flat_guides(width, height, truth));
        ASSERT_EQ(denoised.values.size(), truth.size());
        for (float const value : denoised.values) EXPECT_TRUE(std::isfinite(value));
    }
}

} // namespace
} // namespace volpt::test
