#include "libvolpt/surface/repair/repair_mesh.h"

#include "libvolpt/surface/check_mesh.h"
#include "libvolpt/surface/make_mesh.h"
#include "tests/surface/random_points.h"

#include <gtest/gtest.h>

namespace volpt {
namespace {

/// Every triangle with vertices of its own, each moved by up to `offset` per axis.
TriangleMesh tear(TriangleMesh const& mesh, float offset)
{
    std::mt19937 random(1);
    TriangleMesh torn;
    for (auto const& t : mesh.triangles) {
        auto const base = static_cast<std::uint32_t>(torn.positions_mm.size());
        for (std::uint32_t const corner : t) {
            torn.positions_mm.push_back(mesh.positions_mm[corner] + test::draw_point(random, offset));
        }
        torn.triangles.push_back({base, base + 1, base + 2});
    }
    return torn;
}

TEST(RepairMesh, NearlyEqualVerticesBecomeOne)
{
    TriangleMesh mesh = tear(make_torus(3, 1, 40, 25), 1e-4f);
    EXPECT_FALSE(check_mesh(mesh, 1).is_accepted());
    RepairReport const report = repair_mesh(mesh, {1e-3f, 1});
    EXPECT_EQ(report.merged_vertices, 6000u - 1000u);
    EXPECT_EQ(report.collapsed_triangles, 0u);
    EXPECT_TRUE(check_mesh(mesh, 1).findings.empty());
    EXPECT_EQ(mesh.positions_mm.size(), 1000u);
}

TEST(RepairMesh, CleanMeshesStayAsTheyAre)
{
    TriangleMesh const clean = join_meshes(make_box({-3, -3, -3}, {3, 3, 3}), invert_mesh(make_icosphere(1, 5)));
    TriangleMesh mesh = clean;
    repair_mesh(mesh, {1e-4f, 1});
    EXPECT_EQ(mesh.triangles, clean.triangles);
}

TEST(RepairMesh, CollapsedTrianglesLeaveAClosedMesh)
{
    // Edges are about 0.1 mm: many vertices, but not all, find one within the tolerance.
    TriangleMesh mesh = make_icosphere(1, 12);
    mesh.positions_mm[7] = mesh.positions_mm[8] + Vec3{1e-5f, 0, 0};
    RepairReport const report = repair_mesh(mesh, {1e-4f, 1});
    EXPECT_EQ(report.merged_vertices, 1u);
    EXPECT_EQ(report.collapsed_triangles, 2u);
    EXPECT_EQ(check_mesh(mesh, 1).find(MeshDefect::open_edge), nullptr);
}

TEST(RepairMesh, FlatTrianglesGoAndTheSurfaceStays)
{
    TriangleMesh mesh = make_box({-1, -1, -1}, {1, 1, 1});
    // A side has a vertex in its middle that the next one does not know; the gap is closed by a triangle without area.
    mesh.positions_mm.push_back({0, -1, -1});
    mesh.triangles[1] = {0, 3, 8};
    mesh.triangles.push_back({8, 3, 1});
    mesh.triangles.push_back({0, 8, 1});
    for (auto const& t : mesh.triangles) {
        auto const texel = [&](std::uint32_t v) {
            return TextureCoordinates{mesh.positions_mm[v].x, mesh.positions_mm[v].z};
        };
        mesh.texture_coordinates.push_back({texel(t[0]), texel(t[1]), texel(t[2])});
    }
    RepairReport const report = repair_mesh(mesh, {0, 1});
    EXPECT_EQ(report.flat_triangles, 1u);
    MeshReport const checked = check_mesh(mesh, 1);
    EXPECT_TRUE(checked.findings.empty());
    EXPECT_DOUBLE_EQ(checked.volume_mm3, 8);
    EXPECT_DOUBLE_EQ(checked.area_mm2, 24);
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        for (std::size_t corner = 0; corner < 3; ++corner) {
            EXPECT_EQ(mesh.texture_coordinates[i][corner].u, mesh.positions_mm[mesh.triangles[i][corner]].x);
            EXPECT_EQ(mesh.texture_coordinates[i][corner].v, mesh.positions_mm[mesh.triangles[i][corner]].z);
        }
    }
}

TEST(RepairMesh, OrientationBecomesConsistentAndOutwards)
{
    TriangleMesh const clean = make_torus(3, 1, 30, 20);
    for (bool const starts_inverted : {false, true}) {
        TriangleMesh mesh = starts_inverted ? invert_mesh(clean) : clean;
        std::mt19937 random(2);
        for (auto& t : mesh.triangles) {
            if (random() % 4 == 0) std::swap(t[0], t[1]);
        }
        RepairReport const report = repair_mesh(mesh, {0, 1});
        EXPECT_GT(report.turned_triangles, 200u);
        EXPECT_EQ(report.turned_components, starts_inverted ? 1u : 0u);
        EXPECT_TRUE(check_mesh(mesh, 1).findings.empty());
        EXPECT_GT(check_mesh(mesh, 1).volume_mm3, 0);
    }
}

TEST(RepairMesh, NormalsAndTextureFollowTurnedTriangles)
{
    for (float const sign : {1.0f, -1.0f}) {
        TriangleMesh mesh = make_icosphere(1, 3);
        for (auto const& t : mesh.triangles) {
            auto const normal = [&](std::uint32_t v) { return sign * mesh.positions_mm[v]; };
            mesh.normals.push_back({normal(t[0]), normal(t[1]), normal(t[2])});
            mesh.colours.push_back({t[0], t[1], t[2]});
        }
        // Turned with all that belongs to its corners, but for the direction of normals.
        std::swap(mesh.triangles[5][0], mesh.triangles[5][1]);
        std::swap(mesh.normals[5][0], mesh.normals[5][1]);
        std::swap(mesh.colours[5][0], mesh.colours[5][1]);
        for (Vec3& n : mesh.normals[5]) n = sign * n;
        EXPECT_EQ(repair_mesh(mesh, {0, 1}).turned_triangles, 1u);
        EXPECT_EQ(mesh.colours[5], mesh.triangles[5]);
        for (std::size_t corner = 0; corner < 3; ++corner) {
            EXPECT_EQ(mesh.normals[5][corner].x, mesh.positions_mm[mesh.triangles[5][corner]].x);
        }
    }
}

TEST(RepairMesh, CavitiesStayCavitiesWhicheverWayTheirSolidFaces)
{
    TriangleMesh const hole = invert_mesh(make_icosphere(1, 4));
    TriangleMesh mesh = join_meshes(invert_mesh(make_box({-3, -3, -3}, {3, 3, 3})), hole);
    EXPECT_EQ(repair_mesh(mesh, {0, 1}).turned_components, 1u);
    MeshReport const report = check_mesh(mesh, 1);
    EXPECT_TRUE(report.is_accepted());
    EXPECT_NE(report.find(MeshDefect::cavity), nullptr);
}

TEST(RepairMesh, ShellsInTheSolidOfOthersGoWithTheirCavities)
{
    auto const ball = [](float radius_mm) { return make_icosphere(radius_mm, 4); };
    TriangleMesh const hole = invert_mesh(ball(1));
    TriangleMesh mesh = join_meshes(join_meshes(ball(3), ball(2)), hole);
    EXPECT_FALSE(check_mesh(mesh, 1).is_accepted());
    EXPECT_EQ(remove_inner_shells(mesh, 2), 2u);
    EXPECT_EQ(mesh.triangles.size(), ball(3).triangles.size());
    EXPECT_TRUE(check_mesh(mesh, 1).is_accepted());
    // A solid in a cavity is none of them.
    TriangleMesh kept = join_meshes(join_meshes(ball(3), invert_mesh(ball(2))), ball(1));
    EXPECT_EQ(remove_inner_shells(kept, 2), 0u);
    EXPECT_EQ(kept.triangles.size(), 3 * ball(1).triangles.size());
}

TEST(RepairMesh, DuplicatesGo)
{
    TriangleMesh mesh = make_box({-1, -1, -1}, {1, 1, 1});
    auto const t = mesh.triangles[3];
    mesh.triangles.push_back({t[1], t[2], t[0]});
    EXPECT_EQ(repair_mesh(mesh, {0, 1}).duplicate_triangles, 1u);
    EXPECT_TRUE(check_mesh(mesh, 1).findings.empty());
    // Three times, once facing inwards: one facing outwards is left.
    mesh.triangles.push_back({t[2], t[0], t[1]});
    mesh.triangles.push_back({t[1], t[0], t[2]});
    mesh.triangles.push_back({t[1], t[2], t[0]});
    EXPECT_EQ(repair_mesh(mesh, {0, 1}).duplicate_triangles, 3u);
    EXPECT_TRUE(check_mesh(mesh, 1).findings.empty());
    // A sheet of no thickness: both of its sides go.
    mesh.positions_mm.insert(mesh.positions_mm.end(), {{5, 0, 0}, {6, 0, 0}, {5, 1, 0}});
    mesh.triangles.push_back({8, 9, 10});
    mesh.triangles.push_back({8, 10, 9});
    EXPECT_EQ(repair_mesh(mesh, {0, 1}).duplicate_triangles, 2u);
    EXPECT_TRUE(check_mesh(mesh, 1).findings.empty());
}

TEST(RepairMesh, AMoebiusStripIsLeftAlone)
{
    TriangleMesh mesh;
    constexpr std::uint32_t kParts = 12;
    for (std::uint32_t i = 0; i < kParts; ++i) {
        auto const around = exact::sincos_turns(i * (0xffffffffu / kParts));
        auto const half = exact::sincos_turns(i * (0x7fffffffu / kParts));
        for (float const side : {-0.3f, 0.3f}) {
            float const r = 2 + side * half.cosine;
            mesh.positions_mm.push_back({r * around.cosine, r * around.sine, side * half.sine});
        }
        std::uint32_t const next = 2 * i + 2;
        std::uint32_t const left = i + 1 < kParts ? next : 1;
        std::uint32_t const right = i + 1 < kParts ? next + 1 : 0;
        mesh.triangles.push_back({2 * i, 2 * i + 1, left});
        mesh.triangles.push_back({2 * i + 1, right, left});
    }
    auto const before = mesh.triangles;
    RepairReport const report = repair_mesh(mesh, {0, 1});
    EXPECT_EQ(report.unorientable_patches, 1u);
    EXPECT_EQ(mesh.triangles, before);
}

TEST(RepairMesh, ResultDoesNotDependOnThreads)
{
    TriangleMesh const torn = tear(make_bumpy_sphere(3, 40, 0.4f), 1e-4f);
    TriangleMesh one = torn;
    repair_mesh(one, {1e-3f, 1});
    TriangleMesh more = torn;
    repair_mesh(more, {1e-3f, 5});
    EXPECT_EQ(one.triangles, more.triangles);
    EXPECT_LT(one.positions_mm.size(), torn.positions_mm.size() / 3);
}

} // namespace
} // namespace volpt
