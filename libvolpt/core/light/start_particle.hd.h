// Starts of particles: at an emitter, outside the solid or in it.
#pragma once

#include "libvolpt/core/extend_path.hd.h"
#include "libvolpt/core/light/particle_reflection.hd.h"
#include "libvolpt/core/light/start_in_medium.hd.h"

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

/// Sets the stage of a particle by whether it starts in the solid that triangles bound, and its region.
template <class Path>
VOLPT_HD void place_at_mesh(SceneView const& scene, Path& path)
{
    if constexpr (HasRegion<Path>) {
        begin_in_region(scene, path);
        return;
    }
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

/// Light from infinity that reaches the film directly. Particles from infinity begin on a disc that no camera sees, so
/// each particle adds the background along the ray with which the path of its id would begin.
template <int bands, Surfaces surfaces, class Region>
VOLPT_HD void offer_background(SceneView const& scene, PathId id, ParticlePath<bands, Region>& path)
{
    if (scene.camera.aim != Aim::pixel || scene.texture_probe != nullptr || !has_background(scene.lights)) return;
    PathState<bands> const view = start_solid_path<bands, surfaces>(scene, id);
    float light[bands];
    read_distant_light(scene, view.direction, scene.environment.seen_directly, id.band, 0.0f, light);
    FilmPoint const point{id.y * scene.width + id.x, view.direction, kInfinitelyFar_mm, 1.0f};
    // Outside, nothing is left to stand in between.
    Stage const stage = view.stage == Stage::outside ? Stage::ended : view.stage;
    if constexpr (surfaces == Surfaces::nested) {
        std::uint32_t const own_region = path.region;
        path.region = stage == Stage::ended ? 0u : find_region(scene, view);
        Stage const begins = path.region != 0u ? Stage::inside : Stage::entering;
        offer_splat(point, stage == Stage::ended ? stage : begins, view.position, light, 1.0f, path);
        path.region = own_region;
    } else {
        offer_splat(point, stage, view.position, light, 1.0f, path);
    }
}

/// The emitter's own surface, as the film sees it.
template <int bands, class Region>
VOLPT_HD void offer_emitter(SceneView const& scene, ParticleStart<bands> const& start,
                            ParticlePath<bands, Region>& path)
{
    FilmPoint const point = find_film_point(scene, path.position);
    if (point.slot == kNoSlot) return;
    float const share = kInversePi * exact::max(0.0f, dot(start.normal, point.direction));
    float response[bands];
    for (int b = 0; b < bands; ++b) response[b] = share * start.weight[b];
    offer_splat(point, path.stage == Stage::inside ? Stage::inside : Stage::entering, path.position, response, 1.0f,
                path);
}

/// The vertex in the medium where a particle begins, as the film sees it.
template <class M, class Region>
VOLPT_HD void offer_emission(SceneView const& scene, ParticleStart<M::kBands> const& start,
                             ParticlePath<M::kBands, Region>& path)
{
    if (!may_see_medium(scene)) return;
    FilmPoint const point = find_film_point(scene, path.position);
    if (point.slot == kNoSlot) return;
    constexpr float kInverse4Pi = 0.0795774715f;
    float response[M::kBands];
    for (int b = 0; b < M::kBands; ++b) response[b] = kInverse4Pi * start.weight[b];
    float const guess = guess_transmittance<M>(scene, start.voxel, point, path);
    offer_splat(point, Stage::inside, path.position, response, guess, path);
}

/// Vertices before the particle's first event: the background, and the emitter's surface or the point of the medium.
template <Surfaces surfaces, int bands, class Region>
VOLPT_HD void offer_start(SceneView const& scene, PathId id, ParticleStart<bands> const& start, Vec3 at_emitter,
                          ParticlePath<bands, Region>& path)
{
    path.splat_total = 0.0f;
    path.splat_slot = path.slot = kNoSlot;
    Vec3 const entry = path.position;
    path.position = at_emitter;
    if (start.has_surface != 0u) offer_emitter(scene, start, path);
    if (start.in_medium != 0u) offer_emission<EmitterMedium<bands, surfaces, Transport::particles>>(scene, start, path);
    path.position = entry;
    offer_background<bands, surfaces>(scene, id, path);
}
template <Surfaces surfaces, int bands>
VOLPT_HD void offer_start(SceneView const&, PathId, ParticleStart<bands> const&, Vec3, TallyPath<bands>&)
{
}

/// The medium of a particle's code for its start.
template <class Path, Surfaces surfaces>
using StartMedium = EmitterMedium<Path::kBands, surfaces, Path::kTransport>;

/// n^2 of the solid at the particle's position; 0 outside of all solids, where nothing emits.
template <Surfaces surfaces, Particle Path>
VOLPT_HD float find_emission_gain(SceneView const& scene, Path const& path)
{
    BoundaryView const* boundary = &scene.boundary;
    if (has_interfaces(scene)) {
        float const ratio = exact::divide(find_ior(scene, path.position, path.direction), scene.interfaces.ext_ior);
        return ratio * ratio;
    }
    if constexpr (surfaces != Surfaces::box) {
        if (path.stage != Stage::inside) return 0.0f;
        if (scene.solids.boundaries != nullptr) {
            SurfaceHit const hit = find_way_out(scene.surface, make_mesh_ray(scene, path));
            boundary = &find_boundary<surfaces>(scene, hit.triangle);
        }
    }
    if (boundary->kind == BoundaryKindView::none) return 1.0f;
    return boundary->int_over_ext * boundary->int_over_ext;
}

/// Puts a particle at a point of the medium that emits.
template <Surfaces surfaces, Particle Path>
VOLPT_HD void place_in_medium(SceneView const& scene, ParticleStart<Path::kBands>& start, Path& path)
{
    path.position = clamp_to_box(start.position_voxels, scene.medium.size_voxels);
    path.stage = Stage::inside;
    if constexpr (surfaces != Surfaces::box) place_at_mesh(scene, path);
    float const gain = find_emission_gain<surfaces>(scene, path);
    for (int b = 0; b < Path::kBands; ++b) start.weight[b] *= gain;
    if (path.stage != Stage::inside) path.stage = Stage::outside; // its weight is 0: it leaves
    begin_event(path);
}

/// Puts a particle of an emitter or the environment where it enters the box, or at the emitter if a mesh bounds the
/// solid. Returns the point of the emitter, voxels.
template <Surfaces surfaces, Particle Path>
VOLPT_HD Vec3 place_at_emitter(SceneView const& scene, ParticleStart<Path::kBands> const& start, Path& path)
{
    path.position = move_along(start.position_mm, start.offset_mm, start.normal) * scene.medium.inv_pitch;
    begin_event(path);
    path.event.stage = Stage::outside;
    Vec3 const at_emitter = path.position;
    if constexpr (surfaces == Surfaces::box)
        place_at_box(scene, path);
    else
        place_at_mesh(scene, path);
    measure_way(scene, kUnmeasured_mm, path);
    return at_emitter;
}

/// A start at the medium, an emitter or the environment.
template <class M>
VOLPT_HD ParticleStart<M::kBands> choose_start(SceneView const& scene, std::uint32_t band, Rng& rng)
{
    if (scene.emission.choice > 0.0f) {
        std::uint32_t const bits = rng.draw();
        if (is_below(bits, scene.emission.choice)) return leave_medium<M>(scene, band, rng);
    }
    return sample_particle<M::kBands>(scene, band, rng);
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
    ParticleStart<bands> start = choose_start<StartMedium<Path, surfaces>>(scene, id.band, path.rng);
    path.direction = start.direction;
    path.launched_along = pack_direction(start.direction);
    Vec3 at_emitter;
    if (start.in_medium != 0u) {
        place_in_medium<surfaces>(scene, start, path);
        at_emitter = path.position;
    } else {
        at_emitter = place_at_emitter<surfaces>(scene, start, path);
    }
    for (int b = 0; b < bands; ++b) path.throughput[b] = path.launched[b] = start.weight[b];
    offer_start<surfaces>(scene, id, start, at_emitter, path);
    return path;
}

} // namespace volpt
