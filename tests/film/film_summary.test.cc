// Summary and picture against plain statistics of the samples themselves.
#include "tests/film/film_samples.h"

#include "libvolpt/film/film_image.h"
#include "libvolpt/film/film_stats.h"

#include <gtest/gtest.h>

#include <cmath>

namespace volpt {
namespace {

struct Moments {
    double mean = 0;
    double variance_of_mean = 0;
};

Moments compute_moments(std::vector<double> const& values)
{
    Moments moments;
    double const n = static_cast<double>(values.size());
    for (double const value : values) moments.mean += value / n;
    for (double const value : values) moments.variance_of_mean += std::pow(value - moments.mean, 2) / (n * (n - 1));
    return moments;
}

Moments moments_of_pixel(std::size_t pixel, std::uint32_t band, std::vector<std::uint64_t> const& samples)
{
    std::vector<double> values;
    for (std::uint64_t const sample : samples)
        values.push_back(std::ldexp(static_cast<double>(sample_value(pixel, band, sample)), -31));
    return compute_moments(values);
}

Film make_uneven_film()
{
    Film film = make_empty_film(66, 2, 3);
    add_samples(film, 0, {0, 20});
    add_samples(film, 1, {3, 2});
    add_samples(film, 1, {9, 5});
    return film;
}

TEST(FilmSummary, MeanAndStandardErrorAreThoseOfTheSamples)
{
    Film const film = make_uneven_film();
    FilmSummary const summary = summarize_film(film);
    EXPECT_EQ(summary.samples_min, 7u);
    EXPECT_EQ(summary.samples_max, 20u);
    std::vector<std::uint64_t> first(20);
    for (std::size_t i = 0; i < first.size(); ++i) first[i] = i;
    for (std::uint32_t band = 0; band < 3; ++band) {
        double mean = 0;
        double variance = 0;
        for (std::size_t pixel = 0; pixel < 132; ++pixel) {
            Moments const moments = moments_of_pixel(
                pixel, band, pixel % 66 < 64 ? first : std::vector<std::uint64_t>{3, 4, 9, 10, 11, 12, 13});
            mean += moments.mean / 132;
            variance += moments.variance_of_mean / (132.0 * 132);
        }
        EXPECT_NEAR(summary.mean[band], mean, 1e-12);
        EXPECT_NEAR(summary.standard_error[band], std::sqrt(variance), 1e-9);
    }
}

TEST(FilmSummary, PixelsWithoutSamplesDoNotCount)
{
    Film film = make_empty_film(66, 2, 1);
    add_samples(film, 1, {0, 2});
    FilmSummary const summary = summarize_film(film);
    EXPECT_EQ(summary.samples_min, 0u);
    double mean = 0;
    for (std::size_t const pixel : {64u, 65u, 130u, 131u}) mean += moments_of_pixel(pixel, 0, {0, 1}).mean / 4;
    EXPECT_NEAR(summary.mean[0], mean, 1e-12);

    FilmSummary const nothing = summarize_film(make_empty_film(3, 3, 1));
    EXPECT_TRUE(std::isnan(nothing.mean[0]));
    EXPECT_TRUE(std::isnan(nothing.standard_error[0]));
}

TEST(FilmSummary, SingleSamplesGiveTheSpreadOverPixels)
{
    Film film = make_empty_film(60, 60, 1);
    add_samples(film, {0, 1});
    std::vector<double> values;
    for (std::size_t pixel = 0; pixel < 3600; ++pixel) values.push_back(moments_of_pixel(pixel, 0, {0}).mean);
    EXPECT_NEAR(summarize_film(film).standard_error[0], std::sqrt(compute_moments(values).variance_of_mean), 1e-12);

    Film one_pixel = make_empty_film(1, 1, 1);
    add_samples(one_pixel, {0, 1});
    EXPECT_TRUE(std::isnan(summarize_film(one_pixel).standard_error[0]));
}

TEST(FilmSummary, EqualSamplesHaveNoErrorHoweverMany)
{
    Film film = make_empty_film(2, 2, 1);
    film.tile_ranges[0] = {{0, kSampleLimit}};
    for (std::uint64_t& sum : film.sums) sum = std::uint64_t{1} << 63;
    set_squares_of_zeros_and_ones(film);
    FilmSummary const summary = summarize_film(film);
    EXPECT_EQ(summary.mean[0], 1.0);
    EXPECT_EQ(summary.standard_error[0], 0.0);
}

TEST(PixelMoments, DifferenceDoesNotCancel)
{
    // 2^32 samples, all 1 but one that is 1 - 2^-15: the variance of the mean is 2^-30 / 2^64 within 2^-31 of itself.
    std::uint64_t const n = std::uint64_t{1} << 32;
    PixelSums const pixel{(n << 31) - (1u << 16), (n << 31) - (1u << 17) + 2, n};
    EXPECT_NEAR(variance_of_mean(pixel, 31, 31) / std::ldexp(1.0, -94), 1.0, 1e-3);
}

TEST(PixelMoments, ExactSquaresShowOneUnitInASampleOf2To32)
{
    // 2^32 samples, all the largest but one, which is a unit less.
    std::uint64_t const n = std::uint64_t{1} << 32, peak = std::uint64_t{1} << 31;
    PixelSums const pixel{n * peak - 1, Wide{n} * peak * peak - 2 * peak + 1, n};
    EXPECT_NEAR(variance_of_mean(pixel, 31, 62) / std::ldexp(1.0, -62 - 64), 1.0, 1e-9);
}

TEST(PixelMoments, ScalesOfEitherSignAgree)
{
    // Values 3 and 5: mean 4, variance of the mean 1.
    for (int const sum_log2 : {-1, 0, 5, 28})
        for (int const square_log2 : {0, 3, 26}) {
            double const unit = std::ldexp(1.0, sum_log2);
            PixelSums const pixel{static_cast<std::uint64_t>(8 * unit),
                                  static_cast<Wide>(std::ldexp(34.0, square_log2)), 2};
            EXPECT_EQ(mean_of(pixel, sum_log2), 4.0);
            EXPECT_EQ(variance_of_mean(pixel, sum_log2, square_log2), 1.0) << sum_log2 << " " << square_log2;
        }
}

TEST(FilmImage, LayersAreNamedByBandsAndHoldPixelStatistics)
{
    Film const film = make_uneven_film();
    Image const image = film_to_image(film);
    EXPECT_EQ(image.width, 66);
    EXPECT_EQ(image.height, 2);
    std::vector<std::string> names;
    for (Channel const& channel : image.channels) names.push_back(channel.name);
    EXPECT_EQ(names, (std::vector<std::string>{"R", "G", "B", "standard_error.R", "standard_error.G",
                                               "standard_error.B", "sample_count"}));
    Moments const moments = moments_of_pixel(131, 2, {3, 4, 9, 10, 11, 12, 13});
    EXPECT_FLOAT_EQ(image.find("B")->values[131], static_cast<float>(moments.mean));
    EXPECT_FLOAT_EQ(image.find("standard_error.B")->values[131],
                    static_cast<float>(std::sqrt(moments.variance_of_mean)));
    EXPECT_EQ(image.find("sample_count")->values[131], 7);
    EXPECT_EQ(image.find("sample_count")->values[0], 20);

    EXPECT_EQ(film_to_image(make_empty_film(2, 2, 1)).channels[0].name, "Y");
    EXPECT_EQ(film_to_image(make_empty_film(2, 2, 2)).channels[1].name, "band1");
}

TEST(FilmImage, PixelsWithoutSamplesAreBlackAndTheirErrorUnknown)
{
    Film film = make_empty_film(65, 1, 1);
    add_samples(film, 0, {0, 1});
    Image const image = film_to_image(film);
    EXPECT_EQ(image.find("Y")->values[64], 0);
    EXPECT_TRUE(std::isinf(image.find("standard_error.Y")->values[64]));
    EXPECT_TRUE(std::isinf(image.find("standard_error.Y")->values[0]));
    EXPECT_EQ(image.find("sample_count")->values[64], 0);
}

} // namespace
} // namespace volpt
