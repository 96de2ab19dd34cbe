// Flights in a solid that triangles bound: where they end, and whether the path is inside at all.
//
// Rounding moves a path by less than the margin (SurfaceView). Wherever it may so have come to lie beyond the surface,
// the nearest triangle ahead decides: inside a closed mesh it is met from the back. Otherwise the path is outside, and
// goes on there.
#pragma once

#include "libvolpt/core/advance.hd.h"
#include "libvolpt/core/long_steps.hd.h"

namespace volpt {

/// Farther than any triangle, mm.
inline constexpr float kFarAway_mm = 0x1p60f;

/// Surface events in a row from which on a path ignores triangles that are nearer than the margin.
inline constexpr std::uint32_t kManyBounces = 64;

/// Of the path's ray: t is in mm. `velocity` is the direction in voxels per mm.
struct MeshRay {
    BvhRay bvh;
    Vec3 velocity;
    float first_mm; ///< where triangles begin to count
};

/// After a collision, a triangle that lies behind by less than the margin was passed by rounding. A path on the surface
/// has met those, and may not meet two of them for ever: it never turns back, and at last has to leave them behind.
template <int bands>
VOLPT_HD MeshRay make_mesh_ray(SceneView const& scene, PathState<bands> const& path)
{
    Vec3 const velocity = path.direction * scene.medium.inv_pitch;
    MeshRay ray{make_bvh_ray(scene.surface.bvh, path.position, velocity), velocity, 0.0f};
    float const margin_mm = scene.surface.margin_voxels * exact::abs(ray.bvh.triangle.shear.z);
    ray.first_mm = path.bounces == 0u ? -margin_mm : path.bounces < kManyBounces ? 0.0f : margin_mm;
    return ray;
}

VOLPT_HD LeafTriangle const& get_triangle(SurfaceView const& surface, std::uint32_t number)
{
    return surface.bvh.triangles[surface.places[number]];
}

/// In voxels, outward, of any length.
VOLPT_HD Vec3 compute_voxel_normal(LeafTriangle const& triangle)
{
    return cross(triangle.b - triangle.a, triangle.c - triangle.a);
}

/// True if the origin of the ray lies on the triangle that it meets from the front at `t_mm`, within the margin.
VOLPT_HD bool stands_on(SurfaceView const& surface, MeshRay const& ray, LeafTriangle const& triangle, float t_mm)
{
    Vec3 const normal = compute_voxel_normal(triangle);
    float const reach = exact::abs(normal.x) + exact::abs(normal.y) + exact::abs(normal.z);
    return exact::abs(t_mm * dot(normal, ray.velocity)) <= surface.margin_voxels * reach;
}

/// The least float above t, but for those next to 0.
VOLPT_HD float step_up(float t)
{
    if (exact::abs(t) < 0x1p-100f) return 0x1p-100f;
    return float_from_bits(t > 0.0f ? bits_from_float(t) + 1u : bits_from_float(t) - 1u);
}

/// The nearest triangle ahead of a path that is inside if all is right, from whichever side. Triangles that the path
/// stands on and moves away from do not count. kNoTriangle if the path turns out to be outside: the ray meets none, or
/// one from the front.
VOLPT_HD SurfaceHit find_way_out(SurfaceView const& surface, MeshRay const& ray)
{
    float from_mm = ray.first_mm;
    // Of a closed mesh, fronts and backs are met in turn, so that even at a vertex there are few fronts to ignore.
    for (int i = 0; i < 4; ++i) {
        SurfaceHit const hit = find_triangle(surface.bvh, ray.bvh, Facing::any, from_mm, kFarAway_mm);
        if (hit.triangle == kNoTriangle) return hit;
        LeafTriangle const triangle = get_triangle(surface, hit.triangle);
        if (intersect_triangle(ray.bvh.triangle, triangle.a, triangle.b, triangle.c, Facing::back).met) return hit;
        if (!stands_on(surface, ray, triangle, hit.t)) break;
        from_mm = step_up(hit.t);
    }
    return {kFarAway_mm, kNoTriangle, 0.0f, 0.0f};
}

/// About a path, in margins: a triangle farther away leaves no doubt whether the path is inside. With more margins,
/// fewer rays are too flat (kLeastInwards), but more triangles are near.
inline constexpr float kNearMargins = 128.0f;

/// The least share of a ray's longest component by which it passes inwards through a triangle whatever the rounding:
/// within kNearMargins margins, it is then on the inner side by more than one.
inline constexpr float kLeastInwards = 2.0f / kNearMargins;

/// Why a path that is inside if all is right may be outside: if both are true, be it of two triangles.
inline constexpr std::uint32_t kTouches = 1;    ///< within a margin of a triangle's plane, and near it
inline constexpr std::uint32_t kNotInwards = 2; ///< near a triangle through which the ray may pass outwards
inline constexpr std::uint32_t kBothDoubts = 3;

/// A hit of a ray that starts inside if all is right.
struct CheckedHit : SurfaceHit {
    float margin_voxels;
    std::uint32_t doubts; ///< of triangles that were looked at; kBothDoubts from the start: not asked
};

VOLPT_HD std::uint32_t find_doubts(TriangleRay const& ray, LeafTriangle const& triangle, float margin_voxels)
{
    Vec3 const a = triangle.a - ray.origin, b = triangle.b - ray.origin, c = triangle.c - ray.origin;
    float const near_voxels = kNearMargins * margin_voxels;
    using exact::ordered_max;
    using exact::ordered_min;
    auto const passes = [&](float p, float q, float r) {
        bool const above = ordered_min(p, ordered_min(q, r)) > near_voxels;
        bool const below = ordered_max(p, ordered_max(q, r)) < -near_voxels;
        return above | below;
    };
    bool const passes_x = passes(a.x, b.x, c.x), passes_y = passes(a.y, b.y, c.y), passes_z = passes(a.z, b.z, c.z);
    if (passes_x | passes_y | passes_z) return 0u;
    auto const sum = [](Vec3 v) { return exact::abs(v.x) + exact::abs(v.y) + exact::abs(v.z); };
    Vec3 const side_b = triangle.b - triangle.a, side_c = triangle.c - triangle.a;
    Vec3 const normal = cross(side_b, side_c);
    float const size = sum(normal);
    float const rounding = 0x1p-21f * sum(side_b) * sum(side_c); // of a sliver's normal
    float const height = exact::abs(dot(normal, a)), height_error = rounding * sum(a);
    bool const touches = height <= exact::fma(margin_voxels, size, height_error);
    bool const is_near = height <= exact::fma(near_voxels, size, height_error);
    Vec3 const turned = turn_to_axis(normal, ray.axis);
    float const outwards = exact::fma(ray.shear.x, turned.x, exact::fma(ray.shear.y, turned.y, turned.z));
    bool const is_inwards = (ray.down != 0u ? outwards : -outwards) > exact::fma(kLeastInwards, size, rounding);
    return (touches ? kTouches : 0u) | (is_near & !is_inwards ? kNotInwards : 0u);
}

VOLPT_HD void take_nearer(TriangleRay const& ray, LeafTriangle const& triangle, Facing facing, float t_min,
                          CheckedHit& hit)
{
    if (hit.doubts != kBothDoubts) hit.doubts |= find_doubts(ray, triangle, hit.margin_voxels);
    take_nearer(ray, triangle, facing, t_min, static_cast<SurfaceHit&>(hit));
}

enum class MeshFlightEnd : std::uint32_t {
    medium = 0,   ///< a collision, null or real, or the next brick: the path has been moved there
    triangle = 1, ///< `hit`, from inside; the path has not been moved
    outside = 2,  ///< the path was not inside: rounding had moved it beyond an edge. It has not been moved
    lost = 3,     ///< out of the box without a triangle: the mesh is not closed, or its clearance is wrong
};

struct MeshFlight {
    MeshFlightEnd end;
    Flight flight;
    SurfaceHit hit;
};

/// True if a path that starts at `position` (voxels) inside the box is inside the mesh. For cameras: afterwards, being
/// inside is state of the path.
template <int bands>
VOLPT_HD bool starts_in_mesh(SceneView const& scene, PathState<bands> const& path)
{
    return find_way_out(scene.surface, make_mesh_ray(scene, path)).triangle != kNoTriangle;
}

/// About the centre of a brick; no triangle reaches into it. Empty if the radius is 0.
struct ClearBall {
    Vec3 centre_voxels;
    float radius_mm;
};

/// That of the brick which holds `position` (voxels); the ball need not hold it.
VOLPT_HD ClearBall find_clear_ball(MediumView const& medium, SurfaceView const& surface, Vec3 position)
{
    auto const find_centre = [](float p, std::int32_t bricks) {
        std::int32_t const brick =
            exact::max(std::int32_t{0}, exact::min(static_cast<std::int32_t>(p * (1.0f / kBrickEdge)), bricks - 1));
        return static_cast<float>(brick * kBrickEdge + kBrickEdge / 2);
    };
    return {{find_centre(position.x, medium.brick_counts[0]), find_centre(position.y, medium.brick_counts[1]),
             find_centre(position.z, medium.brick_counts[2])},
            surface.clearance_mm[find_brick_index(medium, position)]};
}

/// Squared distance in mm of `position` (voxels) from the ball's centre.
VOLPT_HD float measure_from_centre2_mm2(SurfaceView const& surface, ClearBall const& ball, Vec3 position)
{
    Vec3 const aside_mm = (position - ball.centre_voxels) * surface.pitch_mm;
    return dot(aside_mm, aside_mm);
}

/// True only if the surface is farther from `position` than rounding moves a path.
VOLPT_HD bool is_clear(MediumView const& medium, SurfaceView const& surface, Vec3 position)
{
    ClearBall const ball = find_clear_ball(medium, surface, position);
    return measure_from_centre2_mm2(surface, ball, position) < ball.radius_mm * ball.radius_mm;
}

/// Level of the largest sphere about `position` that no triangle reaches; negative if none fits, as wherever a path may
/// be on the wrong side of the surface: there its clearance is not above 0. What SurfaceView::clearance_mm is short of
/// the surface covers the rounding of the step.
VOLPT_HD std::int32_t find_surface_level(MediumView const& medium, SurfaceView const& surface,
                                         LongStepsView const& steps, Vec3 position, float sigma_t)
{
    ClearBall const ball = find_clear_ball(medium, surface, position);
    float const radius_mm = ball.radius_mm - exact::sqrt(measure_from_centre2_mm2(surface, ball, position));
    return find_level(exact::max(0.0f, radius_mm * sigma_t), steps.bank.levels - 1);
}

/// find_step_region in a solid: the sphere lies in one material and in the solid.
template <class M>
VOLPT_HD StepRegion<M::kSteps, M::kBands> find_step_region_in_mesh(SceneView const& scene,
                                                                   PathState<M::kBands> const& path)
{
    static_assert(M::kSteps == Steps::spheres, "a layer's outcome may lie beyond any distance aside");
    StepRegion<M::kSteps, M::kBands> region = find_step_region<M>(scene.medium, scene.long_steps, path);
    std::int32_t const most =
        find_surface_level(scene.medium, scene.surface, scene.long_steps, path.position, region.brick->sigma_t);
    region.level = exact::min(region.level, most);
    return region;
}

/// True only if no triangle can end a flight within the medium: both its ends lie in the ball of the brick in its
/// middle. The ball about the start that holds the end, which takes no square more, leaves 1.7 times as many searches.
VOLPT_HD bool is_clear_flight(MediumView const& medium, SurfaceView const& surface, Vec3 start, Vec3 end)
{
    ClearBall const ball = find_clear_ball(medium, surface, start + 0.5f * (end - start));
    float const reach2_mm2 =
        exact::max(measure_from_centre2_mm2(surface, ball, start), measure_from_centre2_mm2(surface, ball, end));
    return reach2_mm2 < ball.radius_mm * ball.radius_mm;
}

/// Tells what ends `flight`, by which `path` would move to `end` from where it is now; it is not moved. Where the
/// clearance tells it, and where the triangles on the way leave no doubt, the path is inside for certain. Then only
/// what lies within its flight matters: with 79,380 triangles, searches that end there double the rate of paths.
template <int bands>
VOLPT_HD MeshFlight end_at_triangle(SceneView const& scene, PathState<bands> const& path, Flight const& flight,
                                    Vec3 end)
{
    SurfaceView const& surface = scene.surface;
    MeshRay const ray = make_mesh_ray(scene, path);
    TriangleRay const& line = ray.bvh.triangle;
    bool const leaves = flight.event == FlightEvent::leave;
    float const end_mm = leaves ? kFarAway_mm : get_axis(end - path.position, line.axis) * line.shear.z;
    bool const is_free = is_clear(scene.medium, surface, path.position);
    CheckedHit const ahead = find_triangle_from<BvhSearch::nearest>(
        surface.bvh, ray.bvh, Facing::back, ray.first_mm,
        CheckedHit{{end_mm, kNoTriangle, 0.0f, 0.0f}, surface.margin_voxels, is_free ? kBothDoubts : 0u});
    SurfaceHit hit = ahead;
    // After many bounces, triangles next to the path were not looked at.
    if (!is_free && (ahead.doubts == kBothDoubts || path.bounces >= kManyBounces)) {
        hit = find_way_out(surface, ray);
        if (hit.triangle == kNoTriangle) return {MeshFlightEnd::outside, flight, hit};
    }
    if (hit.triangle != kNoTriangle && hit.t <= end_mm) return {MeshFlightEnd::triangle, flight, hit};
    return {leaves ? MeshFlightEnd::lost : MeshFlightEnd::medium, flight, hit};
}

/// One tentative flight of a path inside, as `advance`, up to the surface.
template <class M>
VOLPT_HD MeshFlight advance_in_mesh(SceneView const& scene, PathState<M::kBands>& path)
{
    Vec3 const start = path.position;
    Flight const flight = advance<M>(scene.medium, path);
    Vec3 const end = path.position;
    if (flight.event != FlightEvent::leave && is_clear_flight(scene.medium, scene.surface, start, end))
        return {MeshFlightEnd::medium, flight, {kFarAway_mm, kNoTriangle, 0.0f, 0.0f}};
    path.position = start;
    MeshFlight const met = end_at_triangle(scene, path, flight, end);
    if (met.end == MeshFlightEnd::medium) path.position = end;
    return met;
}

/// The triangle where a path that is outside enters the mesh; kNoTriangle if it does not.
template <int bands>
VOLPT_HD SurfaceHit find_way_in(SceneView const& scene, PathState<bands> const& path)
{
    MeshRay const ray = make_mesh_ray(scene, path);
    return find_triangle(scene.surface.bvh, ray.bvh, Facing::front, ray.first_mm, kFarAway_mm);
}

} // namespace volpt
