// The mean colour of a patch of a film: of its pixels alone, with the noise of their mean.
#include "libvolpt/film/film_patch.h"
#include "tests/support/expect_error.h"

#include <cmath>
#include <gtest/gtest.h>

namespace volpt {
namespace {

/// Grey pixels of 4 samples, half of which are 0: row by row the other samples are 0, 1/8, 2/8, ...
Film make_steps_film(std::uint32_t width, std::uint32_t height)
{
    Scene scene;
    scene.width = width;
    scene.height = height;
    scene.bands = 1;
    scene.environment.radiance = {1.0f};
    Film film(normalize_scene(scene), 0, 31);
    film.tile_ranges = {{{0, 4}}};
    for (std::uint64_t i = 0; i < film.sums.size(); ++i) {
        std::uint64_t const sample = i << 28;
        film.sums[i] = 2 * sample;
        film.squares[i] = Wide{2} * sample * sample;
    }
    return film;
}

TEST(FilmPatch, ColourIsThatOfTheMean)
{
    Film const film = make_steps_film(4, 2);
    // Pixels 1, 2, 5 and 6: means of 1/16, 2/16, 5/16 and 6/16.
    NoisyColour const colour = measure_patch(film, {1, 0, 3, 2}, Illuminant::d65);
    double const mean = 14.0 / 64;
    EXPECT_NEAR(colour.lab[0], 116 * std::cbrt(mean) - 16, 1e-9);
    EXPECT_NEAR(colour.lab[1], 0, 1e-9);
    EXPECT_NEAR(colour.lab[2], 0, 1e-9);
}

TEST(FilmPatch, NoiseFallsWithTheNumberOfPixels)
{
    Film film = make_steps_film(16, 16);
    for (std::size_t i = 0; i < film.sums.size(); ++i) {
        film.sums[i] = film.sums[4];
        film.squares[i] = film.squares[4];
    }
    double const one = measure_patch(film, {0, 0, 1, 1}, Illuminant::d65).lab_error[0];
    double const all = measure_patch(film, {0, 0, 16, 16}, Illuminant::d65).lab_error[0];
    EXPECT_GT(one, 0);
    EXPECT_NEAR(all, one / 16, 1e-9 * one);
}

TEST(FilmPatch, NoiseOfOneSampleIsUnknown)
{
    Film film = make_steps_film(2, 1);
    film.tile_ranges = {{{0, 1}}};
    NoisyColour const colour = measure_patch(film, {0, 0, 2, 1}, Illuminant::d65);
    EXPECT_TRUE(std::isinf(colour.de2000));
    EXPECT_TRUE(std::isinf(colour.lab_error[0]));
}

TEST(FilmPatch, PatchesOutsideTheFilmAreRefused)
{
    Film const film = make_steps_film(2, 1);
    for (PixelRectangle const& patch : {PixelRectangle{0, 0, 3, 1}, PixelRectangle{0, 0, 2, 2},
                                        PixelRectangle{1, 0, 1, 1}, PixelRectangle{2, 0, 1, 1}})
        test::expect_error(ExitStatus::usage, {"no part of a film"},
                           [&] { measure_patch(film, patch, Illuminant::d65); });
    test::expect_error(ExitStatus::usage, {"no samples"}, [&] {
        Film empty = film;
        empty.tile_ranges = {{}};
        measure_patch(empty, {0, 0, 1, 1}, Illuminant::d65);
    });
}

} // namespace
} // namespace volpt
