// Colours of films: white is white, layers and pictures agree, noise follows the samples.
#include "tests/film/film_samples.h"

#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_image.h"
#include "libvolpt/film/film_output.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/image/tone_map.h"
#include "libvolpt/sys/error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace volpt {
namespace {

using Paths = std::vector<std::filesystem::path>;

Film make_spectral_film(std::uint32_t width, std::uint32_t height, std::uint32_t bands)
{
    Scene scene = make_film_scene(width, height, bands);
    for (std::uint32_t band = 0; band < bands; ++band)
        scene.wavelengths_nm.push_back(400.0f + 300.0f * static_cast<float>(band) / static_cast<float>(bands));
    return Film(scene, 42, 31);
}

/// The same samples as of paths that live in one band each.
Film make_independent(Film film)
{
    film.statistics.paths *= film.bands();
    return film;
}

/// Every sample of every band is 1.
void fill_with_white(Film& film, std::uint64_t samples)
{
    for (SampleRanges& ranges : film.tile_ranges) ranges = {{0, samples}};
    for (std::uint64_t& sum : film.sums) sum = samples << 31;
    set_squares_of_zeros_and_ones(film);
}

TEST(FilmColour, WhiteIsWhiteUnderEveryIlluminant)
{
    for (Illuminant const illuminant : {Illuminant::d50, Illuminant::d65})
        for (std::uint32_t const bands : {1u, 4u, 36u}) {
            Film film = make_spectral_film(2, 1, bands);
            fill_with_white(film, 4);
            Image const image = film_to_image(film, illuminant);
            for (char const* const name : {"R", "G", "B"}) EXPECT_FLOAT_EQ(image.find(name)->values[1], 1);
            Triple const white = white_xyz(illuminant);
            EXPECT_FLOAT_EQ(image.find("XYZ.X")->values[1], static_cast<float>(white[0]));
            EXPECT_FLOAT_EQ(image.find("XYZ.Z")->values[1], static_cast<float>(white[2]));
            EXPECT_FLOAT_EQ(image.find("Lab.L")->values[1], 100);
            EXPECT_NEAR(image.find("Lab.a")->values[1], 0, 1e-6);
            EXPECT_NEAR(image.find("Lab.b")->values[1], 0, 1e-6);
            EXPECT_EQ(image.find("noise.de2000")->values[1], 0);
        }
}

TEST(FilmColour, BandsOfAFilmWithWavelengthsAreLayersBesideItsColour)
{
    Film film = make_spectral_film(3, 2, 8);
    add_samples(film, {0, 5});
    Image const image = film_to_image(film);
    Scene plain = film.scene();
    plain.wavelengths_nm.clear();
    Film bare(plain, 42, 31);
    add_samples(bare, {0, 5});
    Image const bands = film_to_image(bare);
    EXPECT_EQ(image.channels[0].name, "R");
    EXPECT_EQ(image.find("bands.400nm")->values, bands.find("band0")->values);
    EXPECT_EQ(image.find("bands.437,5nm")->values, bands.find("band1")->values);
    EXPECT_EQ(image.find("standard_error.bands.475nm")->values, bands.find("standard_error.band2")->values);
}

TEST(FilmColour, RgbFilmsThatAreNoProbesKeepTheirLayers)
{
    Film film = make_empty_film(2, 2, 3);
    EXPECT_TRUE(has_colour(film.scene()));
    EXPECT_EQ(film_to_image(film).channels.size(), 7u);
    Scene scene = film.scene();
    scene.camera.kind = CameraKind::probe;
    Film const probe(scene, 42, 31);
    EXPECT_NE(film_to_image(probe).find("Lab.L"), nullptr);
    EXPECT_EQ(film_to_image(probe).channels[0].name, "R");
    EXPECT_FALSE(has_colour(make_film_scene(2, 2, 5)));
    EXPECT_THROW(measure_de2000_noise(make_empty_film(2, 2, 5), Illuminant::d65), Error);
}

TEST(FilmColour, PathsTellWhetherBandsAreIndependent)
{
    Film film = make_empty_film(70, 65, 3);
    add_samples(film, {0, 2});
    EXPECT_EQ(find_band_noise(film), BandNoise::shared);
    EXPECT_EQ(find_band_noise(make_independent(film)), BandNoise::independent);
    Film grey = make_empty_film(70, 65, 1);
    add_samples(grey, {0, 2});
    EXPECT_EQ(find_band_noise(grey), BandNoise::independent);
}

TEST(FilmColour, NoiseFallsWithTheRootOfTheSamples)
{
    for (bool const independent : {false, true}) {
        double noise[2];
        for (std::size_t i = 0; i < 2; ++i) {
            Film film = make_empty_film(16, 16, 3);
            add_samples(film, {0, i == 0 ? 1024u : 16384u});
            if (independent) film = make_independent(std::move(film));
            noise[i] = summarize_noise(measure_de2000_noise(film, Illuminant::d65)).mean;
        }
        EXPECT_NEAR(noise[0] / noise[1], 4, 0.2) << independent;
    }
}

TEST(FilmColour, BelowTwoSamplesNoiseIsUnknown)
{
    Film film = make_empty_film(66, 1, 3);
    add_samples(film, 0, {0, 4});
    add_samples(film, 1, {0, 1});
    std::vector<float> const noise = measure_de2000_noise(film, Illuminant::d65);
    EXPECT_TRUE(std::isfinite(noise[63]));
    EXPECT_TRUE(std::isinf(noise[64]));
    EXPECT_TRUE(std::isfinite(summarize_noise(noise).p95)); // 2 of 66 are below the 5 % that may be worse
    EXPECT_TRUE(std::isinf(summarize_noise(noise).mean));
}

TEST(FilmColour, PixelsThatHaveSeenNothingYetAreNotNoiseless)
{
    // One sample in 1000 is 1, the others are 0: of 100 pixels with 16 samples, two have seen it.
    Film film = make_empty_film(100, 1, 1);
    for (SampleRanges& ranges : film.tile_ranges) ranges = {{0, 16}};
    for (std::size_t const pixel : {10u, 70u}) film.sums[pixel] = std::uint64_t{1} << 31;
    set_squares_of_zeros_and_ones(film);
    double const true_noise = 903.3 * std::sqrt(0.001 / 16) / 1.7; // of L*, S_L 1.7
    EXPECT_GT(summarize_noise(measure_de2000_noise(film, Illuminant::d65)).p95, true_noise);
    EXPECT_EQ(film_to_image(film).find("standard_error.Y")->values[0], 0);
}

/// A probe of equal samples, `value` of 1.
Film make_even_film(std::uint32_t edge, std::uint64_t samples, double value)
{
    Scene scene = make_film_scene(edge, edge, 1);
    scene.camera.kind = CameraKind::probe;
    Film film(scene, 42, 31);
    for (SampleRanges& ranges : film.tile_ranges) ranges = {{0, samples}};
    auto const units = static_cast<std::uint64_t>(std::llround(std::ldexp(value, 31)));
    for (std::uint64_t& sum : film.sums) sum = samples * units;
    for (Wide& square : film.squares) square = Wide{samples} * units * units;
    return film;
}

TEST(FilmColour, BandThatHasSeenNothingYetIsNotNoiseless)
{
    auto const noise_of = [](Film const& film) {
        return summarize_noise(measure_de2000_noise(film, Illuminant::d65)).p95;
    };
    // In 16 paths without any light it may be that the next of them bring 1, 3 of them; not all of a larger film's.
    double const one = noise_of(make_even_film(1, 16, 0));
    EXPECT_GT(one, 20);
    EXPECT_NEAR(noise_of(make_even_film(1, 4096, 0)), one / 256, 1e-3 * one / 256);
    EXPECT_NEAR(noise_of(make_even_film(16, 16, 0)), one / 16, 1e-3 * one / 16);
    // Nothing is brighter than the light.
    EXPECT_EQ(noise_of(make_even_film(1, 16, 1)), 0);
    EXPECT_GT(noise_of(make_even_film(1, 16, 0.25)), 0);
}

TEST(FilmColour, EvidenceTellsHowWellTheFilmsMeanIsKnown)
{
    Film film = make_empty_film(16, 16, 1);
    add_samples(film, {0, 64});
    // Even samples in 0 .. 1: deviation over mean is 1 / sqrt(3).
    BandEvidence const even = measure_evidence(film, Illuminant::d65)[0];
    EXPECT_NEAR(even.relative_error, 1 / std::sqrt(3.0 * 16 * 16 * 64), 1e-4);
    EXPECT_GT(even.de2000_at_most, 10);
    EXPECT_EQ(measure_evidence(make_even_film(1, 16, 1), Illuminant::d65)[0].relative_error, 0);
    BandEvidence const none = measure_evidence(make_even_film(1, 4096, 0), Illuminant::d65)[0];
    EXPECT_TRUE(std::isinf(none.relative_error));
    EXPECT_NEAR(none.de2000_at_most, 903.3 * 3 / 4096 / 1.7, 0.1);
}

TEST(FilmColour, PooledNoiseIsNotInflatedByFewSamples)
{
    // Every pixel has the same noise, so the percentile is that of the truth but for the scatter of the estimates.
    Film few = make_empty_film(60, 50, 1), many = make_empty_film(60, 50, 1);
    add_samples(few, {0, 16});
    add_samples(many, {0, 1024});
    auto const p95 = [](std::vector<float> noise) { return summarize_noise(std::move(noise)).p95; };
    double const truth = p95(measure_pooled_noise(many, Illuminant::d65)) * 8;
    EXPECT_EQ(measure_pooled_noise(few, Illuminant::d65).size(), 8u * 7);
    EXPECT_GT(p95(measure_de2000_noise(few, Illuminant::d65)) / truth, 1.15);
    EXPECT_NEAR(p95(measure_pooled_noise(few, Illuminant::d65)) / truth, 1, 0.08);
}

TEST(FilmColour, PercentileIsByNearestRank)
{
    std::vector<float> noise;
    for (int i = 1; i <= 20; ++i) noise.push_back(static_cast<float>(21 - i));
    EXPECT_EQ(summarize_noise(noise).p95, 19);
    EXPECT_EQ(summarize_noise(noise).mean, 10.5);
    EXPECT_EQ(summarize_noise({3}).p95, 3);
}

TEST(FilmColour, PictureOfWavelengthsIsTheirColour)
{
    TempFolder const folder;
    Film film = make_spectral_film(3, 2, 8);
    add_samples(film, {0, 50});
    write_film_outputs(film, Paths{folder / "a.png", folder / "a.pfm"}, {.illuminant = Illuminant::d50});
    Image const expected = film_to_image(film, Illuminant::d50), png = read_image(folder / "a.png"),
                pfm = read_image(folder / "a.pfm");
    Image const coded = tone_map(expected, 1);
    for (char const* const name : {"R", "G", "B"})
        for (std::size_t i = 0; i < 6; ++i) {
            EXPECT_EQ(pfm.find(name)->values[i], expected.find(name)->values[i]);
            EXPECT_NEAR(png.find(name)->values[i], coded.find(name)->values[i], 0.51 / 255);
        }
    std::map<std::string, std::string> const said(png.metadata.begin(), png.metadata.end());
    EXPECT_EQ(said.at("illuminant"), "D50");
    EXPECT_EQ(said.at("observer"), "CIE 1931 2 degrees");
}

} // namespace
} // namespace volpt
