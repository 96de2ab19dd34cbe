// The statistical verdict: no alarm on equal expectations, alarm on each kind of difference, honest intervals.
#include "libvolpt/stats/verdict/expectation.h"

#include "libvolpt/stats/verdict/value_test.h"
#include "libvolpt/sys/error.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace volpt::test {
namespace {

constexpr int kEdge = 64;

struct Noise {
    int samples;
    float mean = 0.5f;
    double success = 0.3; ///< a sample is mean / success with this probability, else 0
    float sky = 0;        ///< added to every sample
};

/// Averages of two-point samples, with the layers that a film has.
Image make_noisy(Noise noise, unsigned seed)
{
    std::mt19937 random(seed);
    std::binomial_distribution<int> successes(noise.samples, noise.success);
    Image image = make_image(kEdge, kEdge, Transfer::linear, {"Y", "standard_error.Y", "sample_count"});
    double const value = static_cast<double>(noise.mean) / noise.success, n = noise.samples;
    for (std::size_t i = 0; i < image.pixel_count(); ++i) {
        double const share = successes(random) / n;
        image.channels[0].values[i] = static_cast<float>(value * share) + noise.sky;
        image.channels[1].values[i] = static_cast<float>(value * std::sqrt(share * (1 - share) / (n - 1)));
        image.channels[2].values[i] = static_cast<float>(n);
    }
    return image;
}

ExpectationComparison compare(Image const& test, Image const& reference, ExpectationSettings settings = {})
{
    return compare_expectations({test}, {reference}, {"Y"}, settings);
}

TEST(Expectation, SameExpectationPassesWhateverTheNoise)
{
    // At the level 0.001 the chance that one of 60 fixed verdicts alarms is 6 %.
    for (Noise const noise : {Noise{4}, Noise{16}, Noise{1000}, Noise{16, 0.5f, 0.01}, Noise{64, 0.5f, 0.99}})
        for (unsigned seed = 1; seed <= 12; ++seed) {
            ExpectationComparison const comparison =
                compare(make_noisy(noise, 2 * seed), make_noisy(noise, 2 * seed + 1));
            EXPECT_TRUE(comparison.same) << noise.samples << " samples: " << comparison.reasons.front();
        }
}

TEST(Expectation, FewSamplesOfRareEventsPassAgainstManyOfThem)
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        ExpectationComparison const comparison =
            compare(make_noisy({8, 0.5f, 0.02}, seed), make_noisy({2000, 0.5f, 0.02}, 100 + seed));
        EXPECT_TRUE(comparison.same) << comparison.reasons.front();
    }
}

TEST(Expectation, SmallSunRaisesNoAlarmAtUnequalCounts)
{
    // A sample meets the sun once in 4000, and a tenth to nine tenths of the light are from there. At 8 samples a block
    // of 2048 has half a hit. The probability that one of 360 verdicts alarms is nominally 0.3, of three 0.006.
    int alarms = 0;
    for (float const sky : {0.9f, 0.3f, 0.01f})
        for (int const samples : {8, 16, 64})
            for (unsigned seed = 1; seed <= 40; ++seed)
                alarms += compare(make_noisy({samples, 0.1f, 0.00025, sky}, 2 * seed),
                                  make_noisy({256, 0.1f, 0.00025, sky}, 2 * seed + 1))
                                  .same
                              ? 0
                              : 1;
    EXPECT_LE(alarms, 2);
}

TEST(Expectation, UnequalCountsHideNoBias)
{
    // 2 % of a mean with an error of 0.33 %.
    for (float const biased : {0.49f, 0.51f})
        for (unsigned seed = 1; seed <= 10; ++seed)
            EXPECT_FALSE(compare(make_noisy({64, biased}, 2 * seed), make_noisy({256}, 2 * seed + 1)).same) << seed;
}

TEST(Expectation, OneWrongPixelIsFoundAndNamed)
{
    for (Correction const correction : {Correction::sidak, Correction::holm}) {
        Image test = make_noisy({1000}, 1);
        test.channels[0].values[5 * kEdge + 7] += 0.4f;
        ExpectationComparison const comparison = compare(test, make_noisy({1000}, 2), {.correction = correction});
        EXPECT_FALSE(comparison.same);
        EXPECT_EQ(comparison.largest.x, 7);
        EXPECT_EQ(comparison.largest.y, 5);
        EXPECT_EQ(comparison.values_different, 1u);
    }
}

TEST(Expectation, BiasTooSmallForAPixelIsFoundByTheMean)
{
    // 0.5 % of a mean whose pixels have an error of 7.6 / sqrt(1000) = 5 % each.
    ExpectationComparison const comparison = compare(make_noisy({1000, 0.5025f}, 1), make_noisy({1000}, 2));
    EXPECT_FALSE(comparison.same);
    EXPECT_EQ(comparison.values_different, 0u);
    ASSERT_EQ(comparison.effects.size(), 1u);
    EXPECT_LE(comparison.effects[0].low, 0.0025);
    EXPECT_GE(comparison.effects[0].high, 0.0025);
    EXPECT_LT(comparison.effects[0].mean_p, 1e-4);
}

TEST(Expectation, BiasThatCancelsInTheMeanIsFoundByBlocks)
{
    Image test = make_noisy({100}, 1);
    for (std::size_t i = 0; i < test.pixel_count(); ++i)
        test.channels[0].values[i] += (i % kEdge < kEdge / 2 ? 0.02f : -0.02f);
    ExpectationComparison const comparison = compare(test, make_noisy({100}, 2));
    EXPECT_FALSE(comparison.same);
    EXPECT_GT(comparison.effects[0].mean_p, 1e-4);
    EXPECT_LT(comparison.effects[0].blocks_p, 1e-4);
}

TEST(Expectation, MapOfBlocksHasTheSumsOfItsPixels)
{
    Image test = make_noisy({100}, 1), reference = make_noisy({100}, 2);
    test.channels[0].values[0] = reference.channels[0].values[0] = NAN; // does not hide its block
    for (int y = 16; y < 32; ++y)
        for (int x = 32; x < 48; ++x) test.channels[0].values[static_cast<std::size_t>(y * kEdge + x)] -= 0.1f;
    ExpectationComparison const comparison = compare(test, reference);
    int far = 0;
    for (std::size_t i = 0; i < comparison.block_map.size(); ++i) {
        std::size_t const x = i % kEdge, y = i / kEdge;
        if (comparison.block_map[i] < -5) {
            ++far;
            EXPECT_TRUE(x >= 32 && x < 48 && y >= 16 && y < 32) << x << "," << y;
        } else {
            EXPECT_LT(std::abs(comparison.block_map[i]), 5) << x << "," << y;
        }
    }
    EXPECT_EQ(far, 16 * 16);
    EXPECT_EQ(comparison.block_map.front(), static_cast<float>(comparison.block_map[1]));
    EXPECT_NE(comparison.reasons.back().find("block at pixel 32,16"), std::string::npos) << comparison.reasons.back();
}

TEST(Expectation, ConstantsPassIfEqualAndFailIfNot)
{
    Image const one = make_noisy({16, 1.0f, 1.0}, 1);
    ExpectationComparison comparison = compare(one, one);
    EXPECT_TRUE(comparison.same);
    EXPECT_EQ(comparison.effects[0].blocks, 0u);
    comparison = compare(make_noisy({16, 1.01f, 1.0}, 1), one);
    EXPECT_FALSE(comparison.same);
}

TEST(Expectation, MissingNoiseIsAnErrorOrANotice)
{
    Image const noisy = make_noisy({100}, 1);
    Image bare = noisy;
    bare.channels.resize(1);
    EXPECT_THROW(compare(bare, bare), Error);
    for (float& value : bare.channels[0].values) value = 0.5f;
    ExpectationComparison const comparison = compare(noisy, bare);
    EXPECT_TRUE(comparison.same);
    EXPECT_EQ(comparison.notices.size(), 1u);

    Image single = noisy;
    for (float& value : single.channels[1].values) value = INFINITY;
    EXPECT_THROW(compare(single, noisy), Error);
}

/// All pixels off by `error`, which their standard errors include.
Image make_off(Image image, double error, double deviation)
{
    for (std::size_t i = 0; i < image.pixel_count(); ++i) {
        float& value = image.channels[0].values[i];
        value *= static_cast<float>(1 + error);
        image.channels[1].values[i] = std::hypot(image.channels[1].values[i], static_cast<float>(deviation) * value);
    }
    return image;
}

TEST(Expectation, ErrorThatPixelsShareIsNoAlarmWhereItIsKnown)
{
    // A hundredth, of pixels whose own noise is 7.6 / sqrt(n) hundredths of each: 1.5 and 0.38 of it over a block, and
    // 0.01 of it over all.
    constexpr double kDeviation = 0.01;
    std::mt19937 random(1);
    std::normal_distribution<double> draw(0, kDeviation);
    int alarms_without = 0;
    for (int const samples : {1000, 16000})
        for (unsigned seed = 1; seed <= 20; ++seed) {
            double const error = draw(random), other = draw(random);
            Image const test = make_off(make_noisy({samples}, 2 * seed), error, kDeviation);
            Image const reference = make_off(make_noisy({samples}, 2 * seed + 1), other, kDeviation);
            std::map<std::string, double> const shared{{"Y", kDeviation * kDeviation}};
            ExpectationComparison const comparison =
                compare_expectations({test, 0, shared}, {reference, 0, shared}, {"Y"}, {});
            EXPECT_TRUE(comparison.same) << comparison.reasons.front();
            EXPECT_NEAR(comparison.effects[0].high - comparison.effects[0].low,
                        2 * 3.29 * 0.5 * std::hypot(kDeviation, kDeviation), 1e-3);
            alarms_without += compare(test, reference).same ? 0 : 1;
        }
    EXPECT_GT(alarms_without, 20);
}

TEST(Expectation, WhatPixelsShareHidesNoDifferenceOfTheirs)
{
    std::map<std::string, double> const shared{{"Y", 1e-4}};
    Image const reference = make_off(make_noisy({1000}, 1), 0, 0.01);
    Image test = make_off(make_noisy({1000}, 2), 0.01, 0.01);
    for (int y = 16; y < 32; ++y)
        for (int x = 0; x < 16; ++x) test.channels[0].values[static_cast<std::size_t>(y * kEdge + x)] *= 1.03f;
    ExpectationComparison comparison = compare_expectations({test, 0, shared}, {reference, 0, shared}, {"Y"}, {});
    EXPECT_FALSE(comparison.same);
    EXPECT_LT(comparison.effects[0].blocks_p, 1e-6);
    EXPECT_GT(comparison.effects[0].mean_p, 0.01);
    EXPECT_GT(comparison.effects[0].block_z, 5);
    EXPECT_EQ(comparison.effects[0].block.x, 0);
    EXPECT_EQ(comparison.effects[0].block.y, 16);
    test = make_off(make_noisy({1000}, 2), 0.1, 0.01);
    comparison = compare_expectations({test, 0, shared}, {reference, 0, shared}, {"Y"}, {});
    EXPECT_LT(comparison.effects[0].mean_p, 1e-6);
}

/// Pixels that few particles reach: their number is Poisson's, what each adds is exponential. `brightness` by pixel.
template <class Brightness>
Image make_particles(double contributions, unsigned seed, Brightness const& brightness, float samples = 256)
{
    std::mt19937 random(seed);
    std::exponential_distribution<double> size(1);
    Image image = make_image(kEdge, kEdge, Transfer::linear, {"Y", "standard_error.Y", "sample_count"});
    for (std::size_t i = 0; i < image.pixel_count(); ++i) {
        double const light = brightness(static_cast<int>(i) % kEdge, static_cast<int>(i) / kEdge);
        double sum = 0, squares = 0;
        if (light > 0) {
            std::poisson_distribution<int> count(light * contributions);
            for (int left = count(random); left > 0; --left) {
                double const value = size(random) / contributions;
                sum += value;
                squares += value * value;
            }
        }
        image.channels[0].values[i] = static_cast<float>(sum);
        image.channels[1].values[i] = static_cast<float>(std::sqrt(squares));
        image.channels[2].values[i] = samples;
    }
    return image;
}

double shine_evenly(int, int)
{
    return 1;
}

TEST(Particles, FewContributionsRaiseNoAlarm)
{
    // At the level .01, 240 verdicts have 2.4 alarms on average, and more than 7 with a probability of .4 %.
    int alarms = 0;
    for (double const contributions : {0.4, 1.5, 8.0, 60.0})
        for (unsigned seed = 1; seed <= 60; ++seed) {
            ExpectationComparison const comparison =
                compare(make_particles(contributions, 2 * seed, shine_evenly),
                        make_particles(60, 2 * seed + 1, shine_evenly), {.alpha = 0.01});
            alarms += comparison.same ? 0 : 1;
            EXPECT_TRUE(comparison.is_decided) << contributions;
        }
    EXPECT_LE(alarms, 7);
}

TEST(Particles, PixelsAreJoinedUntilBothSidesHaveEnough)
{
    Image const many = make_particles(1000, 1, shine_evenly);
    for (auto const& [contributions, values] : {std::pair{1000.0, 64 * 64}, {30.0, 32 * 32}, {7.0, 16 * 16}}) {
        ExpectationComparison const comparison = compare(make_particles(contributions, 2, shine_evenly), many);
        EXPECT_NEAR(static_cast<double>(comparison.values_tested), values, 0.1 * values) << contributions;
        EXPECT_EQ(comparison.judged_light, 1);
    }
}

TEST(Particles, TooFewContributionsAreUndecidedAndTellTheSamplesNeeded)
{
    Image const many = make_particles(1000, 1, shine_evenly);
    double const few = 0.01; // 2.6 of a block
    ExpectationComparison const comparison = compare(make_particles(few, 2, shine_evenly), many);
    EXPECT_TRUE(comparison.same);
    EXPECT_FALSE(comparison.is_decided);
    EXPECT_EQ(comparison.reference_samples_needed, 256);
    double const factor = comparison.test_samples_needed / 256;
    EXPECT_GT(factor, 10);
    EXPECT_TRUE(compare(make_particles(few * factor, 3, shine_evenly), many).is_decided);
    EXPECT_FALSE(compare(make_particles(few * factor / 4, 3, shine_evenly), many).is_decided);
}

TEST(Particles, WhatIsMissingIsFoundWhereNoContributionIs)
{
    auto const shine = [](int x, int y) { return x >= 16 && x < 32 && y >= 32 && y < 48 ? 0.0 : 1.0; };
    for (double const contributions : {1.0, 30.0, 1000.0}) {
        ExpectationComparison const comparison =
            compare(make_particles(contributions, 1, shine), make_particles(1000, 2, shine_evenly));
        EXPECT_FALSE(comparison.same) << contributions;
        EXPECT_LT(comparison.effects[0].block_z, -5);
        EXPECT_GE(comparison.effects[0].block.x, 16);
        EXPECT_LT(comparison.effects[0].block.x, 32);
        EXPECT_GE(comparison.effects[0].block.y, 32);
    }
}

TEST(Particles, ErrorsOfChainsDoNotFallWithTheNumberOfPixels)
{
    // All pixels off together, which their own errors do not show in a sum.
    std::mt19937 random(1);
    std::normal_distribution<double> draw(0, 0.02);
    int alarms = 0, alarms_as_independent = 0;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        Image const test = make_off(make_particles(100, 2 * seed, shine_evenly), draw(random), 0.02);
        Image const reference = make_particles(100, 2 * seed + 1, shine_evenly);
        alarms_as_independent += compare(test, reference).same ? 0 : 1;
        std::map<std::string, double> const means{{"Y", 4e-4}};
        ExpectationComparison const comparison =
            compare_expectations({test, 0, {}, PixelNoise::of_chains, means}, {reference}, {"Y"}, {.alpha = 0.01});
        alarms += comparison.same ? 0 : 1;
        EXPECT_NEAR(comparison.effects[0].high - comparison.effects[0].low, 2 * 2.58 * 0.02, 0.02);
    }
    EXPECT_LE(alarms, 2);
    EXPECT_GT(alarms_as_independent, 20);
}

TEST(Expectation, SixStandardErrorsOfABlockOfEightAreFound)
{
    constexpr int kPairs = 100;
    int found = 0;
    for (unsigned seed = 1; seed <= kPairs; ++seed) {
        Image test = make_noisy({100}, 2 * seed);
        Image const reference = make_noisy({100}, 2 * seed + 1);
        int const x0 = 8 * (static_cast<int>(seed) % 8), y0 = 8 * (static_cast<int>(seed) / 8 % 8);
        // The variance of a value is mean^2 (1 - p) / p / samples, on both sides, of 64 values.
        double const shift = 6 * std::sqrt(2 * 64 * 0.25 * 0.7 / 0.3 / 100) / 64;
        for (int y = y0; y < y0 + 8; ++y)
            for (int x = x0; x < x0 + 8; ++x)
                test.channels[0].values[static_cast<std::size_t>(y * kEdge + x)] += static_cast<float>(shift);
        ExpectationComparison const comparison = compare(test, reference, {.alpha = 0.01});
        if (!comparison.same && comparison.effects[0].block.x == x0 && comparison.effects[0].block.y == y0) ++found;
        // What is said to be found in 95 of 100.
        EXPECT_NEAR(comparison.effects[0].block_shift, shift / 0.5, 0.1 * shift / 0.5);
    }
    EXPECT_GE(found, 90);
}

TEST(Expectation, ThreadsDoNotChangeTheVerdict)
{
    Image const test = make_noisy({16}, 1), reference = make_noisy({16}, 2);
    ExpectationComparison const one = compare(test, reference), three = compare(test, reference, {.threads = 3});
    EXPECT_EQ(one.effects[0].chi_squared, three.effects[0].chi_squared);
    EXPECT_EQ(one.histogram, three.histogram);
}

TEST(Distributions, SkewedQuantileIsTheInverseOfTheSkewedTail)
{
    for (double const skewness : {0.0, 0.1, 1.0, 2.0})
        for (double const normal : {1.0, 2.0, 3.29, 5.0})
            EXPECT_NEAR(normal_from_skewed(skewed_from_normal(normal, skewness), skewness), normal, 1e-9)
                << skewness << " " << normal;
}

TEST(Distributions, LikelihoodRatioHasTheTailsOfPoissonCounts)
{
    // Against an exact side: the probability of at most 9 at an expectation of 30 is 7.1e-6, of at least 60 7.1e-7.
    EXPECT_NEAR(two_sided_normal(test_contributions({9, 1}, {30, 0})) / 2, 7.1e-6, 4e-6);
    EXPECT_NEAR(two_sided_normal(test_contributions({60, 1}, {30, 0})) / 2, 7.1e-7, 4e-7);
    // Li and Ma 1983: 140 on and 100 off counts.
    EXPECT_NEAR(test_contributions({140, 1}, {100, 1}),
                std::sqrt(2 * (140 * std::log(140 / 120.0) + 100 * std::log(100 / 120.0))), 1e-9);
    EXPECT_NEAR(test_contributions({1, 1e-6}, {1.001, 1e-6}), -1e-3 / std::sqrt(2.001e-6), 1e-3);
    EXPECT_EQ(test_contributions({1, 0.1}, {1, 0.2}), 0);
    EXPECT_TRUE(std::isinf(test_contributions({1, 0}, {2, 0})));
    EXPECT_LT(test_contributions({0, 1}, {30, 1}), -5);
}

TEST(Distributions, StudentIsTheInverseOfItsNormal)
{
    for (double const degrees : {3.0, 15.0, 1e4, 1e9})
        for (double const z : {-4.0, 0.5, 3.29})
            EXPECT_NEAR(normal_from_student(student_from_normal(z, degrees), degrees), z, 1e-6) << degrees;
}

TEST(Distributions, TailsAgreeWithTables)
{
    EXPECT_NEAR(two_sided_normal(1.959964), 0.05, 1e-7);
    EXPECT_NEAR(two_sided_quantile(0.001), 3.290527, 1e-5);
    EXPECT_NEAR(chi_squared_tail(124.342, 100), 0.05, 1e-5);
    // Student's two-sided 0.001 quantiles (Fisher and Yates 1938): the normal value is 3.2905.
    EXPECT_NEAR(normal_from_student(4.587, 10), 3.2905, 0.03);
    EXPECT_NEAR(normal_from_student(3.390, 100), 3.2905, 0.003);
    EXPECT_LT(normal_from_student(31.599, 2), 3.2905);
    // Chi-square of 8 degrees has the skewness 1 and, standardised, the upper 0.0005 quantile (27.868 - 8) / 4.
    EXPECT_NEAR(normal_from_skewed((27.868 - 8) / 4, 1), 3.2905, 0.03);
    EXPECT_EQ(normal_from_skewed(3, 0), 3);
}

} // namespace
} // namespace volpt::test
