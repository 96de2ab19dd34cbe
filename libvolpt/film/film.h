// The film: exact sums and sums of squares per pixel and band, and which samples each file tile holds.
//
// Sums are fixed-point integers (core/fixed_point.hd.h), so any order, partition or merge gives the same bits.
#pragma once

#include "libvolpt/image/image.h"
#include "libvolpt/scene/scene.h"
#include "libvolpt/sys/provenance.h"
#include "libvolpt/sys/sectioned_file.h"

#include <filesystem>
#include <vector>

namespace volpt {

/// Part of the .vpf format: sample ranges are kept per tile of this edge, whatever --tile-size is.
inline constexpr std::uint32_t kFileTileEdge = 64;

/// Samples [first, first + count) of every pixel of a tile.
struct SampleRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    bool operator==(SampleRange const&) const = default;
};

/// Sorted, disjoint, joined where they touch.
using SampleRanges = std::vector<SampleRange>;

/// Inserts a range; Error (input) if it overlaps one that is there.
void insert_range(SampleRanges& ranges, SampleRange range);
std::uint64_t count_samples(SampleRanges const& ranges);
/// The parts of `wanted` that `have` lacks, sorted.
SampleRanges missing_ranges(SampleRanges const& have, SampleRange wanted);

/// Totals over the film; integers, so they merge exactly.
struct FilmStatistics {
    std::uint64_t paths = 0;
    std::uint64_t extensions = 0;           ///< real collisions + boundary events + escapes
    std::uint64_t tentative_collisions = 0; ///< real and null
    std::uint64_t cut_paths = 0;            ///< ended by the depth limit
    std::uint64_t cut_throughput = 0;       ///< sum of their largest throughput, in units of 2^-24
    bool operator==(FilmStatistics const&) const = default;
};

class Film {
public:
    /// An empty film. `sum_log2` and `square_log2` are the fixed-point scales (core/fixed_point.hd.h), functions of the
    /// scene and its environment alone.
    Film(Scene scene, std::uint64_t seed, int sum_log2, int square_log2);

    Scene const& scene() const { return scene_; }
    Hash128 scene_hash() const { return scene_hash_; }
    std::uint64_t seed() const { return seed_; }
    std::uint32_t width() const { return scene_.width; }
    std::uint32_t height() const { return scene_.height; }
    std::uint32_t bands() const { return scene_.bands; }
    int sum_log2() const { return sum_log2_; }
    int square_log2() const { return square_log2_; }
    std::uint32_t tiles_x() const { return (width() + kFileTileEdge - 1) / kFileTileEdge; }
    std::uint32_t tiles_y() const { return (height() + kFileTileEdge - 1) / kFileTileEdge; }

    /// Planes [band][y][x]: value * 2^sum_log2 summed over samples; value^2 * 2^square_log2 likewise.
    std::vector<std::uint64_t> sums;
    std::vector<std::uint64_t> squares;
    std::vector<SampleRanges> tile_ranges; ///< row by row of tiles
    FilmStatistics statistics;
    Provenance provenance;

    std::uint64_t samples_at(std::uint32_t x, std::uint32_t y) const;

private:
    Scene scene_;
    Hash128 scene_hash_;
    std::uint64_t seed_;
    int sum_log2_;
    int square_log2_;
};

/// Of scene hash, seed, scales, ranges and planes; not of statistics and provenance.
Hash128 hash_film(Film const& film);

/// Adds `from` into `into`. Error (input) unless scene hash and seed are equal and ranges are disjoint in every tile; the
/// message lists the scene's differing fields or the overlapping samples. Nothing is changed on error.
void merge_film(Film& into, Film const& from);

/// Writes to a temporary name and renames. `reproducible` leaves provenance out.
enum class KeepProvenance { yes, no };
void write_film(std::filesystem::path const& path, Film const& film, KeepProvenance keep = KeepProvenance::yes);
/// Error (input) on a damaged file; nothing is allocated beyond what the file's own length justifies.
Film read_film(std::filesystem::path const& path, VerifyLevel level = VerifyLevel::full);

/// Mean and standard error of the mean of all pixels together, by band; pixels without samples do not count.
struct FilmSummary {
    std::vector<double> mean;
    std::vector<double> standard_error;
    std::uint64_t samples_min = 0; ///< per pixel
    std::uint64_t samples_max = 0;
};
FilmSummary summarize_film(Film const& film);

/// Linear image: beauty R, G, B (three bands), Y (one) or band0.. ; then standard_error.* and sample_count layers.
Image film_to_image(Film const& film);

} // namespace volpt
