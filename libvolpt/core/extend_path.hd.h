// start_path and extend_path: the physics of a path, shared by the CPU and every kernel.
//
// The contract of a scheduler: start each path id once, extend the path until its stage is `ended`, add its throughput
// (by then radiance) to the film once.
#pragma once

#include "libvolpt/core/camera.hd.h"
#include "libvolpt/core/path_events.hd.h"
#include "libvolpt/core/sample_sequence.hd.h"
#include "libvolpt/core/surface/mesh_events.hd.h"

namespace volpt {

/// The numbers that a sample's path starts from: its pixel's sequences.
struct SampleNumbers {
    template <int bands>
    VOLPT_HD SampleSequence begin(SceneView const& scene, PathId id) const
    {
        std::uint32_t const number = bands > 1 ? 0u : scene.medium.band_number[id.band];
        return SampleSequence(seed_pixel_keys(scene.seed, id.y * scene.width + id.x, number), id.sample);
    }
};

/// The path `id` at the box's face, or outside if its ray misses the box; at the camera if other surfaces may lie
/// before the box. Stratified over the samples of the pixel are the point in the pixel; the direction with
/// Aim::hemisphere or the point of the lens; and the next three draws. They are meant for what follows
/// scene.draws_before_stratified others: the generator has yet to be rewound by that number. `Numbers` has a function
/// `begin`, whose result has the functions of a SampleSequence.
template <int bands, Aim aim, Surfaces surfaces = Surfaces::box, class Numbers = SampleNumbers>
VOLPT_HD PathState<bands> start_aimed_path(SceneView const& scene, PathId id, Numbers numbers = {})
{
    PathState<bands> path;
    std::uint32_t const number = bands > 1 ? 0u : scene.medium.band_number[id.band];
    std::uint32_t const pixel = id.y * scene.width + id.x;
    auto sequence = numbers.template begin<bands>(scene, id);
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
        if constexpr (has_surroundings(surfaces))
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
template <int bands, Surfaces surfaces = Surfaces::box, class Numbers = SampleNumbers>
VOLPT_HD PathState<bands> start_path(SceneView const& scene, PathId id, Numbers numbers = {})
{
    PathState<bands> path =
        scene.camera.aim == Aim::hemisphere ? start_aimed_path<bands, Aim::hemisphere, surfaces>(scene, id, numbers)
        : scene.camera.aim == Aim::lens     ? start_aimed_path<bands, Aim::lens, surfaces>(scene, id, numbers)
                                            : start_aimed_path<bands, Aim::pixel, surfaces>(scene, id, numbers);
    for (std::uint32_t k = 0; k < scene.draws_before_stratified; ++k) path.rng = step_back(path.rng);
    return path;
}

/// start_path for a solid that triangles bound: `inside` the mesh, `entering` if outside of it, or `outside` if the ray
/// misses the box and nothing stands around it.
template <int bands, Surfaces surfaces = Surfaces::triangles, class Numbers = SampleNumbers>
VOLPT_HD PathState<bands> start_path_at_mesh(SceneView const& scene, PathId id, Numbers numbers = {})
{
    PathState<bands> path = start_path<bands, surfaces>(scene, id, numbers);
    if constexpr (has_surroundings(surfaces))
        if (scene.surroundings.on != 0u && path.stage == Stage::outside) path.stage = Stage::entering;
    if (path.stage != Stage::inside) return path;
    // Without a boundary, paths on the box's faces are `inside` too, as are those of a camera in the box.
    auto const is_between = [](float p, float size) { return (p > 0.0f) & (p < size); };
    Vec3 const p = path.position, size = scene.medium.size_voxels;
    bool const is_within = is_between(p.x, size.x) & is_between(p.y, size.y) & is_between(p.z, size.z);
    if (!is_within || !starts_in_mesh(scene, path)) path.stage = Stage::entering;
    return path;
}

/// start_path in a solid that triangles bound, or the box.
template <int bands, Surfaces surfaces, class Numbers = SampleNumbers>
VOLPT_HD PathState<bands> start_solid_path(SceneView const& scene, PathId id, Numbers numbers = {})
{
    if constexpr (surfaces != Surfaces::box)
        return start_path_at_mesh<bands, surfaces>(scene, id, numbers);
    else
        return start_path<bands, surfaces>(scene, id, numbers);
}

/// The path `id` in a medium, before its first event.
template <class M>
VOLPT_HD PathOf<M> start_path_in(SceneView const& scene, PathId id)
{
    if constexpr (M::kTransport == Transport::escape)
        return start_solid_path<M::kBands, M::kSurfaces>(scene, id);
    else
        return start_path_with(M{}, scene, id); // core/light/transports.hd.h
}

/// fly_once in the medium's solid.
template <class M, class Counts>
VOLPT_HD void fly_once_in(SceneView const& scene, AfterStep after, PathOf<M>& path, Counts& counts)
{
    begin_event(path);
    constexpr bool kMayRefract =
        M::kSurfaces == Surfaces::box && (M::kExtinction == Extinction::any || kIsFluenceTally<M>);
    if (kMayRefract && (kIsFluenceTally<M> || has_interfaces(scene))) {
        if constexpr (kMayRefract) fly_once_among_interfaces<M>(scene, path, counts);
    } else if constexpr (M::kSurfaces != Surfaces::box) {
        fly_once_in_mesh<M>(scene, after, path, counts);
    } else {
        fly_once<M>(scene, after, path, counts);
    }
    end_event(M{}, scene, path, counts);
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
VOLPT_HD void extend_inside(SceneView const& scene, PathOf<M>& path, Counts& counts)
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

/// Whether the next event of the path is the ray that its last one asked for: `connect`.
template <class M>
VOLPT_HD bool is_connecting(PathOf<M> const& path)
{
    if constexpr (has_connections(M::kTransport))
        return path.stage == Stage::connecting;
    else
        return false;
}

/// The event of a path that is_at_face and not connecting.
template <class M, class Counts>
VOLPT_HD void extend_at_face(SceneView const& scene, PathOf<M>& path, Counts& counts)
{
    begin_event(path);
    if constexpr (has_surroundings(M::kSurfaces))
        run_extend_outside(scene, path, counts);
    else if constexpr (M::kSurfaces == Surfaces::triangles)
        enter_or_escape(scene, path, counts);
    else
        leave_or_enter(scene, path, counts);
    end_event(M{}, scene, path, counts);
}

/// One tentative event of a path that has neither ended nor is connecting. The path may be connecting afterwards, for
/// schedulers that gather such paths; then `connect` is to be called before the next event.
template <class M, class Counts>
VOLPT_HD void extend_without_ray(SceneView const& scene, PathOf<M>& path, Counts& counts)
{
    if (path.stage == Stage::inside) extend_inside<M>(scene, path, counts);
    if (is_at_face(path) && !is_connecting<M>(path)) extend_at_face<M>(scene, path, counts);
}

/// One tentative event of a path that has not ended, and the ray that it asks for.
template <class M, class Counts>
VOLPT_HD void extend_path(SceneView const& scene, PathOf<M>& path, Counts& counts)
{
    extend_without_ray<M>(scene, path, counts);
    if (is_connecting<M>(path)) connect(M{}, scene, path, counts);
}

} // namespace volpt
