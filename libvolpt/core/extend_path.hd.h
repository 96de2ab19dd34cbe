// The one function that moves a path, shared by the CPU and every kernel; and the one that starts it.
//
// A scheduler's whole contract: for every path id, start it once, extend it until its stage is `ended`, add its
// throughput (now radiance) to the film once.
#pragma once

#include "libvolpt/core/advance.hd.h"
#include "libvolpt/core/boundary.hd.h"
#include "libvolpt/core/camera.hd.h"
#include "libvolpt/core/environment.hd.h"
#include "libvolpt/core/faces.hd.h"
#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/core/long_steps.hd.h"
#include "libvolpt/core/scatter.hd.h"

namespace volpt {

/// The path `id` at the box's face, or already on its way outside. Draws two numbers for the point in the pixel, two
/// more for a direction from Aim::hemisphere.
template <int bands, Aim aim>
VOLPT_HD PathState<bands> start_aimed_path(SceneView const& scene, PathId id)
{
    PathState<bands> path;
    std::uint32_t const number = bands > 1 ? 0u : scene.medium.band_number[id.band];
    path.rng = seed_rng(scene.seed, id.y * scene.width + id.x, id.sample, number);
    for (int b = 0; b < bands; ++b) path.throughput[b] = 1.0f;
    path.band = id.band;
    path.slot = id.slot;
    path.depth = 0;
    path.bounces = 0;
    std::uint32_t const x_bits = path.rng.draw();
    std::uint32_t const y_bits = path.rng.draw();
    float const px = static_cast<float>(id.x) + to_unit(x_bits);
    float const py = static_cast<float>(id.y) + to_unit(y_bits);
    Ray const ray = make_camera_ray(scene, px, py);
    Stage const at_face = scene.boundary.kind == BoundaryKindView::none ? Stage::inside : Stage::entering;
    if constexpr (aim == Aim::hemisphere) {
        std::uint32_t const radius_bits = path.rng.draw();
        std::uint32_t const azimuth_bits = path.rng.draw();
        path.position = clamp_to_box(ray.origin, scene.medium.size_voxels);
        path.direction = sample_cosine_weighted(ray.direction, radius_bits, azimuth_bits);
        path.stage = at_face;
    } else {
        BoxEntry const entry = enter_box(ray, scene.medium.inv_pitch, scene.medium.size_voxels);
        path.position = entry.position;
        path.direction = ray.direction;
        path.stage = entry.hits == 0u ? Stage::outside : entry.starts_inside != 0u ? Stage::inside : at_face;
    }
    return path;
}

/// The same for the scene's aim: a branch that all paths take alike.
template <int bands>
VOLPT_HD PathState<bands> start_path(SceneView const& scene, PathId id)
{
    if (scene.camera.aim == Aim::hemisphere) return start_aimed_path<bands, Aim::hemisphere>(scene, id);
    return start_aimed_path<bands, Aim::pixel>(scene, id);
}

/// Boundary events in a row after which light counts as trapped: total reflection in a medium that (nearly) neither
/// scatters nor absorbs would keep a path for ever. Such paths are cut and reported like those of a depth limit.
inline constexpr std::uint32_t kTrappedBounces = 65536;

/// True if the path may go no further, by the user's depth limit or because it is trapped.
template <int bands>
VOLPT_HD bool must_cut(std::uint32_t depth_limit, PathState<bands> const& path)
{
    return path.stage == Stage::inside &&
           ((depth_limit != 0 && path.depth >= depth_limit) || path.bounces >= kTrappedBounces);
}

/// Ends such a path and tells what it still carried.
template <int bands, class Counts>
VOLPT_HD void cut_path(PathState<bands>& path, Counts& counts)
{
    counts.count_cut(to_fixed_point(largest_throughput(path), 0x1p24f));
    for (int b = 0; b < bands; ++b) path.throughput[b] = 0.0f;
    path.stage = Stage::ended;
}

/// False if every path that reaches a face is outside for good.
VOLPT_HD bool has_faces(SceneView const& scene)
{
    return scene.boundary.kind != BoundaryKindView::none || scene.faces.wrapped_axes != 0u ||
           scene.faces.backing != BackingView::black;
}

/// A path at a face: through a seam, or through the boundary or back; stays `backed` where the backing sends it back
/// next.
template <int bands, class Counts>
VOLPT_HD void meet_face(SceneView const& scene, PathState<bands>& path, Counts& counts)
{
    FaceHit const hit = find_face(scene.medium, path);
    path.position = hit.position;
    if (is_seam(scene.faces, path.stage, hit)) {
        cross_seam(scene.medium, hit, path);
        return;
    }
    if (scene.boundary.kind == BoundaryKindView::none) {
        path.stage = Stage::outside;
    } else {
        cross_boundary(scene.boundary, hit, path);
        counts.count_extension();
        path.depth += 1;
    }
    if (path.stage == Stage::outside && has_backing(scene.faces, hit)) path.stage = Stage::backed;
}

/// What follows once a path stands at the box's face or beyond: seam or boundary, backing, environment. The box is
/// convex: only its backing sends a path that is outside back.
template <int bands, class Counts>
VOLPT_HD void leave_or_enter(SceneView const& scene, PathState<bands>& path, Counts& counts)
{
    if (path.stage == Stage::backed) {
        reflect_at_backing(scene, path);
        counts.count_extension();
        path.depth += 1;
    } else if (path.stage != Stage::outside && has_faces(scene)) {
        meet_face(scene, path, counts);
    } else {
        path.stage = Stage::outside;
    }
    if (path.stage == Stage::outside) {
        escape(scene, path);
        counts.count_extension();
    } else if (must_cut(scene.depth_limit, path)) {
        cut_path(path, counts);
    }
}

/// A real collision at `voxel`, where the path stands.
template <class M, class Counts>
VOLPT_HD void collide(SceneView const& scene, VoxelRef voxel, PathState<M::kBands>& path, Counts& counts)
{
    scatter<M>(scene, voxel, path);
    counts.count_extension();
    path.depth += 1;
    if (must_cut(scene.depth_limit, path)) cut_path(path, counts);
}

/// The long step through the sphere of `room`, counted; its roulette comes with the flight after it. The depth grows by
/// the collisions that it stands for.
template <int bands, class Counts>
VOLPT_HD void take_counted_step(SceneView const& scene, StepRoom<bands> const& room, PathState<bands>& path,
                                Counts& counts)
{
    float const stepped = take_step(scene.medium, scene.long_steps, room, path, 0xffffffffu);
    auto const collisions = static_cast<std::uint32_t>(static_cast<std::int32_t>(stepped));
    counts.count_long_step(collisions);
    path.depth += collisions;
    path.bounces = 0;
}

/// What a long step asks for where the flight after it met nothing: else that does it.
template <int bands, class Counts>
VOLPT_HD void settle_step(SceneView const& scene, PathState<bands>& path, Counts& counts)
{
    play_roulette(scene.roulette_w_min, path);
    if (must_cut(scene.depth_limit, path)) cut_path(path, counts);
}

enum class AfterStep : std::uint32_t { no = 0, yes = 1 };

/// One flight of a path that is inside and what it meets: a collision, null or real, or the face, where it stays
/// `leaving`.
template <class M, class Counts>
VOLPT_HD void fly_once(SceneView const& scene, AfterStep after, PathState<M::kBands>& path, Counts& counts)
{
    Flight const flight = advance<M>(scene.medium, path, true);
    counts.count_tentative(flight.tentative);
    if (flight.event == FlightEvent::leave) {
        path.stage = Stage::leaving;
    } else if (flight.event == FlightEvent::collision) {
        collide<M>(scene, flight.voxel, path, counts);
    } else if (after == AfterStep::yes) {
        settle_step(scene, path, counts);
    }
}

/// The same after the long step that the path has room for, if the medium's paths take them.
template <class M, class Counts>
VOLPT_HD void fly(SceneView const& scene, PathState<M::kBands>& path, Counts& counts)
{
    AfterStep after = AfterStep::no;
    if constexpr (M::kSteps == Steps::spheres) {
        StepRoom<M::kBands> const room = find_step_room<M>(scene.medium, scene.long_steps, path);
        if (room.level >= 0) {
            take_counted_step(scene, room, path, counts);
            after = AfterStep::yes;
        }
    }
    fly_once<M>(scene, after, path, counts);
}

/// True if the next event of the path is one of leave_or_enter.
template <int bands>
VOLPT_HD bool is_at_face(PathState<bands> const& path)
{
    return path.stage != Stage::inside && path.stage != Stage::ended;
}

/// One tentative event of a path that has not ended.
template <class M, class Counts>
VOLPT_HD void extend_path(SceneView const& scene, PathState<M::kBands>& path, Counts& counts)
{
    if (path.stage == Stage::inside) fly<M>(scene, path, counts);
    if (is_at_face(path)) leave_or_enter(scene, path, counts);
}

} // namespace volpt
