// Hands out the samples that a film lacks in units of one file tile and a few samples.
#pragma once

#include "libvolpt/cpu/render_block.h"
#include "libvolpt/film/film.h"

#include <mutex>
#include <optional>
#include <vector>

namespace volpt {

struct WorkUnit {
    std::size_t tile = 0; ///< index into Film::tile_ranges
    RenderBlock block;
    std::uint64_t paths = 0;
};

/// Tile after tile in turn, so that all tiles gain samples alike. Takes no memory for units to come.
class WorkQueue {
public:
    /// No unit has samples of two groups of `group_samples`, counted from sample 0; 0: all samples are one group.
    WorkQueue(Film const& film, std::vector<SampleRanges> todo, std::uint32_t paths_a_sample, int threads, std::uint32_t group_samples);

    std::uint64_t total_paths() const { return total_paths_; }

    /// The next unit, of about `paths` paths but at least one sample of a tile, or nothing when all are handed out. Units
    /// shrink towards the end, so that the threads finish together (C. Polychronopoulos & D. Kuck, Guided Self-Scheduling,
    /// 1987). Any thread.
    std::optional<WorkUnit> take(std::uint64_t paths);

private:
    struct TileWork {
        std::size_t tile;
        RenderBlock block; ///< the whole tile, without samples
        SampleRanges left; ///< the last one first
        std::uint64_t paths_of_sample;
    };

    std::mutex mutex_;
    std::vector<TileWork> tiles_; ///< with samples left
    std::size_t next_ = 0;
    std::uint64_t total_paths_ = 0;
    std::uint64_t paths_left_ = 0;
    std::uint32_t group_samples_;
    std::uint64_t shares_; ///< a unit is at most this part of what is left
};

} // namespace volpt
