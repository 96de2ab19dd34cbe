// Starts of bidirectional paths: that of the particle.
#pragma once

#include "libvolpt/core/bidirectional/bidirectional_events.hd.h"
#include "libvolpt/core/light/transports.hd.h"

namespace volpt {

/// Between the seeds of the particle's numbers and of those of the path from the film (the golden ratio's bits).
inline constexpr std::uint64_t kParticleSeed = 0x9E3779B97F4A7C15u;

/// Begins the particle; `scene` is that of the medium M.
template <class M>
VOLPT_HD void begin_light_subpath(M, SceneView const& scene, ParticleStart<M::kBands> const& start, PathOf<M>& path)
{
    path.subpath = Subpath::light;
    path.emitter = start.emitter;
    path.direction = start.direction;
    path.start_cosine = start.has_surface != 0u ? exact::max(0.0f, dot(start.normal, start.direction)) : 0.0f;
    path.position = move_along(start.position_mm, start.offset_mm, start.normal) * scene.medium.inv_pitch;
    path.last_position = path.position;
    float const density = evaluate_emission_density(scene, start.emitter, start.direction);
    path.weights.traced = density > 0.0f ? raise_inverse(scene.strategies.heuristic, density) : 0.0f;
    for (int b = 0; b < M::kBands; ++b) path.throughput[b] = start.weight[b];
    if constexpr (M::kSurfaces == Surfaces::box)
        place_at_box(scene, path);
    else
        place_at_mesh(scene, path);
}

/// The generator of the particle of sample `id`.
template <int bands>
VOLPT_HD Rng seed_particle(SceneView const& scene, PathId id)
{
    std::uint32_t const number = bands > 1 ? 0u : scene.medium.band_number[id.band];
    return seed_rng(scene.seed ^ kParticleSeed, id.y * scene.width + id.x, id.sample, number);
}

template <class M>
VOLPT_HD PathOf<M> start_bidirectional_path(SceneView const& scene, PathId id)
{
    PathOf<M> path{};
    path.rng = seed_particle<M::kBands>(scene, id);
    path.band = id.band;
    path.id = id;
    path.splat_slot = kNoSlot;
    begin_light_subpath(M{}, scene, sample_particle<M::kBands>(scene, id.band, path.rng), path);
    return path;
}

/// start_path_in for a path of both subpaths.
template <int bands, Surfaces surfaces>
VOLPT_HD auto start_path_with(EmitterMedium<bands, surfaces, Transport::bidirectional>, SceneView const& scene,
                              PathId id)
{
    return start_bidirectional_path<EmitterMedium<bands, surfaces, Transport::bidirectional>>(scene, id);
}

} // namespace volpt
