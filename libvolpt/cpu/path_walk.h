// Paths walked flight by flight for what they meet, not for their radiance: what choices before a render are made from.
#pragma once

#include "libvolpt/core/surface/texel_start.hd.h"

namespace volpt {

/// with_medium without long steps, for few paths: media with null collisions share one instance, which is slower and
/// whose paths are the same.
template <int bands, Surfaces surfaces, class Run>
inline auto with_shared_medium(SceneView const& scene, Run&& run)
{
    switch (scene.medium.extinction) {
    case Extinction::bare:
        return run(Medium<bands, Extinction::bare, MajorantGrid::global, Steps::plain, surfaces>{});
    case Extinction::constant:
        return run(Medium<bands, Extinction::constant, MajorantGrid::global, Steps::plain, surfaces>{});
    default:
        return run(Medium<bands, Extinction::any, MajorantGrid::any, Steps::plain, surfaces>{});
    }
}

/// One band tells as much as three on a path.
inline SceneView view_for_walk(SceneView scene)
{
    scene.path_bands = 1;
    return scene;
}

/// Path number `sample` through the pixel at `place` of `places` that are spread over the picture evenly.
inline PathId spread_path(SceneView const& scene, std::uint64_t place, std::uint64_t places, std::uint32_t sample)
{
    // A Fibonacci lattice: places a fixed number of pixels apart, row by row, share a few columns of some pictures.
    auto const turn = static_cast<std::uint32_t>(place * 0x9E3779B97F4A7C15u >> 32);
    return {static_cast<std::uint32_t>(std::uint64_t{turn} * scene.width >> 32),
            static_cast<std::uint32_t>((2 * place + 1) * scene.height / (2 * places)), sample, sample % scene.bands, 0};
}

/// The path `id`, past its first event if it starts on a mesh.
template <class M>
PathState<1> start_walk(SceneView const& scene, PathId id, PathCounts& counts)
{
    if constexpr (M::kSurfaces != Surfaces::box)
        if (scene.texture_probe != nullptr) return start_probe_path<M::kSurfaces, 1>(scene, id, counts).path;
    return start_path_in<M>(scene, id);
}

/// The flight of a path that is inside, and the event at its end.
template <class M>
Flight walk_flight(SceneView const& scene, PathState<1>& path, PathCounts& counts)
{
    if constexpr (M::kSurfaces == Surfaces::box) {
        Flight const flight = advance<M>(scene.medium, path);
        if (flight.event == FlightEvent::leave)
            path.stage = Stage::leaving;
        else if (flight.event == FlightEvent::collision)
            collide<M>(scene, flight.voxel, path, counts);
        return flight;
    } else {
        MeshFlight const met = advance_in_mesh<M>(scene, path);
        if (met.end != MeshFlightEnd::medium)
            leave_flight<M::kSurfaces>(scene, met, path, counts);
        else if (met.flight.event == FlightEvent::collision)
            collide<M>(scene, met.flight.voxel, path, counts);
        return met.flight;
    }
}

/// Extends the path `id` without long steps until it ends or `watcher.wants_more()` is false. `watcher` is told of each
/// event: begin_event(path), see_flight(flight) if the path was inside, end_event(path).
template <class M, class Watcher>
void walk_path(SceneView const& scene, PathId id, Watcher& watcher)
{
    PathCounts counts;
    PathState<1> path = start_walk<M>(scene, id, counts);
    while (path.stage != Stage::ended && watcher.wants_more()) {
        watcher.begin_event(path);
        if (path.stage == Stage::inside) watcher.see_flight(walk_flight<M>(scene, path, counts));
        if (is_at_face(path)) extend_at_face<M>(scene, path, counts);
        watcher.end_event(path);
    }
}

} // namespace volpt
