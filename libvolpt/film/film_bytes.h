// The sections of a .vpf file as bytes: encoding, and decoding with all checks (docs/formats/vpf.md).
#pragma once

#include "libvolpt/film/film.h"

#include "libvolpt/sys/container/sectioned_file.h"

#include <cstring>
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

/// The payload of each section; `sums` and `coverage` are aligned to 8 bytes. An absent provenance is empty.
struct FilmSections {
    std::span<std::byte const> scene;
    std::span<std::byte const> film;
    std::span<std::byte const> tiles;
    std::span<std::byte const> sums;
    std::span<std::byte const> squares;
    std::optional<std::span<std::byte const>> coverage;
    std::span<std::byte const> statistics;
    std::optional<std::span<std::byte const>> long_steps;
    std::optional<std::span<std::byte const>> pass_totals;
    std::optional<std::span<std::byte const>> half_sums; ///< aligned to 8 bytes
    std::span<std::byte const> provenance;
};

/// Section "squares" as it lies in a file: numbers of 128 bits, or of 64 where squares are rounded.
class SquaresView {
public:
    SquaresView(Film const& film, std::span<std::byte const> bytes)
        : bytes_(bytes), number_bytes_(count_number_bytes(film.scene()))
    {
    }
    static std::size_t count_number_bytes(Scene const& scene)
    {
        return scene.estimator == 1 ? sizeof(std::uint64_t) : sizeof(Wide);
    }
    std::size_t size() const { return bytes_.size() / number_bytes_; }
    Wide operator[](std::size_t i) const
    {
        Wide number = 0;
        if (number_bytes_ == sizeof(Wide)) // a size that the compiler knows
            std::memcpy(&number, bytes_.data() + i * sizeof(Wide), sizeof(Wide));
        else
            std::memcpy(&number, bytes_.data() + i * sizeof(std::uint64_t), sizeof(std::uint64_t));
        return number;
    }

private:
    std::span<std::byte const> bytes_;
    std::size_t number_bytes_;
};

/// Section "squares" of a film with planes; the film must outlive it.
class EncodedSquares {
public:
    explicit EncodedSquares(Film const& film);
    std::span<std::byte const> bytes() const
    {
        return narrow_.empty() ? std::as_bytes(std::span(wide_)) : std::as_bytes(std::span(narrow_));
    }

private:
    std::span<Wide const> wide_;
    std::vector<std::uint64_t> narrow_;
};

/// width * height * count_film_planes: numbers in `sums` and in `squares`.
std::size_t plane_value_count(Scene const& scene);
/// width * height, or 0 if the scene does not count coverage: numbers in `coverage`.
std::size_t coverage_value_count(Scene const& scene);
FilmRecord make_film_record(Film const& film);
/// Section "tiles". For each tile, row by row: the number of ranges, then first and count of each, all 64 bits.
std::vector<std::byte> encode_tile_ranges(Film const& film);
/// Section "long_steps": steps, collisions and the number of banks, then for each bank its number and, by band, the low
/// and the high word of its sum; all 64 bits.
std::vector<std::byte> encode_long_steps(Film const& film);

/// Section "pass_totals": the number of passes, then for each its number and its sums as encode_long_steps has those of
/// banks.
std::vector<std::byte> encode_pass_totals(Film const& film);

/// The numbers of section "sums" or "coverage".
std::span<std::uint64_t const> view_words(std::span<std::byte const> bytes);

/// Everything but the planes: `sums`, `squares`, `coverage` and `half_sums` stay empty; of their sections, only the
/// sizes are checked. Error (input) names `where` and the section. The banks of long steps must be exactly those of the
/// film's samples, with no sum larger than the samples can give; or there are none, as in films of volumes that offer
/// no long step. The scale must be that of the scene's light, as far as the scene says it.
Film decode_head(FilmSections const& sections, std::string const& where);
/// Error (input) names the first number of a plane that its pixel's samples cannot sum to: a sum above 2^31 a sample,
/// or a sum of squares that no samples of this sum have. Squares that were rounded are only roughly checked.
void check_planes(Film const& head, std::span<std::uint64_t const> sums, SquaresView const& squares,
                  std::string const& where);
/// Error (input) names the first pixel of which more samples hit something than it has.
void check_coverage(Film const& head, std::span<std::uint64_t const> coverage, std::string const& where);
/// Error (input) unless the banks' sums add up to those of all pixels, or no bank was used; the film's own planes may
/// be empty.
void check_bank_sums(Film const& film, std::span<std::uint64_t const> sums, std::string const& where);
/// Error (input) if the totals of passes of a band are more than the sums of all pixels, or less where no pass is
/// missing.
void check_pass_totals(Film const& film, std::span<std::uint64_t const> sums, std::string const& where);
/// Error (input) names the first number that the samples in the half, or those of the rest, cannot sum to. Nothing to
/// do where the film keeps none.
void check_half_sums(Film const& head, std::span<std::uint64_t const> sums, std::span<std::uint64_t const> half_sums,
                     std::string const& where);
/// decode_head and the planes. `full` also runs check_planes and check_coverage, check_bank_sums
/// with long steps, check_pass_totals, and check_half_sums.
Film decode_film(FilmSections const& sections, std::string const& where, VerifyLevel level);

} // namespace volpt
