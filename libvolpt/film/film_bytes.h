// The sections of a .vpf file as bytes: encoding, and decoding with all checks (docs/formats/vpf.md).
#pragma once

#include "libvolpt/film/film.h"

#include "libvolpt/sys/container/sectioned_file.h"

#include <optional>
#include <span>

namespace volpt {

/// Part of the .vpf format.
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
static_assert(sizeof(SampleRange) == 16, "section \"tiles\" holds ranges as they are in memory");

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
/// Section "tiles". For each tile, row by row: the number of ranges, then first and count of each, all 64 bits.
std::vector<std::byte> encode_tile_ranges(Film const& film);
/// Section "long_steps": steps, collisions and the number of banks, then for each bank its number and, by band, the low
/// and the high word of its sum; all 64 bits.
std::vector<std::byte> encode_long_steps(Film const& film);

/// The numbers of section "sums" or "squares".
std::span<std::uint64_t const> view_plane(std::span<std::byte const> bytes);

/// Everything but the planes: `sums` and `squares` stay empty; of their sections, only the sizes are checked. Error
/// (input) names `where` and the section. The banks of long steps must be exactly those of the film's samples, with no
/// sum larger than the samples can give; or there are none, as in films of volumes that offer no long step.
Film decode_head(FilmSections const& sections, std::string const& where);
/// Error (input) names the first number that is larger than the sum of its pixel's samples can be.
void check_plane(Film const& head, std::span<std::uint64_t const> plane, std::string const& where,
                 std::string_view section);
/// Error (input) unless the banks' sums add up to those of all pixels, or no bank was used; the film's own planes may
/// be empty.
void check_bank_sums(Film const& film, std::span<std::uint64_t const> sums, std::string const& where);
/// decode_head and the planes. `full` also runs check_plane on both planes, and check_bank_sums with long steps.
Film decode_film(FilmSections const& sections, std::string const& where, VerifyLevel level);

} // namespace volpt
