// Vectors and frames.
#include "libvolpt/core/vec.hd.h"
#include "tests/core/random_vectors.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

void expect_right_handed_frame(Vec3 n)
{
    Frame const frame = make_frame(n);
    constexpr double kTolerance = 5e-7;
    ASSERT_NEAR(length(frame.tangent), 1, kTolerance) << n.x << ' ' << n.y << ' ' << n.z;
    ASSERT_NEAR(length(frame.bitangent), 1, kTolerance);
    ASSERT_NEAR(dot_double(frame.tangent, frame.bitangent), 0, kTolerance);
    ASSERT_NEAR(dot_double(frame.tangent, n), 0, kTolerance);
    ASSERT_NEAR(dot_double(frame.bitangent, n), 0, kTolerance);
    ASSERT_GT(dot_double(cross(frame.tangent, frame.bitangent), n), 0.999) << "left-handed";
}

TEST(Vec, FramesAreOrthonormalAndRightHanded)
{
    RandomVectors random(1);
    for (int i = 0; i < 100000; ++i) expect_right_handed_frame(random.direction());
}

TEST(Vec, FramesHoldAtThePolesAndNextToThem)
{
    for (float const z : {1.0f, -1.0f}) {
        expect_right_handed_frame({0, 0, z});
        expect_right_handed_frame({-0.0f, 0, z});
        for (float const tilt : {1e-3f, 1e-5f, 1e-8f, 1e-20f}) {
            expect_right_handed_frame(normalize({tilt, 0, z}));
            expect_right_handed_frame(normalize({-tilt, tilt, z}));
        }
    }
    expect_right_handed_frame({1, 0, 0.0f});
    expect_right_handed_frame({1, 0, -0.0f});
    expect_right_handed_frame({0, -1, -0.0f});
}

TEST(Vec, NormalizeGivesUnitLength)
{
    RandomVectors random(2);
    for (int i = 0; i < 10000; ++i) {
        float const size = random.uniform_float(1e-3, 1e3);
        Vec3 const v = size * random.direction();
        ASSERT_NEAR(length(normalize(v)), 1, 3e-7);
    }
}

TEST(Vec, CrossFollowsTheRightHand)
{
    Vec3 const z = cross({1, 0, 0}, {0, 1, 0});
    EXPECT_EQ(z.x, 0);
    EXPECT_EQ(z.y, 0);
    EXPECT_EQ(z.z, 1);
}

TEST(Vec, AxesAreReadAndReplacedByNumber)
{
    Vec3 const v{1, 2, 3};
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(get_axis(v, axis), static_cast<float>(axis + 1));
        Vec3 const changed = with_axis(v, axis, 9);
        for (int other = 0; other < 3; ++other)
            EXPECT_EQ(get_axis(changed, other), other == axis ? 9.0f : get_axis(v, other));
    }
}

TEST(Vec, MoveAlongRoundsEachComponentOnce)
{
    float const s = 1 + 0x1p-12f;
    Vec3 const moved = move_along({-(1 + 0x1p-11f), 0, 1}, s, {s, 2, 0});
    EXPECT_EQ(moved.x, 0x1p-24f);
    EXPECT_EQ(moved.y, 2 * s);
    EXPECT_EQ(moved.z, 1);
}

} // namespace
} // namespace volpt::test
