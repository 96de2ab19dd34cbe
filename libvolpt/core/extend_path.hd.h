// start_path and extend_path: the physics of a path, shared by the CPU and every kernel.
//
// The contract of a scheduler: start each path id once, extend the path until its stage is `ended`, add its throughput
// (by then radiance) to the film once.
#pragma once

#include "libvolpt/core/advance.hd.h"
#include "libvolpt/core/boundary.hd.h"
#include "libvolpt/core/camera.hd.h"
#include "libvolpt/core/environment.hd.h"
#include "libvolpt/core/faces.hd.h"
#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/core/long_steps.hd.h"
#include "libvolpt/core/sample_sequence.hd.h"
#include "libvolpt/core/scatter.hd.h"
#include "libvolpt/core/surface/cross_triangle.hd.h"
#include "libvolpt/core/surface/surroundings.hd.h"

namespace volpt {

/// Numbers that a path draws before the three that are stratified: those that most of the noise is due to. With a
/// boundary that reflects more than 1 % at normal incidence, they are the first ones that it draws there, which choose
/// between reflection and refraction; otherwise, the first flight's optical depth and the direction after it.
VOLPT_HD std::uint32_t count_draws_before_stratified(SceneView const& scene)
{
    Surface const surface = choose_surface(scene.boundary);
    bool const enters = scene.boundary.kind != BoundaryKindView::none;
    if (enters && compute_fresnel(1.0f, scene.boundary.int_over_ext).reflectance > 0.01f)
        return surface == Surface::many_facets ? 1u : 0u;
    // The fewest facets that let a path in.
    std::uint32_t const entering = surface == Surface::many_facets ? 5u : surface == Surface::single_facet ? 3u : 1u;
    return count_draws_before_depth(scene.medium.extinction) + (enters ? entering : 0u);
}

/// The path `id` at the box's face, or outside if its ray misses the box; at the camera if other surfaces may lie
/// before the box. Stratified over the samples of the pixel are the point in the pixel; the direction with
/// Aim::hemisphere or the point of the lens; and the next three draws. They are meant for what follows
/// scene.draws_before_stratified others: the generator has yet to be rewound by that number.
template <int bands, Aim aim, Surfaces surfaces = Surfaces::box>
VOLPT_HD PathState<bands> start_aimed_path(SceneView const& scene, PathId id)
{
    PathState<bands> path;
    std::uint32_t const number = bands > 1 ? 0u : scene.medium.band_number[id.band];
    std::uint32_t const pixel = id.y * scene.width + id.x;
    SampleSequence sequence(seed_pixel_keys(scene.seed, pixel, number), id.sample);
    for (int b = 0; b < bands; ++b) path.throughput[b] = 1.0f;
    path.band = id.band;
    path.slot = id.slot;
    path.depth = 0;
    path.bounces = 0;
    Pair32 const place = sequence.draw_first_pair();
    float const px = static_cast<float>(id.x) + to_unit(place.x);
    float const py = static_cast<float>(id.y) + to_unit(place.y);
    Ray ray;
    if constexpr (aim == Aim::lens) {
        Pair32 const spot = sequence.draw_next_pair();
        ray = make_lens_ray(scene, px, py, sample_disc(spot.x, spot.y));
    } else {
        ray = make_camera_ray(scene, px, py);
    }
    Stage const at_face = scene.boundary.kind == BoundaryKindView::none ? Stage::inside : Stage::entering;
    if constexpr (aim == Aim::hemisphere) {
        Pair32 const turn = sequence.draw_next_pair();
        path.position = clamp_to_box(ray.origin, scene.medium.size_voxels);
        path.direction = sample_cosine_weighted(ray.direction, turn.x, turn.y);
        path.stage = at_face;
    } else {
        BoxEntry const entry = enter_box(ray, scene.medium.inv_pitch, scene.medium.size_voxels);
        path.position = entry.position;
        if constexpr (surfaces == Surfaces::surroundings)
            if (scene.surroundings.on != 0u) path.position = ray.origin;
        path.direction = ray.direction;
        path.stage = entry.hits == 0u ? Stage::outside : entry.starts_inside != 0u ? Stage::inside : at_face;
    }
    Pair32 const depth_and_cosine = sequence.draw_next_pair();
    std::uint32_t const azimuth = sequence.draw_next_number();
    path.rng =
        set_next_draws(seed_rng(scene.seed, pixel, id.sample, number), depth_and_cosine.x, depth_and_cosine.y, azimuth);
    return path;
}

/// start_aimed_path for the scene's aim, a branch that all paths take alike, and the generator rewound.
template <int bands, Surfaces surfaces = Surfaces::box>
VOLPT_HD PathState<bands> start_path(SceneView const& scene, PathId id)
{
    PathState<bands> path = scene.camera.aim == Aim::hemisphere
                                ? start_aimed_path<bands, Aim::hemisphere, surfaces>(scene, id)
                            : scene.camera.aim == Aim::lens ? start_aimed_path<bands, Aim::lens, surfaces>(scene, id)
                                                            : start_aimed_path<bands, Aim::pixel, surfaces>(scene, id);
    for (std::uint32_t k = 0; k < scene.draws_before_stratified; ++k) path.rng = step_back(path.rng);
    return path;
}

/// start_path for a solid that triangles bound: `inside` the mesh, `entering` if outside of it, or `outside` if the ray
/// misses the box and nothing stands around it.
template <int bands, Surfaces surfaces = Surfaces::triangles>
VOLPT_HD PathState<bands> start_path_at_mesh(SceneView const& scene, PathId id)
{
    PathState<bands> path = start_path<bands, surfaces>(scene, id);
    if constexpr (surfaces == Surfaces::surroundings)
        if (scene.surroundings.on != 0u && path.stage == Stage::outside) path.stage = Stage::entering;
    if (path.stage != Stage::inside) return path;
    // Without a boundary, paths on the box's faces are `inside` too, as are those of a camera in the box.
    auto const is_between = [](float p, float size) { return (p > 0.0f) & (p < size); };
    Vec3 const p = path.position, size = scene.medium.size_voxels;
    bool const is_within = is_between(p.x, size.x) & is_between(p.y, size.y) & is_between(p.z, size.z);
    if (!is_within || !starts_in_mesh(scene, path)) path.stage = Stage::entering;
    return path;
}

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

/// False if a path that reaches a face always leaves for the environment.
VOLPT_HD bool has_faces(SceneView const& scene)
{
    return scene.boundary.kind != BoundaryKindView::none || scene.faces.wrapped_axes != 0u ||
           scene.faces.backing != BackingView::black;
}

/// A path at a face: crosses a seam, or is refracted or reflected by the boundary. Its stage becomes `backed` where it
/// meets the backing next.
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
        counts.count_face_event();
        path.depth += 1;
    }
    if (path.stage == Stage::outside && has_backing(scene.faces, hit)) path.stage = Stage::backed;
}

/// The next event of a path that is at the box's face or beyond: seam or boundary, backing, environment. The box is
/// convex: only the backing returns a path that is outside.
template <int bands, class Counts>
VOLPT_HD void leave_or_enter(SceneView const& scene, PathState<bands>& path, Counts& counts)
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
VOLPT_HD void collide(SceneView const& scene, VoxelRef voxel, PathState<M::kBands>& path, Counts& counts)
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

/// One flight of a path that is inside, and the event at its end: a collision, null or real, or the box's face, where
/// the stage becomes `leaving`.
template <class M, class Counts>
VOLPT_HD void fly_once(SceneView const& scene, AfterStep after, PathState<M::kBands>& path, Counts& counts)
{
    Flight const flight = advance<M>(scene.medium, path);
    if (flight.event == FlightEvent::leave) {
        path.stage = Stage::leaving;
    } else if (flight.event == FlightEvent::collision) {
        collide<M>(scene, flight.voxel, path, counts);
    } else {
        counts.count_null_flight(flight.tentative);
        if (after == AfterStep::yes) finish_step(scene, path, counts);
    }
}

/// True if the next event of the path is one of leave_or_enter.
template <int bands>
VOLPT_HD bool is_at_face(PathState<bands> const& path)
{
    return path.stage != Stage::inside && path.stage != Stage::ended;
}

/// A path at a triangle; index-matched ones count as events no more than such faces of the box.
template <Surfaces surfaces = Surfaces::triangles, int bands, class Counts>
VOLPT_HD void meet_triangle(SceneView const& scene, SurfaceHit const& hit, PathState<bands>& path, Counts& counts)
{
    cross_triangle<surfaces>(scene, hit, path);
    if (find_boundary<surfaces>(scene, hit.triangle).kind != BoundaryKindView::none) {
        counts.count_face_event();
        path.depth += 1;
    }
    if (must_cut(scene.depth_limit, path)) cut_path(path, counts);
}

/// On a GPU a call, in code for surroundings: inlined, surfaces are nine tenths of a kernel, in each of its instances.
template <int bands, class Counts>
VOLPT_HD_CALLED void call_meet_triangle(SceneView const& scene, SurfaceHit const& hit, PathState<bands>& path,
                                        Counts& counts)
{
    meet_triangle<Surfaces::surroundings>(scene, hit, path, counts);
}

/// meet_triangle, in code for surroundings by a call on a GPU. The call takes addresses, of copies: the caller's path
/// stays in registers.
template <Surfaces surfaces, int bands, class Counts>
VOLPT_HD void run_meet_triangle(SceneView const& scene, SurfaceHit const& hit, PathState<bands>& path, Counts& counts)
{
    if constexpr (surfaces == Surfaces::surroundings) {
        PathState<bands> path_copy = path;
        Counts counts_copy = counts;
        call_meet_triangle(scene, hit, path_copy, counts_copy);
        path = path_copy;
        counts = counts_copy;
    } else {
        meet_triangle<surfaces>(scene, hit, path, counts);
    }
}

/// A path outside that meets a triangle of the solid, or nothing more and escapes.
template <Surfaces surfaces = Surfaces::triangles, int bands, class Counts>
VOLPT_HD void enter_or_escape_at(SceneView const& scene, SurfaceHit const& hit, PathState<bands>& path, Counts& counts)
{
    if (hit.triangle != kNoTriangle) {
        run_meet_triangle<surfaces>(scene, hit, path, counts);
        return;
    }
    escape(scene, path);
    counts.count_face_event();
}

/// The triangle where a path outside meets the solid next, which may lie behind others that it has left.
template <int bands>
VOLPT_HD SurfaceHit look_for_solid(SceneView const& scene, PathState<bands> const& path)
{
    if (path.stage != Stage::entering) return {kFarAway_mm, kNoTriangle, 0.0f, 0.0f};
    return find_way_in(scene, path);
}

/// The next event of a path outside of the mesh: the solid, or the environment.
template <int bands, class Counts>
VOLPT_HD void enter_or_escape(SceneView const& scene, PathState<bands>& path, Counts& counts)
{
    enter_or_escape_at(scene, look_for_solid(scene, path), path, counts);
}

/// The next event of a path outside where other surfaces may stand around the solid.
template <int bands, class Counts>
VOLPT_HD void extend_outside(SceneView const& scene, PathState<bands>& path, Counts& counts)
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
template <int bands, class Counts>
VOLPT_HD_CALLED void call_extend_outside(SceneView const& scene, PathState<bands>& path, Counts& counts)
{
    extend_outside(scene, path, counts);
}

/// extend_outside by a call, on copies like run_meet_triangle.
template <int bands, class Counts>
VOLPT_HD void run_extend_outside(SceneView const& scene, PathState<bands>& path, Counts& counts)
{
    PathState<bands> path_copy = path;
    Counts counts_copy = counts;
    call_extend_outside(scene, path_copy, counts_copy);
    path = path_copy;
    counts = counts_copy;
}

/// The event of a path whose flight did not end in the medium.
template <Surfaces surfaces = Surfaces::triangles, int bands, class Counts>
VOLPT_HD void leave_flight(SceneView const& scene, MeshFlight const& met, PathState<bands>& path, Counts& counts)
{
    if (met.end == MeshFlightEnd::triangle) {
        run_meet_triangle<surfaces>(scene, met.hit, path, counts);
    } else if (met.end == MeshFlightEnd::outside) {
        counts.count_strayed();
        path.stage = Stage::entering;
        path.bounces += 1u;
    } else {
        counts.count_lost();
        path.stage = Stage::outside;
    }
}

/// fly_once in a solid that triangles bound.
template <class M, class Counts>
VOLPT_HD void fly_once_in_mesh(SceneView const& scene, AfterStep after, PathState<M::kBands>& path, Counts& counts)
{
    MeshFlight const met = advance_in_mesh<M>(scene, path);
    if (met.end != MeshFlightEnd::medium) {
        leave_flight<M::kSurfaces>(scene, met, path, counts);
    } else if (met.flight.event == FlightEvent::collision) {
        collide<M>(scene, met.flight.voxel, path, counts);
    } else {
        counts.count_null_flight(met.flight.tentative);
        if (after == AfterStep::yes) finish_step(scene, path, counts);
    }
}

/// start_path in the medium's solid.
template <class M>
VOLPT_HD PathState<M::kBands> start_path_in(SceneView const& scene, PathId id)
{
    if constexpr (M::kSurfaces != Surfaces::box)
        return start_path_at_mesh<M::kBands, M::kSurfaces>(scene, id);
    else
        return start_path<M::kBands>(scene, id);
}

/// fly_once in the medium's solid.
template <class M, class Counts>
VOLPT_HD void fly_once_in(SceneView const& scene, AfterStep after, PathState<M::kBands>& path, Counts& counts)
{
    if constexpr (M::kSurfaces != Surfaces::box)
        fly_once_in_mesh<M>(scene, after, path, counts);
    else
        fly_once<M>(scene, after, path, counts);
}

/// find_step_region in the medium's solid.
template <class M>
VOLPT_HD StepRegion<M::kSteps, M::kBands> find_step_region_in(SceneView const& scene, PathState<M::kBands> const& path)
{
    if constexpr (M::kSurfaces != Surfaces::box)
        return find_step_region_in_mesh<M>(scene, path);
    else
        return find_step_region<M>(scene.medium, scene.long_steps, path);
}

/// The event of a path that is inside: a long step, if paths of this medium take them and one fits, then a flight.
template <class M, class Counts>
VOLPT_HD void extend_inside(SceneView const& scene, PathState<M::kBands>& path, Counts& counts)
{
    AfterStep after = AfterStep::no;
    if constexpr (M::kSteps != Steps::plain) {
        StepRegion<M::kSteps, M::kBands> const region = find_step_region_in<M>(scene, path);
        if (region.level >= 0) {
            take_counted_step(scene, region, path, counts);
            after = AfterStep::yes;
        }
    }
    fly_once_in<M>(scene, after, path, counts);
}

/// The event of a path that is_at_face.
template <class M, class Counts>
VOLPT_HD void extend_at_face(SceneView const& scene, PathState<M::kBands>& path, Counts& counts)
{
    if constexpr (M::kSurfaces == Surfaces::surroundings)
        run_extend_outside(scene, path, counts);
    else if constexpr (M::kSurfaces == Surfaces::triangles)
        enter_or_escape(scene, path, counts);
    else
        leave_or_enter(scene, path, counts);
}

/// One tentative event of a path that has not ended.
template <class M, class Counts>
VOLPT_HD void extend_path(SceneView const& scene, PathState<M::kBands>& path, Counts& counts)
{
    if (path.stage == Stage::inside) extend_inside<M>(scene, path, counts);
    if (is_at_face(path)) extend_at_face<M>(scene, path, counts);
}

} // namespace volpt
