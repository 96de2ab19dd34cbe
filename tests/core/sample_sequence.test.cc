// The samples of a pixel: how evenly they lie, in any part of their order, and that scrambling leaves each of them
// uniform and pixels independent.
#include "libvolpt/core/sample_sequence.hd.h"
#include "tests/support/goodness_of_fit.h"

#include <gtest/gtest.h>

#include <set>

namespace volpt::test {
namespace {

/// What a sample of a pixel draws, in this order.
struct SampleNumbers {
    Pair32 pair[3];
    std::uint32_t number;
};

SampleNumbers draw_numbers(std::uint32_t pixel, std::uint32_t sample)
{
    SampleSequence sequence(seed_pixel_keys(5, pixel, 0), sample);
    SampleNumbers numbers{};
    numbers.pair[0] = sequence.draw_first_pair();
    numbers.pair[1] = sequence.draw_next_pair();
    numbers.pair[2] = sequence.draw_next_pair();
    numbers.number = sequence.draw_next_number();
    return numbers;
}

std::uint32_t top_bits(std::uint32_t word, int bits)
{
    return static_cast<std::uint32_t>(std::uint64_t{word} >> (32 - bits));
}

TEST(SampleSequence, EveryAlignedPowerOfTwoOfSamplesHasOnePointInEachElementaryBox)
{
    for (std::uint32_t const pixel : {0u, 1u, 77u, 123456u})
        for (int m = 0; m <= 8; ++m)
            for (std::uint32_t const block : {0u, 1u, 2u, 3u, 100u, (0xffffffffu >> m)}) {
                std::uint32_t const count = 1u << m;
                for (int wide = 0; wide <= m; ++wide)
                    for (int p = 0; p < 3; ++p) {
                        std::set<std::uint64_t> boxes;
                        for (std::uint32_t i = 0; i < count; ++i) {
                            Pair32 const at = draw_numbers(pixel, block * count + i).pair[p];
                            boxes.insert(std::uint64_t{top_bits(at.x, wide)} << 32 | top_bits(at.y, m - wide));
                        }
                        ASSERT_EQ(boxes.size(), count) << "pixel " << pixel << ", pair " << p << ", samples from "
                                                       << block * count << ", boxes 2^-" << wide;
                    }
            }
}

TEST(SampleSequence, EveryAlignedPowerOfTwoOfSamplesHasOneNumberInEachInterval)
{
    for (std::uint32_t const pixel : {0u, 9u, 123456u})
        for (int m = 0; m <= 10; ++m)
            for (std::uint32_t const block : {0u, 1u, 5u, 0xffffffffu >> m}) {
                std::set<std::uint32_t> intervals;
                for (std::uint32_t i = 0; i < 1u << m; ++i)
                    intervals.insert(top_bits(draw_numbers(pixel, (block << m) + i).number, m));
                ASSERT_EQ(intervals.size(), 1u << m) << pixel << ", samples from " << (block << m);
            }
}

TEST(SampleSequence, ReversedBitsAreReversed)
{
    for (int bit = 0; bit < 32; ++bit) EXPECT_EQ(reverse_bits(1u << bit), 1u << (31 - bit));
    EXPECT_EQ(reverse_bits(0x12345678u), 0x1e6a2c48u);
}

TEST(SampleSequence, SecondNumberIsSobolsSecondDimension)
{
    for (std::uint32_t index = 0; index < 5000; ++index) {
        std::uint32_t expected = 0, column = 1u << 31; // of the generator matrix: each is the last one times 1 + x
        for (std::uint32_t rest = index; rest != 0; rest >>= 1, column ^= column >> 1)
            if ((rest & 1u) != 0u) expected ^= column;
        ASSERT_EQ(reverse_bits(multiply_by_pascal(index)), expected) << index;
    }
}

TEST(SampleSequence, ScramblingIsNestedAndABijection)
{
    Rng rng = seed_rng(3, 1, 4, 1);
    for (int trial = 0; trial < 200; ++trial) {
        std::uint32_t const offset = rng.draw();
        std::uint32_t const factor = rng.draw();
        std::uint32_t const x = rng.draw();
        for (int bit = 0; bit < 32; ++bit) {
            std::uint32_t const below = (1u << bit) - 1;
            std::uint32_t const difference =
                scramble_reversed(x, offset, factor) ^ scramble_reversed(x ^ 1u << bit, offset, factor);
            ASSERT_EQ(difference & below, 0u) << bit;
            ASSERT_NE(difference & 1u << bit, 0u) << bit;
        }
    }
}

/// Deviate of the counts of f(pixel) over many pixels, as chi-square of `cells` equal ones.
template <class Cell>
double deviate_over_pixels(std::uint32_t cells, Cell&& cell_of)
{
    std::vector<double> counts(cells);
    for (std::uint32_t pixel = 0; pixel < 1u << 16; ++pixel) counts[cell_of(pixel)] += 1;
    return chi_square_deviate(counts);
}

TEST(SampleSequence, EachSampleIsUniformOverPixels)
{
    for (std::uint32_t const sample : {0u, 1u, 2u, 3u, 6u, 63u, 4096u, 0xffffffffu})
        for (int p = 0; p < 3; ++p) {
            EXPECT_LT(std::abs(deviate_over_pixels(256,
                                                   [&](std::uint32_t pixel) {
                                                       Pair32 const at = draw_numbers(pixel, sample).pair[p];
                                                       return top_bits(at.x, 4) << 4 | top_bits(at.y, 4);
                                                   })),
                      4)
                << sample << ", pair " << p;
        }
}

TEST(SampleSequence, PairsOfASampleAreIndependent)
{
    for (std::uint32_t const sample : {0u, 1u, 5u, 64u})
        for (int p = 0; p < 4; ++p) {
            auto const cell = [&](std::uint32_t pixel) {
                SampleNumbers const all = draw_numbers(pixel, sample);
                Pair32 const single{all.number, all.pair[0].y};
                Pair32 const a = all.pair[p % 3], b = p < 3 ? all.pair[(p + 1) % 3] : single;
                return top_bits(a.x, 2) << 6 | top_bits(a.y, 2) << 4 | top_bits(b.x, 2) << 2 |
                       (p < 3 ? top_bits(b.y, 2) : top_bits(all.pair[2].x, 2));
            };
            EXPECT_LT(std::abs(deviate_over_pixels(256, cell)), 4) << sample << ", pair " << p;
        }
}

TEST(SampleSequence, FinerBitsOfSamplesOfOneBoxAreIndependent)
{
    // Samples 0 and 4, and 0 and 1, of a coordinate: where their common bits end, the next ones say nothing of each
    // other. So a pattern finer than the strata is sampled as by independent points.
    struct Case {
        std::uint32_t left, right;
        int from; ///< first of the bits that are compared
    };
    for (Case const& samples :
         {Case{0, 1, 1}, Case{0, 2, 2}, Case{0, 4, 3}, Case{3, 7, 3}, Case{0, 16, 5}, Case{5, 6, 2}})
        for (int p = 0; p < 3; ++p) {
            auto const cell = [&](std::uint32_t pixel) {
                std::uint32_t const a = draw_numbers(pixel, samples.left).pair[p].x;
                std::uint32_t const b = draw_numbers(pixel, samples.right).pair[p].x;
                return (top_bits(a, samples.from + 3) & 7u) << 3 | (top_bits(b, samples.from + 3) & 7u);
            };
            EXPECT_LT(std::abs(deviate_over_pixels(64, cell)), 4)
                << samples.left << " and " << samples.right << ", pair " << p;
        }
}

TEST(SampleSequence, SamplesOfOneBoxAreNotOrderedAlikeInTwoSequences)
{
    // The sequences of a pixel have the same strata, but which samples share one must differ.
    auto const cell = [&](std::uint32_t pixel) {
        SampleNumbers const a = draw_numbers(pixel, 0), b = draw_numbers(pixel, 4);
        auto const differ = [](std::uint32_t x, std::uint32_t y) { return top_bits(x ^ y, 3) & 1u; };
        return differ(a.pair[0].y, b.pair[0].y) << 2 | differ(a.pair[1].x, b.pair[1].x) << 1 |
               differ(a.number, b.number);
    };
    std::vector<double> counts(8);
    for (std::uint32_t pixel = 0; pixel < 1u << 14; ++pixel) counts[cell(pixel)] += 1;
    for (double const count : counts) EXPECT_GT(count, 0) << "one sequence determines another";
}

TEST(SampleSequence, NeighbouringPixelsBandsAndSeedsAreIndependent)
{
    auto const deviate = [&](std::uint64_t seed, std::uint32_t apart, std::uint32_t band) {
        return std::abs(deviate_over_pixels(256, [&](std::uint32_t pixel) {
            Pair32 const a = SampleSequence(seed_pixel_keys(5, pixel, 0), 3).draw_first_pair();
            Pair32 const b = SampleSequence(seed_pixel_keys(seed, pixel + apart, band), 3).draw_first_pair();
            return top_bits(a.x, 2) << 6 | top_bits(a.y, 2) << 4 | top_bits(b.x, 2) << 2 | top_bits(b.y, 2);
        }));
    };
    EXPECT_LT(deviate(5, 1, 0), 4);
    EXPECT_LT(deviate(5, 600, 0), 4);
    EXPECT_LT(deviate(5, 0, 1), 4);
    EXPECT_LT(deviate(6, 0, 0), 4);
}

TEST(SampleSequence, NextDrawsAreThoseThatWereSet)
{
    Rng random = seed_rng(9, 8, 7, 6);
    for (int trial = 0; trial < 1000; ++trial) {
        Rng const before = random;
        std::uint32_t const next[] = {random.draw(), random.draw(), random.draw()};
        Rng rng = set_next_draws(seed_rng(1, 2, static_cast<std::uint32_t>(trial), 0), next[0], next[1], next[2]);
        for (std::uint32_t const expected : next) ASSERT_EQ(rng.draw(), expected);
        // A generator's own draws leave it as it is: three numbers and one word are the whole state.
        Rng const same = set_next_draws({1, 2, before.c, 3}, next[0], next[1], next[2]);
        ASSERT_EQ(same.a, before.a);
        ASSERT_EQ(same.b, before.b);
        ASSERT_EQ(same.counter, before.counter);
    }
}

TEST(SampleSequence, DrawsBeforeAndAfterThoseThatWereSetAreUniformAndIndependentOfThem)
{
    for (int const distance : {-5, -3, -1, 1, 2, 3}) { // from the first of the three, or from the last
        std::vector<double> counts(1024);
        for (std::uint32_t path = 0; path < 1u << 16; ++path) {
            SampleNumbers const set = draw_numbers(path / 64, path % 64);
            Pair32 const pair = set.pair[1];
            Rng rng = set_next_draws(seed_rng(5, path / 64, path % 64, 0), pair.x, pair.y, set.number);
            for (int k = distance; k < 0; ++k) rng = step_back(rng);
            for (int k = 0; distance > 0 && k < distance + 2; ++k) rng.draw();
            counts[top_bits(pair.x, 2) << 8 | top_bits(pair.y, 2) << 6 | top_bits(set.number, 2) << 4 |
                   top_bits(rng.draw(), 4)] += 1;
        }
        // Stratified counts are evener than chance, so there is no lower bound.
        EXPECT_LT(chi_square_deviate(counts), 4) << distance;
    }
}

} // namespace
} // namespace volpt::test
