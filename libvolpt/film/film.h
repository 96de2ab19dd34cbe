// The film: exact sums and sums of squares per pixel and band, and the samples that each file tile holds.
//
// Sums are fixed-point integers (core/fixed_point.hd.h), so any order, partition or merge gives the same bits.
#pragma once

#include "libvolpt/film/sample_range.h"
#include "libvolpt/scene/scene.h"
#include "libvolpt/sys/checksum.h"
#include "libvolpt/sys/provenance.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace volpt {

/// Part of the .vpf format: sample ranges are kept per tile of this edge, whatever --tile-size is.
inline constexpr std::uint32_t kFileTileEdge = 64;

/// Holds sums of many 64-bit numbers, and products of two, without overflow.
__extension__ using Wide = unsigned __int128;

/// Totals over the film; integers, so they merge exactly.
struct FilmStatistics {
    std::uint64_t paths = 0;
    std::uint64_t extensions = 0;           ///< real collisions + boundary events + escapes
    std::uint64_t tentative_collisions = 0; ///< real and null
    std::uint64_t cut_paths = 0;            ///< ended by the depth limit
    std::uint64_t cut_throughput = 0;       ///< sum of their largest throughput, in units of 2^-24
    bool operator==(FilmStatistics const&) const = default;
};

/// Totals of long steps; zero in films of scenes without them. Integers, so they merge exactly.
struct LongStepTotals {
    std::uint64_t steps = 0;
    std::uint64_t collisions = 0; ///< collisions that the steps stand for
    /// By bank (core/outcome.hd.h, kBankSamples): the sums over all pixels of the bank's samples, by band, in units of
    /// 2^-sum_log2. The error of the banks is estimated from their spread (film_banks.h). Empty where the volume offers
    /// no long step.
    std::map<std::uint32_t, std::vector<Wide>> bank_sums;

    /// No sample has drawn from a bank: its film is the plain one, without an error of banks.
    bool uses_no_bank() const { return steps == 0 && collisions == 0 && bank_sums.empty(); }
    bool operator==(LongStepTotals const&) const = default;
};

struct FilmSections;

class Film {
public:
    /// An empty film of the scene's normal form. `sum_log2` is the fixed-point scale (core/fixed_point.hd.h), a
    /// function of the scene and its environment alone, -256 .. 256. Error (usage) on an invalid scene.
    Film(Scene scene, std::uint64_t seed, int sum_log2);
    /// An empty film with the scene, seed and scale of another, without planes: `sums`, `squares` and
    /// `coverage` are empty, and keeps_half is false.
    static Film without_planes(Film const& like);
    /// From now on with half_sums; before the first sample.
    void keep_half_sums();
    void drop_half_sums();

    Scene const& scene() const { return scene_; }
    Hash128 scene_hash() const { return scene_hash_; }
    std::uint64_t seed() const { return seed_; }
    std::uint32_t width() const { return scene_.width; }
    std::uint32_t height() const { return scene_.height; }
    std::uint32_t bands() const { return scene_.bands; }
    std::uint32_t planes() const { return count_film_planes(scene_); }
    int sum_log2() const { return sum_log2_; }
    /// Scale of the squares: they are those of the integers that `sums` adds up, to the last bit. Films of estimator 1
    /// rounded each square to 2^31 of these units.
    int square_log2() const { return 2 * sum_log2_ - (rounds_squares() ? 31 : 0); }
    bool rounds_squares() const { return scene_.estimator == 1; }
    bool counts_coverage() const { return volpt::counts_coverage(scene_); }
    std::uint32_t tiles_x() const { return (width() + kFileTileEdge - 1) / kFileTileEdge; }
    std::uint32_t tiles_y() const { return (height() + kFileTileEdge - 1) / kFileTileEdge; }

    /// Planes [band][y][x]: sums over samples of value * 2^sum_log2, and of value^2 * 2^square_log2. Of bdpt, those of
    /// what samples add to their own pixels, and after them as many of what their particles add to others.
    std::vector<std::uint64_t> sums;
    std::vector<Wide> squares; ///< below 2^94; of mlt, below 2^104; of rounded squares, below 2^64
    /// By pixel, row by row: how many of its samples hit something (render/count_coverage.h). Empty unless the scene
    /// counts coverage.
    std::vector<std::uint64_t> coverage;
    /// As `sums`, of those samples alone that are in the half (half_samples.h): of films whose paths carry all bands,
    /// else empty. Not part of the film hash.
    std::vector<std::uint64_t> half_sums;
    bool keeps_half = false;               ///< it has half_sums; also said by a film whose planes are empty
    std::vector<SampleRanges> tile_ranges; ///< row by row of tiles
    FilmStatistics statistics;
    LongStepTotals long_steps;
    Provenance provenance;

    std::uint64_t samples_at(std::uint32_t x, std::uint32_t y) const;

private:
    friend Film decode_head(FilmSections const& sections, std::string const& where);
    enum class Planes { zeroed, absent };
    Film(Scene scene, std::uint64_t seed, int sum_log2, Planes planes);

    Scene scene_;
    Hash128 scene_hash_;
    std::uint64_t seed_;
    int sum_log2_;
};

/// Part of the .vpf format: sample numbers of the scene's films lie below this, so that a pixel's sum fits 64 bits.
std::uint64_t find_sample_limit(Scene const& scene);

/// Samples of a pixel after which a renderer hands over its sums: it adds up squares in words of 64 bits (FixedSquare,
/// FixedSumSquare), which twice as many samples fit.
std::uint64_t find_renderer_limit(Scene const& scene);

/// Index in tile_ranges of the tile that holds a pixel.
inline std::size_t tile_index(Film const& film, std::uint32_t x, std::uint32_t y)
{
    return std::size_t{y / kFileTileEdge} * film.tiles_x() + x / kFileTileEdge;
}
/// Samples per pixel, by tile.
std::vector<std::uint64_t> count_tile_samples(Film const& film);

/// Pixels of a tile; tiles are smaller at the right and bottom edge.
std::uint64_t count_tile_pixels(Film const& film, std::size_t tile);

/// Of scene hash, seed, scale, ranges and planes; not of statistics and provenance.
Hash128 hash_film(Film const& film);

} // namespace volpt
