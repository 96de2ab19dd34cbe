// Starts of paths in media of each Transport; what extend_path needs for all of them, but for what bidirectional paths
// alone need (core/bidirectional/start_bidirectional.hd.h).
#pragma once

#include "libvolpt/core/extend_path.hd.h"
#include "libvolpt/core/light/fluence_event.hd.h"
#include "libvolpt/core/light/lit_path.hd.h"
#include "libvolpt/core/light/start_particle.hd.h"

namespace volpt {

/// start_path_in for a path that is connected to emitters.
template <int bands, Surfaces surfaces>
VOLPT_HD auto start_path_with(EmitterMedium<bands, surfaces, Transport::emitters>, SceneView const& scene, PathId id)
{
    PathOf<EmitterMedium<bands, surfaces, Transport::emitters>> path{};
    static_cast<PathState<bands>&>(path) = start_solid_path<bands, surfaces>(scene, id);
    if constexpr (surfaces == Surfaces::nested)
        if (path.stage != Stage::outside) begin_in_region(scene, path);
    return path;
}

/// start_path_in for a particle.
template <class M>
VOLPT_HD PathOf<M> start_path_with(M, SceneView const& scene, PathId id) requires Particle<PathOf<M>>
{
    return start_particle<PathOf<M>, M::kSurfaces>(scene, id);
}

/// with_emitter_medium for paths of both subpaths: `transport` is bidirectional or metropolis.
template <int bands, Transport transport, class Run>
inline auto with_bidirectional_medium(SceneView const& scene, Run&& run)
{
    if (has_nested_solids(scene)) return run(EmitterMedium<bands, Surfaces::nested, transport>{});
    return scene.surface.on != 0u ? run(EmitterMedium<bands, Surfaces::surroundings, transport>{})
                                  : run(EmitterMedium<bands, Surfaces::box, transport>{});
}

} // namespace volpt
