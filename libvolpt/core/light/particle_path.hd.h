// Particles: paths from emitters. What becomes of their energy, what they add to tallies, and where on the film they
// appear.
//
// A particle appears on the film once at most, so that its square is exact: of all its vertices one is chosen in
// proportion to what it would add if nothing stood in between, and stands for all of them. Its light ray is followed
// when the particle has ended.
#pragma once

#include "libvolpt/core/light/camera_connection.hd.h"
#include "libvolpt/core/light/detector.hd.h"
#include "libvolpt/core/light/lit_path.hd.h"
#include "libvolpt/core/light/tally.hd.h"

namespace volpt {

/// A path of Transport::particles. Once it has ended, `throughput` is what it adds to the pixel `slot`.
template <int bands>
struct ParticlePath : PathState<bands> {
    static constexpr Transport kTransport = Transport::particles;
    // Weights, by band. launched + gained = absorbed + what was left at the end.
    float launched[bands];
    float accounted[bands]; ///< the throughput when losses were last added to `absorbed`
    float absorbed[bands];
    float gained[bands]; ///< by roulette
    float left[bands];   ///< at the end
    EnergyKind end;      ///< what `left` became; `launched` while the particle flies
    Vec3 launched_along;
    float optical_mm;                         ///< path length times index of refraction
    std::uint32_t group;                      ///< of tallies
    std::uint32_t has_entered;                ///< 1 once it has been in the solid
    float partial_mm[kMostDetectedMaterials]; ///< path lengths by material, for detectors

    Connection<bands> splat; ///< the chosen vertex's; Stage::ended: nothing may stand in between
    Vec3 splat_from;         ///< voxels
    std::uint32_t splat_slot;
    float splat_total; ///< over all vertices, of what they were chosen in proportion to

    // Within one event.
    Stage event_stage;   ///< before it
    Vec3 event_position; ///< up to which `optical_mm` counts
    float surface_u, surface_v;
    Vec3 surface_shading; ///< unit, on the particle's side; it may face away from the particle
};

/// Adds to `absorbed` what the throughput has lost since it was last asked.
template <int bands>
VOLPT_HD void account_losses(ParticlePath<bands>& path)
{
    for (int b = 0; b < bands; ++b) {
        path.absorbed[b] += path.accounted[b] - path.throughput[b];
        path.accounted[b] = path.throughput[b];
    }
}

/// Ends a particle, whose throughput becomes energy of `kind`. Nothing happens if it has ended.
template <int bands>
VOLPT_HD void end_particle(EnergyKind kind, ParticlePath<bands>& path)
{
    if (path.end != EnergyKind::launched) return;
    account_losses(path);
    path.end = kind;
    for (int b = 0; b < bands; ++b) {
        path.left[b] = path.throughput[b];
        path.accounted[b] = path.throughput[b] = 0.0f;
    }
}

template <int bands>
VOLPT_HD void play_roulette(RouletteView roulette, ParticlePath<bands>& path)
{
    account_losses(path);
    play_roulette(roulette, static_cast<PathState<bands>&>(path));
    if (path.stage == Stage::ended) {
        for (int b = 0; b < bands; ++b) path.throughput[b] = path.accounted[b];
        end_particle(EnergyKind::roulette_lost, path);
        return;
    }
    for (int b = 0; b < bands; ++b) {
        path.gained[b] += path.throughput[b] - path.accounted[b];
        path.accounted[b] = path.throughput[b];
    }
}

template <int bands, class Counts>
VOLPT_HD void cut_path(ParticlePath<bands>& path, Counts& counts)
{
    counts.count_cut(to_fixed_point(largest_throughput(path), 0x1p24f));
    end_particle(EnergyKind::cut, path);
    path.stage = Stage::ended;
}

/// Adds a particle's energies to the sums, once it has ended. The random bits are the next of a copy of its generator,
/// as those of `deposit` are: the film is the same with and without tallies.
template <int bands>
VOLPT_HD void flush_energy(SceneView const& scene, ParticlePath<bands> const& path)
{
    TallyView const& tally = scene.tally;
    if (tally.energy_sums == nullptr) return;
    Rng rng = path.rng;
    std::uint32_t const part = rng.draw() % kEnergyParts;
    auto const add = [&](EnergyKind kind, float const(&weight)[bands]) {
        std::uint32_t const bits = rng.draw();
        std::uint64_t* const sums = tally.energy_sums + find_energy_sum(scene.bands, part, kind);
        for (int b = 0; b < bands; ++b)
            if (weight[b] != 0.0f)
                add_to_sum(sums + find_band(path, b), dither_to_sum(weight[b], tally.energy_scale, bits));
    };
    add(EnergyKind::launched, path.launched);
    add(EnergyKind::absorbed, path.absorbed);
    add(EnergyKind::roulette_gained, path.gained);
    if (path.end != EnergyKind::launched) add(path.end, path.left);
    if (path.has_entered != 0u) return;
    if (path.end == EnergyKind::reflected) add(EnergyKind::outside_reflected, path.left);
    if (path.end == EnergyKind::transmitted) add(EnergyKind::outside_transmitted, path.left);
}

/// Adds `weight` to the cell where the particle is.
template <int bands>
VOLPT_HD void deposit(SceneView const& scene, float const (&weight)[bands], ParticlePath<bands> const& path)
{
    TallyView const& tally = scene.tally;
    std::uint32_t const gate = find_gate(tally, path.optical_mm);
    Rng rng = path.rng;
    std::uint32_t const bits = rng.draw();
    if (gate >= tally.gates) return;
    std::uint64_t* const sums = tally.sums + find_tally_sum(tally, scene.bands, path.group, gate, path.position);
    std::size_t const cells = count_tally_cells(tally);
    for (int b = 0; b < bands; ++b)
        if (weight[b] != 0.0f)
            add_to_sum(sums + find_band(path, b) * cells, dither_to_sum(weight[b], tally.scale, bits));
}

template <int bands>
VOLPT_HD void begin_event(ParticlePath<bands>& path)
{
    path.event_stage = path.stage;
    path.event_position = path.position;
}

/// Adds the way since the event began, or since this was last called, to the optical path length.
template <int bands>
VOLPT_HD void measure_way(SceneView const& scene, ParticlePath<bands>& path)
{
    Vec3 const way_mm = (path.position - path.event_position) * scene.lights.pitch_mm;
    bool const was_inside = path.event_stage == Stage::inside || path.event_stage == Stage::leaving;
    float const index = was_inside ? scene.tally.index_inside : scene.tally.index_outside;
    float const length_mm = exact::sqrt(dot(way_mm, way_mm));
    path.optical_mm = exact::fma(index, length_mm, path.optical_mm);
    if (was_inside && scene.tally.detectors.count != 0u && length_mm > 0.0f)
        add_partial_paths(scene, path.event_position, path.position, length_mm, path.partial_mm);
    path.event_position = path.position;
    path.has_entered |= was_inside ? 1u : 0u;
}

template <class M, int bands>
VOLPT_HD void note_flight(M, SceneView const& scene, Flight const& flight, ParticlePath<bands>& path)
{
    if (scene.tally.kind == TallyKind::none) return;
    measure_way(scene, path);
    // The collision that may follow has nothing left to absorb or to scatter.
    if (is_past_gates(scene.tally, path.optical_mm)) end_particle(EnergyKind::cut, path);
    if (scene.tally.kind != TallyKind::fluence || flight.tentative == 0u) return;
    float const mean_free_path_mm = exact::reciprocal(exact::max(0x1p-90f, flight.majorant));
    float fluence[bands];
    for (int b = 0; b < bands; ++b) fluence[b] = path.throughput[b] * mean_free_path_mm;
    deposit(scene, fluence, path);
}

/// Chooses the vertex at `from` (voxels) with the probability that its part of the total has, in place of the one
/// chosen before. `response` is by band per sr, that of a particle of weight 1; `guess` of the share that arrives makes
/// choices good, but does not enter the mean. Draws one number if the vertex may appear.
template <int bands>
VOLPT_HD void offer_splat(FilmPoint const& point, Stage stage, Vec3 from, float const (&response)[bands], float guess,
                          ParticlePath<bands>& path)
{
    if (point.slot == kNoSlot) return;
    float most = 0.0f;
    for (int b = 0; b < bands; ++b) most = exact::max(most, point.gain * response[b]);
    float const part = most * guess;
    if (!(part > 0x1p-70f)) return;
    path.splat_total += part;
    std::uint32_t const bits = path.rng.draw();
    if (!(to_fine_unit(bits) * path.splat_total < part)) return;
    float const scale = exact::divide(point.gain, part);
    for (int b = 0; b < bands; ++b) path.splat.weight[b] = response[b] * scale;
    path.splat.direction = point.direction;
    path.splat.distance_mm = point.distance_mm;
    path.splat.stage = stage;
    path.splat_from = from;
    path.splat_slot = point.slot;
}

/// What of the chosen vertex reaches the film. Ends the path for the scheduler.
template <int bands>
VOLPT_HD void take_splat(float arrives, ParticlePath<bands>& path)
{
    float const total = arrives * path.splat_total;
    for (int b = 0; b < bands; ++b) path.throughput[b] = total * path.splat.weight[b];
    path.slot = total > 0.0f ? path.splat_slot : kNoSlot;
    path.stage = Stage::ended;
}

/// The particle's light on a probed face, if it leaves the solid there.
template <int bands>
VOLPT_HD void offer_exit(SceneView const& scene, Vec3 position, ParticlePath<bands>& path)
{
    FilmPoint const point = find_probe_point(scene, position, path.direction);
    float response[bands];
    for (int b = 0; b < bands; ++b) response[b] = path.throughput[b];
    offer_splat(point, Stage::ended, position, response, 1.0f, path);
}

template <int bands>
VOLPT_HD void escape(SceneView const& scene, ParticlePath<bands>& path)
{
    // From a mesh, particles leave before: end_event.
    bool const detects = scene.tally.detectors.count != 0u && path.event_stage == Stage::leaving;
    if (scene.surface.on == 0u && (scene.camera.aim == Aim::hemisphere || detects)) {
        bool const is_at_start = path.event_stage == Stage::leaving && !has_faces(scene);
        Vec3 const exit =
            is_at_start
                ? find_exit(path.position, path.direction * scene.medium.inv_pitch, scene.medium.size_voxels).position
                : path.position;
        if (scene.camera.aim == Aim::hemisphere) offer_exit(scene, exit, path);
        if (detects) {
            path.position = exit;
            measure_way(scene, path);
            detect(scene, path);
        }
    }
    bool const is_reflected = dot(path.direction, path.launched_along) < 0.0f;
    end_particle(is_reflected ? EnergyKind::reflected : EnergyKind::transmitted, path);
    path.stage = Stage::ended;
}

template <class M, int bands, class Counts>
VOLPT_HD void end_event(M, SceneView const& scene, ParticlePath<bands>& path, Counts&)
{
    if (path.stage != Stage::ended) {
        measure_way(scene, path);
        if (is_past_gates(scene.tally, path.optical_mm)) end_particle(EnergyKind::cut, path);
        if (path.end != EnergyKind::launched) {
            path.stage = Stage::ended;
        } else if (path.stage == Stage::entering && scene.surface.on != 0u) {
            offer_exit(scene, path.position, path);
            if (path.event_stage == Stage::inside && scene.tally.detectors.count != 0u) detect(scene, path);
        }
    }
    account_losses(path);
    if (path.stage != Stage::ended) return;
    flush_energy(scene, path);
    if (path.splat_total > 0.0f && path.splat.stage != Stage::ended) {
        path.position = path.splat_from;
        path.stage = Stage::connecting;
    } else {
        take_splat(1.0f, path);
    }
}

/// The event of a particle that is `connecting`: what arrives at the film.
template <class M, int bands, class Counts>
VOLPT_HD void connect(M, SceneView const& scene, ParticlePath<bands>& path, Counts& counts)
{
    counts.count_shadow_ray();
    take_splat(follow_light_ray(M{}, scene, path.splat, path), path);
}

/// Below it, guesses are not to be trusted where sigma_t varies or a mesh may end before the box.
inline constexpr float kLeastGuess = 0x1p-6f;

/// Of the share of light that arrives from a collision in `voxel`; exact in a box where sigma_t does not vary.
template <class M, int bands>
VOLPT_HD float guess_transmittance(SceneView const& scene, VoxelRef voxel, FilmPoint const& point,
                                   ParticlePath<bands> const& path)
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

template <class M, int bands>
VOLPT_HD void end_absorption(M, SceneView const& scene, VoxelRef voxel, ParticlePath<bands>& path)
{
    if (scene.tally.kind == TallyKind::absorbed) {
        float lost[bands];
        float most = 0.0f;
        for (int b = 0; b < bands; ++b) {
            lost[b] = path.accounted[b] - path.throughput[b];
            most = exact::max(most, lost[b]);
        }
        if (most > 0.0f) deposit(scene, lost, path);
    }
    account_losses(path);
    if (!may_see_medium(scene)) return;
    FilmPoint const point = find_film_point(scene, path.position);
    if (point.slot == kNoSlot) return;
    float const phase = evaluate_hg(read_g<M>(scene.medium, voxel), dot(path.direction, point.direction));
    float response[bands];
    for (int b = 0; b < bands; ++b) response[b] = phase * path.throughput[b];
    offer_splat(point, Stage::inside, path.position, response, guess_transmittance<M>(scene, voxel, point, path), path);
}

/// Reflectance per sr, times cosine, that a path from the film meets which arrives along `arriving` and goes on along
/// `direction`; `normals` are on its side.
template <int bands>
VOLPT_HD void evaluate_reflection(SceneView const& scene, BsdfView const& bsdf, SideNormals const& normals,
                                  Vec3 arriving, Vec3 direction, ParticlePath<bands> const& path,
                                  float (&reflection)[bands])
{
    ReflectionDensities const densities = evaluate_densities(bsdf, normals, arriving, direction);
    float const cosine = exact::max(0.0f, dot(direction, normals.shading));
    float const gain = exact::divide(bsdf.exponent + 2.0f, bsdf.exponent + 1.0f) * cosine * densities.lobe;
    for (int b = 0; b < bands; ++b) {
        std::uint32_t const band = find_band(path, b);
        float const diffuse =
            densities.diffuse * read_texture(bsdf.diffuse, scene.bands, band, path.surface_u, path.surface_v);
        reflection[b] = diffuse + (bsdf.kind == BsdfKind::phong ? gain * bsdf.specular[band] : 0.0f);
    }
}

/// The same for a particle that arrives along `arriving` and goes on along `leaving`: that of the path which comes the
/// other way, its cosine exchanged for the particle's. With shading normals it is not what sampling gives (E. Veach,
/// Robust Monte Carlo Methods for Light Transport Simulation, 1997, 5.3).
template <int bands>
VOLPT_HD void evaluate_adjoint(SceneView const& scene, BsdfView const& bsdf, Vec3 geometric, Vec3 arriving,
                               Vec3 leaving, ParticlePath<bands> const& path, float (&reflection)[bands])
{
    bool const is_usable = dot(leaving, path.surface_shading) > 0.0f;
    SideNormals const seen{geometric, is_usable ? path.surface_shading : geometric};
    evaluate_reflection(scene, bsdf, seen, -leaving, -arriving, path, reflection);
    float const ratio =
        exact::divide(exact::max(1e-6f, dot(leaving, geometric)), exact::max(1e-6f, -dot(arriving, geometric)));
    for (int b = 0; b < bands; ++b) reflection[b] *= ratio;
}

template <int bands>
VOLPT_HD void begin_reflection(SceneView const& scene, BsdfView const& bsdf, SurfacePoint const& surface,
                               SideNormals const& normals, ParticlePath<bands>& path)
{
    float const side = dot(surface.geometric, normals.geometric) < 0.0f ? -1.0f : 1.0f;
    path.surface_u = surface.u;
    path.surface_v = surface.v;
    path.surface_shading = side * surface.shading;
    Vec3 const from = move_along(surface.position, surface.offset_mm, normals.geometric * scene.medium.inv_pitch);
    FilmPoint const point = find_film_point(scene, from);
    if (point.slot == kNoSlot || !(dot(point.direction, normals.geometric) > 0.0f)) return;
    float response[bands];
    evaluate_adjoint(scene, bsdf, normals.geometric, path.direction, point.direction, path, response);
    for (int b = 0; b < bands; ++b) response[b] *= path.throughput[b];
    offer_splat(point, Stage::entering, from, response, 1.0f, path);
}

template <int bands>
VOLPT_HD void end_reflection(SceneView const& scene, BsdfView const& bsdf, SideNormals const& normals, Vec3 arriving,
                             ParticlePath<bands>& path)
{
    if (path.stage == Stage::ended) return;
    Vec3 const shading = path.surface_shading, geometric = normals.geometric;
    if (shading.x == geometric.x && shading.y == geometric.y && shading.z == geometric.z) return;
    float sampled[bands], adjoint[bands];
    evaluate_reflection(scene, bsdf, normals, arriving, path.direction, path, sampled);
    evaluate_adjoint(scene, bsdf, geometric, arriving, path.direction, path, adjoint);
    for (int b = 0; b < bands; ++b)
        path.throughput[b] *= sampled[b] > 0x1p-60f ? exact::divide(adjoint[b], sampled[b]) : 0.0f;
}

} // namespace volpt
