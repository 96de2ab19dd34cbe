// Hands out the samples that a film lacks in units of one file tile and a few samples.
#pragma once

#include "libvolpt/backend/render_tile.h"
#include "libvolpt/film/film.h"

#include <mutex>
#include <optional>
#include <vector>

namespace volpt {

struct WorkUnit {
    std::size_t tile = 0; ///< index into Film::tile_ranges
    RenderTile block;
    std::uint64_t paths = 0;
};

/// Tile after tile in turn, so that all tiles gain samples alike. Takes no memory for units to come. Any thread.
class WorkQueue {
public:
    /// No unit has samples of two banks of `bank_samples` each; 0: there are none.
    WorkQueue(Film const& film, std::uint32_t paths_per_sample, int threads, std::uint32_t bank_samples);

    /// More to do: the same samples of some tiles.
    void add(std::vector<std::size_t> const& tiles, SampleRanges const& samples);
    /// Not handed out.
    std::uint64_t count_left() const;

    /// The next unit, of about `paths` paths of a whole tile, fewer at the picture's edge, but at least one sample of a
    /// tile, or nothing when all are handed out. Units shrink towards the end, so that the threads finish together (C.
    /// Polychronopoulos & D. Kuck, Guided Self-Scheduling, 1987).
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
    std::uint64_t shares_; ///< a unit is at most this part of what is left
};

} // namespace volpt
