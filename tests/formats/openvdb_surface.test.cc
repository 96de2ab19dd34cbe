// Smoothed surfaces of voxels: they approach the shape that was voxelised, and bound a solid.
#include "formats/openvdb/surface.h"

#include "libvolpt/surface/make_mesh.h"
#include "libvolpt/volume/mesh/support_faces.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <random>

namespace volpt {
namespace {

Occupancy make_ball(std::array<int, 3> dims, std::array<double, 3> centre, double radius)
{
    Occupancy occupied(dims);
    for (int z = 0; z < dims[2]; ++z)
        for (int y = 0; y < dims[1]; ++y)
            for (int x = 0; x < dims[0]; ++x)
                if (std::hypot(x + 0.5 - centre[0], y + 0.5 - centre[1], z + 0.5 - centre[2]) < radius)
                    occupied.occupy(x, y, z);
    return occupied;
}

SmoothedMesh smooth(Occupancy const& occupied, std::array<float, 3> pitch_mm = {1, 1, 1}, int threads = 2)
{
    MeshBox box;
    box.dims = occupied.dims();
    box.pitch_mm = pitch_mm;
    return place_smoothed(box, find_smooth_surface(occupied, "v"), occupied, threads);
}

struct RelativeErrors {
    double area = 0, volume = 0;
};

/// Mean errors of spheres of several radii and centres in boxes of n voxels along each side.
RelativeErrors measure_spheres(int n)
{
    RelativeErrors errors;
    constexpr int kSpheres = 12;
    std::mt19937 engine(1);
    std::uniform_real_distribution<double> any(0, 1);
    for (int i = 0; i < kSpheres; ++i) {
        double const radius = n * (0.36 + 0.1 * any(engine));
        std::array<double, 3> centre{};
        for (double& c : centre) c = n / 2.0 + 0.5 * any(engine) - 0.25;
        SmoothedMesh const sphere = smooth(make_ball({n, n, n}, centre, radius));
        EXPECT_TRUE(sphere.placed.report.is_accepted()) << n;
        EXPECT_EQ(sphere.kept_vertices, 0u);
        double const area = 4 * std::numbers::pi * radius * radius;
        errors.area += std::abs(sphere.placed.report.area_mm2 / area - 1) / kSpheres;
        errors.volume += std::abs(sphere.placed.report.volume_mm3 / (area * radius / 3) - 1) / kSpheres;
    }
    return errors;
}

TEST(SmoothSurface, OfAVoxelisedSphereApproachesTheSphereAsVoxelsGetSmaller)
{
    RelativeErrors const coarse = measure_spheres(16), middle = measure_spheres(32), fine = measure_spheres(64);
    EXPECT_LT(coarse.area, 0.006);
    EXPECT_LT(middle.area, coarse.area);
    EXPECT_LT(fine.area, 0.8 * middle.area);
    EXPECT_LT(fine.area, 0.0015);
    EXPECT_LT(coarse.volume, 0.015);
    EXPECT_LT(middle.volume, 0.6 * coarse.volume);
    EXPECT_LT(fine.volume, 0.5 * coarse.volume);
    EXPECT_LT(fine.volume, 0.001);
}

TEST(SmoothSurface, OfAnythingBoundsASolidWithinTheBox)
{
    std::mt19937 engine(7);
    for (std::array<int, 3> const dims : {std::array{1, 2, 1}, {17, 9, 70}, {24, 24, 24}})
        for (double const share : {0.03, 0.2, 0.5, 0.8, 1.0}) {
            Occupancy occupied(dims);
            for (int z = 0; z < dims[2]; ++z)
                for (int y = 0; y < dims[1]; ++y)
                    for (int x = 0; x < dims[0]; ++x)
                        if (static_cast<double>(engine()) < share * 4294967296.0) occupied.occupy(x, y, z);
            if (occupied.count() == 0) continue;
            SmoothedMesh const got = smooth(occupied, {1, 2, 3});
            ASSERT_TRUE(got.placed.report.is_accepted()) << dims[0] << ' ' << share;
            BoundingBox const& bounds = got.placed.bvh.bounds;
            EXPECT_GE(std::min({bounds.lower.x, bounds.lower.y, bounds.lower.z}), 0.0f);
            for (int axis = 0; axis < 3; ++axis)
                EXPECT_LE(get_axis(bounds.upper, axis), static_cast<float>(dims[static_cast<std::size_t>(axis)]));
        }
}

TEST(SmoothSurface, KeepsWiresAndPlatesOfOneVoxel)
{
    Occupancy wire({30, 9, 9}), plate({30, 30, 9});
    for (int x = 3; x < 27; ++x) wire.occupy(x, 4, 4);
    for (int y = 3; y < 27; ++y)
        for (int x = 3; x < 27; ++x) plate.occupy(x, y, 4);
    EXPECT_NEAR(smooth(wire).placed.report.volume_mm3, 24, 0.45 * 24);
    EXPECT_NEAR(smooth(plate).placed.report.volume_mm3, 24 * 24, 0.25 * 24 * 24);
}

TEST(SmoothSurface, FacesOnTheBoxStayOnIt)
{
    Occupancy half({20, 20, 20});
    for (int z = 0; z < 20; ++z)
        for (int y = 0; y < 20; ++y)
            for (int x = 0; x < 10; ++x) half.occupy(x, y, z);
    MeshReport const report = smooth(half).placed.report;
    EXPECT_TRUE(report.is_accepted());
    EXPECT_NEAR(report.volume_mm3, 4000, 0.03 * 4000);
    EXPECT_EQ(report.bounds.lower.x, 0.0f);
    EXPECT_NEAR(report.bounds.upper.x, 10, 0.25);
}

TEST(SmoothSurface, DoesNotDependOnThreads)
{
    Occupancy const ball = make_ball({70, 70, 70}, {35, 35, 35}, 33);
    SmoothedMesh const one = smooth(ball, {1, 1, 1}, 1), three = smooth(ball, {1, 1, 1}, 3);
    auto const bytes = [](SmoothedMesh const& mesh) { return std::as_bytes(std::span(mesh.placed.mesh.positions_mm)); };
    EXPECT_TRUE(std::ranges::equal(bytes(one), bytes(three)));
    EXPECT_EQ(one.placed.mesh.triangles, three.placed.mesh.triangles);
}

TEST(SmoothSurface, QuadrilateralsBetweenTheSolidAndSupportComeLast)
{
    Occupancy const ball = make_ball({24, 20, 22}, {12, 10.3, 11}, 8);
    Occupancy support(ball.dims());
    std::vector<Vec3> touched; // middles of faces
    for (int z = 0; z < 22; ++z)
        for (int y = 0; y < 20; ++y)
            for (int x = 0; x < 24; ++x)
                if (z < 11 && x > 5 && !ball.is_occupied(x, y, z)) support.occupy(x, y, z);
    for (int z = 0; z < 22; ++z)
        for (int y = 0; y < 20; ++y)
            for (int x = 0; x < 24; ++x)
                for (int side = 0; side < 6 && ball.is_occupied(x, y, z); ++side) {
                    int const step = side % 2 == 0 ? 1 : -1;
                    int const to[3] = {side / 2 == 0 ? step : 0, side / 2 == 1 ? step : 0, side / 2 == 2 ? step : 0};
                    if (!support.is_occupied(x + to[0], y + to[1], z + to[2])) continue;
                    auto const middle = [&](int at, int by) { return static_cast<float>(2 * at + by + 1) / 2; };
                    touched.push_back({middle(x, to[0]), middle(y, to[1]), middle(z, to[2])});
                }
    QuadMesh surface = find_smooth_surface(ball, "v");
    std::size_t const all = surface.quads.size();
    std::uint32_t const supported = put_supported_last(surface, ball, support);
    ASSERT_EQ(surface.quads.size(), all);
    ASSERT_EQ(supported, 2 * touched.size());
    EXPECT_GT(touched.size(), 100u);
    for (std::size_t i = all - touched.size(); i < all; ++i) {
        Vec3 mean{0, 0, 0};
        for (std::uint32_t const corner : surface.quads[i]) mean = mean + 0.25f * surface.positions_voxels[corner];
        EXPECT_TRUE(std::ranges::any_of(touched, [&](Vec3 p) {
            return std::abs(p.x - mean.x) < 0.5f && std::abs(p.y - mean.y) < 0.5f && std::abs(p.z - mean.z) < 0.5f;
        }));
    }
}

} // namespace
} // namespace volpt
