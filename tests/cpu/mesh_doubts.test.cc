// Whether a path next to a surface is inside: what the triangles about it show against the nearest one ahead.
#include "libvolpt/core/surface/mesh_flight.hd.h"
#include "libvolpt/surface/make_mesh.h"
#include "tests/support/make_object_scene.h"

#include <gtest/gtest.h>
#include <random>

namespace volpt::test {
namespace {

struct Tally {
    int rays = 0, doubtful = 0, outside = 0;
};

/// Rays from points that lie off a triangle by up to `margins` margins along each axis, as after an event there.
/// `flatness` scales the part of their direction across the surface.
Tally shoot_rays(SceneView const& view, float margins, float flatness, std::uint32_t seed)
{
    SurfaceView const& surface = view.surface;
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> number(-1, 1);
    Tally tally;
    for (; tally.rays < 5000; ++tally.rays) {
        LeafTriangle const& triangle = surface.bvh.triangles[random() % surface.triangle_count];
        float const u = std::abs(number(random)), v = (1 - u) * std::abs(number(random));
        float const off = margins * surface.margin_voxels;
        Vec3 const on = triangle.a + u * (triangle.b - triangle.a) + v * (triangle.c - triangle.a);
        PathState<1> path{};
        path.position = on + Vec3{off * number(random), off * number(random), off * number(random)};
        Vec3 const normal = normalize(compute_voxel_normal(triangle));
        Vec3 const any{number(random), number(random), number(random)};
        path.direction = normalize(any - (dot(any, normal) - flatness * number(random)) * normal);
        path.bounces = 1;
        MeshRay const ray = make_mesh_ray(view, path);
        CheckedHit const ahead = find_triangle_from<BvhSearch::nearest>(
            surface.bvh, ray.bvh, Facing::back, ray.first_mm,
            CheckedHit{{kFarAway_mm, kNoTriangle, 0, 0}, surface.margin_voxels, 0u});
        SurfaceHit const way_out = find_way_out(surface, ray);
        tally.outside += way_out.triangle == kNoTriangle ? 1 : 0;
        if (ahead.doubts == kBothDoubts) {
            tally.doubtful += 1;
            continue;
        }
        EXPECT_NE(way_out.triangle, kNoTriangle) << "doubts " << ahead.doubts;
        EXPECT_EQ(way_out.triangle, ahead.triangle);
    }
    return tally;
}

TEST(MeshDoubts, WithoutDoubtThePathIsInside)
{
    PackedVolume const volume = make_object_medium(16, 0);
    Scene const scene = make_scene(volume);
    for (TriangleMesh const& mesh :
         {make_icosphere(0.9f, 20), make_bumpy_sphere(0.8f, 12, 0.4f), make_torus(0.6f, 0.25f, 40, 20),
          make_box({-0.7f, -0.5f, -0.3f}, {0.7f, 0.5f, 0.3f})}) {
        ObjectScene const object(scene, volume, move_mesh(mesh, {1, 1, 1}));
        for (float const flatness : {1.0f, 0.03f, 0.001f, 1e-6f}) {
            Tally const tally = shoot_rays(object.view(), 0.45f, flatness, 7);
            EXPECT_GT(tally.outside, 0) << "no ray tells whether doubts matter";
            if (flatness < 1.0f) continue;
            EXPECT_LT(tally.doubtful, tally.rays * 55 / 100) << "half of the rays go outwards";
        }
    }
}

} // namespace
} // namespace volpt::test
