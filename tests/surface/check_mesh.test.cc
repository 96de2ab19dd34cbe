#include "libvolpt/surface/check_mesh.h"

#include "libvolpt/surface/make_mesh.h"
#include "libvolpt/surface/mesh_topology.h"
#include "libvolpt/surface/self_intersections.h"
#include "libvolpt/surface/weld_vertices.h"

#include <cmath>
#include <gtest/gtest.h>

namespace volpt {
namespace {

/// The defects found, and no other.
void expect_defects(TriangleMesh const& mesh, std::vector<std::pair<MeshDefect, std::uint64_t>> const& expected,
                    char const* file = __builtin_FILE(), int line = __builtin_LINE())
{
    testing::ScopedTrace const trace(file, line, "expect_defects");
    MeshReport const report = check_mesh(mesh, 2);
    std::vector<std::pair<MeshDefect, std::uint64_t>> found;
    bool accepted = true;
    for (MeshFinding const& finding : report.findings) {
        found.emplace_back(finding.defect, finding.count);
        accepted = accepted && !is_refused(finding.defect);
        EXPECT_FALSE(describe(finding.defect).empty());
        bool const has_places = finding.defect != MeshDefect::no_triangles;
        EXPECT_EQ(finding.places.size(), has_places ? std::min<std::size_t>(finding.count, kMaxMeshPlaces) : 0u);
    }
    EXPECT_EQ(found, expected) << (found.empty() ? "nothing" : describe(found[0].first));
    EXPECT_EQ(report.is_accepted(), accepted);
}

constexpr Vec3 kLow{-1, -1, -1};
constexpr Vec3 kHigh{1, 1, 1};

TEST(CheckMesh, CleanMeshesHaveNoDefects)
{
    expect_defects(make_icosphere(1, 12), {});
    expect_defects(make_torus(3, 1, 40, 25), {});
    expect_defects(make_box(kLow, kHigh), {});
    expect_defects(make_bumpy_sphere(5, 30, 0.5f), {});
    expect_defects(move_mesh(make_bumpy_sphere(5, 30, 0.5f), {1000, 200, -3}), {});
    expect_defects(join_meshes(make_box(kLow, kHigh), make_box({3, 3, 3}, {4, 4, 4})), {});
}

TEST(CheckMesh, MeasuresAreThoseOfTheShape)
{
    MeshReport const box = check_mesh(make_box({1, 2, 3}, {3, 5, 7}), 1);
    EXPECT_DOUBLE_EQ(box.volume_mm3, 24);
    EXPECT_DOUBLE_EQ(box.area_mm2, 52);
    EXPECT_EQ(box.bounds.lower.y, 2);
    EXPECT_EQ(box.bounds.upper.z, 7);
    EXPECT_EQ(box.components, 1u);
    EXPECT_EQ(box.edges, 18u);
    EXPECT_EQ(box.euler_characteristic(), 2);
    EXPECT_EQ(check_mesh(make_torus(3, 1, 20, 20), 1).euler_characteristic(), 0);
    // The error of a sphere's mesh falls with the square of its edges.
    double const volume = 4.0 / 3 * 3.14159265358979 * 8;
    double const coarse = volume - check_mesh(make_icosphere(2, 10), 1).volume_mm3;
    double const fine = volume - check_mesh(make_icosphere(2, 40), 1).volume_mm3;
    EXPECT_NEAR(coarse / fine, 16, 0.3);
    EXPECT_LT(fine, 2e-3 * volume);
    // And far from the origin it is the same mesh within the rounding of vertices.
    EXPECT_NEAR(check_mesh(move_mesh(make_icosphere(2, 40), {4096, 0, 0}), 1).volume_mm3, volume - fine, 2e-3);
}

TEST(CheckMesh, WhatKeepsFromCheckingIsTold)
{
    expect_defects({}, {{MeshDefect::no_triangles, 1}});
    TriangleMesh mesh = make_box(kLow, kHigh);
    mesh.positions_mm[0].x = std::nanf("");
    expect_defects(mesh, {{MeshDefect::not_finite, 6}});
    mesh.positions_mm[0].x = INFINITY;
    mesh.triangles[9][2] = 8;
    expect_defects(mesh, {{MeshDefect::index_out_of_range, 1}, {MeshDefect::not_finite, 5}});
}

TEST(CheckMesh, OpenAndMisorientedEdgesAreFoundWithTheirPlaces)
{
    TriangleMesh open = make_box(kLow, kHigh);
    open.triangles.erase(open.triangles.begin());
    expect_defects(open, {{MeshDefect::open_edge, 3}});
    MeshReport const report = check_mesh(open, 1);
    Vec3 const place = report.find(MeshDefect::open_edge)->places[0].position_mm;
    EXPECT_EQ(place.z, -1);
    TriangleMesh turned = make_box(kLow, kHigh);
    std::swap(turned.triangles[4][0], turned.triangles[4][1]);
    expect_defects(turned, {{MeshDefect::misoriented_edge, 3}});
    // Not welded: every edge is open, and triangles touch in vertices that they do not share.
    TriangleMesh apart;
    for (auto const& t : make_icosphere(1, 2).triangles) {
        for (auto const corner : t) apart.positions_mm.push_back(make_icosphere(1, 2).positions_mm[corner]);
        auto const base = static_cast<std::uint32_t>(apart.positions_mm.size() - 3);
        apart.triangles.push_back({base, base + 1, base + 2});
    }
    EXPECT_EQ(check_mesh(apart, 1).find(MeshDefect::open_edge)->count, 240u);
    weld_vertices(apart, 1);
    expect_defects(apart, {});
}

TEST(CheckMesh, BoxesThatShareAnEdgeAreClosedButNotManifold)
{
    TriangleMesh mesh = join_meshes(make_box({0, 0, 0}, {1, 1, 1}), make_box({1, 1, 0}, {2, 2, 1}));
    weld_vertices(mesh, 1);
    expect_defects(mesh, {{MeshDefect::non_manifold_edge, 1}});
}

TEST(CheckMesh, InvertedComponentsAreToldFromCavities)
{
    TriangleMesh const box = make_box(kLow, kHigh);
    TriangleMesh const hole = invert_mesh(make_icosphere(0.5f, 4));
    expect_defects(invert_mesh(box), {{MeshDefect::inverted, 1}});
    expect_defects(join_meshes(box, hole), {{MeshDefect::cavity, 1}});
    expect_defects(join_meshes(box, move_mesh(hole, {5, 0, 0})), {{MeshDefect::inverted, 1}});
    expect_defects(join_meshes(box, make_icosphere(0.5f, 4)), {{MeshDefect::enclosed, 1}});
    // A solid in a cavity, and one inside out.
    expect_defects(join_meshes(join_meshes(box, hole), make_icosphere(0.25f, 3)), {{MeshDefect::cavity, 1}});
    expect_defects(join_meshes(join_meshes(box, hole), invert_mesh(make_icosphere(0.25f, 3))),
                   {{MeshDefect::inverted, 1}, {MeshDefect::cavity, 1}});
}

TEST(CheckMesh, DegenerateTrianglesAreFound)
{
    TriangleMesh mesh = make_box(kLow, kHigh);
    // A side is split at a vertex in its middle on one side alone, and the gap closed by a triangle without area.
    mesh.positions_mm.push_back({0, -1, -1});
    mesh.triangles[1] = {0, 3, 8};
    mesh.triangles.push_back({8, 3, 1});
    mesh.triangles.push_back({0, 8, 1});
    // Two triangles of that side touch the undivided edge of the next one.
    expect_defects(mesh, {{MeshDefect::degenerate, 1}, {MeshDefect::self_intersection, 2}});
    EXPECT_EQ(check_mesh(mesh, 1).find(MeshDefect::degenerate)->places[0].triangle, 13u);
    TriangleMesh twice = make_box(kLow, kHigh);
    twice.triangles.push_back({2, 5, 2});
    expect_defects(twice, {{MeshDefect::degenerate, 1}});
}

TEST(CheckMesh, CoincidentTrianglesAreFoundWithTheirOrientation)
{
    TriangleMesh mesh = make_box(kLow, kHigh);
    auto const t = mesh.triangles[3];
    mesh.triangles.push_back({t[1], t[2], t[0]});
    mesh.triangles.push_back({t[1], t[0], t[2]});
    expect_defects(
        mesh, {{MeshDefect::coincident, 1}, {MeshDefect::coincident_opposite, 1}, {MeshDefect::non_manifold_edge, 3}});
    MeshPlace const place = check_mesh(mesh, 1).find(MeshDefect::coincident)->places[0];
    EXPECT_EQ(place.triangle, 12u);
    EXPECT_EQ(place.other, 3u);
}

TEST(CheckMesh, SelfIntersectionsAreFound)
{
    TriangleMesh const crossing =
        join_meshes(make_icosphere(1, 6), move_mesh(make_icosphere(1, 6), {0.7f, 0.1f, 0.2f}));
    MeshReport const report = check_mesh(crossing, 2);
    ASSERT_NE(report.find(MeshDefect::self_intersection), nullptr);
    EXPECT_GT(report.find(MeshDefect::self_intersection)->count, 20u);
    EXPECT_FALSE(report.is_accepted());
    // A vertex pushed through the opposite side of the box: its triangles cross those of two other faces.
    TriangleMesh pierced = make_icosphere(1, 5);
    pierced.positions_mm[0] = -1.5f * pierced.positions_mm[0];
    EXPECT_NE(check_mesh(pierced, 1).find(MeshDefect::self_intersection), nullptr);
    // Boxes that touch in a face without common vertices.
    TriangleMesh const touching = join_meshes(make_box({0, 0, 0}, {3, 3, 3}), make_box({3, 1, 1}, {4, 2, 2}));
    EXPECT_NE(check_mesh(touching, 1).find(MeshDefect::self_intersection), nullptr);
    // A fold: a triangle turned over the edge that it shares with its neighbour.
    TriangleMesh fold;
    fold.positions_mm = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0}};
    fold.triangles = {{0, 1, 2}, {1, 0, 3}};
    EXPECT_EQ(check_mesh(fold, 1).find(MeshDefect::self_intersection)->count, 1u);
}

TEST(CheckMesh, ReportDoesNotDependOnThreads)
{
    TriangleMesh const mesh =
        join_meshes(make_torus(3, 1, 200, 90), move_mesh(make_torus(3, 1, 200, 90), {0.5f, 0.25f, 0.1f}));
    MeshReport const one = check_mesh(mesh, 1);
    for (int const threads : {2, 5}) {
        MeshReport const more = check_mesh(mesh, threads);
        EXPECT_EQ(one.volume_mm3, more.volume_mm3);
        ASSERT_EQ(one.findings.size(), more.findings.size());
        for (std::size_t i = 0; i < one.findings.size(); ++i) {
            EXPECT_EQ(one.findings[i].count, more.findings[i].count);
            for (std::size_t j = 0; j < one.findings[i].places.size(); ++j) {
                EXPECT_EQ(one.findings[i].places[j].triangle, more.findings[i].places[j].triangle);
                EXPECT_EQ(one.findings[i].places[j].other, more.findings[i].places[j].other);
            }
        }
    }
}

void append_mesh(TriangleMesh& to, TriangleMesh const& mesh)
{
    auto const first = static_cast<std::uint32_t>(to.positions_mm.size());
    to.positions_mm.insert(to.positions_mm.end(), mesh.positions_mm.begin(), mesh.positions_mm.end());
    for (auto const& t : mesh.triangles) to.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

TriangleMesh make_row(std::size_t cubes, Vec3 step)
{
    TriangleMesh row;
    for (std::size_t i = 0; i < cubes; ++i)
        append_mesh(row, move_mesh(make_box({0, 0, 0}, {1, 1, 1}), static_cast<float>(i) * step));
    return row;
}

/// Tests of pairs and of rays that a mesh takes.
std::array<std::uint64_t, 2> count_tests(TriangleMesh const& mesh)
{
    Bvh const bvh = build_bvh(mesh, {BvhNodeOrder::pre_order, 2});
    MeshTopology const topology = find_topology(mesh, 2);
    std::vector<std::uint8_t> is_left_out(mesh.triangles.size(), 0);
    for (auto const& found : find_coincident_triangles(mesh, 2)) is_left_out[found.triangle] = 1;
    return {find_self_intersections(mesh, bvh, is_left_out, 8, 2).tests,
            find_enclosures(mesh, bvh, topology.component_of, topology.is_closed.size(), 2).tests};
}

TEST(CheckMesh, TestsOfManyPartsGrowLinearly)
{
    for (Vec3 const step : {Vec3{2, 0, 0}, Vec3{0, 2, 0}, Vec3{0, 0, 2}, Vec3{2, 2, 2}}) {
        TriangleMesh const row = make_row(3000, step);
        auto const [pairs, rays] = count_tests(row);
        EXPECT_LE(pairs, 800 * row.triangles.size());
        EXPECT_LE(rays, 20 * row.triangles.size()); // all but the last ones of a row along x try another direction
        expect_defects(row, {});
    }
}

TEST(CheckMesh, CoincidentTrianglesAreTestedOnce)
{
    TriangleMesh const cube = make_row(1, {});
    TriangleMesh many = make_row(500, {0, 0, 0});
    weld_vertices(many, 2);
    EXPECT_LE(count_tests(many)[0], count_tests(cube)[0] + 12 * many.triangles.size()); // one each to pass over them
    expect_defects(many, {{MeshDefect::coincident, 12 * 499}, {MeshDefect::non_manifold_edge, 18}});
}

/// A cone, whose sides and whose base are fans.
TriangleMesh make_cone(std::uint32_t sides)
{
    TriangleMesh cone;
    cone.positions_mm = {{0, 0, 1}, {0, 0, 0}};
    for (std::uint32_t i = 0; i < sides; ++i) {
        double const angle = 2 * 3.14159265358979 * i / sides;
        cone.positions_mm.push_back({static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)), 0});
        std::uint32_t const a = 2 + i, b = 2 + (i + 1) % sides;
        cone.triangles.push_back({0, a, b});
        cone.triangles.push_back({1, b, a});
    }
    return cone;
}

TEST(CheckMesh, FansTakeCheapTestsAndAreFoundSound)
{
    std::uint32_t const sides = 2000;
    TriangleMesh const cone = make_cone(sides);
    expect_defects(cone, {});
    std::uint64_t const exact = 65, boxes = 5; // what tests count
    EXPECT_LE(count_tests(cone)[0], 3 * boxes * sides * sides + exact * 20 * sides);
    // A triangle that crosses the fan is found all the same.
    TriangleMesh folded = cone;
    folded.positions_mm[2 + 500] = {2, -2, 0.2f};
    EXPECT_NE(check_mesh(folded, 1).find(MeshDefect::self_intersection), nullptr);
}

TEST(CheckMesh, WhatTakesFarTooManyTestsIsRefusedByASample)
{
    // Cubes that all intersect each other; and shells within shells.
    TriangleMesh const heap = make_row(20000, {1e-6f, 1.7e-6f, 0.9e-6f});
    TriangleMesh shells;
    for (int i = 0; i < 20000; ++i) {
        float const half = 1 + 1e-3f * static_cast<float>(i);
        append_mesh(shells, make_box({-half, -half, -half}, {half, half, half}));
    }
    for (int const threads : {1, 3}) {
        Bvh const bvh = build_bvh(heap, {BvhNodeOrder::pre_order, threads});
        auto const found =
            find_self_intersections(heap, bvh, std::vector<std::uint8_t>(heap.triangles.size()), 8, threads);
        EXPECT_FALSE(found.is_complete);
        EXPECT_LT(found.tests, (kMostPairTests + 800 * heap.triangles.size()) / 12);
        EXPECT_EQ(found.pairs.size(), 8u);
        MeshTopology const topology = find_topology(shells, threads);
        Bvh const of_shells = build_bvh(shells, {BvhNodeOrder::pre_order, threads});
        auto const enclosures =
            find_enclosures(shells, of_shells, topology.component_of, topology.is_closed.size(), threads);
        EXPECT_FALSE(enclosures.is_complete);
        EXPECT_LT(enclosures.tests, (kMostRayTests + 50 * shells.triangles.size()) / 12);
    }
    MeshReport const report = check_mesh(shells, 2);
    EXPECT_NE(report.find(MeshDefect::unchecked), nullptr);
}

TEST(CheckMesh, MeshesOfTooManyPairsAreRefusedInWordsForAnyNumberOfThreads)
{
    // Cubes that all intersect each other.
    TriangleMesh const heap = make_row(1500, {1e-4f, 1.7e-4f, 0.9e-4f});
    MeshReport const report = check_mesh(heap, 1);
    EXPECT_FALSE(report.is_accepted());
    ASSERT_NE(report.find(MeshDefect::unchecked), nullptr);
    ASSERT_NE(report.find(MeshDefect::self_intersection), nullptr);
    MeshReport const again = check_mesh(heap, 4);
    MeshFinding const &a = *report.find(MeshDefect::self_intersection), &b = *again.find(MeshDefect::self_intersection);
    EXPECT_EQ(a.count, b.count);
    ASSERT_EQ(a.places.size(), b.places.size());
    for (std::size_t i = 0; i < a.places.size(); ++i) {
        EXPECT_EQ(a.places[i].triangle, b.places[i].triangle);
        EXPECT_EQ(a.places[i].other, b.places[i].other);
    }
}

} // namespace
} // namespace volpt
