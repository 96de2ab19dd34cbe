// The CPU worker's queue: hands its threads units of one file tile and a few samples.
#pragma once

#include "libvolpt/render/pool/tile_groups.h"

#include <mutex>
#include <optional>
#include <vector>

namespace volpt {

struct WorkUnit {
    std::size_t tile = 0; ///< index into Film::tile_ranges
    RenderTile block;
    std::uint64_t paths = 0;
};

/// Serves the tiles in turn, so that all gain samples equally. Stores ranges, not units. All calls from any thread.
class WorkQueue {
public:
    /// No unit has samples of two banks of `bank_samples` each; 0: there are no banks.
    WorkQueue(Film const& film, std::uint32_t paths_per_sample, int threads, std::uint32_t bank_samples);

    /// Adds the same samples of several file tiles.
    void add(std::vector<std::size_t> const& tiles, SampleRanges const& samples);
    /// Paths not handed out.
    std::uint64_t count_left() const;

    /// The next unit, or nothing when all are handed out. It has as many samples as make about `paths` paths of a whole
    /// tile, at least one; at the picture's edge that is fewer paths. Units shrink towards the end, so that the threads
    /// finish together (guided self-scheduling: C. Polychronopoulos & D. Kuck, 1987).
    std::optional<WorkUnit> take(std::uint64_t paths);

private:
    struct TileWork {
        std::size_t tile;
        RenderTile block;  ///< the whole tile, without samples
        SampleRanges left; ///< the last one first
        std::uint64_t paths_of_sample;
    };

    Film const& film_; ///< for its size alone
    std::uint32_t paths_per_sample_;
    std::uint64_t most_paths_of_sample_; ///< of a tile
    mutable std::mutex mutex_;
    std::vector<TileWork> tiles_; ///< with samples left
    std::size_t next_ = 0;
    std::uint64_t paths_left_ = 0;
    std::uint32_t bank_samples_;
    std::uint64_t shares_; ///< a unit is at most what is left divided by this
};

} // namespace volpt
