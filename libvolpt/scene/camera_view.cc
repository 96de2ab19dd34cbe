#include "libvolpt/scene/camera_view.h"

#include "libvolpt/scene/exact_trig.h"
#include "libvolpt/scene/vectors.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

Vec3d scaled(Vec3d const& a, double s)
{
    return {a[0] * s, a[1] * s, a[2] * s};
}

/// Divides by the largest component first: squares of very small or large ones would underflow or overflow.
Vec3d unit(Vec3d const& a)
{
    Vec3d const b = scaled(a, 1 / std::max({std::abs(a[0]), std::abs(a[1]), std::abs(a[2])}));
    return scaled(b, 1 / measure_length(b));
}

double pitch_of(VolumeMeta const& meta, std::size_t axis)
{
    return static_cast<double>(meta.pitch_mm[axis]);
}

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
    return {centre, measure_length(half)};
}

/// The origin of a parallel camera, moved near the volume: the picture is the same, without the rounding of far
/// origins.
Vec3d slide_near(Vec3d const& origin, Vec3d const& forward, VolumeMeta const& meta)
{
    BoundingSphere const sphere = bound_volume(meta);
    Vec3d const gap = find_difference(sphere.centre_world, origin);
    double const ahead = gap[0] * forward[0] + gap[1] * forward[1] + gap[2] * forward[2] - 2 * sphere.radius_mm;
    return ahead > 0 ? find_difference(origin, scaled(forward, -ahead)) : origin;
}

} // namespace

FaceFrame find_face_frame(Placement const& placement, std::uint32_t face)
{
    auto const column = [&](std::size_t axis) {
        return Vec3d{placement.rotation[axis], placement.rotation[3 + axis], placement.rotation[6 + axis]};
    };
    FaceFrame frame{};
    frame.normal_axis = face / 2;
    frame.normal_sign = face % 2 == 0 ? 1 : -1;
    Vec3d const normal_world = scaled(column(frame.normal_axis), frame.normal_sign);
    bool const is_along_y = std::abs(normal_world[1]) > std::max(std::abs(normal_world[0]), std::abs(normal_world[2]));
    Vec3d const up_world = is_along_y ? Vec3d{0, 0, normal_world[1] > 0 ? -1.0 : 1.0} : Vec3d{0, 1, 0};
    std::size_t const first = (frame.normal_axis + 1) % 3;
    std::size_t const second = (frame.normal_axis + 2) % 3;
    auto const along = [&](std::size_t axis, Vec3d const& world) {
        Vec3d const a = column(axis);
        return a[0] * world[0] + a[1] * world[1] + a[2] * world[2];
    };
    bool const first_is_up = std::abs(along(first, up_world)) > std::abs(along(second, up_world));
    frame.up_axis = first_is_up ? first : second;
    frame.right_axis = first_is_up ? second : first;
    frame.up_sign = along(frame.up_axis, up_world) < 0 ? -1 : 1;
    Vec3d const right_world = find_cross(scaled(column(frame.up_axis), frame.up_sign), normal_world);
    frame.right_sign = along(frame.right_axis, right_world) < 0 ? -1 : 1;
    return frame;
}

namespace {

Vec3 signed_axis(std::size_t axis, double length)
{
    Vec3d v{};
    v[axis] = length;
    return round_vector(v);
}

/// start_path_at_texel: points (u, v, 0), directions about +z.
CameraView make_texture_view()
{
    CameraView view;
    view.parallel = 1;
    view.aim = Aim::hemisphere;
    view.origin = {0.5f, 0.5f, 0};
    view.forward = {0, 0, 1};
    view.right = {0.5f, 0, 0};
    view.up = {0, 0.5f, 0};
    return view;
}

CameraView make_probe_view(CameraSpec const& camera, VolumeMeta const& meta)
{
    FaceFrame const frame = find_face_frame(meta.placement, camera.probe_face);
    CameraView view;
    view.parallel = 1;
    view.aim = camera.view == ProbeView::diffuse ? Aim::hemisphere : Aim::pixel;
    view.forward = signed_axis(frame.normal_axis, -frame.normal_sign);
    view.right = signed_axis(frame.right_axis, 0.5 * frame.right_sign * meta.dims[frame.right_axis]);
    view.up = signed_axis(frame.up_axis, 0.5 * frame.up_sign * meta.dims[frame.up_axis]);
    Vec3d middle{0.5 * meta.dims[0], 0.5 * meta.dims[1], 0.5 * meta.dims[2]};
    middle[frame.normal_axis] = frame.normal_sign > 0 ? meta.dims[frame.normal_axis] : 0;
    view.origin = round_vector(middle);
    return view;
}

/// Unit vectors in the world.
struct ViewAxes {
    Vec3d forward, right, up;
};

ViewAxes find_view_axes(CameraSpec const& camera)
{
    Vec3d const forward = unit(find_difference(camera.target_world, camera.origin_world));
    Vec3d const right = unit(find_cross(forward, camera.up_world));
    return {forward, right, find_cross(right, forward)};
}

} // namespace

LensView make_lens_view(CameraSpec const& camera, VolumeMeta const& meta)
{
    if (camera.kind != CameraKind::perspective || !(camera.lens_radius_mm > 0)) return {};
    auto const [forward, right, up] = find_view_axes(camera);
    double const focus_mm = camera.focus_distance_mm, slope = camera.lens_radius_mm / focus_mm;
    return {round_vector(turn_into_box(meta.placement, scaled(right, slope))),
            round_vector(turn_into_box(meta.placement, scaled(up, slope))),
            round_vector(to_voxels(meta, {focus_mm, focus_mm, focus_mm}))};
}

CameraView make_camera_view(Scene const& scene, VolumeMeta const& meta, Approach approach)
{
    CameraSpec const& camera = scene.camera;
    if (probes_texture(scene)) return make_texture_view();
    if (camera.kind == CameraKind::probe) return make_probe_view(camera, meta);
    Placement const& placement = meta.placement;
    auto const [forward, right, up] = find_view_axes(camera);
    double const aspect = static_cast<double>(scene.height) / scene.width;

    CameraView view;
    bool const slides = camera.kind == CameraKind::orthographic && approach == Approach::free;
    Vec3d const origin = slides ? slide_near(camera.origin_world, forward, meta) : camera.origin_world;
    view.origin =
        round_vector(to_voxels(meta, turn_into_box(placement, find_difference(origin, placement.origin_world_mm))));
    view.forward = round_vector(turn_into_box(placement, forward));
    if (camera.kind == CameraKind::perspective) {
        SineCosineDouble const half = sine_cosine_of_degrees(camera.fov_x_deg / 2);
        double const tangent = half.sine / half.cosine;
        view.parallel = 0;
        view.right = round_vector(turn_into_box(placement, scaled(right, tangent)));
        view.up = round_vector(turn_into_box(placement, scaled(up, tangent * aspect)));
        if (camera.lens_radius_mm > 0) view.aim = Aim::lens;
    } else {
        double const half_width = camera.ortho_width_mm / 2;
        view.parallel = 1;
        view.right = round_vector(to_voxels(meta, turn_into_box(placement, scaled(right, half_width))));
        view.up = round_vector(to_voxels(meta, turn_into_box(placement, scaled(up, half_width * aspect))));
    }
    return view;
}

namespace {

/// Four columns of x, y, z, 1.
Matrix4 round_columns(std::array<std::array<double, 4>, 4> const& columns)
{
    Matrix4 matrix{};
    for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t column = 0; column < 4; ++column)
            matrix[4 * row + column] = static_cast<float>(columns[column][row]);
    return matrix;
}

} // namespace

std::optional<CameraMatrices> make_camera_matrices(Scene const& scene)
{
    constexpr double kNear_mm = 1;
    CameraSpec const& camera = scene.camera;
    if (camera.kind == CameraKind::probe) return std::nullopt;
    using Column = std::array<double, 4>;
    auto const [forward, right, up] = find_view_axes(camera);
    auto const measure = [&](Vec3d const& axis) {
        return Column{axis[0], axis[1], axis[2], 0 - find_dot(axis, camera.origin_world)};
    };
    Column const x = measure(right), y = measure(up), z = measure(forward), one{0, 0, 0, 1};
    auto const add = [](Column const& a, double a_factor, Column const& b, double b_factor) {
        Column sum;
        for (std::size_t i = 0; i < 4; ++i) sum[i] = a[i] * a_factor + b[i] * b_factor;
        return sum;
    };
    bool const is_perspective = camera.kind == CameraKind::perspective;
    SineCosineDouble const half = sine_cosine_of_degrees(camera.fov_x_deg / 2);
    double const half_width = is_perspective ? half.sine / half.cosine : camera.ortho_width_mm / 2;
    double const half_height = half_width * scene.height / scene.width;
    Column const& weight = is_perspective ? z : one;
    return CameraMatrices{round_columns({x, y, z, one}),
                          round_columns({add(weight, 0.5, x, 0.5 / half_width), add(weight, 0.5, y, -0.5 / half_height),
                                         is_perspective ? add(z, 1, one, -kNear_mm) : z, weight})};
}

double find_ray_start_mm(Scene const& scene, CameraView const& view, VolumeMeta const& meta)
{
    if (scene.camera.kind != CameraKind::orthographic) return 0;
    Vec3d const camera_box =
        turn_into_box(meta.placement, find_difference(scene.camera.origin_world, meta.placement.origin_world_mm));
    Vec3d start = make_precise(view.origin);
    for (std::size_t axis = 0; axis < 3; ++axis) start[axis] *= pitch_of(meta, axis);
    return find_dot(find_difference(start, camera_box), make_precise(view.forward));
}

CameraSpec frame_volume_from(VolumeMeta const& meta, double aspect, Vec3d const& from, double fov_x_deg)
{
    BoundingSphere const sphere = bound_volume(meta);
    CameraSpec camera;
    camera.kind = CameraKind::perspective;
    camera.fov_x_deg = fov_x_deg;
    camera.target_world = sphere.centre_world;
    bool const along_z = from[0] == 0 && from[1] == 0;
    camera.up_world = along_z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    SineCosineDouble const half = sine_cosine_of_degrees(fov_x_deg / 2);
    double sine = half.sine;
    if (aspect < 1) {
        double const tangent = half.sine / half.cosine * aspect; // of half the vertical angle
        sine = tangent / std::sqrt(1 + tangent * tangent);
    }
    double const distance = sphere.radius_mm / sine;
    Vec3d const direction = unit(from);
    for (std::size_t axis = 0; axis < 3; ++axis)
        camera.origin_world[axis] = sphere.centre_world[axis] + distance * direction[axis];
    return camera;
}

Vec3d find_view_direction(double azimuth_deg, double elevation_deg)
{
    SineCosineDouble const azimuth = sine_cosine_of_degrees(azimuth_deg),
                           elevation = sine_cosine_of_degrees(elevation_deg);
    return {elevation.cosine * azimuth.sine, -elevation.cosine * azimuth.cosine, elevation.sine};
}

void turn_camera(CameraSpec& camera, double degrees)
{
    SineCosineDouble const turn = sine_cosine_of_degrees(degrees);
    Vec3d const up = unit(camera.up_world);
    Vec3d const from_target = find_difference(camera.origin_world, camera.target_world);
    Vec3d const along = scaled(up, find_dot(from_target, up));
    Vec3d const across = find_difference(from_target, along);
    Vec3d const sideways = find_cross(up, across);
    for (std::size_t i = 0; i < 3; ++i)
        camera.origin_world[i] = camera.target_world[i] + along[i] + across[i] * turn.cosine + sideways[i] * turn.sine;
}

CameraSpec frame_volume(VolumeMeta const& meta, double aspect)
{
    BoundingSphere const sphere = bound_volume(meta);
    CameraSpec camera;
    camera.kind = CameraKind::perspective;
    camera.fov_x_deg = kDefaultFovDeg;
    camera.target_world = sphere.centre_world;
    camera.up_world = {0, 0, 1};
    // The bounding sphere touches the narrower side of the picture.
    double const sine = sine_cosine_of_degrees(camera.fov_x_deg / 2).sine * std::min(1.0, aspect);
    double const distance = sphere.radius_mm / sine;
    Vec3d const direction = unit({-0.45, -0.8, 0.6});
    for (std::size_t axis = 0; axis < 3; ++axis)
        camera.origin_world[axis] = sphere.centre_world[axis] + distance * direction[axis];
    return camera;
}

} // namespace volpt
