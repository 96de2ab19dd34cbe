// Plans the units of a render.
#include "libvolpt/drive/work_queue.h"

#include <algorithm>

namespace volpt {
namespace {

constexpr std::uint64_t kPathsAUnit = 65536;

} // namespace

std::vector<WorkUnit> plan_units(Film const& film, std::vector<SampleRanges> const& todo, std::uint32_t paths_a_sample)
{
    std::vector<WorkUnit> units;
    for (std::size_t tile = 0; tile < todo.size(); ++tile) {
        auto const column = static_cast<std::uint32_t>(tile % film.tiles_x());
        auto const row = static_cast<std::uint32_t>(tile / film.tiles_x());
        RenderBlock block;
        block.x0 = column * kFileTileEdge;
        block.y0 = row * kFileTileEdge;
        block.x1 = std::min(block.x0 + kFileTileEdge, film.width());
        block.y1 = std::min(block.y0 + kFileTileEdge, film.height());
        std::uint64_t const paths_of_sample =
            std::uint64_t{block.x1 - block.x0} * (block.y1 - block.y0) * paths_a_sample;
        std::uint64_t const chunk = std::max<std::uint64_t>(1, kPathsAUnit / paths_of_sample);
        for (SampleRange const& range : todo[tile])
            for (std::uint64_t done = 0; done < range.count; done += chunk) {
                block.first_sample = static_cast<std::uint32_t>(range.first + done);
                block.sample_count = static_cast<std::uint32_t>(std::min(chunk, range.count - done));
                units.push_back({tile, block, paths_of_sample * block.sample_count});
            }
    }
    std::stable_sort(units.begin(), units.end(), [](WorkUnit const& a, WorkUnit const& b) {
        return a.block.first_sample < b.block.first_sample;
    });
    return units;
}

} // namespace volpt
