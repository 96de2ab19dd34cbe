// Where workers' sums enter the film, from any thread.
#pragma once

#include "libvolpt/render/tile_sums.h"

#include <map>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <vector>

namespace volpt {

/// What a worker has rendered of some file tiles: all pixels of them, the same samples of each.
struct RenderedTiles {
    std::vector<std::size_t> const& tiles; ///< indices into Film::tile_ranges
    SampleRanges samples;
    std::vector<ConstTileSums> parts; ///< together the tiles' pixels
    PathCounts counts;
    std::map<std::uint32_t, std::vector<Wide>> bank_sums = {}; ///< as LongStepTotals has them
};

/// What of a film is no plane of sums.
struct FilmTotals {
    PathCounts counts;
    std::map<std::uint32_t, std::vector<Wide>> bank_sums;
    std::vector<SampleRanges> tile_ranges; ///< by file tile
};

/// Deliveries on their way into another process's film.
struct FilmDelta {
    std::vector<std::uint64_t> sums;
    std::vector<std::uint64_t> squares;
    FilmTotals totals;
};

enum class FilmPlane { sums, squares };

/// Sums of one row of tiles wait for each other, those of other rows do not.
class FilmSink {
public:
    explicit FilmSink(Film& film) : film_(film), rows_(film.tiles_y()) {}

    /// The delivery is in the film wholly when this returns. Error (input) if the film has some of its samples.
    void deliver(RenderedTiles const& delivery);
    /// Of all deliveries, and of totals that were added.
    PathCounts counts() const;
    /// The film with all deliveries until now, none in part.
    Film copy_film() const;

    /// Leaves an empty film behind.
    FilmDelta take_all();
    /// Another process's deltas, plane by plane, then what else they hold. By one thread.
    void add_values(FilmPlane plane, std::size_t first, std::span<std::uint64_t const> values);
    void add_totals(FilmTotals const& totals);
    std::size_t plane_size() const { return film_.sums.size(); }

private:
    std::unique_lock<std::shared_mutex> lock_whole() const;
    void add_rows(ConstTileSums const& part);
    void add_counts_and_banks(PathCounts const& counts, std::map<std::uint32_t, std::vector<Wide>> const& bank_sums);

    Film& film_;
    /// Whoever wants the film whole holds it while waiting: readers, of whom there may always be some, queue up behind.
    /// (A shared_mutex alone kept one out as long as four deliveries overlapped.)
    mutable std::mutex gate_;
    mutable std::shared_mutex whole_; ///< shared by deliveries, held alone by who needs the film whole
    std::vector<std::mutex> rows_;    ///< of tiles
    mutable std::mutex totals_;       ///< the film's ranges, counts and banks, and counts_
    PathCounts counts_;
};

} // namespace volpt
