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
        EXPECT_EQ(comparison.x, 7);
        EXPECT_EQ(comparison.y, 5);
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
    EXPECT_EQ(comparison.effects[0].block_x, 0);
    EXPECT_EQ(comparison.effects[0].block_y, 16);
    test = make_off(make_noisy({1000}, 2), 0.1, 0.01);
    comparison = compare_expectations({test, 0, shared}, {reference, 0, shared}, {"Y"}, {});
    EXPECT_LT(comparison.effects[0].mean_p, 1e-6);
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
