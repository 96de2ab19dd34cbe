// What may happen to a path next: in the medium, at the box's faces, in long steps, and when it must end.
#pragma once

#include "libvolpt/core/advance.hd.h"
#include "libvolpt/core/boundary/boundary.hd.h"
#include "libvolpt/core/boundary/faces.hd.h"
#include "libvolpt/core/environment.hd.h"
#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/core/long_steps.hd.h"
#include "libvolpt/core/scatter.hd.h"
#include "libvolpt/core/voxel_flight.hd.h"

namespace volpt {

/// Boundary events in a row after which light counts as trapped: total reflection in a medium that hardly scatters or
/// absorbs could keep a path for ever. Such paths are cut and reported like those of a depth limit.
inline constexpr std::uint32_t kTrappedBounces = 65536;

/// True if the path must end here: it has reached the user's depth limit, or it is trapped.
template <int bands>
VOLPT_HD bool must_cut(std::uint32_t depth_limit, PathState<bands> const& path)
{
    // depth_limit - 1 is the largest number where there is no limit.
    return path.stage == Stage::inside && (path.depth > depth_limit - 1u || path.bounces >= kTrappedBounces);
}

/// must_cut for a path among the surfaces around a solid, where light may be trapped in clear objects.
template <int bands>
VOLPT_HD bool must_cut_outside(std::uint32_t depth_limit, PathState<bands> const& path)
{
    return path.stage == Stage::entering && (path.depth > depth_limit - 1u || path.bounces >= kTrappedBounces);
}

/// Ends the path without radiance and counts the throughput that is lost.
template <int bands, class Counts>
VOLPT_HD void cut_path(PathState<bands>& path, Counts& counts)
{
    counts.count_cut(to_fixed_point(largest_throughput(path), 0x1p24f));
    for (int b = 0; b < bands; ++b) path.throughput[b] = 0.0f;
    path.stage = Stage::ended;
}

// As in scatter.hd.h: what paths in scenes with emitters do besides.

template <class Path>
VOLPT_HD void begin_event(Path&)
{
}
/// After anything that happened to the path; it may have ended.
template <class M, class Path, class Counts>
VOLPT_HD void end_event(M, SceneView const&, Path&, Counts&)
{
}
/// The event of a path that is `connecting`.
template <class M, class Path, class Counts>
VOLPT_HD void connect(M, SceneView const&, Path&, Counts&)
{
}

/// False if a path that reaches a face always leaves for the environment.
VOLPT_HD bool has_faces(SceneView const& scene)
{
    return scene.boundary.kind != BoundaryKindView::none || scene.faces.wrapped_axes != 0u ||
           scene.faces.backing != BackingView::black;
}

/// Reflects or refracts a path at an interface that is smooth; true if it is refracted. `ahead` is the sign of its
/// direction along `axis`, `ior_ratio` the index behind over that before.
template <int bands, class Counts>
VOLPT_HD bool meet_interface(SceneView const& scene, int axis, float ahead, float ior_ratio, PathState<bands>& path,
                             Counts& counts)
{
    bool const through = interact_with_surface<Surface::smooth>(scene.boundary.alpha, axis, -ahead, ior_ratio, path);
    counts.count_face_event();
    path.depth += 1;
    return through;
}

/// A path at a seam between voxels. Where their indices differ, it may be reflected.
template <class Path, class Counts>
VOLPT_HD void meet_seam(SceneView const& scene, FaceHit const& hit, Path& path, Counts& counts)
{
    if constexpr (Path::kTransport != Transport::escape)
        if (has_interfaces(scene)) {
            float const before = find_ior(scene, hit.position, path.direction);
            float const behind = find_ior(scene, find_behind_seam(scene.medium, hit), path.direction);
            path.stage = Stage::inside;
            if (before != behind &&
                !meet_interface(scene, hit.axis, hit.outward, exact::divide(behind, before), path, counts))
                return;
        }
    cross_seam(scene.medium, hit, path);
}

/// A path at a face: crosses a seam, or is refracted or reflected by the boundary. Its stage becomes `backed` where it
/// meets the backing next.
template <class Path, class Counts>
VOLPT_HD void meet_face(SceneView const& scene, Path& path, Counts& counts)
{
    FaceHit const hit = find_face(scene.medium, path);
    path.position = hit.position;
    if (is_seam(scene.faces, path.stage, hit)) {
        meet_seam(scene, hit, path, counts);
        return;
    }
    if (scene.boundary.kind == BoundaryKindView::none) {
        path.stage = Stage::outside;
    } else {
        if constexpr (Path::kTransport == Transport::escape)
            cross_boundary(scene.boundary, hit, path);
        else
            cross_boundary(find_face_boundary(scene, path.position, path.direction), hit, path);
        counts.count_face_event();
        path.depth += 1;
    }
    if (path.stage == Stage::outside && has_backing(scene.faces, hit)) path.stage = Stage::backed;
}

/// The next event of a path that is at the box's face or beyond: seam or boundary, backing, environment. The box is
/// convex: only the backing returns a path that is outside.
template <class Path, class Counts>
VOLPT_HD void leave_or_enter(SceneView const& scene, Path& path, Counts& counts)
{
    if (path.stage == Stage::backed) {
        reflect_at_backing(scene, path);
        counts.count_face_event();
        path.depth += 1;
    } else if (path.stage != Stage::outside && has_faces(scene)) {
        meet_face(scene, path, counts);
    } else {
        path.stage = Stage::outside;
    }
    if (path.stage == Stage::outside) {
        escape(scene, path);
        counts.count_face_event();
    } else if (must_cut(scene.depth_limit, path)) {
        cut_path(path, counts);
    }
}

/// A real collision at the path's position, which lies in `voxel`.
template <class M, class Counts>
VOLPT_HD void collide(SceneView const& scene, VoxelRef voxel, PathOf<M>& path, Counts& counts)
{
    scatter<M>(scene, voxel, path);
    counts.count_collision();
    path.depth += 1;
    if (must_cut(scene.depth_limit, path)) cut_path(path, counts);
}

/// Takes the long step through `region` and counts it; the depth grows by the collisions that it stands for. Roulette
/// follows with the flight after it (fly_once).
template <Steps kind, int bands, class Counts>
VOLPT_HD void take_counted_step(SceneView const& scene, StepRegion<kind, bands> const& region, PathState<bands>& path,
                                Counts& counts)
{
    float const stepped = take_step(scene.medium, scene.long_steps, region, path, 0xffffffffu);
    auto const collisions = static_cast<std::uint32_t>(static_cast<std::int32_t>(stepped));
    counts.count_long_step(collisions);
    path.depth += collisions;
    path.bounces = 0;
}

/// Roulette and depth limit of a long step, where the flight after it had no collision that would play them.
template <int bands, class Counts>
VOLPT_HD void finish_step(SceneView const& scene, PathState<bands>& path, Counts& counts)
{
    play_roulette(scene.roulette, path);
    if (must_cut(scene.depth_limit, path)) cut_path(path, counts);
}

enum class AfterStep : std::uint32_t { no = 0, yes = 1 };

/// The event of a flight that ended in the medium: a collision, null or real, or the next brick.
template <class M, class Counts>
VOLPT_HD void end_in_medium(SceneView const& scene, AfterStep after, Flight const& flight, PathOf<M>& path,
                            Counts& counts)
{
    note_flight(M{}, scene, flight, path);
    if (flight.event == FlightEvent::collision) {
        collide<M>(scene, flight.voxel, path, counts);
    } else {
        counts.count_null_flight(flight.tentative);
        if (after == AfterStep::yes) finish_step(scene, path, counts);
    }
}

/// One flight of a path that is inside, and the event at its end: a collision, null or real, or the box's face, where
/// the stage becomes `leaving`.
template <class M, class Counts>
VOLPT_HD void fly_once(SceneView const& scene, AfterStep after, PathOf<M>& path, Counts& counts)
{
    Flight const flight = advance<M>(scene.medium, path);
    if (flight.event == FlightEvent::leave)
        path.stage = Stage::leaving;
    else
        end_in_medium<M>(scene, after, flight, path, counts);
}

/// What happens to a path where its flight through voxels has ended.
template <class M, class Counts>
VOLPT_HD void end_among_interfaces(SceneView const& scene, VoxelFlightStop const& stop, PathOf<M>& path, Counts& counts)
{
    if (stop.end == VoxelFlightEnd::leave) {
        path.stage = Stage::leaving;
        return;
    }
    Flight flight;
    flight.majorant = stop.sigma_t;
    if (stop.end == VoxelFlightEnd::collision) {
        flight.event = FlightEvent::collision;
        flight.tentative = flight.collides = 1u;
        flight.length_mm = stop.length_mm;
        flight.voxel =
            refer_to_voxel(scene.medium, find_voxel(path.position, path.direction, scene.medium.size_voxels));
    }
    end_in_medium<M>(scene, AfterStep::no, flight, path, counts);
    if (stop.end != VoxelFlightEnd::interface) return;
    meet_interface(scene, stop.axis, stop.ahead, stop.ior_ratio, path, counts);
    if (must_cut(scene.depth_limit, path)) cut_path(path, counts);
}

/// fly_once where materials may differ in index: the flight also ends at an interface, where it is reflected or
/// refracted.
template <class M, class Counts>
VOLPT_HD void fly_once_among_interfaces(SceneView const& scene, PathOf<M>& path, Counts& counts)
{
    VoxelFlightStop const stop = fly_through_voxels<M>(scene, path);
    end_among_interfaces<M>(scene, stop, path, counts);
}

/// True if the next event of the path is one of leave_or_enter.
template <int bands>
VOLPT_HD bool is_at_face(PathState<bands> const& path)
{
    return path.stage != Stage::inside && path.stage != Stage::ended;
}

} // namespace volpt
