// The weights of each strategy that finds light: those of a subpath on its way, and those of its ends.
#pragma once

#include "libvolpt/core/bidirectional/bidirectional_path.hd.h"
#include "libvolpt/core/bidirectional/edge_transmittance.hd.h"
#include "libvolpt/core/bidirectional/emission_density.hd.h"

namespace volpt {

/// Density per volume or area, but for gather and transmittance, with which the film's rays reach a point that it sees.
VOLPT_HD float find_camera_density(SceneView const& scene, FilmPoint const& point)
{
    return point.slot == kNoSlot ? 0.0f : exact::divide(point.gain, scene.lights.reference_power_w);
}

/// As evaluate_emission_ratio, from where the particle began to its first vertex.
template <int bands, class Region>
VOLPT_HD float find_first_ratio(SceneView const& scene, Vec3 at_mm, BidirectionalPath<bands, Region> const& path)
{
    LightsView const& lights = scene.lights;
    Vec3 const from_mm = path.last_position * lights.pitch_mm;
    Vec3 const way = at_mm - from_mm;
    float density = 0.0f;
    if (path.emitter != lights.count && path.start_cosine > 0.0f) {
        EmitterHit const hit{0u, at_mm, from_mm, -path.direction, path.direction};
        density = evaluate_hit_density(lights.emitters[path.emitter], hit, path.start_cosine);
    }
    return evaluate_emission_ratio(lights, path.emitter, at_mm, density, dot(way, way));
}

/// The weights of a subpath that arrives at a vertex at its position.
template <int bands, class Region>
VOLPT_HD SubpathWeights find_arriving_weights(SceneView const& scene, Vec3 position, float gather,
                                              BidirectionalPath<bands, Region> const& path)
{
    Heuristic const heuristic = scene.strategies.heuristic;
    Vec3 const pitch = scene.lights.pitch_mm;
    Vec3 const way_mm = (position - path.last_position) * pitch;
    float const distance2 = dot(way_mm, way_mm);
    std::uint32_t const band = path.band;
    if (path.has_turned != 0u) {
        float const edge = estimate_edge(scene, band, path.last_position, path.direction, exact::sqrt(distance2));
        SubpathWeights weights = arrive(heuristic, path.weights, distance2, edge, gather);
        weights.connected *= raise(heuristic, find_join_share(scene, path));
        return weights;
    }
    float density, edge;
    if (path.subpath == Subpath::light) {
        density = find_first_ratio(scene, position * pitch, path);
        edge = estimate_edge(scene, band, path.last_position, path.direction, exact::sqrt(distance2));
    } else {
        FilmPoint const point = find_film_point(scene, position);
        density = find_camera_density(scene, point);
        edge = estimate_edge(scene, band, position, -path.direction, point.distance_mm);
    }
    SubpathWeights weights = arrive(heuristic, path.weights, 1.0f, 1.0f, gather);
    weights.connected = density > 0.0f ? raise_inverse(heuristic, density * gather * edge) : 0.0f;
    return weights;
}

/// The weight of a particle's vertex that is connected to the film along an edge (estimate_edge).
template <int bands>
VOLPT_HD float weigh_shown_vertex(SceneView const& scene, SubpathVertex<bands> const& vertex, FilmPoint const& point,
                                  VertexScattering<bands> const& to, float edge)
{
    float const others = sum_earlier(scene.strategies.heuristic, vertex.weights,
                                     find_camera_density(scene, point) * to.gather * edge, to.reverse);
    return weigh_against(others);
}

/// The weight of a vertex of the path from the film that is connected to an emitter.
template <int bands>
VOLPT_HD float weigh_emitter(SceneView const& scene, SubpathVertex<bands> const& vertex,
                             LightSample<bands> const& sample, VertexScattering<bands> const& to, std::uint32_t band)
{
    Heuristic const heuristic = scene.strategies.heuristic;
    float const edge = estimate_edge(scene, band, vertex.position, sample.direction, sample.distance_mm);
    float const met = sample.density > 0.0f
                          ? raise(heuristic, exact::divide(to.forward * edge, exact::max(0x1p-40f, sample.density)))
                          : 0.0f;
    float const ratio = evaluate_emission_ratio(scene.lights, sample.emitter, vertex.position * scene.lights.pitch_mm,
                                                sample.density, sample.distance_mm * sample.distance_mm);
    float const others = met + sum_earlier(heuristic, vertex.weights, ratio * to.gather * edge, to.reverse);
    return weigh_against(others);
}

/// What joins a vertex of the path from the film to one of the particle.
template <int bands>
struct VertexLink {
    Vec3 direction;
    float distance_mm = 0; ///< 0: they are too near
    float per_area = 0;    ///< 1 / distance^2
    float weight = 0;
    VertexScattering<bands> to;   ///< at the vertex, to the other
    VertexScattering<bands> from; ///< at the other
};

template <int bands>
VOLPT_HD VertexLink<bands> find_link(SceneView const& scene, SubpathVertex<bands> const& vertex,
                                     SubpathVertex<bands> const& other, std::uint32_t band, float join_share)
{
    VertexLink<bands> link;
    Vec3 const way_mm = (other.position - vertex.position) * scene.lights.pitch_mm;
    float const distance2 = dot(way_mm, way_mm);
    if (!(distance2 > kLeastDistance2_mm2)) return link;
    link.distance_mm = exact::sqrt(distance2);
    link.direction = exact::reciprocal(link.distance_mm) * way_mm;
    link.per_area = exact::reciprocal(distance2);
    link.to = evaluate_scattering(scene, vertex, Subpath::camera, link.direction, band);
    link.from = evaluate_scattering(scene, other, Subpath::light, -link.direction, band);
    Heuristic const heuristic = scene.strategies.heuristic;
    float const apart = estimate_edge(scene, band, vertex.position, link.direction, link.distance_mm) * link.per_area;
    float const others =
        sum_earlier(heuristic, other.weights, link.to.forward * link.from.gather * apart, link.from.reverse) +
        sum_earlier(heuristic, vertex.weights, link.from.forward * link.to.gather * apart, link.to.reverse);
    link.weight = weigh_against(others * raise_inverse(heuristic, join_share));
    return link;
}

/// The weight of light that a path from the film finds by chance, which sample_light has with `found_density` and
/// particles begin with `emission_density`.
template <int bands, class Region>
VOLPT_HD float weigh_found_light(SceneView const& scene, float found_density, float emission_density, float edge,
                                 BidirectionalPath<bands, Region> const& path)
{
    Heuristic const heuristic = scene.strategies.heuristic;
    float const joined = raise(heuristic, exact::divide(found_density, exact::max(0x1p-24f, edge)));
    float const others =
        exact::fma(joined, path.weights.connected, raise(heuristic, emission_density) * path.weights.traced);
    return weigh_against(others);
}

} // namespace volpt
