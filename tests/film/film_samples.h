// Films filled with made-up samples that depend on pixel, band and sample number alone, as a render's do.
#pragma once

#include "libvolpt/core/outcome.hd.h"
#include "libvolpt/film/film_io.h"
#include "tests/support/temp_folder.h"

#include <string>
#include <vector>

namespace volpt {

using test::read_text;
using test::TempFolder;
using test::write_text;

inline Scene make_film_scene(std::uint32_t width, std::uint32_t height, std::uint32_t bands)
{
    Scene scene;
    scene.volume_checksum = {1, 2};
    scene.width = width;
    scene.height = height;
    scene.bands = bands;
    return scene;
}

/// Two bands, a row of two tiles, long steps on.
inline Film make_stepped_film(std::uint32_t width = 70, std::uint32_t height = 3, std::uint32_t bands = 2)
{
    Scene scene = make_film_scene(width, height, bands);
    scene.long_steps = LongSteps::spheres;
    return Film(scene, 42, 31);
}

inline Film make_empty_film(std::uint32_t width, std::uint32_t height, std::uint32_t bands)
{
    return Film(make_film_scene(width, height, bands), 42, 31);
}

/// A film that counts coverage.
inline Film make_covered_film(std::uint32_t width, std::uint32_t height, std::uint32_t bands)
{
    Scene scene = make_film_scene(width, height, bands);
    scene.coverage = CoveragePlane::counted;
    return Film(scene, 42, 31);
}

/// A film as programs of estimator 1 rendered them.
inline Film make_old_film(std::uint32_t width, std::uint32_t height, std::uint32_t bands)
{
    Scene scene = make_film_scene(width, height, bands);
    scene.estimator = 1;
    return Film(scene, 42, 31);
}

/// A sample's fixed-point value, 0 .. 2^31.
inline std::uint64_t sample_value(std::uint64_t pixel, std::uint64_t band, std::uint64_t sample)
{
    std::uint64_t hash = (pixel * 16 + band) * 0x9e3779b97f4a7c15u + sample * 0xd1b54a32d192ed03u;
    hash = (hash ^ (hash >> 31)) * 0x94d049bb133111ebu;
    return hash >> 33;
}
/// Its square, in the unit of the film's squares.
inline std::uint64_t square_value(Film const& film, std::uint64_t value)
{
    return film.rounds_squares() ? (value * value + (std::uint64_t{1} << 30)) >> 31 : value * value;
}
/// For a film whose samples are all 0 or the largest, 2^31.
inline void set_squares_of_zeros_and_ones(Film& film)
{
    for (std::size_t i = 0; i < film.sums.size(); ++i)
        film.squares[i] = Wide{film.sums[i]} << (film.rounds_squares() ? 0 : 31);
}

/// As a renderer does: adds the samples to every pixel of one tile, and to their banks.
inline void add_samples(Film& film, std::size_t tile, SampleRange range)
{
    insert_range(film.tile_ranges[tile], range);
    for (std::uint32_t y = 0; y < film.height(); ++y)
        for (std::uint32_t x = 0; x < film.width(); ++x) {
            if (tile_index(film, x, y) != tile) continue;
            std::size_t const pixel = std::size_t{y} * film.width() + x;
            for (std::uint64_t sample = range.first; sample < range.first + range.count; ++sample) {
                film.statistics.paths += 1;
                film.statistics.extensions += 10 + sample % 3;
                if (film.counts_coverage()) film.coverage[pixel] += sample_value(pixel, 40, sample) % 4 != 0;
                if (film.scene().long_steps == LongSteps::spheres) {
                    film.long_steps.steps += 3;
                    film.long_steps.collisions += 20 + sample;
                }
                for (std::uint32_t band = 0; band < film.bands(); ++band) {
                    std::uint64_t const value = sample_value(pixel, band, sample);
                    std::size_t const i = band * std::size_t{film.width()} * film.height() + pixel;
                    film.sums[i] += value;
                    film.squares[i] += square_value(film, value);
                    if (film.scene().long_steps == LongSteps::plain) continue;
                    std::vector<Wide>& bank = film.long_steps.bank_sums[bank_of_sample(sample)];
                    bank.resize(film.bands());
                    bank[band] += value;
                }
            }
        }
}

inline void add_samples(Film& film, SampleRange range)
{
    for (std::size_t tile = 0; tile < film.tile_ranges.size(); ++tile) add_samples(film, tile, range);
}

/// The bytes of the film file without provenance: equal for equal content.
inline std::string bytes_of(Film const& film)
{
    TempFolder const folder;
    write_film(folder / "film.vpf", film, KeepProvenance::no);
    return read_text(folder / "film.vpf");
}

} // namespace volpt
