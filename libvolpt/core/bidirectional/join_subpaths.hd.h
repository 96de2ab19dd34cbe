// Vertices of a bidirectional path: how they are joined to emitters, to the film, and to each other.
#pragma once

#include "libvolpt/core/bidirectional/strategy_weights.hd.h"

namespace volpt {

/// Events of the path from the film up to which each vertex is joined to one of the particle; after k events, with
/// probability this / k.
inline constexpr std::uint32_t kAllJoined = 16;

/// One of `count` numbers from 0 on.
VOLPT_HD std::uint32_t choose_below(std::uint32_t bits, std::uint32_t count)
{
    return static_cast<std::uint32_t>(std::uint64_t{bits} * count >> 32);
}

/// One camera vertex: the vertex is connected to the pinhole.
template <int bands, class Region>
VOLPT_HD void show_vertex(SceneView const& scene, SubpathVertex<bands> const& vertex,
                          BidirectionalPath<bands, Region>& path)
{
    if (is_in_medium(vertex) && scene.boundary.kind != BoundaryKindView::none && scene.solids.boundaries == nullptr)
        return;
    FilmPoint const point = find_film_point(scene, vertex.position);
    if (point.slot == kNoSlot) return;
    VertexScattering<bands> const to = evaluate_scattering(scene, vertex, Subpath::light, point.direction, path.band);
    float const edge = estimate_edge(scene, path.band, vertex.position, point.direction, point.distance_mm);
    float const weight = weigh_shown_vertex(scene, vertex, point, to, edge);
    float response[bands];
    for (int b = 0; b < bands; ++b) response[b] = weight * vertex.throughput[b] * to.response[b];
    offer_splat(point, is_in_medium(vertex) ? Stage::inside : Stage::entering, vertex.position, response,
                exact::max(kLeastGuess, edge), path);
}

/// No camera vertex: the particle leaves through a probed face.
template <int bands, class Region>
VOLPT_HD void show_exit(SceneView const& scene, BidirectionalPath<bands, Region>& path)
{
    FilmPoint const point = find_probe_point(scene, path.position, path.direction);
    if (point.slot == kNoSlot || !counts_light(scene, Strategy::shown, count_vertices(path), path)) return;
    float const density = exact::divide(kInversePi, measure_film_mm2(scene, scene.camera.forward));
    float const weight = weigh_against(raise(scene.strategies.heuristic, density) * path.weights.traced);
    float response[bands];
    for (int b = 0; b < bands; ++b) response[b] = weight * path.throughput[b];
    offer_splat(point, Stage::ended, path.position, response, 1.0f, path);
}

template <int bands, class Region>
VOLPT_HD void keep_vertex(SubpathVertex<bands> const& vertex, BidirectionalPath<bands, Region>& path)
{
    std::uint32_t const number = path.vertex_count++;
    std::uint32_t const place = number < kMostVertices ? number : choose_below(path.rng.draw(), path.vertex_count);
    if (place < kMostVertices) path.memory->vertices[place] = vertex;
}

/// One vertex of light: the vertex is connected to an emitter.
template <int bands, class Region>
VOLPT_HD void join_emitter(SceneView const& scene, SubpathVertex<bands> const& vertex,
                           BidirectionalPath<bands, Region>& path)
{
    if (is_in_medium(vertex) && scene.lights.connects_inside == 0u) return;
    LightSample<bands> const sample =
        sample_light<bands>(scene, vertex.position * scene.lights.pitch_mm, path.band, path.rng);
    VertexScattering<bands> const to = evaluate_scattering(scene, vertex, Subpath::camera, sample.direction, path.band);
    float const weight = weigh_emitter(scene, vertex, sample, to, path.band);
    float most = 0.0f;
    for (int b = 0; b < bands; ++b) {
        path.connection.weight[b] = weight * vertex.throughput[b] * to.response[b] * sample.value[b];
        most = exact::ordered_max(most, path.connection.weight[b]);
    }
    path.connection.direction = sample.direction;
    path.connection.distance_mm = sample.distance_mm;
    path.connection.stage = is_in_medium(vertex) ? Stage::inside : Stage::entering;
    path.rays |= most > 0.0f ? kToEmitter : 0u;
}

/// Square of the index of refraction, relative to outside, where a path in the medium is. Throughput of a path from the
/// film carries radiance over it, a particle's weight is power.
template <class M, int bands, class Region>
VOLPT_HD float find_squared_index(SceneView const& scene, BidirectionalPath<bands, Region> const& path)
{
    float index = scene.boundary.kind == BoundaryKindView::none ? 1.0f : scene.boundary.int_over_ext;
    if constexpr (M::kSurfaces == Surfaces::nested) {
        index = exact::divide(scene.solids.index_of[path.region], scene.solids.index_of[0]);
    } else if constexpr (M::kSurfaces != Surfaces::box) {
        if (scene.solids.boundaries != nullptr) {
            SurfaceHit const hit = find_way_out(scene.surface, make_mesh_ray(scene, path));
            BoundaryView const& boundary = find_boundary<M::kSurfaces>(scene, hit.triangle);
            index = boundary.kind == BoundaryKindView::none ? 1.0f : boundary.int_over_ext;
        }
    } else if (has_interfaces(scene)) {
        index = exact::divide(find_ior(scene, path.position, path.direction), scene.interfaces.ext_ior);
    }
    return index * index;
}

/// The vertex is joined to one of the particle's. `squared_index` is find_squared_index in the medium, 1 outside.
template <int bands, class Region>
VOLPT_HD void join_vertex(SceneView const& scene, SubpathVertex<bands> const& vertex, float squared_index,
                          BidirectionalPath<bands, Region>& path)
{
    std::uint32_t const kept = path.vertex_count < kMostVertices ? path.vertex_count : kMostVertices;
    if (kept == 0u) return;
    bool is_alone = false; // the only vertex that there is to be joined, in every path like this one
    if constexpr (kHasChain<Region>) is_alone = is_in_chain(path.chain);
    SubpathVertex<bands> const& other = path.memory->vertices[is_alone ? 0u : choose_below(path.rng.draw(), kept)];
    if (vertex.depth + other.depth + 2u > scene.depth_limit - 1u) return; // as in may_connect
    if constexpr (kHasChain<Region>)
        if (!counts_light(scene, Strategy::joined, vertex.order + other.order, path)) return;
    float const thinned = is_alone || vertex.depth < kAllJoined
                              ? 1.0f
                              : exact::divide(static_cast<float>(vertex.depth), static_cast<float>(kAllJoined));
    if (thinned > 1.0f && !(to_fine_unit(path.rng.draw()) * thinned < 1.0f)) return;
    VertexLink<bands> const joined = find_link(scene, vertex, other, path.band, find_join_share(scene, path));
    if (!(joined.distance_mm > 0.0f)) return;
    float const power = exact::divide(scene.lights.reference_power_w, squared_index);
    float const gain = joined.weight * thinned * static_cast<float>(path.vertex_count) * power * joined.per_area;
    float most = 0.0f;
    for (int b = 0; b < bands; ++b) {
        float const both = vertex.throughput[b] * joined.to.response[b] * other.throughput[b] * joined.from.response[b];
        path.link.weight[b] = gain * both;
        most = exact::ordered_max(most, path.link.weight[b]);
    }
    path.link.direction = joined.direction;
    path.link.distance_mm = joined.distance_mm;
    path.link.stage = is_in_medium(vertex) ? Stage::inside : Stage::entering;
    path.rays |= most > 0.0f ? kToVertex : 0u;
}

/// Whether the subpath's vertex may be joined to one of the other subpath: in a chain, only the last one that is asked
/// for.
template <int bands, class Region>
VOLPT_HD bool is_kept(BidirectionalPath<bands, Region> const& path)
{
    if constexpr (kHasChain<Region>)
        if (is_in_chain(path.chain)) return path.chain.strategy == Strategy::joined && path.chain.ends != 0u;
    return true;
}

/// At a vertex that others can be joined to, before its new direction. `squared_index`: join_vertex.
template <int bands, class Region>
VOLPT_HD void visit_vertex(SceneView const& scene, float squared_index, BidirectionalPath<bands, Region>& path)
{
    SubpathVertex<bands> const& vertex = path.event.vertex;
    if (path.subpath == Subpath::light) {
        if (is_kept(path)) keep_vertex(vertex, path);
        if (counts_light(scene, Strategy::shown, count_vertices(path), path)) show_vertex(scene, vertex, path);
    } else {
        if (counts_light(scene, Strategy::emitter, count_vertices(path), path)) join_emitter(scene, vertex, path);
        if (is_kept(path)) join_vertex(scene, vertex, squared_index, path);
    }
}

/// After the new direction of a vertex that has been visited.
template <int bands, class Region>
VOLPT_HD void leave_vertex(SceneView const& scene, BidirectionalPath<bands, Region>& path)
{
    VertexScattering<bands> const to =
        evaluate_scattering(scene, path.event.vertex, path.subpath, path.direction, path.band);
    path.weights = leave(scene.strategies.heuristic, path.event.vertex.weights, to.forward, to.reverse, to.gather);
    path.event.has_scattered = 1u;
}

} // namespace volpt
