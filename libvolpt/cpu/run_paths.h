// Runs the paths of a tile one by one: for solids that triangles bound, where the search for a triangle takes a number
// of steps of its own for each path.
#pragma once

#include "libvolpt/core/extend_path.hd.h"
#include "libvolpt/cpu/path_cursor.h"

namespace volpt {

/// About a millisecond.
inline constexpr std::uint32_t kExtensionsBetweenPolls = 8192;

/// False if `poll` asked to stop. A template of `Isa`, so that no instruction set's copy stands in for another's.
template <class Isa, class M>
bool run_paths(SceneView const& scene, RenderTile const& tile, TileSumsView sums, PathCounts& counts, StopPoll poll)
{
    PathCursor cursor(tile, M::kBands > 1 ? 1u : scene.bands);
    std::size_t const plane = static_cast<std::size_t>(tile.x1 - tile.x0) * (tile.y1 - tile.y0);
    std::uint32_t extensions = 0;
    while (!cursor.done()) {
        PathState<M::kBands> path = start_path_at_mesh<M::kBands>(scene, cursor.take());
        ++counts.paths;
        while (path.stage != Stage::ended) {
            extend_path<M>(scene, path, counts);
            if (++extensions % kExtensionsBetweenPolls == 0 && poll.should_stop != nullptr &&
                poll.should_stop(poll.context))
                return false;
        }
        add_to_sums(scene, path, sums, plane);
    }
    return true;
}

} // namespace volpt
