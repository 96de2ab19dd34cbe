// Directions after scattering: distribution, mean cosine, length.
#include "libvolpt/core/phase_function.hd.h"
#include "tests/core/random_vectors.h"
#include "tests/support/goodness_of_fit.h"

#include <gtest/gtest.h>

#include <numbers>

namespace volpt::test {
namespace {

constexpr float kTestedG[] = {-0.95f, -0.5f, -0.1f, -1e-5f, 0.0f, 1e-5f, 0.1f, 0.4f, 0.75f, 0.95f};

/// Share of Henyey-Greenstein's scatterings with a cosine up to `mu`.
double hg_cdf(double g, double mu)
{
    if (std::abs(g) < 1e-3) return 0.5 * (1 + mu) - 0.75 * g * (1 - mu * mu); // its series
    return (1 - g * g) / (2 * g) * (1 / std::sqrt(1 + g * g - 2 * g * mu) - 1 / (1 + g));
}

TEST(PhaseFunction, MeanCosineIsG)
{
    for (float const g : kTestedG) {
        double sum = 0;
        double squares = 0;
        constexpr int kSteps = 1 << 18;
        for (int i = 0; i < kSteps; ++i) {
            float const a = -1 + (static_cast<float>(i) + 0.5f) * (2.0f / kSteps);
            double const cosine = static_cast<double>(sample_hg_cosine(g, a));
            sum += cosine;
            squares += cosine * cosine;
        }
        double const exact = static_cast<double>(g);
        EXPECT_NEAR(sum / kSteps, exact, 1e-6) << g;
        EXPECT_NEAR(squares / kSteps, (1 + 2 * exact * exact) / 3, 1e-6) << g;
    }
}

TEST(PhaseFunction, ThePeakKeepsItsWidth)
{
    // Transport depends on 1 - g: its relative error counts. Cosines within 2^-24 of 1 are rounded, but without bias.
    for (float const size : {0.9f, 0.99f, 0.995f, 0.998f, 0.999f})
        for (float const sign : {1.0f, -1.0f}) {
            double away = 0;
            constexpr int kSteps = 1 << 20;
            for (int i = 0; i < kSteps; ++i) {
                float const a = -1 + (static_cast<float>(i) + 0.5f) * (2.0f / kSteps);
                away += 1 - static_cast<double>(sign * sample_hg_cosine(sign * size, a));
            }
            EXPECT_NEAR(away / kSteps / (1 - static_cast<double>(size)), 1, 2e-5) << sign * size;
        }
}

TEST(PhaseFunction, CosineStaysInRangeAndReachesBothEnds)
{
    for (float const g : kTestedG) {
        EXPECT_NEAR(sample_hg_cosine(g, 1.0f), 1, 5e-5) << g;
        EXPECT_NEAR(sample_hg_cosine(g, -1.0f), -1, 5e-5) << g;
        for (int i = 0; i <= 10000; ++i) {
            float const cosine = sample_hg_cosine(g, static_cast<float>(i) / 5000 - 1);
            ASSERT_LE(std::abs(cosine), 1.0f) << g;
        }
    }
}

TEST(PhaseFunction, WithoutAnisotropyTheCosineIsTheUniformItself)
{
    for (int i = -1000; i <= 1000; ++i) {
        float const a = static_cast<float>(i) / 1000;
        EXPECT_EQ(sample_hg_cosine(0.0f, a), a);
    }
}

/// Chi-square of cosine and azimuth about `axis` of 200,000 directions.
void expect_hg_about(Vec3 axis, float g, std::function<Vec3(Rng&)> const& sample)
{
    constexpr std::size_t kCells = 50;
    std::vector<double> cosines(kCells);
    std::vector<double> azimuths(kCells);
    std::vector<double> expected(kCells);
    for (std::size_t i = 0; i < kCells; ++i) {
        auto const edge = [&](std::size_t k) { return 2.0 * static_cast<double>(k) / kCells - 1; };
        expected[i] = hg_cdf(static_cast<double>(g), edge(i + 1)) - hg_cdf(static_cast<double>(g), edge(i));
    }
    Frame const frame = make_frame(axis);
    Rng rng = seed_rng(17, 0, 0, 0);
    auto const cell = [](double from_0_to_1) {
        return std::min(kCells - 1, static_cast<std::size_t>(from_0_to_1 * kCells));
    };
    for (int i = 0; i < 200000; ++i) {
        Vec3 const d = sample(rng);
        cosines[cell(0.5 + 0.5 * std::clamp(dot_double(d, axis), -1.0, 1.0))] += 1;
        double const azimuth = std::atan2(dot_double(d, frame.bitangent), dot_double(d, frame.tangent));
        azimuths[cell(std::clamp(0.5 + azimuth / (2 * std::numbers::pi), 0.0, 1.0))] += 1;
    }
    EXPECT_LT(std::abs(chi_square_deviate(cosines, expected)), 4) << "cosine, g " << g;
    EXPECT_LT(std::abs(chi_square_deviate(azimuths)), 4) << "azimuth, g " << g;
}

TEST(PhaseFunction, DirectionsFollowHenyeyGreenstein)
{
    RandomVectors random(3);
    for (float const g : kTestedG) {
        Vec3 const axis = random.direction();
        expect_hg_about(axis, g, [&](Rng& rng) {
            std::uint32_t const cosine_bits = rng.draw();
            std::uint32_t const azimuth_bits = rng.draw();
            return sample_hg(axis, g, cosine_bits, azimuth_bits);
        });
    }
}

TEST(PhaseFunction, IsotropicDirectionsAreUniform)
{
    for (Vec3 const axis : {Vec3{0, 0, 1}, Vec3{1, 0, 0}, normalize({1, -2, 3})})
        expect_hg_about(axis, 0, [&](Rng& rng) {
            std::uint32_t const cosine_bits = rng.draw();
            std::uint32_t const azimuth_bits = rng.draw();
            return sample_isotropic(cosine_bits, azimuth_bits);
        });
}

TEST(PhaseFunction, DirectionsStayUnitOverManyScatterings)
{
    for (float const g : kTestedG) {
        Rng rng = seed_rng(23, 0, 0, 0);
        Vec3 direction{0, 0, -1};
        double worst = 0;
        for (int i = 0; i < 100000; ++i) {
            std::uint32_t const cosine_bits = rng.draw();
            std::uint32_t const azimuth_bits = rng.draw();
            direction = sample_hg(direction, g, cosine_bits, azimuth_bits);
            worst = std::max(worst, std::abs(length(direction) - 1));
        }
        EXPECT_LT(worst, 5e-7) << g;
    }
}

TEST(PhaseFunction, IsotropicDirectionsAreUnit)
{
    Rng rng = seed_rng(29, 0, 0, 0);
    for (int i = 0; i < 100000; ++i) {
        std::uint32_t const cosine_bits = rng.draw();
        std::uint32_t const azimuth_bits = rng.draw();
        ASSERT_NEAR(length(sample_isotropic(cosine_bits, azimuth_bits)), 1, 3e-7);
    }
    EXPECT_NEAR(length(sample_isotropic(0x80000000, 5)), 1, 0) << "straight down";
}

} // namespace
} // namespace volpt::test
