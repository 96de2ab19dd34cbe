// What may happen to a path next at a solid that triangles bound, and at the surfaces around it.
#pragma once

#include "libvolpt/core/path_events.hd.h"
#include "libvolpt/core/surface/cross_triangle.hd.h"
#include "libvolpt/core/surface/surroundings.hd.h"

namespace volpt {

/// A path at a triangle; index-matched ones count as events no more than such faces of the box.
template <Surfaces surfaces = Surfaces::triangles, class Path, class Counts>
VOLPT_HD void meet_triangle(SceneView const& scene, SurfaceHit const& hit, Path& path, Counts& counts)
{
    cross_triangle<surfaces>(scene, hit, path);
    if (find_boundary<surfaces>(scene, hit.triangle).kind != BoundaryKindView::none) {
        counts.count_face_event();
        path.depth += 1;
    }
    if (must_cut(scene.depth_limit, path)) cut_path(path, counts);
}

/// On a GPU a call, in code for surroundings: inlined, surfaces are nine tenths of a kernel, in each of its instances.
template <class Path, class Counts>
VOLPT_HD_CALLED void call_meet_triangle(SceneView const& scene, SurfaceHit const& hit, Path& path, Counts& counts)
{
    meet_triangle<Surfaces::surroundings>(scene, hit, path, counts);
}

/// meet_triangle, in code for surroundings by a call on a GPU. The call takes addresses, of copies: the caller's path
/// stays in registers.
template <Surfaces surfaces, class Path, class Counts>
VOLPT_HD void run_meet_triangle(SceneView const& scene, SurfaceHit const& hit, Path& path, Counts& counts)
{
    if constexpr (has_surroundings(surfaces)) {
        Path path_copy = path;
        Counts counts_copy = counts;
        call_meet_triangle(scene, hit, path_copy, counts_copy);
        path = path_copy;
        counts = counts_copy;
    } else {
        meet_triangle<surfaces>(scene, hit, path, counts);
    }
}

/// A path outside that meets a triangle of the solid, or nothing more and escapes.
template <Surfaces surfaces = Surfaces::triangles, class Path, class Counts>
VOLPT_HD void enter_or_escape_at(SceneView const& scene, SurfaceHit const& hit, Path& path, Counts& counts)
{
    if (hit.triangle != kNoTriangle) {
        run_meet_triangle<surfaces>(scene, hit, path, counts);
        return;
    }
    escape(scene, path);
    counts.count_face_event();
}

/// The triangle where a path outside meets the solid next, which may lie behind others that it has left.
template <class Path>
VOLPT_HD SurfaceHit look_for_solid(SceneView const& scene, Path const& path)
{
    if (path.stage != Stage::entering) return {kFarAway_mm, kNoTriangle, 0.0f, 0.0f};
    return find_solid_ahead(scene, path);
}

/// The next event of a path outside of the mesh: the solid, or the environment.
template <class Path, class Counts>
VOLPT_HD void enter_or_escape(SceneView const& scene, Path& path, Counts& counts)
{
    enter_or_escape_at(scene, look_for_solid(scene, path), path, counts);
}

/// The next event of a path outside where other surfaces may stand around the solid.
template <class Path, class Counts>
VOLPT_HD void extend_outside(SceneView const& scene, Path& path, Counts& counts)
{
    SurfaceHit const solid = look_for_solid(scene, path);
    if (scene.surroundings.on != 0u && path.stage == Stage::entering) {
        OutsideHit const hit = find_outside_hit(scene, path, solid.triangle != kNoTriangle ? solid.t : kFarAway_mm);
        if (hit.primitive.triangle != kNoTriangle || hit.ground_mm < kFarAway_mm) {
            if (meet_surroundings(scene, hit, path)) {
                counts.count_face_event();
                path.depth += 1;
            }
            if (must_cut_outside(scene.depth_limit, path)) cut_path(path, counts);
            return;
        }
    }
    enter_or_escape_at<Surfaces::surroundings>(scene, solid, path, counts);
}

/// extend_outside, a call on a GPU like call_meet_triangle.
template <class Path, class Counts>
VOLPT_HD_CALLED void call_extend_outside(SceneView const& scene, Path& path, Counts& counts)
{
    extend_outside(scene, path, counts);
}

/// extend_outside by a call, on copies like run_meet_triangle.
template <class Path, class Counts>
VOLPT_HD void run_extend_outside(SceneView const& scene, Path& path, Counts& counts)
{
    Path path_copy = path;
    Counts counts_copy = counts;
    call_extend_outside(scene, path_copy, counts_copy);
    path = path_copy;
    counts = counts_copy;
}

/// The event of a path whose flight did not end in the medium.
template <Surfaces surfaces = Surfaces::triangles, class Path, class Counts>
VOLPT_HD void leave_flight(SceneView const& scene, MeshFlight const& met, Path& path, Counts& counts)
{
    if (met.end == MeshFlightEnd::triangle) {
        run_meet_triangle<surfaces>(scene, met.hit, path, counts);
    } else if (met.end == MeshFlightEnd::outside) {
        counts.count_strayed();
        path.stage = Stage::entering;
        if constexpr (HasRegion<Path>) enter_region(path.region, path);
        path.bounces += 1u;
    } else {
        counts.count_lost();
        path.stage = Stage::outside;
    }
}

/// fly_once in a solid that triangles bound.
template <class M, class Counts>
VOLPT_HD void fly_once_in_mesh(SceneView const& scene, AfterStep after, PathOf<M>& path, Counts& counts)
{
    MeshFlight const met = advance_in_solids<M>(scene, path);
    if (met.end == MeshFlightEnd::medium)
        end_in_medium<M>(scene, after, met.flight, path, counts);
    else
        leave_flight<M::kSurfaces>(scene, met, path, counts);
}

/// For schedulers that gather the paths whose flights need a search: fly_once_in_mesh if no triangle can end the
/// flight, and true. Otherwise the path is as it was, and fly_once_in_mesh is still to be called.
template <class M, class Counts>
VOLPT_HD bool fly_once_if_clear(SceneView const& scene, AfterStep after, PathOf<M>& path, Counts& counts)
{
    if constexpr (M::kSurfaces == Surfaces::nested) return false;
    Vec3 const start = path.position;
    Rng const rng = path.rng;
    begin_event(path);
    Flight const flight = advance<M>(scene.medium, path);
    if (flight.event == FlightEvent::leave || !is_clear_flight(scene.medium, scene.surface, start, path.position)) {
        path.position = start;
        path.rng = rng;
        return false;
    }
    end_in_medium<M>(scene, after, flight, path, counts);
    end_event(M{}, scene, path, counts);
    return true;
}

} // namespace volpt
