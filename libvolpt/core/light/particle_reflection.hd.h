// Particles at diffuse surfaces and those of Phong, with the correction for shading normals.
#pragma once

#include "libvolpt/core/light/particle_path.hd.h"

namespace volpt {

/// BSDF, per sr, times cosine, for a path from the film that arrives along `arriving` and goes on along `direction`;
/// `normals` are on its side.
template <Particle Path>
VOLPT_HD void evaluate_reflection(SceneView const& scene, BsdfView const& bsdf, SideNormals const& normals,
                                  Vec3 arriving, Vec3 direction, Path const& path, float (&reflection)[Path::kBands])
{
    constexpr int bands = Path::kBands;
    ReflectionDensities const densities = evaluate_densities(bsdf, normals, arriving, direction);
    float const cosine = exact::max(0.0f, dot(direction, normals.shading));
    float const gain = exact::divide(bsdf.exponent + 2.0f, bsdf.exponent + 1.0f) * cosine * densities.lobe;
    for (int b = 0; b < bands; ++b) {
        std::uint32_t const band = find_band(path, b);
        float const diffuse = densities.diffuse *
                              read_texture(bsdf.diffuse, scene.bands, band, path.event.surface_u, path.event.surface_v);
        reflection[b] = diffuse + (bsdf.kind == BsdfKind::phong ? gain * bsdf.specular[band] : 0.0f);
    }
}

/// The same for a particle that arrives along `arriving` and goes on along `leaving`: the BSDF of the path in the other
/// direction, times the particle's cosine. With shading normals this differs from what sampling gives (E. Veach, Robust
/// Monte Carlo Methods for Light Transport Simulation, 1997, 5.3).
template <Particle Path>
VOLPT_HD void evaluate_adjoint(SceneView const& scene, BsdfView const& bsdf, Vec3 geometric, Vec3 arriving,
                               Vec3 leaving, Path const& path, float (&reflection)[Path::kBands])
{
    constexpr int bands = Path::kBands;
    bool const is_usable = dot(leaving, path.event.surface_shading) > 0.0f;
    SideNormals const seen{geometric, is_usable ? path.event.surface_shading : geometric};
    evaluate_reflection(scene, bsdf, seen, -leaving, -arriving, path, reflection);
    float const ratio =
        exact::divide(exact::max(1e-6f, dot(leaving, geometric)), exact::max(1e-6f, -dot(arriving, geometric)));
    for (int b = 0; b < bands; ++b) reflection[b] *= ratio;
}

/// The vertex on a surface, as the film sees it.
template <int bands, class Region>
VOLPT_HD void offer_surface(SceneView const& scene, BsdfView const& bsdf, Vec3 from, Vec3 geometric,
                            ParticlePath<bands, Region>& path)
{
    if (!may_connect(scene.depth_limit, path)) return;
    FilmPoint const point = find_film_point(scene, from);
    if (point.slot == kNoSlot || !(dot(point.direction, geometric) > 0.0f)) return;
    float response[bands];
    evaluate_adjoint(scene, bsdf, geometric, path.direction, point.direction, path, response);
    for (int b = 0; b < bands; ++b) response[b] *= path.throughput[b];
    offer_splat(point, Stage::entering, from, response, 1.0f, path);
}
template <int bands>
VOLPT_HD void offer_surface(SceneView const&, BsdfView const&, Vec3, Vec3, TallyPath<bands>&)
{
}

template <Particle Path>
VOLPT_HD void begin_reflection(SceneView const& scene, BsdfView const& bsdf, SurfacePoint const& surface,
                               SideNormals const& normals, Path& path)
{
    float const side = dot(surface.geometric, normals.geometric) < 0.0f ? -1.0f : 1.0f;
    path.event.surface_u = surface.u;
    path.event.surface_v = surface.v;
    path.event.surface_shading = side * surface.shading;
    Vec3 const from = move_along(surface.position, surface.offset_mm, normals.geometric * scene.medium.inv_pitch);
    offer_surface(scene, bsdf, from, normals.geometric, path);
}

template <Particle Path>
VOLPT_HD void end_reflection(SceneView const& scene, BsdfView const& bsdf, SideNormals const& normals, Vec3 arriving,
                             Path& path)
{
    constexpr int bands = Path::kBands;
    if (path.stage == Stage::ended) return;
    Vec3 const shading = path.event.surface_shading, geometric = normals.geometric;
    if (shading.x == geometric.x && shading.y == geometric.y && shading.z == geometric.z) return;
    float sampled[bands], adjoint[bands];
    evaluate_reflection(scene, bsdf, normals, arriving, path.direction, path, sampled);
    evaluate_adjoint(scene, bsdf, geometric, arriving, path.direction, path, adjoint);
    for (int b = 0; b < bands; ++b)
        path.throughput[b] *= sampled[b] > 0x1p-60f ? exact::divide(adjoint[b], sampled[b]) : 0.0f;
}

} // namespace volpt
