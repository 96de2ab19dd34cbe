// Reflection and refraction at the triangles of a mesh, flat or with interpolated normals.
#pragma once

#include "libvolpt/core/boundary/boundary.hd.h"
#include "libvolpt/core/surface/nested_solids.hd.h"

namespace volpt {

/// `a` of any length scaled to 1; `fallback` if it has none.
VOLPT_HD Vec3 normalize_or(Vec3 a, Vec3 fallback)
{
    float const longest = exact::max(exact::abs(a.x), exact::max(exact::abs(a.y), exact::abs(a.z)));
    if (!(longest > 0x1p-90f)) return fallback;
    return normalize(exact::reciprocal(longest) * a);
}

/// Unit vectors, on the side of the triangle where the path is.
struct SideNormals {
    Vec3 geometric;
    Vec3 shading;
};

VOLPT_HD SideNormals find_normals(SurfaceView const& surface, SurfaceHit const& hit, LeafTriangle const& triangle,
                                  Vec3 direction, bool is_inside)
{
    float const side = is_inside ? -1.0f : 1.0f;
    // In mm: a normal goes with areas.
    Vec3 const pitch = surface.pitch_mm;
    Vec3 const areas{pitch.y * pitch.z, pitch.z * pitch.x, pitch.x * pitch.y};
    Vec3 const geometric = normalize_or(side * (areas * compute_voxel_normal(triangle)), -direction);
    if (surface.normals == nullptr) return {geometric, geometric};
    Vec3 const* const corner = surface.normals + 3 * static_cast<std::size_t>(hit.triangle);
    float const weight_a = 1.0f - hit.weight_b - hit.weight_c;
    Vec3 const between = move_along(move_along(weight_a * corner[0], hit.weight_b, corner[1]), hit.weight_c, corner[2]);
    return {geometric, normalize_or(side * between, geometric)};
}

/// interact_with_surface at a surface of any `normal`, unit, on the path's side; true if the path is refracted.
template <Surface surface, int bands>
VOLPT_HD bool interact_about(float alpha, Vec3 normal, float eta, PathState<bands>& path)
{
    Frame const frame = make_frame(normal);
    // Along the surface, rounding may tell another side than the triangle did.
    path.direction = {dot(path.direction, frame.tangent), dot(path.direction, frame.bitangent),
                      -exact::max(1e-7f, -dot(path.direction, normal))};
    bool const through = interact_with_surface<surface>(alpha, 2, 1.0f, eta, path);
    Vec3 const local = path.direction;
    path.direction =
        normalize(move_along(move_along(local.x * frame.tangent, local.y, frame.bitangent), local.z, normal));
    return through;
}

/// Interacts about the shading normal. A direction that the triangle itself does not allow (reflected to behind it, or
/// refracted to the front) would leave the path on the wrong side; setting its weight to 0 makes black rims (E. Veach,
/// Robust Monte Carlo Methods for Light Transport Simulation, 1997, 5.3). Such an event is sampled once more, with the
/// next random numbers, about the geometric normal, as is one where the path comes from behind the shading normal. So
/// every event keeps its weight; reciprocity holds with geometric normals only.
template <Surface surface, int bands>
VOLPT_HD bool interact_with_triangle(float alpha, SideNormals const& normals, bool has_shading, float eta,
                                     PathState<bands>& path)
{
    bool tries = has_shading && dot(path.direction, normals.shading) < 0.0f;
    // A loop, because a GPU's code has the interaction once: two copies of it were half of an instance.
    while (true) {
        PathState<bands> tried = path;
        bool const through = interact_about<surface>(alpha, tries ? normals.shading : normals.geometric, eta, tried);
        float const height = dot(tried.direction, normals.geometric);
        if (!tries || tried.stage == Stage::ended || (through ? height < 0.0f : height > 0.0f)) {
            path = tried;
            return through;
        }
        path.rng = tried.rng;
        tries = false;
    }
}

/// interact_with_triangle for the scene's surface: a branch that all paths take alike.
template <int bands>
VOLPT_HD bool choose_interaction(BoundaryView const& boundary, SideNormals const& normals, bool has_shading, float eta,
                                 PathState<bands>& path)
{
    Surface const surface = choose_surface(boundary);
    if (surface == Surface::many_facets)
        return interact_with_triangle<Surface::many_facets>(boundary.alpha, normals, has_shading, eta, path);
    if (surface == Surface::single_facet)
        return interact_with_triangle<Surface::single_facet>(boundary.alpha, normals, has_shading, eta, path);
    return interact_with_triangle<Surface::smooth>(boundary.alpha, normals, has_shading, eta, path);
}

/// The interface at a triangle: the scene's, or with Surfaces::surroundings that of the solid which it belongs to.
/// Solids are apart, so that the triangle tells which one a path is in.
template <Surfaces surfaces>
VOLPT_HD BoundaryView const& find_boundary(SceneView const& scene, std::uint32_t triangle)
{
    if constexpr (has_surroundings(surfaces))
        if (scene.solids.boundaries != nullptr) return scene.solids.boundaries[scene.solids.solid_of[triangle]];
    return scene.boundary;
}

/// True if a path that meets a triangle is behind it: in the solid that it belongs to.
template <class Path>
VOLPT_HD bool is_behind(SceneView const& scene, std::uint32_t triangle, Path const& path)
{
    if constexpr (HasRegion<Path>)
        return path.region == find_region_behind(scene.solids, triangle);
    else
        return path.stage == Stage::inside;
}

/// Where a path is that goes on from a triangle, behind it or before it.
template <class Path>
VOLPT_HD void leave_triangle(SceneView const& scene, std::uint32_t triangle, bool goes_behind, Path& path)
{
    bool const has_ended = path.stage == Stage::ended;
    Stage const next = goes_behind ? Stage::inside : Stage::entering;
    path.stage = has_ended ? Stage::ended : next;
    if constexpr (HasRegion<Path>)
        if (!has_ended)
            enter_region(goes_behind ? find_region_behind(scene.solids, triangle)
                                     : find_region_before(scene.solids, triangle),
                         path);
}

/// Takes a path to the triangle that it meets and through it, or reflects it there. Afterwards its stage is `inside`,
/// `entering` (outside), or `ended`.
template <Surfaces surfaces = Surfaces::triangles, class Path>
VOLPT_HD void cross_triangle(SceneView const& scene, SurfaceHit const& hit, Path& path)
{
    SurfaceView const& surface = scene.surface;
    LeafTriangle const triangle = get_triangle(surface, hit.triangle);
    bool const was_inside = is_behind(scene, hit.triangle, path);
    // From the corners, not along the ray: the error is that of the triangle's own coordinates.
    float const weight_a = 1.0f - hit.weight_b - hit.weight_c;
    path.position =
        clamp_to_box(move_along(move_along(weight_a * triangle.a, hit.weight_b, triangle.b), hit.weight_c, triangle.c),
                     scene.medium.size_voxels);
    bool through = true;
    BoundaryView const& boundary = find_boundary<surfaces>(scene, hit.triangle);
    if (boundary.kind == BoundaryKindView::none) {
        path.bounces += 1u;
    } else {
        SideNormals const normals = find_normals(surface, hit, triangle, path.direction, was_inside);
        through = choose_interaction(boundary, normals, surface.normals != nullptr,
                                     was_inside ? boundary.ext_over_int : boundary.int_over_ext, path);
        if (!was_inside && !through && path.depth == 0u) {
            for (int b = 0; b < Path::kBands; ++b) path.throughput[b] *= boundary.first_reflection;
        }
    }
    leave_triangle(scene, hit.triangle, through != was_inside, path);
}

} // namespace volpt
