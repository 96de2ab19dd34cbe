// Camera rays of volumes that are turned, mirrored and moved in the world, against rays computed in the world.
#include "libvolpt/scene/camera_view.h"

#include "libvolpt/core/camera.hd.h"
#include "libvolpt/scene/render_scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace volpt::test {
namespace {

double dot(Vec3d const& a, Vec3d const& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vec3d cross(Vec3d const& a, Vec3d const& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vec3d combine(Vec3d const& a, double s, Vec3d const& b)
{
    return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}
Vec3d unit(Vec3d const& a)
{
    return combine({0, 0, 0}, 1 / std::sqrt(dot(a, a)), a);
}

/// Rotation about (1, 2, 3) by 50 degrees; mirrored, its third column changes sign.
Placement make_placement(bool mirrored)
{
    Vec3d const k = unit({1, 2, 3});
    double const s = std::sin(50 * std::numbers::pi / 180), c = std::cos(50 * std::numbers::pi / 180);
    Placement placement;
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column) {
            double const identity = row == column ? 1 : 0;
            std::size_t const third = 3 - row - column;
            double const skew = row == column ? 0 : (column == (row + 1) % 3 ? -1 : 1) * k[third];
            placement.rotation[3 * row + column] = c * identity + (1 - c) * k[row] * k[column] + s * skew;
        }
    if (mirrored)
        for (std::size_t row = 0; row < 3; ++row) placement.rotation[3 * row + 2] *= -1;
    placement.origin_world_mm = {10, -20, 5};
    return placement;
}

VolumeMeta make_meta(Placement const& placement)
{
    VolumeMeta meta;
    meta.dims = {40, 30, 20};
    meta.pitch_mm = {0.5f, 0.25f, 2.0f};
    meta.placement = placement;
    return meta;
}

Vec3d rotate_by(Placement const& placement, Vec3d const& box)
{
    auto const& r = placement.rotation;
    return {r[0] * box[0] + r[1] * box[1] + r[2] * box[2], r[3] * box[0] + r[4] * box[1] + r[5] * box[2],
            r[6] * box[0] + r[7] * box[1] + r[8] * box[2]};
}

/// A ray of core, brought back to the world.
struct WorldRay {
    Vec3d origin, direction;
};

WorldRay to_world(Ray const& ray, VolumeMeta const& meta)
{
    Vec3d const box_mm{static_cast<double>(ray.origin.x) * static_cast<double>(meta.pitch_mm[0]),
                       static_cast<double>(ray.origin.y) * static_cast<double>(meta.pitch_mm[1]),
                       static_cast<double>(ray.origin.z) * static_cast<double>(meta.pitch_mm[2])};
    Vec3d const direction{static_cast<double>(ray.direction.x), static_cast<double>(ray.direction.y),
                          static_cast<double>(ray.direction.z)};
    return {combine(meta.placement.origin_world_mm, 1, rotate_by(meta.placement, box_mm)),
            rotate_by(meta.placement, direction)};
}

Scene make_view(CameraKind kind)
{
    Scene scene;
    scene.width = 60;
    scene.height = 40;
    scene.camera.kind = kind;
    scene.camera.origin_world = {30, -10, 40};
    scene.camera.target_world = {12, -15, 8};
    scene.camera.up_world = {0.1, 1, 0.2};
    scene.camera.fov_x_deg = 50;
    scene.camera.ortho_width_mm = 33;
    return scene;
}

/// Picture point (px, py) from the top left, straight from the camera's definition.
WorldRay make_expected_ray(Scene const& scene, double px, double py)
{
    CameraSpec const& camera = scene.camera;
    Vec3d const forward = unit(combine(camera.target_world, -1, camera.origin_world));
    Vec3d const right = unit(cross(forward, camera.up_world));
    Vec3d const up = cross(right, forward);
    double const sx = 2 * px / scene.width - 1;
    double const sy = (1 - 2 * py / scene.height) * scene.height / scene.width;
    if (camera.kind == CameraKind::orthographic) {
        double const half = camera.ortho_width_mm / 2;
        return {combine(combine(camera.origin_world, sx * half, right), sy * half, up), forward};
    }
    double const half = std::tan(camera.fov_x_deg / 2 * std::numbers::pi / 180);
    return {camera.origin_world, unit(combine(combine(forward, sx * half, right), sy * half, up))};
}

TEST(CameraView, RaysOfTurnedAndMirroredVolumesAreThoseOfTheWorld)
{
    for (bool const mirrored : {false, true})
        for (CameraKind const kind : {CameraKind::perspective, CameraKind::orthographic}) {
            VolumeMeta const meta = make_meta(make_placement(mirrored));
            Scene const scene = make_view(kind);
            SceneView view;
            view.width = scene.width;
            view.height = scene.height;
            view.inv_width = 1.0f / static_cast<float>(scene.width);
            view.inv_height = 1.0f / static_cast<float>(scene.height);
            view.camera = make_camera_view(scene, meta);
            for (float const px : {0.0f, 17.25f, 30.0f, 60.0f})
                for (float const py : {0.0f, 11.5f, 20.0f, 40.0f}) {
                    WorldRay const got = to_world(make_camera_ray(view, px, py), meta);
                    WorldRay const expected =
                        make_expected_ray(scene, static_cast<double>(px), static_cast<double>(py));
                    // A parallel ray may start anywhere along itself.
                    double along = 0;
                    for (std::size_t i = 0; i < 3; ++i)
                        along += (got.origin[i] - expected.origin[i]) * expected.direction[i];
                    ASSERT_NEAR(kind == CameraKind::perspective ? along : 0.0, 0, 2e-5);
                    for (std::size_t i = 0; i < 3; ++i) {
                        ASSERT_NEAR(got.origin[i] - along * expected.direction[i], expected.origin[i], 2e-5);
                        ASSERT_NEAR(got.direction[i], expected.direction[i], 5e-7);
                    }
                }
        }
}

TEST(CameraMatrices, PointsOfARayFallOnItsPicturePoint)
{
    for (CameraKind const kind : {CameraKind::perspective, CameraKind::orthographic}) {
        Scene const scene = make_view(kind);
        CameraMatrices const matrices = *make_camera_matrices(scene);
        auto const transform = [](Vec3d const& point, Matrix4 const& matrix) {
            std::array<double, 4> to;
            for (std::size_t j = 0; j < 4; ++j)
                to[j] = point[0] * static_cast<double>(matrix[j]) + point[1] * static_cast<double>(matrix[4 + j]) +
                        point[2] * static_cast<double>(matrix[8 + j]) + static_cast<double>(matrix[12 + j]);
            return to;
        };
        CameraSpec const& camera = scene.camera;
        Vec3d const forward = unit(combine(camera.target_world, -1, camera.origin_world));
        for (double const px : {0.0, 17.25, 60.0})
            for (double const py : {0.0, 11.5, 40.0}) {
                WorldRay const ray = make_expected_ray(scene, px, py);
                Vec3d const point = combine(ray.origin, 37, ray.direction);
                auto const ndc = transform(point, matrices.world_to_ndc),
                           at = transform(point, matrices.world_to_camera);
                EXPECT_NEAR(ndc[0] / ndc[3], px / scene.width, 1e-5);
                EXPECT_NEAR(ndc[1] / ndc[3], py / scene.height, 1e-5);
                EXPECT_NEAR(at[2], dot(combine(point, -1, camera.origin_world), forward), 1e-4);
                EXPECT_EQ(at[3], 1);
                // Right and up in the picture.
                EXPECT_EQ(at[0] > 1e-4, px > 30);
                EXPECT_EQ(at[1] > 1e-4, py < 20);
            }
    }
}

TEST(CameraMatrices, ProbesHaveNone)
{
    EXPECT_FALSE(make_camera_matrices(make_view(CameraKind::probe)));
}

TEST(CameraView, RaysThroughALensMeetInTheWorldAtItsFocusDistance)
{
    for (bool const mirrored : {false, true}) {
        VolumeMeta const meta = make_meta(make_placement(mirrored));
        Scene scene = make_view(CameraKind::perspective);
        scene.camera.lens_radius_mm = 1.5;
        scene.camera.focus_distance_mm = 25;
        SceneView view;
        view.width = scene.width;
        view.height = scene.height;
        view.inv_width = 1.0f / static_cast<float>(scene.width);
        view.inv_height = 1.0f / static_cast<float>(scene.height);
        view.camera = make_camera_view(scene, meta);
        view.lens = make_lens_view(scene.camera, meta);
        ASSERT_EQ(view.camera.aim, Aim::lens);
        Vec3d const forward = unit(combine(scene.camera.target_world, -1, scene.camera.origin_world));
        WorldRay const pinhole = make_expected_ray(scene, 17.25, 11.5);
        Vec3d const focus = combine(pinhole.origin, 25 / dot(pinhole.direction, forward), pinhole.direction);
        for (DiscPoint const p : {DiscPoint{1, 0}, DiscPoint{0, 1}, DiscPoint{-0.6f, 0.8f}}) {
            WorldRay const got = to_world(make_lens_ray(view, 17.25f, 11.5f, p), meta);
            Vec3d const aside = combine(got.origin, -1, scene.camera.origin_world);
            EXPECT_NEAR(std::sqrt(dot(aside, aside)), 1.5, 2e-5);
            EXPECT_NEAR(dot(aside, forward), 0, 2e-5);
            Vec3d const at = combine(got.origin, 25 / dot(got.direction, forward), got.direction);
            for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(at[i], focus[i], 5e-5);
        }
        scene.camera.lens_radius_mm = 0;
        EXPECT_EQ(make_camera_view(scene, meta).aim, Aim::pixel);
    }
}

TEST(CameraView, TurningIntoTheBoxInvertsThePlacement)
{
    for (bool const mirrored : {false, true}) {
        Placement const placement = make_placement(mirrored);
        Vec3d const v{1, -2, 0.5};
        Vec3d const back = turn_into_box(placement, rotate_by(placement, v));
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(back[i], v[i], 1e-14);
    }
}

TEST(CameraView, FramedVolumesFillThePictureWithoutBeingCut)
{
    for (double const aspect : {1.0, 0.5, 2.0}) {
        VolumeMeta const meta = make_meta(make_placement(true));
        Scene scene = make_view(CameraKind::perspective);
        scene.width = 100;
        scene.height = static_cast<std::uint32_t>(100 * aspect);
        scene.camera = frame_volume(meta, aspect);
        Vec3d const forward = unit(combine(scene.camera.target_world, -1, scene.camera.origin_world));
        Vec3d const right = unit(cross(forward, scene.camera.up_world));
        Vec3d const up = cross(right, forward);
        double const half = std::tan(scene.camera.fov_x_deg / 2 * std::numbers::pi / 180);
        double largest = 0;
        for (int corner = 0; corner < 8; ++corner) {
            Vec3d box{};
            for (std::size_t i = 0; i < 3; ++i)
                box[i] = (corner >> i & 1) * static_cast<double>(meta.pitch_mm[i]) * meta.dims[i];
            Vec3d const world = combine(meta.placement.origin_world_mm, 1, rotate_by(meta.placement, box));
            Vec3d const seen = combine(world, -1, scene.camera.origin_world);
            double const depth = dot(seen, forward);
            ASSERT_GT(depth, 0);
            largest = std::max(
                {largest, std::abs(dot(seen, right)) / depth / half, std::abs(dot(seen, up)) / depth / half / aspect});
        }
        EXPECT_LE(largest, 1) << "cut at aspect " << aspect;
        EXPECT_GT(largest, 0.4) << "lost in the picture at aspect " << aspect;
    }
}

TEST(FrameVolumeFrom, EveryDirectionShowsTheWholeVolumeInOneScale)
{
    VolumeMeta const meta = make_meta(make_placement(true));
    for (double const aspect : {1.0, 0.4, 2.0}) {
        double distance = 0;
        for (Vec3d const& from : {Vec3d{1, 0, 0}, Vec3d{0, -2, 0}, Vec3d{0, 0, 1}, find_view_direction(120, 35)}) {
            CameraSpec const camera = frame_volume_from(meta, aspect, from, 40);
            Vec3d const back = combine(camera.origin_world, -1, camera.target_world);
            if (distance == 0) distance = std::sqrt(dot(back, back));
            EXPECT_NEAR(std::sqrt(dot(back, back)), distance, 1e-9 * distance);
            EXPECT_NEAR(dot(unit(back), unit(from)), 1, 1e-12);
            double const half = std::tan(20 * std::numbers::pi / 180) * std::min(1.0, aspect);
            // The sphere around the box touches the narrower side.
            Vec3d const sides{20, 7.5, 40};
            EXPECT_NEAR(std::sqrt(dot(sides, sides)) / 2, distance * std::sin(std::atan(half)), 1e-9 * distance);
        }
    }
}

TEST(FrameVolumeFrom, AzimuthTurnsFromTheFrontToTheRight)
{
    EXPECT_EQ(find_view_direction(0, 0), (Vec3d{0, -1, 0}));
    EXPECT_EQ(find_view_direction(90, 0), (Vec3d{1, 0, 0}));
    EXPECT_EQ(find_view_direction(180, 0), (Vec3d{0, 1, 0}));
    EXPECT_EQ(find_view_direction(-90, 0), (Vec3d{-1, 0, 0}));
    EXPECT_EQ(find_view_direction(30, 90)[2], 1);
    VolumeMeta const meta = make_meta({});
    EXPECT_EQ(frame_volume_from(meta, 1, find_view_direction(30, 90), 30).up_world, (Vec3d{0, 1, 0}));
    EXPECT_EQ(frame_volume_from(meta, 1, find_view_direction(30, 80), 30).up_world, (Vec3d{0, 0, 1}));
}

} // namespace
} // namespace volpt::test
