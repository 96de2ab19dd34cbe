// Starts of particles: at an emitter, outside the solid or in it.
#pragma once

#include "libvolpt/core/extend_path.hd.h"
#include "libvolpt/core/light/particle_reflection.hd.h"
#include "libvolpt/core/light/sample_particle.hd.h"

namespace volpt {

/// Puts a particle where it enters the box, as start_aimed_path does; one that passes by stays where it is.
template <int bands>
VOLPT_HD void place_at_box(SceneView const& scene, PathState<bands>& path)
{
    BoxEntry const entry = enter_box({path.position, path.direction}, scene.medium.inv_pitch, scene.medium.size_voxels);
    Stage const at_face = scene.boundary.kind == BoundaryKindView::none ? Stage::inside : Stage::entering;
    path.stage = entry.hits == 0u ? Stage::outside : entry.starts_inside != 0u ? Stage::inside : at_face;
    if (entry.hits != 0u) path.position = entry.position;
}

/// Tells whether a particle starts in the solid that triangles bound.
template <int bands>
VOLPT_HD void place_at_mesh(SceneView const& scene, PathState<bands>& path)
{
    auto const is_between = [](float p, float size) { return (p > 0.0f) & (p < size); };
    Vec3 const p = path.position, size = scene.medium.size_voxels;
    bool const is_within = is_between(p.x, size.x) & is_between(p.y, size.y) & is_between(p.z, size.z);
    path.stage = is_within && starts_in_mesh(scene, path) ? Stage::inside : Stage::entering;
}

/// True if the film may see light that comes from infinity.
VOLPT_HD bool has_background(LightsView const& lights)
{
    if (lights.environment_choice > 0.0f) return true;
    for (std::uint32_t i = 0; i < lights.count; ++i) {
        EmitterView const& emitter = lights.emitters[i];
        if (emitter.shape == EmitterShape::sun && emitter.one_minus_cosine > 0.0f) return true;
    }
    return false;
}

/// Light from infinity that reaches the film straight on: particles begin on a disc, whose points no film sees. Instead
/// each of them looks along the ray that a path of its id would begin with.
template <int bands, Surfaces surfaces>
VOLPT_HD void offer_background(SceneView const& scene, PathId id, ParticlePath<bands>& path)
{
    if (scene.camera.aim != Aim::pixel || scene.texture_probe != nullptr || !has_background(scene.lights)) return;
    PathState<bands> const view = start_solid_path<bands, surfaces>(scene, id);
    float light[bands];
    read_distant_light(scene, view.direction, scene.environment.seen_directly, id.band, 0.0f, light);
    FilmPoint const point{id.y * scene.width + id.x, view.direction, kInfinitelyFar_mm, 1.0f};
    // Outside, nothing is left to stand in between.
    Stage const stage = view.stage == Stage::outside ? Stage::ended : view.stage;
    offer_splat(point, stage, view.position, light, 1.0f, path);
}

/// The emitter's own surface, as the film sees it.
template <int bands>
VOLPT_HD void offer_emitter(SceneView const& scene, ParticleStart<bands> const& start, ParticlePath<bands>& path)
{
    FilmPoint const point = find_film_point(scene, path.position);
    if (point.slot == kNoSlot) return;
    constexpr float kInversePi = 0.318309886f;
    float const share = kInversePi * exact::max(0.0f, dot(start.normal, point.direction));
    float response[bands];
    for (int b = 0; b < bands; ++b) response[b] = share * start.weight[b];
    offer_splat(point, path.stage == Stage::inside ? Stage::inside : Stage::entering, path.position, response, 1.0f,
                path);
}

/// What of the film's ray and of the emitter's surface the film sees before the particle's first event.
template <Surfaces surfaces, int bands>
VOLPT_HD void offer_start(SceneView const& scene, PathId id, ParticleStart<bands> const& start, Vec3 at_emitter,
                          ParticlePath<bands>& path)
{
    path.splat_total = 0.0f;
    path.splat_slot = path.slot = kNoSlot;
    Vec3 const entry = path.position;
    path.position = at_emitter;
    if (start.has_surface != 0u) offer_emitter(scene, start, path);
    path.position = entry;
    offer_background<bands, surfaces>(scene, id, path);
}
template <Surfaces surfaces, int bands>
VOLPT_HD void offer_start(SceneView const&, PathId, ParticleStart<bands> const&, Vec3, TallyPath<bands>&)
{
}

template <Particle Path, Surfaces surfaces>
VOLPT_HD Path start_particle(SceneView const& scene, PathId id)
{
    constexpr int bands = Path::kBands;
    Path path{};
    std::uint32_t const number = bands > 1 ? 0u : scene.medium.band_number[id.band];
    path.rng = seed_rng(scene.seed, id.y * scene.width + id.x, id.sample, number);
    path.band = id.band;
    path.group = id.sample % kTallyGroups;
    ParticleStart<bands> const start = sample_particle<bands>(scene, id.band, path.rng);
    for (int b = 0; b < bands; ++b) path.throughput[b] = path.launched[b] = start.weight[b];
    path.position = move_along(start.position_mm, start.offset_mm, start.normal) * scene.medium.inv_pitch;
    path.direction = path.launched_along = start.direction;
    begin_event(path);
    path.event.stage = Stage::outside;
    Vec3 const at_emitter = path.position;
    if constexpr (surfaces == Surfaces::box)
        place_at_box(scene, path);
    else
        place_at_mesh(scene, path);
    measure_way(scene, path);
    offer_start<surfaces>(scene, id, start, at_emitter, path);
    return path;
}

} // namespace volpt
