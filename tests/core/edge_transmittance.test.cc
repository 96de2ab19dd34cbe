#include "libvolpt/core/bidirectional/edge_transmittance.hd.h"
#include "tests/core/brick_medium.h"
#include "tests/core/random_vectors.h"

#include <gtest/gtest.h>

#include <cmath>

namespace volpt::test {
namespace {

constexpr Vec3 kVolumeSize{26, 21, 18}, kVoxelsPerMm{2, 2.5f, 1.25f};
constexpr float kFar_mm = 0x1p60f;

/// Bricks of which every second one is empty; means of two bands, the second three times as dense as the first.
struct EdgeScene {
    BrickMedium bricks;
    std::vector<float> means;
    SceneView view;

    explicit EdgeScene(float density)
        : bricks(kVolumeSize,
                 [&](std::size_t brick) { return brick % 2 == 0 ? 0.0f : density * static_cast<float>(brick % 5); })
    {
        for (float const factor : {1.0f, 3.0f})
            for (float const mean : bricks.majorants) means.push_back(factor * mean);
        view.medium = bricks.medium;
        view.medium.inv_pitch = kVoxelsPerMm;
        view.medium.extinction = Extinction::density;
        view.medium.band[1].local_majorant_first = static_cast<std::int32_t>(bricks.majorants.size());
        view.strategies.brick_sigma_t = means.data();
    }
    EdgeScene(EdgeScene const&) = delete; // view points into this object
    EdgeScene& operator=(EdgeScene const&) = delete;
};

/// By the midpoint rule in double precision.
double integrate(EdgeScene const& scene, std::uint32_t band, Vec3 from, Vec3 direction, double distance_mm)
{
    constexpr int kSteps = 20000;
    DoubleVec const p = to_double(from), v = to_double(direction * kVoxelsPerMm);
    double depth = 0;
    for (int i = 0; i < kSteps; ++i) {
        double const t = (i + 0.5) / kSteps * distance_mm;
        double const at[3] = {p.x + t * v.x, p.y + t * v.y, p.z + t * v.z};
        std::size_t brick = 0;
        bool is_inside = true;
        for (int axis = 2; axis >= 0; --axis) {
            is_inside &= at[axis] > 0 && at[axis] < static_cast<double>(get_axis(kVolumeSize, axis));
            brick = brick * static_cast<std::size_t>(scene.view.medium.brick_counts[axis]) +
                    static_cast<std::size_t>(std::max(0.0, at[axis] / kBrickEdge));
        }
        if (is_inside) depth += static_cast<double>(scene.means[band * scene.bricks.majorants.size() + brick]);
    }
    return std::exp(-std::min(16.0, depth * distance_mm / kSteps));
}

Vec3 point_around(RandomVectors& random)
{
    return random.point_in(3.0f * kVolumeSize) - kVolumeSize;
}

TEST(EdgeTransmittance, IsThatOfTheMeansOfBricks)
{
    EdgeScene const scene(0.15f);
    RandomVectors random(31);
    double weakest = 1;
    for (int i = 0; i < 400; ++i) {
        Vec3 const from = i % 2 == 0 ? random.point_in(kVolumeSize) : point_around(random);
        Vec3 const direction = random.direction();
        bool const is_endless = i % 8 == 0;
        double const distance = is_endless ? 80 : random.uniform(0, 30);
        auto const band = static_cast<std::uint32_t>(i / 2 % 2);
        double const expected = integrate(scene, band, from, direction, distance);
        double const estimate = static_cast<double>(
            estimate_edge(scene.view, band, from, direction, is_endless ? kFar_mm : static_cast<float>(distance)));
        ASSERT_NEAR(estimate / expected, 1, 0.01) << i;
        weakest = std::min(weakest, expected);
    }
    EXPECT_LT(weakest, 0.01);
}

void expect_symmetry(EdgeScene const& scene, Vec3 from, Vec3 to)
{
    Vec3 const way = to - from;
    Vec3 const way_mm{way.x / kVoxelsPerMm.x, way.y / kVoxelsPerMm.y, way.z / kVoxelsPerMm.z};
    float const distance = exact::sqrt(dot(way_mm, way_mm));
    Vec3 const direction = (1.0f / distance) * way_mm;
    float const there = estimate_edge(scene.view, 0, from, direction, distance);
    float const back = estimate_edge(scene.view, 0, to, -direction, distance);
    ASSERT_NEAR(there / back, 1, 1e-4) << from.x << ' ' << from.y << ' ' << from.z << " to " << to.x << ' ' << to.y
                                       << ' ' << to.z;
}

TEST(EdgeTransmittance, IsTheSameFromBothEnds)
{
    EdgeScene const scene(0.3f);
    RandomVectors random(32);
    for (int i = 0; i < 20000; ++i) {
        Vec3 const from = random.point_in(kVolumeSize);
        expect_symmetry(scene, from, i % 2 == 0 ? random.point_in(kVolumeSize) : point_around(random));
    }
}

TEST(EdgeTransmittance, IsTheSameFromBothEndsOnFacesOfBricks)
{
    EdgeScene const scene(0.3f);
    RandomVectors random(33);
    auto const on_face = [&](float size) { return exact::min(size, 8.0f * static_cast<float>(random.bits() % 5)); };
    for (int i = 0; i < 20000; ++i) {
        Vec3 from = random.point_in(kVolumeSize), to = random.point_in(kVolumeSize);
        unsigned const axes = 1 + random.bits() % 6; // of all three, both ends would be one point
        if ((axes & 1u) != 0) from.x = to.x = on_face(kVolumeSize.x);
        if ((axes & 2u) != 0) from.y = to.y = on_face(kVolumeSize.y);
        if ((axes & 4u) != 0) from.z = to.z = on_face(kVolumeSize.z);
        expect_symmetry(scene, from, to);
    }
}

TEST(EdgeTransmittance, HasALeastValueAndIsOneWhereThereIsNothing)
{
    EdgeScene const dense(1e6f), empty(0);
    RandomVectors random(34);
    float const least = exact::exp_neg(kMostEdgeDepth);
    for (int i = 0; i < 1000; ++i) {
        Vec3 const from = random.point_in(kVolumeSize), direction = random.direction();
        float const through = estimate_edge(dense.view, 0, from, direction, kFar_mm);
        ASSERT_TRUE(through == least || through > 0.9f) << through << " through dense bricks, or empty ones alone";
        ASSERT_EQ(estimate_edge(empty.view, 0, from, direction, kFar_mm), 1.0f);
    }
    Vec3 const above{13, 10, 20};
    EXPECT_EQ(estimate_edge(dense.view, 0, above, {0, 0, 1}, kFar_mm), 1.0f);
    EXPECT_EQ(estimate_edge(dense.view, 0, above, {0, 0, -1}, 1.0f), 1.0f) << "it ends before the box";
    EXPECT_EQ(estimate_edge(dense.view, 0, above, {1, 0, 0}, kFar_mm), 1.0f);
}

TEST(EdgeTransmittance, WithoutMeansOfBricksIsThatOfTheBox)
{
    EdgeScene scene(0);
    scene.view.strategies.brick_sigma_t = nullptr;
    scene.view.strategies.mean_extinction_ratio = 0.25f;
    scene.view.medium.band[0].majorant = 2;
    scene.view.medium.band[1].majorant = 3;
    Vec3 const below{13, 10, -5};
    EXPECT_FLOAT_EQ(estimate_edge(scene.view, 0, below, {0, 0, 1}, kFar_mm), std::exp(-0.25f * 2 * 18 / 1.25f));
    EXPECT_FLOAT_EQ(estimate_edge(scene.view, 1, below, {0, 0, 1}, 5.0f), std::exp(-0.25f * 3 * (5 - 5 / 1.25f)));
}

} // namespace
} // namespace volpt::test
