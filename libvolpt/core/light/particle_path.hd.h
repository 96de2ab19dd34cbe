// Particles: paths from emitters. What they do in addition to paths from the film, and where they appear on the film.
//
// A particle appears on the film once at most, so that its square is exact: one of its vertices is chosen in proportion
// to an estimate of its contribution, and stands for all of them. Its shadow ray is followed when the particle has
// ended.
#pragma once

#include "libvolpt/core/light/camera_connection.hd.h"
#include "libvolpt/core/light/lit_path.hd.h"
#include "libvolpt/core/light/particle_tally.hd.h"

namespace volpt {

/// A path of Transport::particles. Once it has ended, `throughput` is what it adds to the pixel `slot`.
template <int bands, class Region>
struct ParticlePath : ParticleState<bands>, Region {
    static constexpr Transport kTransport = Transport::particles;
    static constexpr std::size_t kEventBytes = sizeof(ParticleEvent<bands>);
    float partial_mm[kMostDetectedMaterials]; ///< path lengths by material, for detectors
    Connection<bands> splat;                  ///< the chosen vertex's; Stage::ended: nothing may stand in between
    Vec3 splat_from;                          ///< voxels
    std::uint32_t splat_slot;
    float splat_total; ///< sum over all vertices of the estimates in proportion to which one is chosen
    ParticleEvent<bands> event;
};

/// A path of Transport::tallies: a particle that no film sees, half as large.
template <int bands>
struct TallyPath : ParticleState<bands> {
    static constexpr Transport kTransport = Transport::tallies;
    static constexpr std::size_t kEventBytes = sizeof(ParticleEvent<bands>);
    ParticleEvent<bands> event;
};

/// The contribution of the chosen vertex, of which the share `arrives` reaches the film. Ends the path for the
/// scheduler.
template <int bands, class Region>
VOLPT_HD void take_splat(float arrives, ParticlePath<bands, Region>& path)
{
    float const total = arrives * path.splat_total;
    for (int b = 0; b < bands; ++b) path.throughput[b] = total * path.splat.weight[b];
    path.slot = total > 0.0f ? path.splat_slot : kNoSlot;
    path.stage = Stage::ended;
}

/// The particle's light on a probed face, if it leaves the solid there.
template <int bands, class Region>
VOLPT_HD void offer_exit(SceneView const& scene, Vec3 position, ParticlePath<bands, Region>& path)
{
    FilmPoint const point = find_probe_point(scene, position, path.direction);
    float response[bands];
    for (int b = 0; b < bands; ++b) response[b] = path.throughput[b];
    offer_splat(point, Stage::ended, position, response, 1.0f, path);
}

template <int bands>
VOLPT_HD void offer_exit(SceneView const&, Vec3, TallyPath<bands>&)
{
}

/// Counts a particle that leaves the solid in the detectors there.
template <int bands, class Region>
VOLPT_HD void show_to_detectors(SceneView const& scene, ParticlePath<bands, Region> const& path)
{
    if (scene.tally.detectors.count != 0u && was_inside(path)) detect(scene, path);
}
template <int bands>
VOLPT_HD void show_to_detectors(SceneView const&, TallyPath<bands> const&)
{
}

/// Measures the way of a particle that leaves the box up to its face; where faces are no events, the particle is moved
/// there first.
template <Particle Path>
VOLPT_HD void reach_exit(SceneView const& scene, Path& path)
{
    if (path.event.stage == Stage::leaving && !has_faces(scene))
        path.position =
            find_exit(path.position, path.direction * scene.medium.inv_pitch, scene.medium.size_voxels).position;
    measure_way(scene, kUnmeasured_mm, path);
    end_past_gates(scene, path);
}

template <Particle Path>
VOLPT_HD void escape(SceneView const& scene, Path& path)
{
    // Particles that leave a mesh are counted before, in end_event.
    if (scene.surface.on == 0u) {
        reach_exit(scene, path);
        if (!has_ended(path)) {
            if (scene.camera.aim == Aim::hemisphere) offer_exit(scene, path.position, path);
            show_to_detectors(scene, path);
        }
    }
    bool const is_reflected = dot(path.direction, unpack_direction(path.launched_along)) < 0.0f;
    end_particle(is_reflected ? EnergyKind::reflected : EnergyKind::transmitted, path);
    path.stage = Stage::ended;
}

/// Ends the path for the scheduler, or asks for the shadow ray of the chosen vertex.
template <int bands, class Region>
VOLPT_HD void show_on_film(ParticlePath<bands, Region>& path)
{
    if (path.splat_total > 0.0f && path.splat.stage != Stage::ended) {
        path.position = path.splat_from;
        path.stage = Stage::connecting;
    } else {
        take_splat(1.0f, path);
    }
}
template <int bands>
VOLPT_HD void show_on_film(TallyPath<bands>&)
{
}

template <class M, Particle Path, class Counts>
VOLPT_HD void end_event(M, SceneView const& scene, Path& path, Counts&)
{
    path.group |= was_inside(path) ? kHasEntered : 0u;
    if (path.stage != Stage::ended) {
        // In a box, what flights do inside has been measured by note_flight.
        if (M::kSurfaces != Surfaces::box || path.event.stage != Stage::inside) {
            measure_way(scene, kUnmeasured_mm, path);
            end_past_gates(scene, path);
        }
        if (has_ended(path)) {
            path.stage = Stage::ended;
        } else if (path.stage == Stage::entering && scene.surface.on != 0u) {
            offer_exit(scene, path.position, path);
            show_to_detectors(scene, path);
        }
    }
    if (path.stage != Stage::ended) return;
    flush_energy(scene, path);
    show_on_film(path);
}

/// The event of a particle that is `connecting`: its shadow ray.
template <class M, int bands, class Counts, class Region>
VOLPT_HD void connect(M, SceneView const& scene, ParticlePath<bands, Region>& path, Counts& counts)
{
    counts.count_shadow_ray();
    take_splat(follow_light_ray(M{}, scene, path.splat, get_splat_region(path), path), path);
}

/// An estimate of the transmittance from a collision in `voxel` to the film; exact in a box where sigma_t does not
/// vary.
template <class M, int bands, class Region>
VOLPT_HD float guess_transmittance(SceneView const& scene, VoxelRef voxel, FilmPoint const& point,
                                   ParticlePath<bands, Region> const& path)
{
    MediumView const& medium = scene.medium;
    Vec3 const velocity = point.direction * medium.inv_pitch;
    FaceHit const face = find_exit(path.position, velocity, medium.size_voxels);
    float const exit_mm = exact::divide(dot(face.position - path.position, velocity), dot(velocity, velocity));
    float const way_mm = exact::max(0.0f, exact::min(exit_mm, point.distance_mm));
    float const arrives = exact::exp_neg(read_sigma_t<M>(medium, voxel, M::kBands > 1 ? 0u : path.band) * way_mm);
    bool const is_exact = M::kSurfaces == Surfaces::box && !has_null_collisions(medium);
    return exact::max(is_exact ? 0x1p-24f : kLeastGuess, arrives);
}

/// False if all light is refracted on its way from the medium to the film.
VOLPT_HD bool may_see_medium(SceneView const& scene)
{
    return scene.boundary.kind == BoundaryKindView::none || scene.solids.boundaries != nullptr;
}

/// The vertex of a collision in `voxel`, as the film sees it.
template <class M, int bands, class Region>
VOLPT_HD void offer_collision(M, SceneView const& scene, VoxelRef voxel, ParticlePath<bands, Region>& path)
{
    if (!may_see_medium(scene) || !may_connect(scene.depth_limit, path)) return;
    FilmPoint const point = find_film_point(scene, path.position);
    if (point.slot == kNoSlot) return;
    float const phase = evaluate_hg(read_g<M>(scene.medium, voxel), dot(path.direction, point.direction));
    float response[bands];
    for (int b = 0; b < bands; ++b) response[b] = phase * path.throughput[b];
    offer_splat(point, Stage::inside, path.position, response, guess_transmittance<M>(scene, voxel, point, path), path);
}
template <class M, int bands>
VOLPT_HD void offer_collision(M, SceneView const&, VoxelRef, TallyPath<bands>&)
{
}

template <class M, Particle Path>
VOLPT_HD void end_absorption(M, SceneView const& scene, VoxelRef voxel, Path& path)
{
    deposit_absorbed(scene, path);
    if (!has_ended(path)) offer_collision(M{}, scene, voxel, path);
}

} // namespace volpt
