#include "libvolpt/print/mesh/nearest_point.h"

#include "libvolpt/surface/bvh.h"
#include "libvolpt/surface/make_mesh.h"

#include <gtest/gtest.h>
#include <random>

namespace volpt {
namespace {

/// Inside and outside, where surfaces bulge, bend inwards and have edges.
TEST(NearestPoint, GatheredTrianglesGiveWhatAllTrianglesGive)
{
    std::array<float, 3> const pitch_mm{0.5f, 1.0f, 0.3f};
    std::mt19937 random(7);
    for (TriangleMesh mesh :
         {make_bumpy_sphere(6, 24, 1.5f), make_torus(5, 2, 24, 12), make_box({2, 2, 2}, {9, 8, 7})}) {
        for (Vec3& p : mesh.positions_mm) p = p + Vec3{10, 10, 10}; // voxels of a box are not below 0
        Bvh const bvh = build_bvh(mesh, {});
        auto const triangles = gather_leaf_triangles(mesh, bvh.order, 1);
        auto const planes = make_triangle_planes(triangles, pitch_mm);
        BvhView const view{bvh.nodes.data(), triangles.data(), bvh.bounds, bvh.root};
        NearestPointSearch search(view, planes, pitch_mm), gathered(view, planes, pitch_mm);
        for (int trial = 0; trial < 200; ++trial) {
            auto const draw = [&](double width) { return std::uniform_real_distribution<double>(0, width)(random); };
            PointBox box{{2 + draw(16), 2 + draw(16), 2 + draw(16)}, {}};
            for (std::size_t a = 0; a < 3; ++a) box.upper[a] = box.lower[a] + draw(4);
            double const most_mm = 0.1 + draw(4);
            gathered.gather(box, most_mm);
            for (int i = 0; i < 20; ++i) {
                std::array<double, 3> point{};
                for (std::size_t a = 0; a < 3; ++a) point[a] = box.lower[a] + draw(1) * (box.upper[a] - box.lower[a]);
                NearestPoint const expected = search.find(point, most_mm);
                NearestPoint const found = gathered.find_gathered(point, most_mm);
                ASSERT_EQ(found.triangle == kNoTriangle, expected.triangle == kNoTriangle);
                // Outside, edges are equally near for two triangles but for rounding.
                ASSERT_LE(found.distance2_mm2, expected.distance2_mm2);
                ASSERT_NEAR(found.distance2_mm2, expected.distance2_mm2, 1e-12);
            }
        }
    }
}

} // namespace
} // namespace volpt
