// Camera rays, and where they meet the box, against double precision.
#include "libvolpt/core/camera.hd.h"
#include "tests/core/random_vectors.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace volpt::test {
namespace {

SceneView make_camera_scene(float parallel)
{
    SceneView scene;
    scene.width = 40;
    scene.height = 30;
    scene.inv_width = 1.0f / 40;
    scene.inv_height = 1.0f / 30;
    scene.camera = {parallel, {1, 2, 3}, {0, 0, -1}, {0.5f, 0, 0}, {0, 0.375f, 0}};
    return scene;
}

TEST(Camera, CentreOfThePictureLooksForward)
{
    for (float const parallel : {0.0f, 1.0f}) {
        Ray const ray = make_camera_ray(make_camera_scene(parallel), 20, 15);
        EXPECT_NEAR(ray.direction.x, 0, 1e-7);
        EXPECT_NEAR(ray.direction.y, 0, 1e-7);
        EXPECT_EQ(ray.direction.z, -1);
        EXPECT_NEAR(ray.origin.x, 1, 1e-6);
        EXPECT_NEAR(ray.origin.y, 2, 1e-6);
        EXPECT_EQ(ray.origin.z, 3);
    }
}

TEST(Camera, FirstPixelIsTopLeft)
{
    Ray const perspective = make_camera_ray(make_camera_scene(0.0f), 0, 0);
    Vec3 const expected = normalize({-0.5f, 0.375f, -1});
    EXPECT_NEAR(perspective.direction.x, expected.x, 1e-6);
    EXPECT_NEAR(perspective.direction.y, expected.y, 1e-6);
    EXPECT_NEAR(perspective.direction.z, expected.z, 1e-6);
    Ray const orthographic = make_camera_ray(make_camera_scene(1.0f), 0, 0);
    EXPECT_NEAR(orthographic.origin.x, 0.5f, 1e-6);
    EXPECT_NEAR(orthographic.origin.y, 2.375f, 1e-6);
    Ray const last = make_camera_ray(make_camera_scene(1.0f), 40, 30);
    EXPECT_NEAR(last.origin.x, 1.5f, 1e-6);
    EXPECT_NEAR(last.origin.y, 1.625f, 1e-6);
}

TEST(Camera, PointsOfTheLensAreUniformOnTheDisc)
{
    // Moments of a disc, by the midpoints of a grid of the square; and no point beyond its rim.
    constexpr int kSteps = 256;
    double x = 0, y = 0, xx = 0, xy = 0, yy = 0, fourth = 0, inner = 0;
    for (int i = 0; i < kSteps; ++i)
        for (int j = 0; j < kSteps; ++j) {
            auto const bits = [](int k) { return static_cast<std::uint32_t>(k) << 24 | 0x800000u; };
            DiscPoint const p = sample_disc(bits(i), bits(j));
            double const px = static_cast<double>(p.x), py = static_cast<double>(p.y), square = px * px + py * py;
            ASSERT_LE(square, 1 + 1e-6);
            x += px, y += py, xx += px * px, xy += px * py, yy += py * py, fourth += square * square;
            inner += square < 0.25 ? 1 : 0;
        }
    double const n = kSteps * kSteps;
    for (double const odd : {x, y, xy}) EXPECT_NEAR(odd / n, 0, 1e-6);
    EXPECT_NEAR(xx / n, 0.25, 1e-4);
    EXPECT_NEAR(yy / n, 0.25, 1e-4);
    EXPECT_NEAR(fourth / n, 1.0 / 3, 1e-4);
    EXPECT_NEAR(inner / n, 0.25, 1e-3);
    DiscPoint const centre = sample_disc(0x80000000u, 0x80000000u);
    EXPECT_EQ(centre.x, 0);
    EXPECT_EQ(centre.y, 0);
}

TEST(Camera, RaysThroughTheLensMeetWhereTheyAreInFocus)
{
    SceneView scene = make_camera_scene(0.0f);
    // Radius 0.5 mm, sharp at 8 mm; voxels of 0.5, 1 and 2 mm.
    scene.lens.right = {0.0625f, 0, 0};
    scene.lens.up = {0, 0.0625f, 0};
    scene.lens.focus_voxels = {16, 8, 4};
    Vec3 const pitch{0.5f, 1, 2};
    for (float const px : {0.0f, 13.0f, 40.0f})
        for (float const py : {0.0f, 15.0f, 29.0f}) {
            Ray const pinhole = make_camera_ray(scene, px, py);
            Ray const middle = make_lens_ray(scene, px, py, {0, 0});
            EXPECT_EQ(middle.direction.x, pinhole.direction.x);
            EXPECT_EQ(middle.origin.x, pinhole.origin.x);
            Vec3 const focus = pinhole.origin * pitch + (8 / -pinhole.direction.z) * pinhole.direction;
            for (DiscPoint const p : {DiscPoint{1, 0}, DiscPoint{0, -1}, DiscPoint{-0.6f, 0.8f}}) {
                Ray const ray = make_lens_ray(scene, px, py, p);
                Vec3 const from = (ray.origin - scene.camera.origin) * pitch;
                EXPECT_NEAR(from.x, 0.5f * p.x, 1e-6);
                EXPECT_NEAR(from.y, 0.5f * p.y, 1e-6);
                EXPECT_EQ(from.z, 0);
                Vec3 const at = ray.origin * pitch + (8 / -ray.direction.z) * ray.direction;
                EXPECT_NEAR(at.x, focus.x, 1e-5);
                EXPECT_NEAR(at.y, focus.y, 1e-5);
            }
        }
}

struct PlainEntry {
    double first = -1e300, last = 1e300;
};

/// Slab test in double precision.
PlainEntry meet_box(Ray const& ray, Vec3 inv_pitch, Vec3 size)
{
    PlainEntry entry;
    for (int axis = 0; axis < 3; ++axis) {
        double const o = static_cast<double>(get_axis(ray.origin, axis));
        double const v =
            static_cast<double>(get_axis(ray.direction, axis)) * static_cast<double>(get_axis(inv_pitch, axis));
        double const s = static_cast<double>(get_axis(size, axis));
        if (v == 0) {
            if (o < 0 || o > s) return {1, -1};
            continue;
        }
        entry.first = std::max(entry.first, std::min(-o / v, (s - o) / v));
        entry.last = std::min(entry.last, std::max(-o / v, (s - o) / v));
    }
    return entry;
}

constexpr Vec3 kBoxSize{20, 7, 50};
constexpr Vec3 kInvPitch{2, 0.5f, 10};

/// False if the ray grazes an edge so closely that rounding decides.
bool check_entry(Ray const& ray)
{
    PlainEntry const expected = meet_box(ray, kInvPitch, kBoxSize);
    double const first = std::max(0.0, expected.first);
    if (std::abs(expected.last - first) < 1e-4) return false;
    BoxEntry const entry = enter_box(ray, kInvPitch, kBoxSize);
    EXPECT_EQ(entry.hits, first < expected.last);
    if (!entry.hits) return true;
    EXPECT_EQ(entry.starts_inside, expected.first <= 0);
    int faces = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double const v =
            static_cast<double>(get_axis(ray.direction, axis)) * static_cast<double>(get_axis(kInvPitch, axis));
        double const at = static_cast<double>(get_axis(ray.origin, axis)) + first * v;
        float const got = get_axis(entry.position, axis);
        EXPECT_NEAR(static_cast<double>(got), at, 2e-4);
        EXPECT_GE(got, 0);
        EXPECT_LE(got, get_axis(kBoxSize, axis));
        if (got == (v > 0 ? 0 : get_axis(kBoxSize, axis))) ++faces;
    }
    EXPECT_TRUE(entry.starts_inside || faces >= 1) << "not exactly on a face that faces the ray";
    return true;
}

TEST(Camera, RaysFromOutsideMeetTheBoxWhereDoublePrecisionSays)
{
    RandomVectors random(8);
    int checked = 0;
    for (int i = 0; i < 200000; ++i) {
        float const distance = random.uniform_float(1, 80);
        Vec3 const origin = distance * random.direction() + Vec3{10, 3.5f, 25};
        Vec3 const target = random.point_in({30, 10, 70}) - Vec3{5, 1.5f, 10};
        if (check_entry({origin, normalize((target - origin) * Vec3{0.5f, 2, 0.1f})})) ++checked;
    }
    EXPECT_GT(checked, 195000);
}

TEST(Camera, RaysAlongAnAxisMeetTheBox)
{
    RandomVectors random(9);
    int hits = 0;
    for (int i = 0; i < 20000; ++i) {
        Vec3 const origin = random.point_in({40, 14, 100}) - Vec3{10, 3.5f, 25};
        for (int axis = 0; axis < 3; ++axis)
            for (float const sign : {1.0f, -1.0f}) {
                Ray const ray{origin, with_axis({0, -0.0f, 0}, axis, sign)};
                check_entry(ray);
                if (enter_box(ray, kInvPitch, kBoxSize).hits) ++hits;
            }
    }
    EXPECT_GT(hits, 1000);
}

TEST(Camera, RaysFromInsideStartWhereTheyAre)
{
    RandomVectors random(10);
    for (int i = 0; i < 20000; ++i) {
        Vec3 const origin = random.point_in(kBoxSize);
        BoxEntry const entry = enter_box({origin, random.direction()}, kInvPitch, kBoxSize);
        ASSERT_TRUE(entry.hits);
        ASSERT_TRUE(entry.starts_inside);
        ASSERT_EQ(entry.position.x, origin.x);
        ASSERT_EQ(entry.position.y, origin.y);
        ASSERT_EQ(entry.position.z, origin.z);
    }
}

TEST(Camera, RaysThatLeadAwayMiss)
{
    EXPECT_FALSE(enter_box({{-1, 3, 3}, {-1, 0, 0}}, kInvPitch, kBoxSize).hits);
    EXPECT_FALSE(enter_box({{21, 3, 3}, normalize({1, 0.1f, 0})}, kInvPitch, kBoxSize).hits);
    EXPECT_FALSE(enter_box({{-1, 8, 3}, {1, 0, 0}}, kInvPitch, kBoxSize).hits) << "beside";
    EXPECT_FALSE(enter_box({{-1, -1, 3}, normalize({-1, 1, 0})}, kInvPitch, kBoxSize).hits) << "the edge is behind";
}

} // namespace
} // namespace volpt::test
