// Plain arrays of a film: their order, their numbers, and what pixels without samples have.
#include "tests/film/film_samples.h"

#include "libvolpt/film/values/film_values.h"
#include "tests/support/expect_error.h"

#include <cmath>
#include <gtest/gtest.h>

namespace volpt {
namespace {

constexpr std::uint64_t kSamples = 5;

/// Two tiles: five samples a pixel in the left one, one in the right one.
Film make_uneven_samples()
{
    Film film = make_empty_film(70, 3, 2);
    add_samples(film, 0, {0, kSamples});
    add_samples(film, 1, {0, 1});
    return film;
}

TEST(FilmValues, MeansAndErrorsHaveTheOrderOfRowsColumnsAndBands)
{
    Film const film = make_uneven_samples();
    std::vector<float> const means = list_means(film), errors = list_standard_errors(film);
    ASSERT_EQ(means.size(), 70u * 3 * 2);
    ASSERT_EQ(errors.size(), means.size());
    for (std::uint64_t pixel = 0; pixel < 70 * 3; ++pixel)
        for (std::uint64_t band = 0; band < 2; ++band) {
            bool const is_left = pixel % 70 < 64;
            auto const count = static_cast<double>(is_left ? kSamples : 1);
            double sum = 0, squares = 0;
            for (std::uint64_t sample = 0; sample < (is_left ? kSamples : 1); ++sample) {
                double const value = std::ldexp(static_cast<double>(sample_value(pixel, band, sample)), -31);
                sum += value;
                squares += value * value;
            }
            double const variance = (squares - sum * sum / count) / (count - 1) / count;
            std::size_t const i = pixel * 2 + band;
            EXPECT_NEAR(means[i], sum / count, 1e-6) << i;
            if (is_left)
                EXPECT_NEAR(errors[i], std::sqrt(variance), 1e-5) << i;
            else
                EXPECT_TRUE(std::isinf(errors[i])) << i;
        }
}

TEST(FilmValues, SamplesAreThoseOfTheTileOfThePixel)
{
    std::vector<std::uint64_t> const samples = list_samples(make_uneven_samples());
    ASSERT_EQ(samples.size(), 70u * 3);
    for (std::size_t pixel = 0; pixel < samples.size(); ++pixel)
        EXPECT_EQ(samples[pixel], pixel % 70 < 64 ? kSamples : 1);
}

TEST(FilmValues, FilmWithoutSamplesIsBlackAndOfUnknownError)
{
    Film const film = make_empty_film(2, 2, 1);
    EXPECT_EQ(list_means(film), std::vector<float>(4, 0.0f));
    EXPECT_EQ(list_standard_errors(film), std::vector<float>(4, INFINITY));
    EXPECT_EQ(list_samples(film), std::vector<std::uint64_t>(4, 0));
}

TEST(FilmValues, LabIsThatOfTheLayersAndNeedsBandsOfColours)
{
    Film film = make_empty_film(3, 2, 3);
    add_samples(film, {0, 4});
    std::vector<float> const lab = list_lab(film, Illuminant::d50, 2);
    ASSERT_EQ(lab.size(), 3u * 2 * 3);
    EXPECT_EQ(lab, list_lab(film, Illuminant::d50, 1));
    EXPECT_NE(lab, list_lab(film, Illuminant::d65, 1));
    for (std::size_t pixel = 0; pixel < 6; ++pixel) EXPECT_TRUE(lab[3 * pixel] > 0 && lab[3 * pixel] <= 100) << pixel;
    test::expect_error(ExitStatus::usage, {}, [] { list_lab(make_empty_film(2, 2, 2), Illuminant::d65, 1); });
}

} // namespace
} // namespace volpt
