#include "libvolpt/print/mesh/inside_by_winding.h"

#include "libvolpt/print/mesh/mesh_print.h"
#include "libvolpt/print/mesh/soup_solid.h"
#include "libvolpt/surface/make_mesh.h"
#include "libvolpt/surface/winding/winding_number.h"
#include "tests/support/expect_error.h"

#include <cmath>
#include <gtest/gtest.h>

namespace volpt {
namespace {

constexpr std::array<double, 3> kPitch_mm{0.0423, 0.0847, 0.054};

PlacedMesh place(TriangleMesh mesh, std::array<double, 3> const& pitch_mm = kPitch_mm)
{
    MeshPlaceOptions options;
    options.colours = MeshColours::kept;
    auto const print = fit_print_box(mesh, options, pitch_mm, {});
    return place_mesh_in(print->box, std::move(mesh), options);
}

template <typename Test>
TriangleMesh drop_triangles(TriangleMesh mesh, Test const& test)
{
    std::erase_if(mesh.triangles, [&](auto const& t) {
        return test(mesh.positions_mm[t[0]]) && test(mesh.positions_mm[t[1]]) && test(mesh.positions_mm[t[2]]);
    });
    return mesh;
}

template <typename Visit>
void visit_voxels(std::array<int, 3> const& dims, Visit const& visit)
{
    for (int z = 0; z < dims[2]; ++z)
        for (int y = 1; y + 1 < dims[1]; ++y)
            for (int x = 1; x + 1 < dims[0]; ++x) visit(x, y, z);
}

std::vector<TriangleMesh> make_sound_meshes()
{
    std::vector<TriangleMesh> meshes;
    for (std::uint32_t i = 1; i <= 4; ++i) {
        float const size = 0.4f + 0.15f * static_cast<float>(i);
        meshes.push_back(make_icosphere(size, 3 * i));
        meshes.push_back(make_bumpy_sphere(size, 4 * i, 0.1f * static_cast<float>(i)));
        meshes.push_back(make_torus(size, 0.25f * size, 8 * i, 6 * i));
        meshes.push_back(join_meshes(make_box({0, 0, 0}, {size, 0.5f, 0.77f}),
                                     move_mesh(make_icosphere(0.3f, 2 * i), {-0.5f, 0.1f, 0.2f})));
        meshes.push_back(join_meshes(make_icosphere(size, 8), invert_mesh(make_icosphere(0.5f * size, 2 * i))));
    }
    return meshes;
}

TEST(InsideByWinding, IsThatOfRowsForTwentySoundMeshes)
{
    std::vector<TriangleMesh> const meshes = make_sound_meshes();
    ASSERT_EQ(meshes.size(), 20u);
    for (TriangleMesh const& mesh : meshes) {
        PlacedMesh const placed = place(mesh);
        ASSERT_TRUE(placed.report.is_accepted());
        Occupancy const sound = find_inside(placed, 2);
        InsideByWinding const found = find_inside_by_winding(placed, 2);
        EXPECT_EQ(found.doubtful_voxels, 0u);
        EXPECT_EQ(found.hole_edges, 0u);
        EXPECT_GT(sound.count(), 0u);
        std::uint64_t differences = 0;
        visit_voxels(placed.box.dims, [&](int x, int y, int z) {
            differences += sound.is_occupied(x, y, z) != found.inside.is_occupied(x, y, z);
        });
        EXPECT_EQ(differences, 0u);
    }
}

/// By the expansions over the whole mesh, which know nothing of rows: only voxels whose centre is within 1e-5 of the
/// surface may differ, which these meshes have none of.
TEST(InsideByWinding, IsThatOfSolidAnglesForTwentySoundMeshes)
{
    for (TriangleMesh const& mesh : make_sound_meshes()) {
        PlacedMesh const placed = place(mesh, {0.0613, 0.0847, 0.0791});
        WindingNumber const winding(placed.mesh, {1, 1, 1}, 1);
        InsideByWinding const found = find_inside_by_winding(placed, 2);
        std::uint64_t differences = 0;
        visit_voxels(placed.box.dims, [&](int x, int y, int z) {
            bool const is_inside = winding.evaluate({x + 0.5, y + 0.5, z + 0.5}) >= 0.5;
            differences += is_inside != found.inside.is_occupied(x, y, z);
        });
        EXPECT_EQ(differences, 0u);
    }
}

/// Open meshes against the sum over all triangles, voxel by voxel.
TEST(InsideByWinding, OfOpenMeshesIsThatOfSolidAnglesButWhereTheseAreWithinAHundredthOfAHalf)
{
    TriangleMesh const bowl = drop_triangles(make_icosphere(0.8f, 12), [](Vec3 p) { return p.z < -0.2f; });
    TriangleMesh const tube = drop_triangles(make_icosphere(0.8f, 12), [](Vec3 p) { return std::abs(p.z) > 0.5f; });
    TriangleMesh const loose = [] { // no two triangles share a vertex
        TriangleMesh mesh = make_icosphere(0.8f, 4), soup;
        for (auto const& t : mesh.triangles) {
            auto const first = static_cast<std::uint32_t>(soup.positions_mm.size());
            for (std::uint32_t const corner : t)
                soup.positions_mm.push_back((1 + 1e-3f * static_cast<float>(first % 7)) * mesh.positions_mm[corner]);
            soup.triangles.push_back({first, first + 1, first + 2});
        }
        return soup;
    }();
    for (TriangleMesh const& mesh : {bowl, tube, join_meshes(tube, move_mesh(bowl, {0.3f, 0, 0.1f})), loose}) {
        PlacedMesh const placed = place(mesh);
        ASSERT_FALSE(placed.report.is_accepted());
        auto const& pitch_mm = placed.box.pitch_mm;
        WindingNumber const winding(
            placed.mesh,
            {static_cast<double>(pitch_mm[0]), static_cast<double>(pitch_mm[1]), static_cast<double>(pitch_mm[2])}, 1);
        InsideByWinding const found = find_inside_by_winding(placed, 2);
        std::uint64_t differences = 0, doubtful = 0, at_threshold = 0;
        visit_voxels(placed.box.dims, [&](int x, int y, int z) {
            double const number = winding.evaluate({(x + 0.5) * static_cast<double>(pitch_mm[0]),
                                                    (y + 0.5) * static_cast<double>(pitch_mm[1]),
                                                    (z + 0.5) * static_cast<double>(pitch_mm[2])});
            double const beside = std::abs(number - 0.5);
            doubtful += beside < 0.25;
            at_threshold += std::abs(beside - 0.25) < 0.02;
            if (beside > 0.01) differences += (number > 0.5) != found.inside.is_occupied(x, y, z);
        });
        EXPECT_EQ(differences, 0u);
        EXPECT_GT(found.doubtful_voxels, 0u);
        EXPECT_NEAR(static_cast<double>(found.doubtful_voxels), static_cast<double>(doubtful),
                    static_cast<double>(at_threshold));
    }
}

TEST(InsideByWinding, BoxesThatOverlapAreTheirUnion)
{
    // Whole voxels: 10 x 10 x 10 twice, less 5 x 4 x 3 in common.
    PlacedMesh const placed = place(
        join_meshes(make_box({0, 0, 0}, {1, 1, 1}), make_box({0.5f, 0.6f, 0.7f}, {1.5f, 1.6f, 1.7f})), {0.1, 0.1, 0.1});
    ASSERT_FALSE(placed.report.is_accepted());
    InsideByWinding const found = find_inside_by_winding(placed, 2);
    EXPECT_EQ(found.inside.count(), 2000u - 60);
    EXPECT_EQ(found.doubtful_voxels, 0u);
}

TEST(InsideByWinding, AnOpeningThatIsFlatIsClosedThere)
{
    TriangleMesh box = make_box({0, 0, 0}, {1, 1, 1});
    box = drop_triangles(std::move(box), [](Vec3 p) { return p.z == 0; });
    EXPECT_EQ(box.triangles.size(), 10u);
    EXPECT_EQ(find_inside_by_winding(place(box, {0.1, 0.1, 0.1}), 2).inside.count(), 1000u);
    // Inside out as a whole: the same solid.
    EXPECT_EQ(find_inside_by_winding(place(invert_mesh(box), {0.1, 0.1, 0.1}), 2).inside.count(), 1000u);
}

TEST(InsideByWinding, DoesNotDependOnThreads)
{
    PlacedMesh const placed =
        place(drop_triangles(make_bumpy_sphere(0.9f, 12, 0.3f), [](Vec3 p) { return p.z < -0.3f; }));
    InsideByWinding const one = find_inside_by_winding(placed, 1), four = find_inside_by_winding(placed, 4);
    EXPECT_EQ(one.doubtful_voxels, four.doubtful_voxels);
    std::uint64_t differences = 0;
    visit_voxels(placed.box.dims, [&](int x, int y, int z) {
        differences += one.inside.is_occupied(x, y, z) != four.inside.is_occupied(x, y, z);
    });
    EXPECT_EQ(differences, 0u);
}

TEST(OuterSurface, IsThatOfTheUnion)
{
    TriangleMesh mesh = join_meshes(make_box({0, 0, 0}, {2, 2, 2}), make_box({1, 1, 1}, {3, 3, 3}));
    mesh.colours.assign(12, {0xff0000, 0xff0000, 0xff0000});
    mesh.colours.resize(24, {0x00ff00, 0x00ff00, 0x00ff00});
    SoupSolid const print = find_soup_solid(place(mesh, {0.05, 0.05, 0.05}), "mesh", 2);
    // 2 * 24 mm2 less 3 + 3 faces of 1 mm2 in the other box, and the pieces at their borders.
    double const area_mm2 = print.outer_surface.report.area_mm2;
    EXPECT_GT(area_mm2, 42);
    EXPECT_LT(area_mm2, 42 + 12 * 3 * 0.05);
    EXPECT_NEAR(print.outer_surface.report.volume_mm3, 15, 1e-3);
    auto const& outer = print.outer_surface.mesh;
    ASSERT_EQ(outer.colours.size(), outer.triangles.size());
    for (std::size_t i = 0; i < outer.triangles.size(); ++i) {
        Vec3 const p = outer.positions_mm[outer.triangles[i][0]];
        bool const is_second = outer.colours[i][0] == 0x00ff00;
        // The first box ends at voxel 41 along x and z, and begins at 21 along y: rows begin at the largest y.
        bool const is_within_first = p.x < 41 - 4 && p.y > 21 + 4 && p.z < 41 - 4;
        EXPECT_FALSE(is_second && is_within_first) << i;
    }
}

TEST(SoupSolid, PointsNearTheSurfaceMoveOntoIt)
{
    SoupSolid const solid = find_soup_solid(
        place(join_meshes(make_box({0, 0, 0}, {1, 1, 1}), make_box({0.5f, 0.5f, 0.5f}, {2, 2, 2})), {0.1, 0.1, 0.1}),
        "mesh", 1);
    SurfaceTarget const target = make_surface_target(solid.outer_surface, 1);
    Vec3 const moved = target({1.3f, 16.25f, 4.5f}); // the first box begins at 1 along x, ends at 21 along y
    EXPECT_NEAR(moved.x, 1, 1e-5);
    EXPECT_NEAR(moved.y, 16.25, 1e-5);
    Vec3 const far = target({6.5f, 16.25f, 6.5f});
    EXPECT_EQ(far.x, 6.5f);
}

TEST(SoupSolid, AMeshThatSurroundsNoVoxelIsRefused)
{
    TriangleMesh sheet;
    sheet.positions_mm = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0.2f}};
    sheet.triangles = {{0, 1, 2}};
    test::expect_error(ExitStatus::input, {"surrounds no voxel", "sheet.stl"},
                       [&] { find_soup_solid(place(sheet), "sheet.stl", 1); });
}

} // namespace
} // namespace volpt
