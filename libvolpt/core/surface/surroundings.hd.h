// The surfaces around a solid: which one a path outside meets, and where.
#pragma once

#include "libvolpt/core/surface/bsdf.hd.h"

namespace volpt {

/// A hit among triangles and spheres; `triangle` is the number of the primitive.
struct PrimitiveHit : SurfaceHit {
    SphereView const* spheres;
    std::uint32_t first_sphere;
    Vec3 origin_mm;
    Vec3 direction;
};

/// The two distances along a ray, in mm, at which it meets a sphere; none if `first` > `last`. After E. Haines et al.,
/// Precision Improvements for Ray/Sphere Intersection (Ray Tracing Gems, chapter 7, 2019).
struct SphereCrossing {
    float first;
    float last;
};

VOLPT_HD SphereCrossing cross_sphere(SphereView const& sphere, Vec3 origin_mm, Vec3 direction)
{
    Vec3 const from = origin_mm - sphere.centre_mm;
    float const middle = -dot(from, direction);
    Vec3 const nearest = move_along(from, middle, direction);
    float const r2 = sphere.radius_mm * sphere.radius_mm;
    float const rest = r2 - dot(nearest, nearest);
    if (!(rest > 0.0f)) return {1.0f, -1.0f};
    float const q = middle + exact::copysign(exact::sqrt(rest), middle);
    float const other = (dot(from, from) - r2) / q;
    return {exact::min(q, other), exact::max(q, other)};
}

VOLPT_HD void take_nearer(TriangleRay const& ray, LeafTriangle const& triangle, Facing facing, float t_min,
                          PrimitiveHit& hit)
{
    if (triangle.number < hit.first_sphere) {
        take_nearer(ray, triangle, facing, t_min, static_cast<SurfaceHit&>(hit));
        return;
    }
    SphereCrossing const met =
        cross_sphere(hit.spheres[triangle.number - hit.first_sphere], hit.origin_mm, hit.direction);
    if (!(met.first <= met.last)) return;
    float const t = met.first >= t_min ? met.first : met.last;
    bool const is_nearer = t < hit.t || (t == hit.t && triangle.number < hit.triangle);
    if (t >= t_min && is_nearer) {
        hit.t = t;
        hit.triangle = triangle.number;
    }
}

/// What lies around the solid on the way of a path.
struct OutsideHit {
    SurfaceHit primitive; ///< `triangle` is kNoTriangle if the ground is met first, or nothing
    float ground_mm;      ///< kFarAway_mm if the ground is not met first
};

VOLPT_HD float find_ground_mm(GroundView const& ground, Vec3 position_mm, Vec3 direction)
{
    float const height_mm = dot(position_mm - ground.origin_mm, ground.up);
    float const descent = -dot(direction, ground.up);
    bool const is_met = (ground.on != 0u) & (descent > 0.0f) & (height_mm >= -ground.margin_mm);
    return is_met ? exact::max(0.0f, height_mm) / descent : kFarAway_mm;
}

/// The first surface that a path outside meets within `end_mm`, the solid left aside.
template <int bands>
VOLPT_HD OutsideHit find_outside_hit(SceneView const& scene, PathState<bands> const& path, float end_mm)
{
    SurroundingsView const& around = scene.surroundings;
    Vec3 const position_mm = path.position * scene.surface.pitch_mm;
    float const ground_mm = find_ground_mm(around.ground, position_mm, path.direction);
    bool const is_on_ground = ground_mm < end_mm;
    PrimitiveHit hit{{is_on_ground ? ground_mm : end_mm, kNoTriangle, 0.0f, 0.0f},
                     around.spheres,
                     around.triangle_count,
                     position_mm,
                     path.direction};
    if (around.primitive_count != 0u) {
        BvhRay const ray = make_bvh_ray(around.bvh, path.position, path.direction * scene.medium.inv_pitch);
        hit = find_triangle_from<BvhSearch::nearest>(around.bvh, ray, Facing::any, 0.0f, hit);
    }
    bool const is_primitive = hit.triangle != kNoTriangle;
    return {hit, is_on_ground && !is_primitive ? ground_mm : kFarAway_mm};
}

/// Of rounding, relative to the coordinates that enter: the margin of make_bvh_ray is half of it.
inline constexpr float kSurfaceOffset = 0x1p-18f;

VOLPT_HD float sum_of_lengths(Vec3 v)
{
    return exact::abs(v.x) + exact::abs(v.y) + exact::abs(v.z);
}

/// SurfacePoint::offset_mm of a triangle.
VOLPT_HD float find_offset_mm(Vec3 a_mm, Vec3 b_mm, Vec3 c_mm)
{
    return kSurfaceOffset * sum_of_lengths(a_mm) + kSurfaceOffset * (sum_of_lengths(b_mm) + sum_of_lengths(c_mm));
}

/// Of a sphere.
VOLPT_HD float find_offset_mm(Vec3 centre_mm, float radius_mm)
{
    return kSurfaceOffset * (sum_of_lengths(centre_mm) + radius_mm);
}

template <int bands>
VOLPT_HD SurfacePoint locate_on_ground(SceneView const& scene, PathState<bands> const& path, float t_mm)
{
    GroundView const& ground = scene.surroundings.ground;
    Vec3 const met_mm = move_along(path.position * scene.surface.pitch_mm, t_mm, path.direction);
    Vec3 const from_mm = met_mm - ground.origin_mm;
    Vec3 const on_plane_mm = move_along(met_mm, -dot(from_mm, ground.up), ground.up);
    // Met from above alone: no offset.
    return {on_plane_mm * scene.medium.inv_pitch, ground.up, ground.up,   dot(from_mm, ground.u_axis),
            dot(from_mm, ground.v_axis),          0.0f,      ground.bsdf, 0u};
}

template <int bands>
VOLPT_HD SurfacePoint locate_on_sphere(SceneView const& scene, PathState<bands> const& path, SurfaceHit const& hit)
{
    SurroundingsView const& around = scene.surroundings;
    SphereView const& sphere = around.spheres[hit.triangle - around.triangle_count];
    Vec3 const met_mm = move_along(path.position * scene.surface.pitch_mm, hit.t, path.direction);
    Vec3 const normal =
        normalize_or(exact::reciprocal(sphere.radius_mm) * (met_mm - sphere.centre_mm), -path.direction);
    Vec3 const on_sphere_mm = move_along(sphere.centre_mm, sphere.radius_mm, normal);
    float const offset_mm = find_offset_mm(sphere.centre_mm, sphere.radius_mm);
    return {on_sphere_mm * scene.medium.inv_pitch, normal, normal, 0.0f, 0.0f, offset_mm,
            around.bsdf_of[hit.triangle],          0u};
}

template <int bands>
VOLPT_HD SurfacePoint locate_on_triangle(SceneView const& scene, PathState<bands> const& path, SurfaceHit const& hit)
{
    SurroundingsView const& around = scene.surroundings;
    LeafTriangle const triangle = around.bvh.triangles[around.places[hit.triangle]];
    float const weight_a = 1.0f - hit.weight_b - hit.weight_c;
    auto const mix = [&](Vec3 a, Vec3 b, Vec3 c) {
        return move_along(move_along(weight_a * a, hit.weight_b, b), hit.weight_c, c);
    };
    Vec3 const pitch = scene.surface.pitch_mm;
    Vec3 const areas{pitch.y * pitch.z, pitch.z * pitch.x, pitch.x * pitch.y};
    SurfacePoint point{};
    point.position = mix(triangle.a, triangle.b, triangle.c);
    point.geometric = normalize_or(areas * compute_voxel_normal(triangle), -path.direction);
    point.shading = point.geometric;
    point.bsdf = around.bsdf_of[hit.triangle];
    point.offset_mm = find_offset_mm(pitch * triangle.a, pitch * triangle.b, pitch * triangle.c);
    if (around.normals != nullptr) {
        Vec3 const* const corner = around.normals + 3 * static_cast<std::size_t>(hit.triangle);
        point.shading = normalize_or(mix(corner[0], corner[1], corner[2]), point.geometric);
        point.has_shading = 1u;
    }
    if (around.texture_coordinates != nullptr) {
        float const* const corner = around.texture_coordinates + 6 * static_cast<std::size_t>(hit.triangle);
        point.u = exact::fma(hit.weight_c, corner[4], exact::fma(hit.weight_b, corner[2], weight_a * corner[0]));
        point.v = exact::fma(hit.weight_c, corner[5], exact::fma(hit.weight_b, corner[3], weight_a * corner[1]));
    }
    return point;
}

/// Takes a path to what it meets around the solid, and through the event there. Its stage stays `entering`, or is
/// `ended`. False if it is no event (scatter_at_surface).
template <class Path>
VOLPT_HD bool meet_surroundings(SceneView const& scene, OutsideHit const& hit, Path& path)
{
    SurfaceHit const& met = hit.primitive;
    SurfacePoint point{};
    if (met.triangle == kNoTriangle)
        point = locate_on_ground(scene, path, hit.ground_mm);
    else if (met.triangle >= scene.surroundings.triangle_count)
        point = locate_on_sphere(scene, path, met);
    else
        point = locate_on_triangle(scene, path, met);
    if (met.triangle != kNoTriangle) meet_emitter(scene, met.triangle, point, path);
    return scatter_at_surface(scene, point, path);
}

} // namespace volpt
