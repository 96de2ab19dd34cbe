// The path's generator: known answers, independence of neighbouring streams, and the distributions made of its bits.
#include "libvolpt/core/rng.hd.h"
#include "tests/support/goodness_of_fit.h"

#include <gtest/gtest.h>

#include <bit>

namespace volpt::test {
namespace {

struct KnownAnswer {
    Words4 counter;
    std::uint32_t key[2];
    std::uint32_t answer[4];
};

TEST(Rng, PhiloxGivesTheKnownAnswersOfRandom123)
{
    // "philox4x32 7" of Random123's kat_vectors.
    KnownAnswer const answers[] = {
        {{{0, 0, 0, 0}}, {0, 0}, {0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48}},
        {{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
         {0xffffffff, 0xffffffff},
         {0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662}},
        {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
         {0xa4093822, 0x299f31d0},
         {0x4dfccaba, 0x190a87f0, 0xc47362ba, 0xb6b5242a}},
    };
    for (KnownAnswer const& known : answers) {
        Words4 const hash = hash_philox(known.counter, known.key[0], known.key[1]);
        for (int i = 0; i < 4; ++i) EXPECT_EQ(hash.word[i], known.answer[i]);
    }
}

/// Doty-Humphrey's definition in 64-bit arithmetic modulo 2^32.
struct PlainSfc32 {
    std::uint64_t a, b, c, counter;

    std::uint64_t next()
    {
        constexpr std::uint64_t kModulus = std::uint64_t{1} << 32;
        std::uint64_t const output = (a + b + counter) % kModulus;
        counter = (counter + 1) % kModulus;
        a = b ^ (b / 512);
        b = (9 * c) % kModulus;
        c = (std::rotl(static_cast<std::uint32_t>(c), 21) + output) % kModulus;
        return output;
    }
};

TEST(Rng, StepIsSfc32)
{
    Rng rng{0x243f6a88, 0x85a308d3, 0xfffffff0, 0xfffffffe}; // the counter wraps on the way
    PlainSfc32 plain{rng.a, rng.b, rng.c, rng.counter};
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(rng.draw(), plain.next()) << i;
}

TEST(Rng, SteppingBackUndoesADraw)
{
    Rng rng = seed_rng(3, 1, 4, 1);
    for (int i = 0; i < 1000; ++i) {
        Rng const before = rng;
        rng.draw();
        Rng const back = step_back(rng);
        ASSERT_EQ(back.a, before.a);
        ASSERT_EQ(back.b, before.b);
        ASSERT_EQ(back.c, before.c);
        ASSERT_EQ(back.counter, before.counter);
    }
}

TEST(Rng, StateIsTheHashOfSeedPixelSampleAndBandNumber)
{
    Rng const rng = seed_rng(0x299f31d0a4093822, 7, 8, 9);
    Words4 const hash = hash_philox({{7, 8, 9, 0}}, 0xa4093822, 0x299f31d0);
    EXPECT_EQ(rng.a, hash.word[0]);
    EXPECT_EQ(rng.b, hash.word[1]);
    EXPECT_EQ(rng.c, hash.word[2]);
    EXPECT_EQ(rng.counter, hash.word[3]);
}

TEST(Rng, EveryByteOfOneStreamIsEquidistributed)
{
    Rng rng = seed_rng(1, 2, 3, 4);
    std::vector<double> counts[4];
    for (auto& c : counts) c.assign(256, 0);
    for (int i = 0; i < 1 << 19; ++i) {
        std::uint32_t const bits = rng.draw();
        for (int byte = 0; byte < 4; ++byte) counts[byte][bits >> (8 * byte) & 0xff] += 1;
    }
    for (auto const& c : counts) EXPECT_LT(std::abs(chi_square_deviate(c)), 4);
}

TEST(Rng, FirstDrawsOfNeighbouringPathsAreEquidistributed)
{
    for (int draw = 0; draw < 3; ++draw) {
        std::vector<double> counts(1024);
        for (std::uint32_t pixel = 0; pixel < 512; ++pixel)
            for (std::uint32_t sample = 0; sample < 256; ++sample) {
                Rng rng = seed_rng(0, pixel, sample, 0);
                for (int skip = 0; skip < draw; ++skip) rng.draw();
                counts[rng.draw() >> 22] += 1;
            }
        EXPECT_LT(std::abs(chi_square_deviate(counts)), 4) << "draw " << draw;
    }
}

/// Correlation coefficient times the root of the number of pairs: a standard normal deviate if the streams are
/// independent.
double correlate(std::function<Rng(std::uint32_t)> const& left, std::function<Rng(std::uint32_t)> const& right)
{
    double sum = 0;
    double count = 0;
    for (std::uint32_t i = 0; i < 4096; ++i) {
        Rng a = left(i);
        Rng b = right(i);
        for (int draw = 0; draw < 8; ++draw) {
            double const x = to_symmetric(a.draw());
            double const y = to_symmetric(b.draw());
            sum += 3 * x * y; // variance of either is 1/3
            count += 1;
        }
    }
    return sum / std::sqrt(count);
}

TEST(Rng, NeighbouringStreamsAreUncorrelated)
{
    auto const base = [](std::uint32_t i) { return seed_rng(5, i, i / 64, 0); };
    EXPECT_LT(std::abs(correlate(base, [](std::uint32_t i) { return seed_rng(5, i + 1, i / 64, 0); })), 4);
    EXPECT_LT(std::abs(correlate(base, [](std::uint32_t i) { return seed_rng(5, i, i / 64 + 1, 0); })), 4);
    EXPECT_LT(std::abs(correlate(base, [](std::uint32_t i) { return seed_rng(5, i, i / 64, 1); })), 4);
    EXPECT_LT(std::abs(correlate(base, [](std::uint32_t i) { return seed_rng(6, i, i / 64, 0); })), 4);
    EXPECT_LT(std::abs(correlate(base, [](std::uint32_t i) { return seed_rng(5 + (1ull << 32), i, i / 64, 0); })), 4);
    EXPECT_GT(std::abs(correlate(base, base)), 100) << "the statistic must see equal streams";
}

TEST(Rng, ToUnitIsTheTopBitsAndNeverOne)
{
    EXPECT_EQ(to_unit(0), 0.0f);
    EXPECT_EQ(to_unit(0xffffffff), 1 - 0x1p-24f);
    for (std::uint32_t bits : {0x1ffu, 0x80000000u, 0x12345678u, 0xfffffe00u})
        EXPECT_EQ(static_cast<double>(to_unit(bits)), std::ldexp(bits / 256, -24));
}

TEST(Rng, ToSymmetricCoversMinusOneToOneSymmetrically)
{
    EXPECT_EQ(to_symmetric(0x80000000), -1.0f);
    EXPECT_EQ(to_symmetric(0x7fffffff), 1.0f);
    double sum = 0;
    for (std::uint32_t i = 0; i < 1u << 20; ++i) {
        std::uint32_t const bits = i * 4096 + 1234;
        float const value = to_symmetric(bits);
        ASSERT_LE(std::abs(value), 1.0f);
        ASSERT_NEAR(to_symmetric(~bits), -value, 0x1p-24); // ~bits mirrors the integers about -1/2
        sum += static_cast<double>(value) + static_cast<double>(to_symmetric(~bits));
    }
    EXPECT_NEAR(sum / (1 << 21), 0, 1e-8);
}

TEST(Rng, OpticalDepthEndsAtZeroAndAt32Log2)
{
    EXPECT_EQ(to_optical_depth(0xffffffff), 0.0f);
    EXPECT_NEAR(to_optical_depth(0), 32 * std::log(2.0), 1e-5);
    for (std::uint32_t bits = 0; bits < 0xffff0000u; bits += 0xfff1u) {
        ASSERT_GE(to_optical_depth(bits), 0.0f);
        ASSERT_LE(to_optical_depth(bits), to_optical_depth(0));
    }
}

TEST(Rng, OpticalDepthIsExponential)
{
    Rng rng = seed_rng(11, 0, 0, 0);
    std::vector<double> depths(1 << 17);
    for (double& depth : depths) depth = static_cast<double>(to_optical_depth(rng.draw()));
    EXPECT_LT(kolmogorov_smirnov(depths, [](double x) { return 1 - std::exp(-x); }), 1.95);
}

TEST(Rng, OpticalDepthHasTheMomentsOfTheExponential)
{
    constexpr std::uint32_t kStep = 509;
    double sum = 0, squares = 0, count = 0;
    for (std::uint64_t bits = kStep / 2; bits < std::uint64_t{1} << 32; bits += kStep) {
        double const depth = static_cast<double>(to_optical_depth(static_cast<std::uint32_t>(bits)));
        sum += depth;
        squares += depth * depth;
        count += 1;
    }
    EXPECT_NEAR(sum / count, 1, 2e-6);
    EXPECT_NEAR(squares / count, 2, 2e-5);
}

TEST(Rng, FineUnitsAreBelowTinyProbabilitiesThatOften)
{
    for (float const p : {0.0f, 1e-10f, 4e-10f, 1e-9f, 6e-8f, 1e-6f}) {
        double below = 0;
        for (std::uint32_t k = 0; k < 5000; ++k) below += to_fine_unit(2 * k) < p ? 0x1p-31 : 0;
        EXPECT_NEAR(below, static_cast<double>(p), 0x1p-32) << p;
    }
    EXPECT_LE(to_fine_unit(0xffffffffu), 1.0f);
}

} // namespace
} // namespace volpt::test
