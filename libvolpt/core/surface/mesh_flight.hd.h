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

/// A hit of a ray, and whether it starts next to the surface.
struct MarginHit : SurfaceHit {
    float margin_voxels;
    std::uint32_t is_near; ///< 1: a triangle that was looked at may lie within the margin of the ray's origin
};

/// True if `triangle` may lie within the margin of `position`, along each axis; false for certain.
VOLPT_HD bool may_be_near(LeafTriangle const& triangle, Vec3 position, float margin_voxels)
{
    Vec3 const a = triangle.a - position, b = triangle.b - position, c = triangle.c - position;
    using exact::ordered_max;
    using exact::ordered_min;
    auto const passes = [&](float p, float q, float r) {
        bool const above = ordered_min(p, ordered_min(q, r)) > margin_voxels;
        bool const below = ordered_max(p, ordered_max(q, r)) < -margin_voxels;
        return above | below;
    };
    bool const passes_x = passes(a.x, b.x, c.x), passes_y = passes(a.y, b.y, c.y), passes_z = passes(a.z, b.z, c.z);
    if (passes_x | passes_y | passes_z) return false;
    auto const sum = [](Vec3 v) { return exact::abs(v.x) + exact::abs(v.y) + exact::abs(v.z); };
    Vec3 const side_b = triangle.b - triangle.a, side_c = triangle.c - triangle.a;
    Vec3 const normal = cross(side_b, side_c);
    // The second term covers the rounding of a sliver's normal.
    float const reach = exact::fma(margin_voxels, sum(normal), 0x1p-21f * sum(side_b) * sum(side_c) * sum(a));
    return exact::abs(dot(normal, a)) <= reach;
}

VOLPT_HD void take_nearer(TriangleRay const& ray, LeafTriangle const& triangle, Facing facing, float t_min,
                          MarginHit& hit)
{
    hit.is_near |= may_be_near(triangle, ray.origin, hit.margin_voxels) ? 1u : 0u;
    take_nearer(ray, triangle, facing, t_min, static_cast<SurfaceHit&>(hit));
}

/// What is on the way of a path in a flight of `end_mm`: the surface as seen from inside, or the surface next to it.
VOLPT_HD MarginHit look_ahead(SurfaceView const& surface, MeshRay const& ray, float end_mm)
{
    return find_triangle_from<BvhSearch::nearest>(
        surface.bvh, ray.bvh, Facing::back, ray.first_mm,
        MarginHit{{end_mm, kNoTriangle, 0.0f, 0.0f}, surface.margin_voxels, 0u});
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

/// From the centre of the brick that holds `position` (voxels), in mm along each axis.
VOLPT_HD Vec3 measure_from_brick_centre_mm(MediumView const& medium, SurfaceView const& surface, Vec3 position)
{
    auto const find_centre = [](float p, std::int32_t bricks) {
        std::int32_t const brick =
            exact::max(std::int32_t{0}, exact::min(static_cast<std::int32_t>(p * (1.0f / kBrickEdge)), bricks - 1));
        return static_cast<float>(brick * kBrickEdge + kBrickEdge / 2);
    };
    Vec3 const centre{find_centre(position.x, medium.brick_counts[0]), find_centre(position.y, medium.brick_counts[1]),
                      find_centre(position.z, medium.brick_counts[2])};
    return (position - centre) * surface.pitch_mm;
}

/// True if the surface is farther than `length_mm` from `position`: by the distance of the centre of its brick, which
/// is off by no more than the distance to that centre.
VOLPT_HD bool is_clear(MediumView const& medium, SurfaceView const& surface, Vec3 position, float length_mm)
{
    Vec3 const aside_mm = measure_from_brick_centre_mm(medium, surface, position);
    float const left_mm = surface.clearance_mm[find_brick_index(medium, position)] - length_mm;
    return (left_mm > 0.0f) & (dot(aside_mm, aside_mm) < left_mm * left_mm);
}

/// Level of the largest sphere about `position` that no triangle reaches; negative if none fits, as wherever a path may
/// be on the wrong side of the surface: there its clearance is not above 0. What SurfaceView::clearance_mm is short of
/// the surface covers the rounding of the step.
VOLPT_HD std::int32_t find_surface_level(MediumView const& medium, SurfaceView const& surface,
                                         LongStepsView const& steps, Vec3 position, float sigma_t)
{
    Vec3 const aside_mm = measure_from_brick_centre_mm(medium, surface, position);
    float const radius_mm =
        surface.clearance_mm[find_brick_index(medium, position)] - exact::sqrt(dot(aside_mm, aside_mm));
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

/// True if no triangle can end a flight within the medium.
VOLPT_HD bool is_clear_flight(MediumView const& medium, SurfaceView const& surface, Vec3 start, Vec3 end,
                              Vec3 direction)
{
    return is_clear(medium, surface, start, dot((end - start) * surface.pitch_mm, direction));
}

/// Tells what ends `flight`, by which `path` would move to `end` from where it is now; it is not moved. Where the
/// clearance tells it, and where the path has collided and no triangle is next to it, it is inside for certain. Then
/// only what lies within its flight matters: with 79,380 triangles, searches that end there double the rate of paths.
template <int bands>
VOLPT_HD MeshFlight end_at_triangle(SceneView const& scene, PathState<bands> const& path, Flight const& flight,
                                    Vec3 end)
{
    SurfaceView const& surface = scene.surface;
    MeshRay const ray = make_mesh_ray(scene, path);
    TriangleRay const& line = ray.bvh.triangle;
    bool const leaves = flight.event == FlightEvent::leave;
    float const end_mm = leaves ? kFarAway_mm : get_axis(end - path.position, line.axis) * line.shear.z;
    bool const is_free = is_clear(scene.medium, surface, path.position, 0.0f);
    SurfaceHit hit{end_mm, kNoTriangle, 0.0f, 0.0f};
    bool may_be_outside = !is_free && path.bounces != 0u;
    if (!may_be_outside) {
        MarginHit const ahead = look_ahead(surface, ray, end_mm);
        hit = ahead;
        may_be_outside = !is_free && ahead.is_near != 0u;
    }
    if (may_be_outside) {
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
    if (flight.event != FlightEvent::leave && is_clear_flight(scene.medium, scene.surface, start, end, path.direction))
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
