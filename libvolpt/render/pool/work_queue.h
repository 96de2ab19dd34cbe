// The CPU worker's queue: hands its threads units of one file tile, or of the whole film, and a few samples.
#pragma once

#include "libvolpt/render/pool/tile_groups.h"

#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace volpt {

struct WorkUnit {
    std::vector<std::size_t> tiles; ///< indices into Film::tile_ranges
    RenderTile block;
    std::uint64_t paths = 0;
};

enum class UnitArea { file_tile, whole_film };

/// Whether threads end together, or what is drained is few rectangles of tiles that lack the same samples: a device
/// that gets it launches once for each.
enum class UnitCuts { fine, few };

/// Serves the tiles in turn, so that all gain samples equally. Stores ranges, not units. All calls from any thread.
class WorkQueue {
public:
    /// No unit has samples of two banks of `bank_samples` each, 0: there are no banks; nor of both halves of a film
    /// that keeps one (half_samples.h).
    WorkQueue(Film const& film, UnitArea area, std::uint32_t paths_per_sample, int threads, std::uint32_t bank_samples,
              UnitCuts cuts = UnitCuts::fine);

    /// Adds the same samples of several file tiles; of all of them, with UnitArea::whole_film.
    void add(std::vector<std::size_t> const& tiles, SampleRanges const& samples);
    /// Takes out all that was not handed out: samples by file tile, added to `by_tile`, which has an entry for each.
    void drain(std::vector<SampleRanges>& by_tile);
    /// Paths not handed out.
    std::uint64_t count_left() const;

    /// The next unit, or nothing when all are handed out. It has as many samples as make about `paths` paths of a whole
    /// tile, at least one; at the picture's edge that is fewer paths. Units shrink towards the end, so that the threads
    /// finish together (guided self-scheduling: C. Polychronopoulos & D. Kuck, 1987).
    std::optional<WorkUnit> take(std::uint64_t paths);

private:
    struct TileWork {
        std::vector<std::size_t> tiles;
        RenderTile block;  ///< all of them, without samples
        SampleRanges left; ///< the last one first
        std::uint64_t paths_of_sample;
    };

    Film const& film_; ///< for its size, scene and keeps_half alone
    UnitArea area_;
    std::uint32_t paths_per_sample_;
    std::uint64_t most_paths_of_sample_; ///< of a whole tile, or of the film
    mutable std::mutex mutex_;
    std::deque<TileWork> tiles_; ///< with samples left; the first is served next
    std::uint64_t paths_left_ = 0;
    std::uint32_t bank_samples_;
    std::uint64_t shares_; ///< a unit is at most what is left divided by this
    UnitCuts cuts_;
};

} // namespace volpt
