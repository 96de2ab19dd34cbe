// What the events of extend_path do with a bidirectional path.
#pragma once

#include "libvolpt/core/bidirectional/join_subpaths.hd.h"
#include "libvolpt/core/metropolis/film_numbers.hd.h"

namespace volpt {

template <class M, int bands, class Region>
VOLPT_HD void end_absorption(M, SceneView const& scene, VoxelRef voxel, BidirectionalPath<bands, Region>& path)
{
    begin_vertex(scene, path);
    SubpathVertex<bands>& vertex = path.event.vertex;
    vertex.position = path.position;
    vertex.arriving = path.direction;
    for (int b = 0; b < bands; ++b) vertex.throughput[b] = path.throughput[b];
    vertex.sigma_t = read_sigma_t<M>(scene.medium, voxel, M::kBands > 1 ? 0u : path.band);
    vertex.g = read_g<M>(scene.medium, voxel);
    vertex.bsdf = kNoBsdf;
    vertex.depth = path.depth;
    vertex.weights = find_arriving_weights(scene, path.position, vertex.sigma_t, path);
    if (!may_connect(scene.depth_limit, path)) return;
    bool const joins = path.subpath == Subpath::camera && path.vertex_count != 0u;
    visit_vertex(scene, joins ? find_squared_index<M>(scene, path) : 1.0f, path);
}

template <class M, int bands, class Region>
VOLPT_HD void end_scattering(M, SceneView const& scene, VoxelRef, Vec3, BidirectionalPath<bands, Region>& path)
{
    leave_vertex(scene, path);
}

template <int bands, class Region>
VOLPT_HD void begin_reflection(SceneView const& scene, BsdfView const&, SurfacePoint const& point,
                               SideNormals const& normals, BidirectionalPath<bands, Region>& path)
{
    begin_vertex(scene, path);
    float const side = dot(point.geometric, normals.geometric) < 0.0f ? -1.0f : 1.0f;
    SubpathVertex<bands>& vertex = path.event.vertex;
    vertex.position = move_along(point.position, point.offset_mm, normals.geometric * scene.medium.inv_pitch);
    vertex.arriving = path.direction;
    for (int b = 0; b < bands; ++b) vertex.throughput[b] = path.throughput[b];
    vertex.geometric = normals.geometric;
    vertex.shading = side * point.shading;
    vertex.u = point.u;
    vertex.v = point.v;
    vertex.bsdf = point.bsdf;
    vertex.depth = path.depth;
    vertex.weights = find_arriving_weights(scene, vertex.position, find_gather(vertex, vertex.arriving), path);
    if (may_connect(scene.depth_limit, path)) visit_vertex(scene, 1.0f, path);
}

template <int bands, class Region>
VOLPT_HD void end_reflection(SceneView const& scene, BsdfView const&, SideNormals const&, Vec3,
                             BidirectionalPath<bands, Region>& path)
{
    if (path.stage == Stage::ended) return;
    leave_vertex(scene, path);
    SubpathVertex<bands> const& vertex = path.event.vertex;
    bool const is_flat = vertex.shading.x == vertex.geometric.x && vertex.shading.y == vertex.geometric.y &&
                         vertex.shading.z == vertex.geometric.z;
    if (path.subpath == Subpath::camera || is_flat) return;
    float sampled[bands];
    evaluate_bsdf(scene, vertex, vertex.arriving, path.direction, path.band, sampled);
    VertexScattering<bands> const adjoint =
        evaluate_scattering(scene, vertex, Subpath::light, path.direction, path.band);
    for (int b = 0; b < bands; ++b)
        path.throughput[b] *= sampled[b] > 0x1p-60f ? exact::divide(adjoint.response[b], sampled[b]) : 0.0f;
}

template <int bands, class Region>
VOLPT_HD void add_found(float const (&light)[bands], float weight, BidirectionalPath<bands, Region>& path)
{
    for (int b = 0; b < bands; ++b)
        path.radiance[b] = exact::fma(path.throughput[b], weight * light[b], path.radiance[b]);
}

/// Environment and suns that a path from the film finds.
template <int bands, class Region>
VOLPT_HD void find_distant_light(SceneView const& scene, BidirectionalPath<bands, Region>& path)
{
    if (!counts_light(scene, Strategy::found, count_vertices(path), path)) return;
    LightsView const& lights = scene.lights;
    float const edge = estimate_edge(scene, path.band, path.last_position, path.direction, kInfinitelyFar_mm);
    float light[bands];
    float const seen = path.depth == 0u ? scene.environment.seen_directly : 1.0f;
    for (int b = 0; b < bands; ++b)
        light[b] = seen * read_light(scene.environment, scene.bands, find_band(path, b), path.direction);
    bool const samples = lights.environment_choice > 0.0f;
    float const found =
        samples ? lights.environment_choice * evaluate_environment_density(scene, path.direction) : 0.0f;
    float const emitted = samples ? evaluate_emission_density(scene, lights.count, -path.direction) : 0.0f;
    add_found(light, weigh_found_light(scene, found, emitted, edge, path), path);
    for (std::uint32_t i = 0; i < lights.count; ++i) {
        EmitterView const& sun = lights.emitters[i];
        if (sun.shape != EmitterShape::sun) continue;
        if (!(find_one_minus_cosine(path.direction, -sun.direction) < sun.one_minus_cosine)) continue;
        for (int b = 0; b < bands; ++b) light[b] = sun.amount[find_band(path, b)];
        float const density = evaluate_emission_density(scene, i, -path.direction);
        add_found(light, weigh_found_light(scene, evaluate_sun_density(sun), density, edge, path), path);
    }
}

template <int bands, class Region>
VOLPT_HD void escape(SceneView const& scene, BidirectionalPath<bands, Region>& path)
{
    if (path.subpath == Subpath::camera) {
        find_distant_light(scene, path);
    } else if (scene.surface.on == 0u) {
        if (path.event.stage == Stage::leaving && !has_faces(scene))
            path.position =
                find_exit(path.position, path.direction * scene.medium.inv_pitch, scene.medium.size_voxels).position;
        show_exit(scene, path);
    }
    for (int b = 0; b < bands; ++b) path.throughput[b] = 0.0f;
    path.stage = Stage::ended;
}

template <int bands, class Region>
VOLPT_HD void meet_emitter(SceneView const& scene, std::uint32_t primitive, SurfacePoint const& point,
                           BidirectionalPath<bands, Region>& path)
{
    LightsView const& lights = scene.lights;
    if (path.subpath == Subpath::light || lights.emitter_of == nullptr || lights.emitter_of[primitive] == 0u) return;
    float const cosine = -dot(path.direction, point.geometric);
    if (!(cosine > 0.0f) || !counts_light(scene, Strategy::found, count_vertices(path), path)) return;
    std::uint32_t const number = lights.emitter_of[primitive] - 1u;
    EmitterView const& emitter = lights.emitters[number];
    Vec3 const pitch = lights.pitch_mm;
    EmitterHit const hit{primitive, path.last_position * pitch, point.position * pitch, path.direction,
                         point.geometric};
    Vec3 const way_mm = hit.at_mm - hit.from_mm;
    float const edge =
        estimate_edge(scene, path.band, path.last_position, path.direction, exact::sqrt(dot(way_mm, way_mm)));
    float const density = evaluate_emission_density(scene, number, -path.direction);
    float light[bands];
    for (int b = 0; b < bands; ++b) light[b] = emitter.amount[find_band(path, b)];
    add_found(light, weigh_found_light(scene, evaluate_hit_density(emitter, hit, cosine), density, edge, path), path);
}

/// Ends the path: what its particle adds to the same pixel is joined to what it adds itself.
template <int bands, class Region>
VOLPT_HD void end_path(BidirectionalPath<bands, Region>& path)
{
    bool const is_own = path.splat_slot == path.slot;
    for (int b = 0; b < bands; ++b)
        path.throughput[b] =
            is_own ? exact::fma(path.splat_total, path.splat.weight[b], path.radiance[b]) : path.radiance[b];
    if (is_own) path.splat_slot = kNoSlot;
}

/// The path from the film: that of a sample, or of a chain's numbers.
template <Surfaces surfaces, int bands, class Region>
VOLPT_HD PathState<bands> start_film_subpath(SceneView const& scene, BidirectionalPath<bands, Region>& path)
{
    if constexpr (kHasChain<Region>)
        if (is_in_chain(path.chain)) {
            FilmNumbers const numbers = draw_film_numbers(scene, path);
            return start_solid_path<bands, surfaces>(scene, path.id, numbers);
        }
    return start_solid_path<bands, surfaces>(scene, path.id);
}

/// The path from the film follows the particle.
template <class M, int bands, class Region>
VOLPT_HD void begin_camera_subpath(M, SceneView const& scene, BidirectionalPath<bands, Region>& path)
{
    if constexpr (kHasChain<Region>) {
        path.subpath = Subpath::camera;
        path.chain.order = path.chain.way_events = path.chain.ends = 0u;
    }
    static_cast<PathState<bands>&>(path) = start_film_subpath<M::kSurfaces>(scene, path);
    path.slot = path.id.y * scene.width + path.id.x;
    if constexpr (M::kSurfaces == Surfaces::nested)
        if (path.stage != Stage::outside) begin_in_region(scene, path);
    path.subpath = Subpath::camera;
    path.has_turned = 0u;
    path.last_position = path.position;
    path.weights = {};
    if (scene.camera.aim == Aim::hemisphere) {
        float const density = exact::divide(kInversePi, measure_film_mm2(scene, scene.camera.forward));
        path.weights.traced = raise_inverse(scene.strategies.heuristic, density);
    }
}

/// After the particle: the path from the film, unless a chain's path has none, or nothing to be joined to.
template <class M, int bands, class Region>
VOLPT_HD void follow_light_subpath(M, SceneView const& scene, BidirectionalPath<bands, Region>& path)
{
    if constexpr (kHasChain<Region>)
        if (is_in_chain(path.chain) && path.vertex_count == 0u) {
            path.stage = Stage::ended;
            end_path(path);
            return;
        }
    begin_camera_subpath(M{}, scene, path);
}

/// Ends the particle: what it shows to the film is followed there first.
template <class M, int bands, class Region>
VOLPT_HD void end_light_subpath(M, SceneView const& scene, BidirectionalPath<bands, Region>& path)
{
    if (path.splat_total > 0.0f && path.splat.stage != Stage::ended) {
        path.position = path.splat_from;
        path.stage = Stage::connecting;
        return;
    }
    follow_light_subpath(M{}, scene, path);
}

/// Exchanges what an ended path adds to its own pixel for what its particle adds to another; false if that is nothing.
template <int bands, class Region>
VOLPT_HD bool take_splat(BidirectionalPath<bands, Region>& path)
{
    if (path.splat_slot == kNoSlot) return false;
    for (int b = 0; b < bands; ++b) path.throughput[b] = path.splat_total * path.splat.weight[b];
    path.slot = path.splat_slot;
    return true;
}

template <class M, int bands, class Counts, class Region>
VOLPT_HD void end_event(M, SceneView const& scene, BidirectionalPath<bands, Region>& path, Counts&)
{
    if (path.depth != path.event.depth) {
        if (path.event.has_scattered == 0u) path.weights = leave_specular(path.weights);
        path.has_turned = 1u;
        path.last_position = path.position;
    }
    if constexpr (kHasChain<Region>)
        if (path.chain.ends != 0u) path.stage = Stage::ended;
    if (path.subpath == Subpath::light) {
        if (path.stage == Stage::entering && scene.surface.on != 0u) show_exit(scene, path);
        if (path.stage == Stage::ended) end_light_subpath(M{}, scene, path);
        return;
    }
    if (path.rays != 0u) {
        path.next_stage = path.stage;
        path.stage = Stage::connecting;
    } else if (path.stage == Stage::ended) {
        end_path(path);
    }
}

/// The event of a path that is `connecting`: its next ray.
template <class M, int bands, class Counts, class Region>
VOLPT_HD void connect(M, SceneView const& scene, BidirectionalPath<bands, Region>& path, Counts& counts)
{
    counts.count_shadow_ray();
    if (path.subpath == Subpath::light) {
        path.splat_total *= follow_light_ray(M{}, scene, path.splat, get_splat_region(path), path);
        follow_light_subpath(M{}, scene, path);
        return;
    }
    bool const to_emitter = (path.rays & kToEmitter) != 0u;
    Connection<bands> const& ray = to_emitter ? path.connection : path.link;
    float const arrives = follow_light_ray(M{}, scene, ray, get_region(path), path);
    for (int b = 0; b < bands; ++b) path.radiance[b] = exact::fma(arrives, ray.weight[b], path.radiance[b]);
    path.rays &= to_emitter ? ~kToEmitter : 0u;
    if (path.rays != 0u) return;
    path.stage = path.next_stage;
    if (path.stage == Stage::ended) end_path(path);
}

} // namespace volpt
