// Runs the paths of a tile in scenes with emitters, one after the other: light from emitters, or particles.
#pragma once

#include "libvolpt/core/light/transports.hd.h"
#include "libvolpt/cpu/path_cursor.h"

namespace volpt {

/// Not over lanes: connections take most of the time, and follow each path's own way.
template <class Isa, class M>
bool run_emitter_paths(SceneView const& scene, RenderTile const& tile, TileSumsView sums, PathCounts& counts,
                       StopPoll poll)
{
    constexpr std::uint32_t kEventsBetweenPolls = 1 << 10; // a few milliseconds
    std::size_t const plane = count_pixels_of(find_reached_pixels(scene, tile));
    PathCursor cursor(tile, M::kBands > 1 ? 1u : scene.bands);
    [[maybe_unused]] PathMemory<PathOf<M>> memory;
    std::uint32_t events = 0;
    while (!cursor.done()) {
        PathOf<M> path = start_path_in<M>(scene, cursor.take());
        if constexpr (HasMemory<PathOf<M>>) path.memory = &memory;
        counts.paths += 1;
        while (path.stage != Stage::ended) {
            extend_path<M>(scene, path, counts);
            if (++events % kEventsBetweenPolls == 0 && poll.should_stop != nullptr && poll.should_stop(poll.context))
                return false;
        }
        if (M::kTransport == Transport::tallies) continue;
        if (M::kTransport != Transport::particles || path.slot != kNoSlot) add_to_sums(scene, path, sums, plane);
        if constexpr (M::kTransport == Transport::bidirectional)
            if (take_splat(path)) add_to_sums(scene, path, skip_planes(sums, scene.bands * plane), plane);
    }
    return true;
}

} // namespace volpt
