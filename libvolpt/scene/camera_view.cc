// Builds the camera's rays, and the default camera.
#include "libvolpt/scene/camera_view.h"

#include "libvolpt/scene/exact_trig.h"
#include "libvolpt/scene/render_scene.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

Vec3d subtract(Vec3d const& a, Vec3d const& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

Vec3d cross_product(Vec3d const& a, Vec3d const& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double length(Vec3d const& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

Vec3d scaled(Vec3d const& a, double s) { return {a[0] * s, a[1] * s, a[2] * s}; }

/// By the largest component first: squares of very small or large ones would vanish or overflow.
Vec3d unit(Vec3d const& a)
{
    Vec3d const b = scaled(a, 1 / std::max({std::abs(a[0]), std::abs(a[1]), std::abs(a[2])}));
    return scaled(b, 1 / length(b));
}

Vec3 to_floats(Vec3d const& a) { return {static_cast<float>(a[0]), static_cast<float>(a[1]), static_cast<float>(a[2])}; }

double pitch_of(VolumeMeta const& meta, std::size_t axis) { return static_cast<double>(meta.pitch_mm[axis]); }

Vec3d to_voxels(VolumeMeta const& meta, Vec3d const& box_mm)
{
    return {box_mm[0] / pitch_of(meta, 0), box_mm[1] / pitch_of(meta, 1), box_mm[2] / pitch_of(meta, 2)};
}

} // namespace

Vec3d turn_into_box(Placement const& placement, Vec3d const& world)
{
    auto const& r = placement.rotation;
    return {r[0] * world[0] + r[3] * world[1] + r[6] * world[2], r[1] * world[0] + r[4] * world[1] + r[7] * world[2],
            r[2] * world[0] + r[5] * world[1] + r[8] * world[2]};
}

namespace {

struct BoundingSphere {
    Vec3d centre_world;
    double radius_mm;
};

BoundingSphere bound_volume(VolumeMeta const& meta)
{
    auto const& r = meta.placement.rotation;
    Vec3d half{};
    for (std::size_t axis = 0; axis < 3; ++axis) half[axis] = 0.5 * pitch_of(meta, axis) * meta.dims[axis];
    Vec3d centre = meta.placement.origin_world_mm;
    for (std::size_t row = 0; row < 3; ++row)
        centre[row] += r[3 * row] * half[0] + r[3 * row + 1] * half[1] + r[3 * row + 2] * half[2];
    return {centre, length(half)};
}

/// A parallel camera that stands far before the volume, moved up to it: the picture is the same, and floats resolve it.
Vec3d slide_near(Vec3d const& origin, Vec3d const& forward, VolumeMeta const& meta)
{
    BoundingSphere const sphere = bound_volume(meta);
    Vec3d const gap = subtract(sphere.centre_world, origin);
    double const ahead = gap[0] * forward[0] + gap[1] * forward[1] + gap[2] * forward[2] - 2 * sphere.radius_mm;
    return ahead > 0 ? subtract(origin, scaled(forward, -ahead)) : origin;
}

} // namespace

CameraView make_camera_view(Scene const& scene, VolumeMeta const& meta)
{
    CameraSpec const& camera = scene.camera;
    Placement const& placement = meta.placement;
    Vec3d const forward = unit(subtract(camera.target_world, camera.origin_world));
    Vec3d const right = unit(cross_product(forward, camera.up_world));
    Vec3d const up = cross_product(right, forward);
    double const aspect = static_cast<double>(scene.height) / scene.width;

    CameraView view;
    Vec3d const origin = camera.kind == CameraKind::orthographic ? slide_near(camera.origin_world, forward, meta)
                                                                 : camera.origin_world;
    view.origin = to_floats(to_voxels(meta, turn_into_box(placement, subtract(origin, placement.origin_world_mm))));
    view.forward = to_floats(turn_into_box(placement, forward));
    if (camera.kind == CameraKind::perspective) {
        SineCosineDouble const half = sine_cosine_of_degrees(camera.fov_x_deg / 2);
        double const tangent = half.sine / half.cosine;
        view.parallel = 0;
        view.right = to_floats(turn_into_box(placement, scaled(right, tangent)));
        view.up = to_floats(turn_into_box(placement, scaled(up, tangent * aspect)));
    } else {
        double const half_width = camera.ortho_width_mm / 2;
        view.parallel = 1;
        view.right = to_floats(to_voxels(meta, turn_into_box(placement, scaled(right, half_width))));
        view.up = to_floats(to_voxels(meta, turn_into_box(placement, scaled(up, half_width * aspect))));
    }
    return view;
}

CameraSpec frame_volume(VolumeMeta const& meta, double aspect)
{
    BoundingSphere const sphere = bound_volume(meta);
    CameraSpec camera;
    camera.kind = CameraKind::perspective;
    camera.fov_x_deg = 30;
    camera.target_world = sphere.centre_world;
    camera.up_world = {0, 0, 1};
    // The bounding sphere touches the narrower side of the picture.
    double const sine = sine_cosine_of_degrees(camera.fov_x_deg / 2).sine * std::min(1.0, aspect);
    double const distance = sphere.radius_mm / sine;
    Vec3d const direction = unit({-0.45, -0.8, 0.6});
    for (std::size_t axis = 0; axis < 3; ++axis) camera.origin_world[axis] = sphere.centre_world[axis] + distance * direction[axis];
    return camera;
}

} // namespace volpt
