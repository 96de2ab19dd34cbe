// Units of work hold no more samples than the sums of a renderer, and what is drained is cut as little as it can be.
#include "libvolpt/render/pool/work_queue.h"

#include <deque>
#include <gtest/gtest.h>
#include <numeric>

namespace volpt::test {
namespace {

TEST(WorkQueue, UnitsEndWhereSquaresOfSumsWouldNotFit)
{
    for (Integrator const integrator : {Integrator::light, Integrator::mlt}) {
        Scene scene;
        scene.width = scene.height = 8;
        scene.bands = 1;
        scene.integrator = integrator;
        Film const film(scene, 0, 0);
        constexpr std::uint64_t kSamples = std::uint64_t{1} << 20;
        WorkQueue queue(film, UnitArea::whole_film, 1, 1, 0);
        queue.add({0}, {{0, kSamples}});
        std::uint64_t next = 0, units = 0;
        while (auto const unit = queue.take(UINT64_MAX)) {
            EXPECT_EQ(unit->block.first_sample, next);
            EXPECT_LE(unit->block.sample_count, find_renderer_limit(scene));
            next += unit->block.sample_count;
            ++units;
        }
        EXPECT_EQ(next, kSamples);
        EXPECT_EQ(units, integrator == Integrator::mlt ? kSamples / find_renderer_limit(scene) : 1u);
    }
}

/// Rectangles of file tiles that lack the same samples once all threads have stopped in the middle of their units.
std::size_t count_drained_groups(UnitCuts cuts)
{
    Scene scene;
    scene.width = scene.height = 8 * kFileTileEdge;
    scene.bands = 1;
    Film const film(scene, 0, 0);
    constexpr int kThreads = 30;
    WorkQueue queue(film, UnitArea::file_tile, 1, kThreads, 0, cuts);
    std::vector<std::size_t> tiles(film.tile_ranges.size());
    std::iota(tiles.begin(), tiles.end(), 0);
    std::deque<WorkUnit> under_way; // one for each thread
    std::uint64_t first = 0;
    for (std::uint64_t const samples : {3, 19, 19, 19, 19}) {
        queue.add(tiles, {{first, samples}});
        first += samples;
        while (queue.count_left() > 10 * film.width() * film.height()) { // as a worker that fetches ahead
            under_way.push_back(*queue.take(UINT64_MAX));
            if (under_way.size() > kThreads) under_way.pop_front();
        }
    }
    std::vector<SampleRanges> lacking(tiles.size());
    for (WorkUnit const& unit : under_way)
        insert_range(lacking[unit.tiles[0]], {unit.block.first_sample, unit.block.sample_count});
    queue.drain(lacking);
    return make_tile_groups(film, lacking, cut_by_size(film, film.width())).size();
}

TEST(WorkQueue, WhatIsDrainedIsFewRectangles)
{
    EXPECT_EQ(count_drained_groups(UnitCuts::few), 2u);
    EXPECT_GT(count_drained_groups(UnitCuts::fine), 2u);
}

} // namespace
} // namespace volpt::test
