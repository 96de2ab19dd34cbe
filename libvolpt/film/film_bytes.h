// The sections of a .vpf file as bytes: what they hold, encoding, and decoding with every check (docs/formats/vpf.md).
#pragma once

#include "libvolpt/film/film.h"

#include <optional>
#include <span>

namespace volpt {

/// Part of the .vpf format.
inline constexpr FileKind kFilmFile{{'V', 'O', 'L', 'P', 'T', 'V', 'P', 'F'}, file_version(1, 0), "film (.vpf)"};
inline constexpr int kScaleLog2Limit = 256;

/// Section "film".
struct FilmRecord {
    std::uint64_t seed;
    std::uint32_t width;
    std::uint32_t height;
    std::uint32_t bands;
    std::uint32_t tile_edge;
    std::int32_t sum_log2;
    std::int32_t square_log2;
    Hash128 scene_hash;
};
static_assert(sizeof(FilmRecord) == 48);
static_assert(sizeof(FilmStatistics) == 40, "section \"statistics\" is this struct");
static_assert(sizeof(SampleRange) == 16, "section \"tiles\" holds ranges as they lie in memory");

/// The payload of each section; planes are aligned to 8 bytes. An absent provenance is empty.
struct FilmSections {
    std::span<std::byte const> scene;
    std::span<std::byte const> film;
    std::span<std::byte const> tiles;
    std::span<std::byte const> sums;
    std::span<std::byte const> squares;
    std::span<std::byte const> statistics;
    std::optional<std::span<std::byte const>> long_steps;
    std::span<std::byte const> provenance;
};

/// width * height * bands: numbers in one of the two planes.
std::size_t plane_value_count(Scene const& scene);
FilmRecord make_film_record(Film const& film);
/// For each tile, row by row: the number of ranges, then first and count of each, all 64 bits.
std::vector<std::byte> encode_tile_ranges(Film const& film);

/// The numbers of section "sums" or "squares".
std::span<std::uint64_t const> view_plane(std::span<std::byte const> bytes);

/// Everything but the planes: `sums` and `squares` stay empty, though their sections are checked to have the size that
/// the scene calls for. Error (input) names `where` and the section.
Film decode_head(FilmSections const& sections, std::string const& where);
/// Error (input) names the first number that is more than its pixel's samples can sum to.
void check_plane(Film const& head, std::span<std::uint64_t const> plane, std::string const& where,
                 std::string_view section);
/// decode_head and the planes. `full` also checks every sum against its sample count, and those of the banks of long
/// steps against the pixels'.
Film decode_film(FilmSections const& sections, std::string const& where, VerifyLevel level);

} // namespace volpt
