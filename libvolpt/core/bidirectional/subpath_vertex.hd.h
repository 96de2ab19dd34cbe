// A vertex of a subpath, which can be joined to one of the other subpath, to an emitter or to the camera.
#pragma once

#include "libvolpt/core/bidirectional/mis_weights.hd.h"
#include "libvolpt/core/light/lit_path.hd.h"

namespace volpt {

/// Which end a path comes from. That of the light is a particle: its weight at a surface with shading normals is that
/// of the path which comes the other way (Veach 1997, 5.3).
enum class Subpath : std::uint32_t { light = 0, camera = 1 };

inline constexpr std::uint32_t kNoBsdf = 0xffffffffu;

template <int bands>
struct SubpathVertex {
    Vec3 position;           ///< voxels, where rays begin
    Vec3 arriving;           ///< unit
    float throughput[bands]; ///< of the path that arrives; in the medium after absorption
    SubpathWeights weights;  ///< on arrival
    float sigma_t;           ///< 1/mm, in the medium
    float g;                 ///< likewise
    Vec3 geometric;          ///< unit, of a surface, on the side of the path
    Vec3 shading;            ///< likewise; it may face away from the path
    float u, v;
    std::uint32_t bsdf;  ///< kNoBsdf in the medium
    std::uint32_t depth; ///< before the event
    std::uint32_t order; ///< of a path with a chain: 1 for the first vertex of its subpath
};

/// What a vertex does to light that goes on into a direction.
template <int bands>
struct VertexScattering {
    float forward = 0;          ///< density of the direction, 1/sr
    float reverse = 0;          ///< of the way back
    float gather = 0;           ///< sigma_t or cosine, as seen from there
    float response[bands] = {}; ///< by band, 1/sr; 0: no light goes there
};

template <int bands>
VOLPT_HD bool is_in_medium(SubpathVertex<bands> const& vertex)
{
    return vertex.bsdf == kNoBsdf;
}

/// sigma_t, or the cosine to the direction, which need not be on the vertex's side.
template <int bands>
VOLPT_HD float find_gather(SubpathVertex<bands> const& vertex, Vec3 direction)
{
    return is_in_medium(vertex) ? vertex.sigma_t : exact::abs(dot(vertex.geometric, direction));
}

/// The normals that a path sees which arrives along `arriving`.
template <int bands>
VOLPT_HD SideNormals find_normals_seen(SubpathVertex<bands> const& vertex, Vec3 arriving)
{
    return {vertex.geometric, dot(arriving, vertex.shading) < 0.0f ? vertex.shading : vertex.geometric};
}

/// Reflectance times cosine, 1/sr, of a path from the film.
template <int bands>
VOLPT_HD void evaluate_bsdf(SceneView const& scene, SubpathVertex<bands> const& vertex, Vec3 arriving, Vec3 leaving,
                            std::uint32_t first_band, float (&response)[bands])
{
    BsdfView const& bsdf = scene.surroundings.bsdfs[vertex.bsdf];
    SideNormals const normals = find_normals_seen(vertex, arriving);
    ReflectionDensities const densities = evaluate_densities(bsdf, normals, arriving, leaving);
    float const cosine = exact::max(0.0f, dot(leaving, normals.shading));
    float const gain = exact::divide(bsdf.exponent + 2.0f, bsdf.exponent + 1.0f) * cosine * densities.lobe;
    for (int b = 0; b < bands; ++b) {
        std::uint32_t const band = bands > 1 ? static_cast<std::uint32_t>(b) : first_band;
        float const diffuse = densities.diffuse * read_texture(bsdf.diffuse, scene.bands, band, vertex.u, vertex.v);
        response[b] = diffuse + (bsdf.kind == BsdfKind::phong ? gain * bsdf.specular[band] : 0.0f);
    }
}

template <int bands>
VOLPT_HD float evaluate_bsdf_density(SceneView const& scene, SubpathVertex<bands> const& vertex, Vec3 arriving,
                                     Vec3 leaving)
{
    BsdfView const& bsdf = scene.surroundings.bsdfs[vertex.bsdf];
    return evaluate_densities(bsdf, find_normals_seen(vertex, arriving), arriving, leaving).chosen;
}

/// `band` is that of a path of one band.
template <int bands>
VOLPT_HD VertexScattering<bands> evaluate_scattering(SceneView const& scene, SubpathVertex<bands> const& vertex,
                                                     Subpath from, Vec3 direction, std::uint32_t band)
{
    VertexScattering<bands> to;
    to.gather = find_gather(vertex, direction);
    if (is_in_medium(vertex)) {
        to.forward = to.reverse = evaluate_hg(vertex.g, dot(vertex.arriving, direction));
        for (int b = 0; b < bands; ++b) to.response[b] = to.forward;
        return to;
    }
    if (!(dot(direction, vertex.geometric) > 0.0f)) return to;
    to.forward = evaluate_bsdf_density(scene, vertex, vertex.arriving, direction);
    to.reverse = evaluate_bsdf_density(scene, vertex, -direction, -vertex.arriving);
    if (from == Subpath::camera) {
        evaluate_bsdf(scene, vertex, vertex.arriving, direction, band, to.response);
        return to;
    }
    evaluate_bsdf(scene, vertex, -direction, -vertex.arriving, band, to.response);
    float const ratio =
        exact::divide(exact::max(1e-6f, to.gather), exact::max(1e-6f, -dot(vertex.arriving, vertex.geometric)));
    for (int b = 0; b < bands; ++b) to.response[b] *= ratio;
    return to;
}

} // namespace volpt
