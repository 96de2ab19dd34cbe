// Faces of the box: Fresnel, smooth reflection and refraction, and which face a path meets.
#include "tests/core/boundary_samples.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

TEST(Boundary, FresnelMatchesTheTextbook)
{
    for (float const eta : {1.5f, 1.0f / 1.5f, 1.05f / 1.01f, 1.33f, 0.4f, 2.4f})
        for (int i = 1; i <= 1000; ++i) {
            float const cosine = static_cast<float>(i) / 1000;
            ASSERT_NEAR(static_cast<double>(compute_fresnel(cosine, eta).reflectance),
                        fresnel(static_cast<double>(cosine), static_cast<double>(eta)), 2e-5)
                << cosine << ' ' << eta; // next to the critical angle the slope is infinite
        }
}

TEST(Boundary, FresnelAtNormalIncidenceIsTheSquaredRatio)
{
    EXPECT_NEAR(compute_fresnel(1, 1.5f).reflectance, 0.04, 1e-7);
    EXPECT_NEAR(compute_fresnel(1, 1 / 1.5f).reflectance, 0.04, 1e-7);
    EXPECT_NEAR(compute_fresnel(1, 1.33f).reflectance, (0.33 / 2.33) * (0.33 / 2.33), 1e-7);
    EXPECT_EQ(compute_fresnel(1, 1.0f).reflectance, 0.0f);
}

TEST(Boundary, FresnelAtBrewstersAngleIsHalfOfTheSPolarisedShare)
{
    double const brewster = std::atan(1.5);
    double const s = (1 - 1.5 * 1.5) / (1 + 1.5 * 1.5);
    EXPECT_NEAR(compute_fresnel(static_cast<float>(std::cos(brewster)), 1.5f).reflectance, s * s / 2, 1e-6);
}

TEST(Boundary, ReflectsTotallyBeyondTheCriticalAngleAlone)
{
    double const critical = std::asin(1 / 1.5);
    float const beyond = static_cast<float>(std::cos(critical + 1e-3));
    float const before = static_cast<float>(std::cos(critical - 1e-3));
    EXPECT_EQ(compute_fresnel(beyond, 1 / 1.5f).reflectance, 1.0f);
    EXPECT_EQ(compute_fresnel(beyond, 1 / 1.5f).cosine_behind, 0.0f);
    EXPECT_LT(compute_fresnel(before, 1 / 1.5f).reflectance, 0.9f);
    EXPECT_EQ(compute_fresnel(0.0f, 1.5f).reflectance, 1.0f) << "grazing";
}

TEST(Boundary, FresnelIsTheSameFromTheOtherSide)
{
    for (float const eta : {1.5f, 1.05f, 2.0f})
        for (int i = 5; i <= 100; ++i) {
            float const cosine = static_cast<float>(i) / 100;
            Fresnel const front = compute_fresnel(cosine, eta);
            Fresnel const back = compute_fresnel(front.cosine_behind, 1 / eta);
            ASSERT_NEAR(back.reflectance, front.reflectance, 2e-5) << cosine << ' ' << eta;
            ASSERT_NEAR(back.cosine_behind, cosine, 2e-5) << cosine << ' ' << eta;
        }
}

TEST(Boundary, SmoothFacesObeySnellAndReflectMirrorlike)
{
    BoundaryView boundary;
    boundary.kind = BoundaryKindView::smooth;
    int reflected = 0, refracted = 0;
    std::uint32_t sample = 0;
    for (int axis = 0; axis < 3; ++axis)
        for (float const sign : {1.0f, -1.0f})
            for (float const eta : {1.5f, 1 / 1.5f})
                for (double const cosine : {1.0, 0.9, 0.5, 0.2, 0.02})
                    for (int repeat = 0; repeat < 40; ++repeat) {
                        Vec3 const in = make_incident(axis, sign, cosine, 1.2 + repeat);
                        PathState<1> path = make_path(in, ++sample);
                        std::uint32_t const drawn = path.rng.counter;
                        bool const through = interact_with_face(boundary, axis, sign, eta, path);
                        EXPECT_EQ(path.rng.counter - drawn, 1u);
                        EXPECT_EQ(path.throughput[0], 1.0f);
                        EXPECT_NE(path.stage, Stage::ended);
                        ASSERT_NEAR(length(path.direction), 1, 3e-7);
                        float const normal_in = get_axis(in, axis);
                        float const normal_out = get_axis(path.direction, axis);
                        EXPECT_EQ(through, (normal_in < 0) == (normal_out < 0));
                        float const scale = through ? 1 / eta : 1;
                        for (int other = (axis + 1) % 3; other != axis; other = (other + 1) % 3)
                            ASSERT_NEAR(get_axis(path.direction, other), scale * get_axis(in, other), 2e-6);
                        (through ? refracted : reflected) += 1;
                    }
    EXPECT_GT(reflected, 100);
    EXPECT_GT(refracted, 100);
}

TEST(Boundary, SmoothFacesReflectFresnelsShare)
{
    BoundaryView boundary;
    boundary.kind = BoundaryKindView::smooth;
    constexpr std::uint32_t kPaths = 100000;
    for (double const cosine : {0.9, 0.5, 0.2}) {
        int reflected = 0;
        for (std::uint32_t i = 0; i < kPaths; ++i) {
            PathState<1> path = make_path(make_incident(2, 1, cosine, 0.3), i);
            if (!interact_with_face(boundary, 2, 1, 1.5f, path)) ++reflected;
        }
        double const expected = fresnel(cosine, 1.5);
        EXPECT_NEAR(static_cast<double>(reflected) / kPaths, expected,
                    4 * std::sqrt(expected * (1 - expected) / kPaths));
    }
}

TEST(Boundary, ExitIsTheNearestFaceAhead)
{
    Vec3 const size{10, 25, 3};
    RandomVectors random(6);
    for (int i = 0; i < 100000; ++i) {
        Vec3 const p = random.point_in(size);
        Vec3 const d = random.direction();
        FaceHit const hit = find_exit(p, d, size);
        double nearest = 1e30;
        for (int axis = 0; axis < 3; ++axis) {
            double const v = static_cast<double>(get_axis(d, axis));
            double const face = v > 0 ? static_cast<double>(get_axis(size, axis)) : 0;
            nearest = std::min(nearest, (face - static_cast<double>(get_axis(p, axis))) / v);
        }
        for (int axis = 0; axis < 3; ++axis) {
            double const expected =
                static_cast<double>(get_axis(p, axis)) + nearest * static_cast<double>(get_axis(d, axis));
            ASSERT_NEAR(static_cast<double>(get_axis(hit.position, axis)), expected, 1e-4);
        }
        float const face = hit.outward > 0 ? get_axis(size, hit.axis) : 0.0f;
        ASSERT_EQ(get_axis(hit.position, hit.axis), face) << "not exactly on the face";
        ASSERT_EQ(hit.outward > 0, get_axis(d, hit.axis) > 0);
    }
}

TEST(Boundary, EntryOfTheReversedRayIsTheFaceOfTheExit)
{
    Vec3 const size{10, 25, 3};
    RandomVectors random(7);
    for (int i = 0; i < 10000; ++i) {
        Vec3 const d = random.direction();
        FaceHit const out = find_exit(random.point_in(size), d, size);
        FaceHit const in = find_entry(out.position, -d, size);
        ASSERT_EQ(in.axis, out.axis);
        ASSERT_EQ(in.outward, out.outward);
    }
}

TEST(Boundary, ExitAlongAnAxisIgnoresTheOthers)
{
    for (int axis = 0; axis < 3; ++axis)
        for (float const sign : {1.0f, -1.0f}) {
            Vec3 const d = with_axis({0, -0.0f, 0}, axis, sign);
            FaceHit const hit = find_exit({1, 2, 0}, d, {4, 5, 6});
            EXPECT_EQ(hit.axis, axis);
            EXPECT_EQ(hit.outward, sign);
        }
}

TEST(Boundary, CrossingMovesThePathToTheFaceAndChangesItsStage)
{
    SceneView scene;
    set_size(scene.medium, {8, 8, 8});
    scene.medium.inv_pitch = {1, 1, 1};
    scene.boundary.kind = BoundaryKindView::smooth;
    scene.boundary.int_over_ext = 1.5f;
    scene.boundary.ext_over_int = 1 / 1.5f;
    PathCounts counts;
    int left = 0, kept = 0, entered = 0, mirrored = 0;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        PathState<1> path = make_path(normalize({0.3f, 0.1f, 0.9f}), i);
        path.stage = Stage::inside;
        path.position = {4, 4, 4};
        meet_face(scene, path, counts);
        ASSERT_EQ(path.position.z, 8.0f);
        ASSERT_EQ(path.stage == Stage::outside, path.direction.z > 0);
        (path.stage == Stage::outside ? left : kept) += 1;

        path = make_path(normalize({0.3f, 0.1f, -0.3f}), i);
        path.stage = Stage::entering;
        path.position = {4, 4, 8};
        meet_face(scene, path, counts);
        ASSERT_EQ(path.position.z, 8.0f);
        ASSERT_EQ(path.stage == Stage::outside, path.direction.z > 0);
        ASSERT_EQ(path.stage == Stage::inside, path.direction.z < 0);
        (path.stage == Stage::inside ? entered : mirrored) += 1;
    }
    EXPECT_GT(left, 900);
    EXPECT_GT(kept, 10);
    EXPECT_GT(entered, 800);
    EXPECT_GT(mirrored, 10);
}

} // namespace
} // namespace volpt::test
