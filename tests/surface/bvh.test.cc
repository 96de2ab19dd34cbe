#include "libvolpt/surface/bvh.h"

#include "libvolpt/surface/make_mesh.h"
#include "tests/support/expect_error.h"
#include "tests/surface/random_points.h"

#include <cstring>
#include <gtest/gtest.h>

namespace volpt {
namespace {

using test::draw_number;
using test::draw_point;

using test::expect_error;
constexpr std::array kNodeOrders = {BvhNodeOrder::pre_order, BvhNodeOrder::in_order, BvhNodeOrder::post_order};

struct BuiltBvh {
    Bvh bvh;
    std::vector<LeafTriangle> triangles;

    BvhView view() const { return {bvh.nodes.data(), triangles.data(), bvh.bounds, bvh.root}; }
    StoredBvhView stored() const { return {bvh.nodes, bvh.order, bvh.bounds, bvh.root}; }
};

BuiltBvh build(TriangleMesh const& mesh, BvhNodeOrder order = BvhNodeOrder::pre_order, int threads = 1)
{
    BuiltBvh built{build_bvh(mesh, {order, threads}), {}};
    built.triangles = gather_leaf_triangles(mesh, built.bvh.order, threads);
    return built;
}

template <typename T>
bool have_equal_bytes(std::vector<T> const& a, std::vector<T> const& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Triangles of all sizes, some twice, some degenerate, some in planes that share coordinates.
TriangleMesh make_soup(std::mt19937& random, std::uint32_t triangles, Vec3 centre)
{
    TriangleMesh mesh;
    for (std::uint32_t i = 0; i < triangles; ++i) {
        Vec3 const place = draw_point(random, 10);
        float const size = i % 5 == 0 ? 5.0f : i % 7 == 0 ? 1e-4f : 0.5f;
        for (int corner = 0; corner < 3; ++corner) {
            Vec3 const p = place + draw_point(random, size);
            mesh.positions_mm.push_back(centre + (i % 11 == 0 ? with_axis(p, static_cast<int>(i % 3), 1.0f) : p));
        }
        mesh.triangles.push_back({3 * i, 3 * i + 1, i % 23 == 0 ? 3 * i : 3 * i + 2});
        if (i % 13 == 0) mesh.triangles.push_back(mesh.triangles[random() % mesh.triangles.size()]);
    }
    return mesh;
}

SurfaceHit find_by_force(TriangleMesh const& mesh, Vec3 origin, Vec3 direction, Facing facing, float t_max)
{
    TriangleRay const ray = make_triangle_ray(origin, direction);
    SurfaceHit hit{t_max, kNoTriangle, 0, 0};
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
        auto const& t = mesh.triangles[i];
        TriangleHit const met =
            intersect_triangle(ray, mesh.positions_mm[t[0]], mesh.positions_mm[t[1]], mesh.positions_mm[t[2]], facing);
        bool const first = hit.triangle == kNoTriangle ? met.t <= hit.t : met.t < hit.t;
        if (met.met && met.t >= 0 && first) hit = {met.t, i, met.weight_b, met.weight_c};
    }
    return hit;
}

struct TestRay {
    Vec3 origin, direction;
};

/// Random, axis-parallel, in planes of axes, from afar, and aimed at vertices.
TestRay draw_ray(std::mt19937& random, TriangleMesh const& mesh, Vec3 centre, int kind)
{
    Vec3 const target = mesh.positions_mm[random() % mesh.positions_mm.size()];
    Vec3 const origin = centre + draw_point(random, kind % 3 == 0 ? 300.0f : 12.0f);
    switch (kind) {
    case 0:
    case 1:
        return {origin, normalize(draw_point(random, 1))};
    case 2:
        return {with_axis(target, 0, origin.x), {target.x > origin.x ? 1.0f : -1.0f, 0, 0}};
    case 3:
        return {with_axis(origin, 2, target.z), normalize(with_axis(target - origin, 2, -0.0f))};
    default:
        return {origin, normalize(target - origin)};
    }
}

TEST(Bvh, NearestHitIsThatOfAllTrianglesForEveryNodeOrder)
{
    std::mt19937 random(1);
    for (Vec3 const centre : {Vec3{0, 0, 0}, Vec3{1000, -500, 3}}) {
        TriangleMesh const mesh = make_soup(random, 700, centre);
        std::vector<BuiltBvh> built;
        for (BvhNodeOrder const order : kNodeOrders) built.push_back(build(mesh, order));
        int hits = 0;
        for (int i = 0; i < 20000; ++i) {
            TestRay const ray = draw_ray(random, mesh, centre, i % 5);
            auto const facing = static_cast<Facing>(random() % 3);
            float const t_max = i % 2 == 0 ? draw_number(random, 1, 100) : 1e30f;
            SurfaceHit const expected = find_by_force(mesh, ray.origin, ray.direction, facing, t_max);
            for (BuiltBvh const& tree : built) {
                BvhView const view = tree.view();
                BvhRay const prepared = make_bvh_ray(view, ray.origin, ray.direction);
                SurfaceHit const hit = find_triangle(view, prepared, facing, 0, t_max);
                ASSERT_EQ(std::memcmp(&hit, &expected, sizeof hit), 0)
                    << i << " " << hit.triangle << " " << expected.triangle;
                SurfaceHit const any = find_triangle<BvhSearch::any>(view, prepared, facing, 0, t_max);
                ASSERT_EQ(any.triangle == kNoTriangle, expected.triangle == kNoTriangle);
            }
            hits += expected.triangle != kNoTriangle ? 1 : 0;
        }
        EXPECT_GT(hits, 5000);
    }
}

TEST(Bvh, RaysAtEdgesAndVerticesOfClosedMeshesHit)
{
    std::mt19937 random(2);
    for (TriangleMesh const& mesh : {make_icosphere(1, 40), make_torus(2, 0.7f, 160, 80)}) {
        BuiltBvh const built = build(mesh);
        BvhView const view = built.view();
        for (int i = 0; i < 100000; ++i) {
            auto const& t = mesh.triangles[random() % mesh.triangles.size()];
            Vec3 const a = mesh.positions_mm[t[0]];
            Vec3 const b = mesh.positions_mm[t[1]];
            Vec3 const target = i % 2 == 0 ? a : 0.5f * (a + b);
            // From outside, and on the side of the triangle that is seen: others may lie behind a silhouette.
            Vec3 const normal = cross(b - a, mesh.positions_mm[t[2]] - a);
            Vec3 const way = draw_point(random, 1);
            float const scale = dot(way, normal) > 0 ? 8.0f : -8.0f;
            if (std::abs(dot(way, normal)) < 0.1f * std::sqrt(dot(way, way) * dot(normal, normal))) continue;
            Vec3 const origin = target + scale * normalize(way);
            SurfaceHit const hit =
                find_triangle(view, make_bvh_ray(view, origin, normalize(target - origin)), Facing::front, 0, 1e30f);
            ASSERT_NE(hit.triangle, kNoTriangle) << i;
            ASSERT_LE(hit.t, 8.0001f);
        }
    }
}

TEST(Bvh, BitsDoNotDependOnThreads)
{
    for (TriangleMesh const& mesh : {make_bumpy_sphere(1, 110, 0.4f), make_torus(3, 1, 300, 500)}) {
        for (BvhNodeOrder const order : kNodeOrders) {
            Bvh const one = build_bvh(mesh, {order, 1});
            for (int const threads : {2, 5}) {
                Bvh const more = build_bvh(mesh, {order, threads});
                EXPECT_TRUE(have_equal_bytes(one.nodes, more.nodes));
                EXPECT_TRUE(have_equal_bytes(one.order, more.order));
                EXPECT_EQ(one.root, more.root);
            }
        }
    }
}

TEST(Bvh, BuiltTreesAreValid)
{
    std::mt19937 random(3);
    for (BvhNodeOrder const order : kNodeOrders) {
        for (std::uint32_t const count : {1u, 2u, 3u, 5u, 64u, 3000u}) {
            TriangleMesh const mesh = make_soup(random, count, {});
            BuiltBvh const built = build(mesh, order);
            validate_bvh(built.stored(), mesh, "mesh");
            if (order == BvhNodeOrder::pre_order) validate_bvh_links(built.bvh.nodes, built.bvh.order, "mesh");
        }
        TriangleMesh const sphere = make_icosphere(1, 50);
        validate_bvh(build(sphere, order, 2).stored(), sphere, "sphere");
    }
}

TEST(Bvh, NodeOrdersAreWhatTheirNamesSay)
{
    TriangleMesh const mesh = make_icosphere(1, 12);
    for (BvhNodeOrder const order : kNodeOrders) {
        Bvh const bvh = build_bvh(mesh, {order, 1});
        for (std::uint32_t i = 0; i < bvh.nodes.size(); ++i) {
            std::uint32_t const first = bvh.nodes[i].child[0];
            std::uint32_t const second = bvh.nodes[i].child[1];
            EXPECT_TRUE(is_leaf(first) || (first < i) == (order != BvhNodeOrder::pre_order));
            EXPECT_TRUE(is_leaf(second) || (second < i) == (order == BvhNodeOrder::post_order));
        }
    }
}

TEST(Bvh, CoincidentAndHugeTrianglesGiveValidTrees)
{
    TriangleMesh same;
    same.positions_mm = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    same.triangles.assign(5000, {0, 1, 2});
    validate_bvh(build(same).stored(), same, "same");
    // Each centre at twice the distance of the one before: bins separate one triangle at a time, deeper than allowed.
    TriangleMesh powers;
    for (int i = 0; i < 250; ++i) {
        auto const x = std::ldexp(1.0f, i - 124);
        auto const base = static_cast<std::uint32_t>(powers.positions_mm.size());
        powers.positions_mm.insert(powers.positions_mm.end(), {{x, 0, 0}, {x, x, 0}, {x, 0, x}});
        powers.triangles.push_back({base, base + 1, base + 2});
    }
    validate_bvh(build(powers).stored(), powers, "powers");
    TriangleMesh huge = make_icosphere(1, 10);
    for (Vec3& p : huge.positions_mm) p = 3e38f * p;
    validate_bvh(build(huge).stored(), huge, "huge");
}

TEST(Bvh, ASingleTriangleIsHit)
{
    TriangleMesh one;
    one.positions_mm = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
    one.triangles = {{0, 1, 2}};
    BuiltBvh const single = build(one);
    for (Vec3 const direction : {Vec3{0, 0, -1}, Vec3{0.01f, -0.02f, -1}, Vec3{-0.01f, 0.02f, -1}}) {
        BvhView const tree = single.view();
        EXPECT_EQ(find_triangle(tree, make_bvh_ray(tree, {0, 0, 5}, direction), Facing::any, 0, 1e30f).triangle, 0u);
    }
}

TEST(Bvh, TiesGoToTheLowerTriangle)
{
    TriangleMesh mesh = make_icosphere(1, 8);
    std::size_t const count = mesh.triangles.size();
    // The same triangles again, in reverse.
    for (std::size_t i = count; i > 0; --i) mesh.triangles.push_back(mesh.triangles[i - 1]);
    BuiltBvh const built = build(mesh);
    BvhView const view = built.view();
    std::mt19937 random(4);
    for (int i = 0; i < 1000; ++i) {
        Vec3 const origin = 5.0f * normalize(draw_point(random, 1));
        SurfaceHit const hit = find_triangle(view, make_bvh_ray(view, origin, -origin), Facing::front, 0, 1e30f);
        ASSERT_LT(hit.triangle, count);
    }
}

TEST(Bvh, MeshesThatCannotBeBuiltAreRefused)
{
    expect_error(ExitStatus::input, {"no triangles"}, [] { build_bvh({}, {}); });
    TriangleMesh mesh = make_box({0, 0, 0}, {1, 1, 1});
    mesh.triangles[3][1] = 8;
    expect_error(ExitStatus::input, {"triangle 3"}, [&] { build_bvh(mesh, {}); });
    mesh.triangles[3][1] = 0;
    mesh.positions_mm[5].y = std::nanf("");
    expect_error(ExitStatus::input, {"vertex 5"}, [&] { build_bvh(mesh, {}); });
}

TEST(Bvh, DamagedTreesAreRefused)
{
    TriangleMesh const mesh = make_icosphere(1, 6);
    auto const damage = [&](char const* told, auto const& change) {
        BuiltBvh built = build(mesh);
        change(built.bvh);
        expect_error(ExitStatus::input, {"file.vpk", told}, [&] { validate_bvh(built.stored(), mesh, "file.vpk"); });
    };
    damage("links", [](Bvh& bvh) { bvh.nodes[3].parent ^= 1u; });
    damage("links", [](Bvh& bvh) { bvh.nodes[2].sibling ^= 4u; });
    damage("there is no node", [](Bvh& bvh) { bvh.nodes[0].child[0] = 100000; });
    damage("two parents", [](Bvh& bvh) { bvh.nodes[0].child[0] = 0; });
    damage("not finite", [](Bvh& bvh) { bvh.nodes[4].box[1].upper.y = std::nanf(""); });
    damage("inside", [](Bvh& bvh) { bvh.nodes[1].box[0].upper.x += 0.5f; });
    damage("inside", [](Bvh& bvh) { bvh.nodes[bvh.nodes.size() - 1].box[1].upper.x -= 0.01f; });
    damage("two leaves", [](Bvh& bvh) { bvh.order[5] = bvh.order[6]; });
    damage("there is no triangle", [](Bvh& bvh) { bvh.order[5] = 5000; });
    damage("triangles", [](Bvh& bvh) { bvh.order.pop_back(); });
    damage("nodes", [](Bvh& bvh) { bvh.root = static_cast<std::uint32_t>(bvh.nodes.size()); });
    damage("beyond", [](Bvh& bvh) { bvh.nodes.back().child[1] = make_leaf(kMaxBvhTriangles, 4); });
}

} // namespace
} // namespace volpt
