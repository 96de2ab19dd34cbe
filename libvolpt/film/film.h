// The film: exact sums and sums of squares per pixel and band, and which samples each file tile holds.
//
// Sums are fixed-point integers (core/fixed_point.hd.h), so any order, partition or merge gives the same bits.
#pragma once

#include "libvolpt/colour/colour_space.h"
#include "libvolpt/film/pixel_moments.h"
#include "libvolpt/film/sample_range.h"
#include "libvolpt/image/image.h"
#include "libvolpt/scene/scene.h"
#include "libvolpt/sys/provenance.h"
#include "libvolpt/sys/sectioned_file.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// Part of the .vpf format: sample ranges are kept per tile of this edge, whatever --tile-size is.
inline constexpr std::uint32_t kFileTileEdge = 64;

/// Totals over the film; integers, so they merge exactly.
struct FilmStatistics {
    std::uint64_t paths = 0;
    std::uint64_t extensions = 0;           ///< real collisions + boundary events + escapes
    std::uint64_t tentative_collisions = 0; ///< real and null
    std::uint64_t cut_paths = 0;            ///< ended by the depth limit
    std::uint64_t cut_throughput = 0;       ///< sum of their largest throughput, in units of 2^-24
    bool operator==(FilmStatistics const&) const = default;
};

/// What long steps came to; empty in films of scenes without them. Integers, so they merge exactly.
struct LongStepTotals {
    std::uint64_t steps = 0;
    std::uint64_t collisions = 0; ///< that they stand for
    /// By bank (core/outcome.hd.h, kBankSamples): the film's sums over all pixels for the bank's samples, by band, in
    /// units of 2^-sum_log2. The bank's own error shows in how they differ.
    std::map<std::uint32_t, std::vector<Wide>> bank_sums;
    bool operator==(LongStepTotals const&) const = default;
};

struct FilmSections;

class Film {
public:
    /// An empty film of the scene's normal form. `sum_log2` and `square_log2` are the fixed-point scales
    /// (core/fixed_point.hd.h), functions of the scene and its environment alone, -256 .. 256. Error (usage) on an
    /// invalid scene.
    Film(Scene scene, std::uint64_t seed, int sum_log2, int square_log2);
    /// An empty film of the scene, seed and scales of another, without planes: `sums` and `squares` are empty.
    static Film without_planes(Film const& like);

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
    LongStepTotals long_steps;
    Provenance provenance;

    std::uint64_t samples_at(std::uint32_t x, std::uint32_t y) const;

private:
    friend Film decode_head(FilmSections const& sections, std::string const& where);
    enum class Planes { zeroed, absent };
    Film(Scene scene, std::uint64_t seed, int sum_log2, int square_log2, Planes planes);

    Scene scene_;
    Hash128 scene_hash_;
    std::uint64_t seed_;
    int sum_log2_;
    int square_log2_;
};

/// Index into tile_ranges of the tile that holds a pixel.
inline std::size_t tile_index(Film const& film, std::uint32_t x, std::uint32_t y)
{
    return std::size_t{y / kFileTileEdge} * film.tiles_x() + x / kFileTileEdge;
}
/// Samples per pixel, by tile.
std::vector<std::uint64_t> count_tile_samples(Film const& film);

/// Of scene hash, seed, scales, ranges and planes; not of statistics and provenance.
Hash128 hash_film(Film const& film);

/// Samples that two films both hold.
struct FilmOverlap {
    std::size_t tile;
    SampleRange samples;
};
/// The first tile where two films of one size share samples, and the first of these.
std::optional<FilmOverlap> find_overlap(Film const& left, Film const& right);

/// Error (input) unless both are of one scene, seed and fixed-point scale; the message lists the scene's differing
/// fields.
void check_same_render(Film const& into, Film const& from);
/// Adds everything but the planes, as merge_film does.
void merge_heads(Film& into, Film const& from);
/// Adds `from` into `into`. Error (input) unless scene hash and seed are equal and ranges are disjoint in every tile;
/// the message lists the scene's differing fields or the overlapping samples. Nothing is changed on error.
void merge_film(Film& into, Film const& from);

enum class KeepProvenance { yes, no };
/// Writes to a temporary name and renames. Without provenance, films of equal content are equal files.
void write_film(std::filesystem::path const& path, Film const& film, KeepProvenance keep = KeepProvenance::yes);
/// Error (input) on a damaged file; nothing is allocated beyond what the file's own length justifies.
Film read_film(std::filesystem::path const& path, VerifyLevel level = VerifyLevel::full);

/// All pixels together, by band; pixels without samples do not count. The mean is that of the pixels' means, its
/// standard error follows from the pixels' variances, pixels being independent but for the banks of long steps, whose
/// error they share (bank_error.h). A pixel of one sample has no variance of its own: the square of its distance from
/// the mean stands in, which errs upwards. NaN for what no sample tells.
struct FilmSummary {
    std::vector<double> mean;
    std::vector<double> standard_error; ///< of the mean
    std::uint64_t samples_min = 0;      ///< per pixel
    std::uint64_t samples_max = 0;
};
FilmSummary summarize_film(Film const& film);

/// The layers of film_to_image that hold a scene's bands.
std::vector<std::string> name_bands(Scene const& scene);
/// Linear image: beauty R, G, B (three bands), Y (one) or band0.. ; then standard_error.* (of the pixel's mean;
/// infinite below two samples) and sample_count layers. Pixels without samples are 0. A film with wavelengths has its
/// colour under the illuminant as R, G, B and its bands as bands.450nm, .. (a comma where the number has a point).
/// Films that show a material's colour have the layers of add_colour_layers, too.
Image film_to_image(Film const& film, Illuminant illuminant = Illuminant::d65);

} // namespace volpt
