// The half of a film's samples: which they are, its sums in files and merged films, and what is refused.
#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_merge.h"
#include "libvolpt/film/halves/half_samples.h"
#include "tests/film/damaged_film.h"

#include <cmath>
#include <gtest/gtest.h>

namespace volpt {
namespace {

/// As a renderer does: the half's sums are those of a film of its samples alone.
Film make_half_film(SampleRange range, std::uint32_t bands = 3)
{
    Film film = make_empty_film(70, 9, bands);
    film.keep_half_sums();
    Film half = film;
    for (std::uint64_t sample = range.first; sample < range.first + range.count; ++sample) {
        add_samples(film, {sample, 1});
        if (is_in_half(sample)) add_samples(half, {sample, 1});
    }
    film.half_sums = half.sums;
    return film;
}

TEST(HalfSums, TheHalfIsRunsOfSamplesEachFourTimesAsLong)
{
    std::uint64_t half = 0;
    for (std::uint64_t sample = 0; sample < 10000; ++sample) {
        bool const expected =
            (sample >= 8 && sample < 32) || (sample >= 128 && sample < 512) || (sample >= 2048 && sample < 8192);
        ASSERT_EQ(is_in_half(sample), expected) << sample;
        half += expected;
        ASSERT_EQ(count_half_samples({{0, sample + 1}}), half);
        if (sample >= 9) {
            ASSERT_GE(std::min(half, sample + 1 - half) * 6, sample + 1);
        }
        std::uint64_t const end = find_run_end(sample);
        ASSERT_GT(end, sample);
        ASSERT_NE(is_in_half(end), expected);
        ASSERT_EQ(is_in_half(end - 1), expected);
    }
    EXPECT_EQ(count_half_samples({{4, 10}, {20, 20}, {200, 1000}}), 6u + 12 + 312);
    EXPECT_EQ(count_half_samples({{kSampleLimit - 1, 1}}), is_in_half(kSampleLimit - 1) ? 1u : 0u);
}

TEST(HalfSums, FilesKeepThemOutsideOfTheHash)
{
    TempFolder const folder;
    Film const film = make_half_film({0, 40});
    write_film(folder / "a.vpf", film);
    Film const back = read_film(folder / "a.vpf", VerifyLevel::full);
    EXPECT_TRUE(back.keeps_half);
    EXPECT_EQ(back.half_sums, film.half_sums);
    FilmFile const file = FilmFile::open(folder / "a.vpf");
    EXPECT_TRUE(file.head().keeps_half);
    EXPECT_TRUE(std::ranges::equal(file.half_sums(), film.half_sums));
    EXPECT_EQ(file.verify(), hash_film(film));
    Film plain = film;
    plain.drop_half_sums();
    EXPECT_EQ(hash_film(plain), hash_film(film));
    write_film(folder / "b.vpf", plain);
    EXPECT_EQ(FilmFile::open(folder / "b.vpf").content(), file.content());
    EXPECT_FALSE(read_film(folder / "b.vpf", VerifyLevel::full).keeps_half);
    Film empty = film;
    empty.half_sums.clear();
    EXPECT_THROW(write_film(folder / "c.vpf", empty), Error);
}

TEST(HalfSums, MergedFilmsHaveThoseOfAllSamples)
{
    Film const whole = make_half_film({0, 40}), one = make_half_film({0, 20}), other = make_half_film({20, 20});
    Film old = other, none = make_empty_film(70, 9, 3);
    old.drop_half_sums();
    TempFolder const folder;
    auto const merge = [&](std::vector<Film> const& films) {
        std::vector<Film const*> held;
        std::vector<std::filesystem::path> paths;
        for (Film const& film : films) {
            held.push_back(&film);
            paths.push_back(folder / (std::to_string(paths.size()) + ".vpf"));
            write_film(paths.back(), film);
        }
        MergePlan plan = plan_merge(paths);
        Film const merged = merge_held_films(held);
        EXPECT_EQ(bytes_of(merge_films(plan, 2)), bytes_of(merged));
        EXPECT_EQ(hash_film(merged), hash_film(whole));
        return merged;
    };
    EXPECT_EQ(bytes_of(merge({other, one})), bytes_of(whole));
    EXPECT_EQ(bytes_of(merge({none, one, other})), bytes_of(whole)); // an older film without samples
    EXPECT_FALSE(merge({one, old}).keeps_half);
    EXPECT_FALSE(merge({old, one}).keeps_half);
    EXPECT_FALSE(merge({old, none, one}).keeps_half);
}

TEST(HalfSums, WrongOnesAreRefused)
{
    Film const film = make_half_film({0, 40});
    std::uint64_t const sum = film.sums[5], half = film.half_sums[5];
    auto const change = [&](std::uint64_t value) {
        return refusal_after(film, [&](Payloads& payloads) { overwrite(payloads["half_sums"], 8 * 5, value); });
    };
    EXPECT_EQ(change(half + 1), "");
    expect_contains(change(sum + 1), {"half_sums", "number 5 (pixel 5,0)", "24 of 40 samples"});
    expect_contains(change(~std::uint64_t{0}), {"half_sums", "number 5"});
    for (std::size_t const size : {0u, 8u, 70u * 9 * 3 * 8 - 8, 70u * 9 * 3 * 8 + 8})
        expect_contains(refusal_after(
                            film, [&](Payloads& payloads) { payloads["half_sums"].resize(size); }, VerifyLevel::quick),
                        {"half_sums", "bytes instead of"});
    // More than the samples of the half, or of the rest, can sum to.
    Film bright = make_empty_film(2, 1, 3);
    bright.keep_half_sums();
    for (SampleRanges& ranges : bright.tile_ranges) ranges = {{0, 9}};
    for (std::uint64_t& one : bright.sums) one = std::uint64_t{4} << 31;
    set_squares_of_zeros_and_ones(bright);
    auto const bright_with = [&](std::uint64_t value) {
        for (std::uint64_t& one : bright.half_sums) one = value << 31;
        return refusal_after(bright, [](Payloads&) {});
    };
    EXPECT_EQ(bright_with(1), "");
    expect_contains(bright_with(2), {"half_sums", "1 of 9 samples"});
    for (SampleRanges& ranges : bright.tile_ranges) ranges = {{7, 3}};
    for (std::uint64_t& one : bright.sums) one = std::uint64_t{3} << 31;
    set_squares_of_zeros_and_ones(bright);
    EXPECT_EQ(bright_with(2), "");
    expect_contains(bright_with(1), {"half_sums", "2 of 3 samples"});
    // One band cannot share its paths.
    expect_contains(refusal_after(make_half_film({0, 4}, 1), [](Payloads&) {}), {"half_sums", "one band"});
}

/// Samples of three bands: what all share, times `shared`, and what each has alone.
Film make_correlated_film(std::uint32_t edge, std::uint64_t samples, double shared)
{
    Film film = make_empty_film(edge, edge, 3);
    film.keep_half_sums();
    for (SampleRanges& ranges : film.tile_ranges) ranges = {{0, samples}};
    std::size_t const pixels = std::size_t{edge} * edge;
    for (std::size_t pixel = 0; pixel < pixels; ++pixel)
        for (std::uint64_t sample = 0; sample < samples; ++sample)
            for (std::size_t band = 0; band < 3; ++band) {
                auto const value = static_cast<std::uint64_t>(
                    shared * static_cast<double>(sample_value(pixel, 40, sample)) +
                    std::sqrt(1 - shared * shared) * static_cast<double>(sample_value(pixel, band, sample)) / 2);
                film.sums[band * pixels + pixel] += value;
                film.squares[band * pixels + pixel] += Wide{value} * value;
                if (is_in_half(sample)) film.half_sums[band * pixels + pixel] += value;
                film.statistics.paths += band == 0;
            }
    return film;
}

TEST(HalfSums, TellHowTheNoiseOfBandsIsCorrelated)
{
    for (double const shared : {0.0, 0.5, 0.9}) {
        Film const film = make_correlated_film(40, 100, shared);
        BandCovariances const covariances(film, 2);
        ASSERT_TRUE(covariances.are_known());
        double const common = shared * shared, expected = common / (common + (1 - common) / 4);
        double mean = 0, own = 0;
        for (std::size_t pixel = 0; pixel < 1600; ++pixel) {
            Matrix3 const of_bands = covariances.at(pixel);
            EXPECT_EQ(of_bands[0][2], of_bands[2][0]);
            own += (of_bands[0][0] + of_bands[1][1] + of_bands[2][2]) / 3 / 1600;
            mean += (of_bands[0][1] + of_bands[0][2] + of_bands[1][2]) / 3 / 1600;
        }
        EXPECT_NEAR(own, 1, 0.06); // of independent samples
        EXPECT_NEAR(mean / own, expected, 0.04);
        EXPECT_FALSE(ColourNoise(film, Illuminant::d65).is_bound());
        // No bit depends on the threads.
        EXPECT_EQ(measure_de2000_noise(film, Illuminant::d65, 1), measure_de2000_noise(film, Illuminant::d65, 3));
    }
}

TEST(HalfSums, GreyNoiseIsSeenAsGrey)
{
    // Equal samples in all bands: the noise is of L* alone, and that of a film of one band.
    Film film = make_correlated_film(16, 64, 1);
    Film grey = make_empty_film(16, 16, 1);
    for (SampleRanges& ranges : grey.tile_ranges) ranges = {{0, 64}};
    std::copy_n(film.sums.begin(), grey.sums.size(), grey.sums.begin());
    std::copy_n(film.squares.begin(), grey.squares.size(), grey.squares.begin());
    grey.statistics.paths = film.statistics.paths;
    auto const mean = [](Film const& of) { return summarize_noise(measure_de2000_noise(of, Illuminant::d65)).mean; };
    EXPECT_NEAR(mean(film) / mean(grey), 1, 0.12); // of 256 pixels
    film.drop_half_sums();
    EXPECT_TRUE(ColourNoise(film, Illuminant::d65).is_bound());
    EXPECT_GT(mean(film) / mean(grey), 2);
}

TEST(HalfSums, WithoutSamplesOnBothSidesOrEnoughPixelsOnlyABoundIsKnown)
{
    auto const is_bound = [](Film const& film) { return ColourNoise(film, Illuminant::d65).is_bound(); };
    EXPECT_TRUE(is_bound(make_correlated_film(16, 8, 0.9)));
    EXPECT_FALSE(is_bound(make_correlated_film(16, 9, 0.9)));
    EXPECT_TRUE(is_bound(make_correlated_film(7, 100, 0.9)));
    EXPECT_FALSE(is_bound(make_correlated_film(8, 100, 0.9)));
    EXPECT_TRUE(is_bound(make_half_film({128, 50})));
}

} // namespace
} // namespace volpt
