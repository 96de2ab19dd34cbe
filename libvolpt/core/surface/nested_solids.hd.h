// Solids inside others. The region that a path is in is part of its state, and determines which surfaces the path
// meets, and its medium.
//
// Region 0 is outside of all solids; region 1 + i is the inside of solid i without the solids in it. A triangle of
// solid i has region 1 + i behind it, where its back is seen, and the region around the solid in front of it. A path
// meets the triangles that bound its region, from the side of its region: a triangle that it has just crossed, or was
// reflected by, shows its other side and is not met.
#pragma once

#include "libvolpt/core/surface/mesh_flight.hd.h"

namespace volpt {

inline constexpr std::uint32_t kNoRegion = 0xffffffffu;

/// True if solids lie in others. Paths without a region do not render such scenes.
VOLPT_HD bool has_nested_solids(SceneView const& scene)
{
    return scene.solids.around != nullptr;
}

/// Paths that have a region: those with Surfaces::nested.
template <class Path>
concept HasRegion = requires(Path path)
{
    path.region;
};

/// What a flight needs of a path with a region.
template <int bands>
struct RegionPath : PathState<bands> {
    std::uint32_t region;
};

template <class Path>
VOLPT_HD std::uint32_t get_region(Path const& path)
{
    if constexpr (HasRegion<Path>)
        return path.region;
    else
        return 0u;
}

template <class Path>
VOLPT_HD void enter_region(std::uint32_t region, Path& path)
{
    path.region = region;
    path.stage = region != 0u ? Stage::inside : Stage::entering;
}

/// Where the values of a region's medium are looked up. `region` is not 0.
VOLPT_HD VoxelRef find_region_voxel(std::uint32_t region)
{
    return {0, region - 1u}; // SolidsView
}

/// The region on a side of a triangle.
VOLPT_HD std::uint32_t find_region_behind(SolidsView const& solids, std::uint32_t triangle)
{
    return solids.solid_of[triangle] + 1u;
}
VOLPT_HD std::uint32_t find_region_before(SolidsView const& solids, std::uint32_t triangle)
{
    return solids.around[solids.solid_of[triangle]];
}

/// A CheckedHit among the triangles that bound a region.
struct RegionHit : CheckedHit {
    SolidsView const* solids;
    std::uint32_t region;
};

/// As if the triangle faced the other way.
VOLPT_HD LeafTriangle turn_round(LeafTriangle const& triangle)
{
    LeafTriangle turned = triangle;
    turned.b = triangle.c;
    turned.c = triangle.b;
    return turned;
}

/// Doubts are those of a path that meets all triangles of its region from the back. A triangle that bounds other
/// regions only always leaves a doubt: such triangles are near only where surfaces nearly touch.
VOLPT_HD void take_nearer(TriangleRay const& ray, LeafTriangle const& triangle, Facing, float t_min, RegionHit& hit)
{
    bool const is_own = find_region_behind(*hit.solids, triangle.number) == hit.region;
    bool const is_inner = find_region_before(*hit.solids, triangle.number) == hit.region;
    if (hit.doubts != kBothDoubts) {
        LeafTriangle const seen = is_inner ? turn_round(triangle) : triangle;
        hit.doubts |= find_doubts(ray, seen, hit.margin_voxels) | (is_own || is_inner ? 0u : kNotInwards);
    }
    if (is_own || is_inner)
        take_nearer(ray, triangle, is_own ? Facing::back : Facing::front, t_min, static_cast<SurfaceHit&>(hit));
}

/// The nearest triangle ahead that bounds a region, up to `end_mm`.
VOLPT_HD RegionHit find_region_hit(SceneView const& scene, MeshRay const& ray, std::uint32_t region, float end_mm,
                                   std::uint32_t doubts)
{
    SurfaceView const& surface = scene.surface;
    RegionHit const none{{{end_mm, kNoTriangle, 0.0f, 0.0f}, surface.margin_voxels, doubts}, &scene.solids, region};
    return find_triangle_from<BvhSearch::nearest>(surface.bvh, ray.bvh, Facing::any, ray.first_mm, none);
}

/// The region of a path by the nearest triangle ahead.
struct RegionAhead {
    SurfaceHit hit; ///< of a path that is where it was thought to be; else kNoTriangle
    std::uint32_t region;
};

/// find_way_out for a path that is in `wanted` if all is right. On a GPU a call, like call_meet_triangle.
template <int bands>
VOLPT_HD_CALLED RegionAhead find_region_ahead(SceneView const& scene, PathState<bands> const& path,
                                              std::uint32_t wanted)
{
    SurfaceView const& surface = scene.surface;
    MeshRay const ray = make_mesh_ray(scene, path);
    RegionAhead ahead{{kFarAway_mm, kNoTriangle, 0.0f, 0.0f}, 0u};
    float from_mm = ray.first_mm;
    for (int i = 0; i < 4; ++i) {
        SurfaceHit const hit = find_triangle(surface.bvh, ray.bvh, Facing::any, from_mm, kFarAway_mm);
        if (hit.triangle == kNoTriangle) {
            ahead.region = 0u;
            return ahead;
        }
        LeafTriangle const triangle = get_triangle(surface, hit.triangle);
        bool const is_back = intersect_triangle(ray.bvh.triangle, triangle.a, triangle.b, triangle.c, Facing::back).met;
        ahead.region =
            is_back ? find_region_behind(scene.solids, hit.triangle) : find_region_before(scene.solids, hit.triangle);
        if (ahead.region == wanted) {
            ahead.hit = hit;
            return ahead;
        }
        if (!stands_on(surface, ray, triangle, hit.t)) return ahead;
        from_mm = step_up(hit.t);
    }
    return ahead;
}

/// The region of a point in the box, for starts of paths.
template <int bands>
VOLPT_HD std::uint32_t find_region(SceneView const& scene, PathState<bands> const& path)
{
    auto const is_between = [](float p, float size) { return (p > 0.0f) & (p < size); };
    Vec3 const p = path.position, size = scene.medium.size_voxels;
    bool const is_within = is_between(p.x, size.x) & is_between(p.y, size.y) & is_between(p.z, size.z);
    return is_within ? find_region_ahead(scene, path, kNoRegion).region : 0u;
}

/// Sets the region of a path where it begins, and its stage.
template <class Path>
VOLPT_HD void begin_in_region(SceneView const& scene, Path& path)
{
    PathState<Path::kBands> const at = path;
    enter_region(find_region(scene, at), path);
}

/// The triangle that a path outside meets next; kNoTriangle if it meets none.
template <class Path>
VOLPT_HD SurfaceHit find_solid_ahead(SceneView const& scene, Path const& path)
{
    if constexpr (HasRegion<Path>)
        return find_region_hit(scene, make_mesh_ray(scene, path), 0u, kFarAway_mm, kBothDoubts);
    else
        return find_way_in(scene, path);
}

/// Where a straight way in a region ends.
struct RegionFlight {
    MeshFlightEnd end; ///< `outside`: of the region that it was thought to be in; it is in `region`
    SurfaceHit hit;
    std::uint32_t region;
};

/// end_at_triangle for a path in a region, which flies `end_mm` if nothing is met, kFarAway_mm if out of the box. Not a
/// call on a GPU: within the calls that use it, one more took 6 registers of every instance.
template <int bands>
VOLPT_HD RegionFlight end_in_region(SceneView const& scene, PathState<bands> const& path, std::uint32_t region,
                                    float end_mm)
{
    MeshRay const ray = make_mesh_ray(scene, path);
    bool const is_free = is_clear(scene.medium, scene.surface, path.position);
    RegionHit const ahead = find_region_hit(scene, ray, region, end_mm, is_free ? kBothDoubts : 0u);
    SurfaceHit hit = ahead;
    if (!is_free && (ahead.doubts == kBothDoubts || path.bounces >= kManyBounces)) {
        RegionAhead const found = find_region_ahead(scene, path, region);
        if (found.hit.triangle == kNoTriangle) return {MeshFlightEnd::outside, hit, found.region};
        hit = found.hit;
    }
    if (hit.triangle != kNoTriangle && hit.t <= end_mm) return {MeshFlightEnd::triangle, hit, region};
    bool const is_lost = end_mm >= kFarAway_mm;
    return {is_lost ? MeshFlightEnd::lost : MeshFlightEnd::medium, hit, region};
}

/// One flight of a path in a region, whose medium does not vary, so that there are no null collisions. Moves the path
/// unless it leaves the box. Draws one number.
template <class M>
VOLPT_HD Flight draw_region_flight(SceneView const& scene, RegionPath<M::kBands>& path)
{
    MediumView const& medium = scene.medium;
    Flight flight;
    flight.voxel = find_region_voxel(path.region);
    flight.majorant = read_sigma_t<M>(medium, flight.voxel, M::kBands > 1 ? 0u : path.band);
    float const optical_depth = to_optical_depth(path.rng.draw());
    bool const is_empty = !(flight.majorant > 0x1p-40f); // 1/mm: no flight would end in the box
    float const length_mm = is_empty ? kFarAway_mm : exact::divide(optical_depth, flight.majorant);
    Vec3 const target = multiply_add(length_mm * medium.inv_pitch, path.direction, path.position);
    if (is_empty || !is_inside(target, medium.size_voxels)) {
        flight.event = FlightEvent::leave;
        return flight;
    }
    flight.event = FlightEvent::collision;
    flight.tentative = flight.collides = 1u;
    path.position = target;
    return flight;
}

/// advance_in_mesh for a path in a region. A path that strayed is in another one afterwards. On a GPU a call.
template <class M>
VOLPT_HD_CALLED MeshFlight advance_in_region(SceneView const& scene, RegionPath<M::kBands>& path)
{
    Vec3 const start = path.position;
    Flight const flight = draw_region_flight<M>(scene, path);
    Vec3 const end = path.position;
    bool const leaves = flight.event == FlightEvent::leave;
    if (!leaves && is_clear_flight(scene.medium, scene.surface, start, end))
        return {MeshFlightEnd::medium, flight, {kFarAway_mm, kNoTriangle, 0.0f, 0.0f}};
    path.position = start;
    TriangleRay const line = make_triangle_ray(start, path.direction * scene.medium.inv_pitch);
    float const end_mm = leaves ? kFarAway_mm : get_axis(end - start, line.axis) * line.shear.z;
    RegionFlight const met = end_in_region(scene, path, path.region, end_mm);
    if (met.end == MeshFlightEnd::medium) path.position = end;
    path.region = met.region;
    return {met.end, flight, met.hit};
}

/// advance_in_mesh, in one solid or several; the call takes a copy of the path.
template <class M>
VOLPT_HD MeshFlight advance_in_solids(SceneView const& scene, PathOf<M>& path)
{
    if constexpr (HasRegion<PathOf<M>>) {
        RegionPath<M::kBands> copy{path, path.region};
        MeshFlight const met = advance_in_region<M>(scene, copy);
        path.position = copy.position;
        path.rng = copy.rng;
        path.region = copy.region;
        return met;
    } else {
        return advance_in_mesh<M>(scene, path);
    }
}

} // namespace volpt
