#include "libvolpt/render/pool/work_queue.h"

#include "libvolpt/film/halves/half_samples.h"

#include <algorithm>

namespace volpt {
namespace {

// A range that lasts this many units is one. While more work items follow, a queue holds so many units for each thread
// that they still end together.
constexpr std::uint64_t kFewCuts = 4;

/// A unit is at most what is left divided by twice the threads; a single thread waits for no other.
std::uint64_t count_shares(int threads)
{
    return threads > 1 ? 2 * static_cast<std::uint64_t>(threads) : 1;
}

/// Samples of `range` that lie in the bank of its first one.
std::uint64_t bound_to_bank(SampleRange const& range, std::uint32_t bank_samples)
{
    return bank_samples == 0 ? range.count : std::min(range.count, bank_samples - range.first % bank_samples);
}

RenderTile find_tile_block(Film const& film, std::size_t tile)
{
    RenderTile block;
    block.x0 = static_cast<std::uint32_t>(tile % film.tiles_x()) * kFileTileEdge;
    block.y0 = static_cast<std::uint32_t>(tile / film.tiles_x()) * kFileTileEdge;
    block.x1 = std::min(block.x0 + kFileTileEdge, film.width());
    block.y1 = std::min(block.y0 + kFileTileEdge, film.height());
    return block;
}

RenderTile find_largest_unit(Film const& film, UnitArea area)
{
    std::uint32_t const edge = area == UnitArea::whole_film ? std::max(film.width(), film.height()) : kFileTileEdge;
    return {0, 0, std::min(film.width(), edge), std::min(film.height(), edge)};
}

} // namespace

WorkQueue::WorkQueue(Film const& film, UnitArea area, std::uint32_t paths_per_sample, int threads,
                     std::uint32_t bank_samples, UnitCuts cuts)
    : film_(film), area_(area), paths_per_sample_(paths_per_sample),
      most_paths_of_sample_(count_pixels(find_largest_unit(film, area)) * paths_per_sample),
      bank_samples_(bank_samples), shares_(count_shares(threads)), cuts_(cuts)
{
}

void WorkQueue::add(std::vector<std::size_t> const& tiles, SampleRanges const& samples)
{
    std::scoped_lock const lock(mutex_);
    auto const add_unit = [&](std::vector<std::size_t> of_unit, RenderTile const& block) {
        std::uint64_t const paths_of_sample = count_pixels(block) * paths_per_sample_;
        paths_left_ += paths_of_sample * count_samples(samples);
        tiles_.push_back({std::move(of_unit), block, {samples.rbegin(), samples.rend()}, paths_of_sample});
    };
    if (area_ == UnitArea::whole_film)
        add_unit(tiles, find_largest_unit(film_, area_));
    else
        for (std::size_t const tile : tiles) add_unit({tile}, find_tile_block(film_, tile));
}

void WorkQueue::drain(std::vector<SampleRanges>& by_tile)
{
    std::scoped_lock const lock(mutex_);
    for (TileWork const& work : tiles_)
        for (std::size_t const tile : work.tiles)
            for (SampleRange const& range : work.left) insert_range(by_tile[tile], range);
    tiles_.clear();
    paths_left_ = 0;
}

std::uint64_t WorkQueue::count_left() const
{
    std::scoped_lock const lock(mutex_);
    return paths_left_;
}

std::optional<WorkUnit> WorkQueue::take(std::uint64_t paths)
{
    std::scoped_lock const lock(mutex_);
    if (tiles_.empty()) return std::nullopt;
    TileWork work = std::move(tiles_.front());
    tiles_.pop_front();
    SampleRange& range = work.left.back();
    std::uint64_t const most = std::min(paths, paths_left_ / shares_);
    // The number of samples is that of a whole tile, also for a smaller one at the picture's edge.
    std::uint64_t const wanted = std::max<std::uint64_t>(1, most / most_paths_of_sample_);
    std::uint64_t const run =
        std::min({bound_to_bank(range, bank_samples_), count_run(film_, range), find_renderer_limit(film_.scene())});
    std::uint64_t const chunk = run <= (cuts_ == UnitCuts::few ? kFewCuts : 1) * wanted ? run : wanted;
    WorkUnit unit{work.tiles, work.block, work.paths_of_sample * chunk};
    unit.block.first_sample = static_cast<std::uint32_t>(range.first);
    unit.block.sample_count = static_cast<std::uint32_t>(chunk);
    paths_left_ -= unit.paths;
    range.first += chunk;
    range.count -= chunk;
    if (range.count == 0) work.left.pop_back();
    if (!work.left.empty()) tiles_.push_back(std::move(work));
    return unit;
}

} // namespace volpt
