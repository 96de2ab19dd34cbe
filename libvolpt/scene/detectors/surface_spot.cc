#include "libvolpt/scene/detectors/surface_spot.h"

#include "libvolpt/core/camera.hd.h"
#include "libvolpt/core/surface/nested_solids.hd.h"

#include <algorithm>
#include <limits>

namespace volpt {
namespace {

Vec3d add_scaled(Vec3d const& a, double s, Vec3d const& b)
{
    return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}

/// The nearest point of a triangle (C. Ericson, Real-Time Collision Detection, 2005, 5.1.5).
Vec3d find_nearest_in_triangle(Vec3d const& p, Vec3d const& a, Vec3d const& b, Vec3d const& c)
{
    Vec3d const ab = find_difference(b, a), ac = find_difference(c, a), ap = find_difference(p, a);
    double const d1 = find_dot(ab, ap), d2 = find_dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return a;
    Vec3d const bp = find_difference(p, b);
    double const d3 = find_dot(ab, bp), d4 = find_dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return b;
    double const vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return add_scaled(a, d1 > d3 ? d1 / (d1 - d3) : 0, ab);
    Vec3d const cp = find_difference(p, c);
    double const d5 = find_dot(ab, cp), d6 = find_dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return c;
    double const vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return add_scaled(a, d2 > d6 ? d2 / (d2 - d6) : 0, ac);
    double const va = d3 * d6 - d5 * d4, along_b = d4 - d3, along_c = d5 - d6;
    if (va <= 0 && along_b >= 0 && along_c >= 0)
        return add_scaled(b, along_b + along_c > 0 ? along_b / (along_b + along_c) : 0, find_difference(c, b));
    double const sum = va + vb + vc;
    return add_scaled(add_scaled(a, vb / sum, ab), vc / sum, ac);
}

/// The nearest spot on the faces of the box.
SurfaceSpot find_nearest_face_spot(Vec3d const& size_mm, Vec3d const& point_mm)
{
    SurfaceSpot nearest;
    nearest.distance_mm = std::numeric_limits<double>::infinity();
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (int const side : {-1, 1}) {
            Vec3d on_face{};
            for (std::size_t i = 0; i < 3; ++i) on_face[i] = std::clamp(point_mm[i], 0.0, size_mm[i]);
            on_face[axis] = side > 0 ? size_mm[axis] : 0;
            double const distance = measure_length(find_difference(on_face, point_mm));
            if (!(distance < nearest.distance_mm)) continue;
            nearest = {on_face, {0, 0, 0}, distance};
            nearest.outward[axis] = side;
        }
    return nearest;
}

Vec3d to_mm(Vec3 voxels, Vec3 pitch_mm)
{
    Vec3d const p = make_precise(voxels), pitch = make_precise(pitch_mm);
    return {p[0] * pitch[0], p[1] * pitch[1], p[2] * pitch[2]};
}

} // namespace

SurfaceSpot find_nearest_spot(SceneView const& scene, Vec3d const& point_mm)
{
    Vec3 const pitch_mm = scene.lights.pitch_mm;
    if (scene.surface.on == 0) return find_nearest_face_spot(to_mm(scene.medium.size_voxels, pitch_mm), point_mm);
    SurfaceSpot nearest;
    nearest.distance_mm = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < scene.surface.triangle_count; ++i) {
        LeafTriangle const& triangle = scene.surface.bvh.triangles[i];
        if (has_nested_solids(scene) && find_region_before(scene.solids, triangle.number) != 0u) continue;
        Vec3d const a = to_mm(triangle.a, pitch_mm), b = to_mm(triangle.b, pitch_mm), c = to_mm(triangle.c, pitch_mm);
        Vec3d const on_triangle = find_nearest_in_triangle(point_mm, a, b, c);
        double const distance = measure_length(find_difference(on_triangle, point_mm));
        Vec3d const normal = find_cross(find_difference(b, a), find_difference(c, a));
        double const area = measure_length(normal);
        if (distance < nearest.distance_mm && area > 0)
            nearest = {on_triangle, {normal[0] / area, normal[1] / area, normal[2] / area}, distance};
    }
    return nearest;
}

std::optional<Vec3d> find_entry_mm(SceneView const& scene, EmitterView const& beam)
{
    Vec3 const pitch_mm = scene.lights.pitch_mm, origin = beam.position_mm * scene.medium.inv_pitch;
    if (scene.surface.on == 0) {
        BoxEntry const entry = enter_box({origin, beam.direction}, scene.medium.inv_pitch, scene.medium.size_voxels);
        if (entry.hits == 0 || entry.starts_inside != 0) return std::nullopt;
        return to_mm(entry.position, pitch_mm);
    }
    PathState<1> path{};
    path.position = origin;
    path.direction = beam.direction;
    path.stage = Stage::entering;
    SurfaceHit const hit = find_way_in(scene, path);
    bool const is_inner =
        has_nested_solids(scene) && hit.triangle != kNoTriangle && find_region_before(scene.solids, hit.triangle) != 0u;
    if (hit.triangle == kNoTriangle || is_inner) return std::nullopt;
    return make_precise(move_along(beam.position_mm, hit.t, beam.direction));
}

} // namespace volpt
