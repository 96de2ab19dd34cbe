// Which bricks a ray visits on its way through the box.
#include "libvolpt/core/boundary/boundary.hd.h"
#include "tests/core/brick_medium.h"
#include "tests/core/random_vectors.h"

#include <gtest/gtest.h>

#include <map>

namespace volpt::test {
namespace {

constexpr Vec3 kSize{26, 21, 18};
constexpr int kBricks[3] = {4, 3, 3};

int brick_at(double x, double y, double z)
{
    auto const along = [](double p, int count) {
        return std::clamp(static_cast<int>(std::floor(p / 8)), 0, count - 1);
    };
    return (along(z, kBricks[2]) * kBricks[1] + along(y, kBricks[1])) * kBricks[0] + along(x, kBricks[0]);
}

/// Length of the ray in each brick, by sorting its meetings with all brick faces in double precision.
std::map<int, double> measure_chords(Vec3 position, Vec3 direction)
{
    DoubleVec const p = to_double(position), d = to_double(direction);
    double const from[3] = {p.x, p.y, p.z}, speed[3] = {d.x, d.y, d.z};
    double exit = 1e300;
    std::vector<double> meetings{0};
    for (int axis = 0; axis < 3; ++axis) {
        if (speed[axis] == 0) continue;
        double const size = static_cast<double>(get_axis(kSize, axis));
        exit = std::min(exit, ((speed[axis] > 0 ? size : 0) - from[axis]) / speed[axis]);
        for (int face = 8; face < size; face += 8) meetings.push_back((face - from[axis]) / speed[axis]);
    }
    meetings.push_back(exit);
    std::erase_if(meetings, [&](double t) { return t < 0 || t > exit; });
    std::ranges::sort(meetings);
    std::map<int, double> chords;
    for (std::size_t i = 1; i < meetings.size(); ++i) {
        double const middle = (meetings[i - 1] + meetings[i]) / 2;
        chords[brick_at(p.x + middle * d.x, p.y + middle * d.y, p.z + middle * d.z)] += meetings[i] - meetings[i - 1];
    }
    return chords;
}

/// The same of a path in an empty medium, whose every flight crosses kMostBricks or leaves the box; by the brick whose
/// majorant is looked up.
std::map<int, double> walk_bricks(MediumView const& medium, Vec3 position, Vec3 direction, int& bricks)
{
    PathState<1> path = make_flying_path(position, direction);
    std::map<int, double> chords;
    bricks = 0;
    for (bool leaves = false; !leaves && bricks < 1000;) {
        BrickFlight flight = begin_brick_flight(medium, path.position, path.direction, 1.0f);
        for (int i = 0; i < kMostBricks && flight.flies != 0u; ++i) {
            int const brick = flight.brick;
            float const before = flight.distance;
            cross_brick(medium, 0, path.direction, flight);
            chords[brick] += static_cast<double>(flight.distance - before);
            ++bricks;
        }
        EXPECT_EQ(flight.optical_depth, 1.0f);
        Vec3 const from = path.position;
        Flight const arrival = advance<LocalWalk>(medium, path);
        leaves = flight.leaves != 0u;
        EXPECT_EQ(arrival.tentative, 0u);
        EXPECT_EQ(arrival.event, leaves ? FlightEvent::leave : FlightEvent::null_collision);
        if (leaves) {
            EXPECT_EQ(path.position.x, from.x) << "a path that leaves keeps its place";
            EXPECT_EQ(path.position.y, from.y);
            EXPECT_EQ(path.position.z, from.z);
            EXPECT_NEAR(flight.distance, length(find_exit(from, direction, kSize).position - from), 1e-4);
        }
    }
    return chords;
}

void expect_same_bricks(MediumView const& medium, Vec3 position, Vec3 direction)
{
    std::map<int, double> expected = measure_chords(position, direction);
    int bricks = 0;
    for (auto const& [brick, chord] : walk_bricks(medium, position, direction, bricks)) expected[brick] -= chord;
    for (auto const& [brick, difference] : expected)
        ASSERT_NEAR(difference, 0, 2e-4) << "brick " << brick << " from " << position.x << ' ' << position.y << ' '
                                         << position.z << " along " << direction.x << ' ' << direction.y << ' '
                                         << direction.z;
    ASSERT_LE(bricks, kBricks[0] + kBricks[1] + kBricks[2] + 3) << "with those of length 0 at faces that are one";
}

TEST(Advance, TheWalkVisitsTheBricksOfADoublePrecisionTraversal)
{
    BrickMedium const empty(kSize, [](std::size_t) { return 0.0f; });
    RandomVectors random(18);
    for (int i = 0; i < 20000; ++i) {
        Vec3 const direction = random.direction();
        expect_same_bricks(empty.medium, random.point_in(kSize), direction);
    }
}

TEST(Advance, TheWalkStartsOnFacesEdgesAndCorners)
{
    BrickMedium const empty(kSize, [](std::size_t) { return 0.0f; });
    RandomVectors random(19);
    auto const on_face = [&](float size) { return exact::min(size, 8.0f * static_cast<float>(random.bits() % 5)); };
    for (int i = 0; i < 20000; ++i) {
        Vec3 p = random.point_in(kSize);
        unsigned const axes = random.bits() % 8;
        if ((axes & 1u) != 0) p.x = on_face(kSize.x);
        if ((axes & 2u) != 0) p.y = on_face(kSize.y);
        if ((axes & 4u) != 0) p.z = on_face(kSize.z);
        expect_same_bricks(empty.medium, p, random.direction());
    }
}

TEST(Advance, TheWalkFollowsAxesAndDiagonalsThroughEdgesAndCorners)
{
    BrickMedium const empty(kSize, [](std::size_t) { return 0.0f; });
    for (float const start : {0.0f, 1.0f, 8.0f, 16.0f})
        for (float const x : {-1.0f, 0.0f, 1.0f})
            for (float const y : {-1.0f, -0.0f, 1.0f})
                for (float const z : {-1.0f, 0.0f, 1.0f}) {
                    if (x == 0 && y == 0 && z == 0) continue;
                    expect_same_bricks(empty.medium, {start, start, start}, normalize({x, y, z}));
                    expect_same_bricks(empty.medium, {start, 5, start}, normalize({x, y, z}));
                }
}

TEST(Advance, AFlightCrossesBricksUntilItsOpticalDepthIsUsedUp)
{
    BrickMedium const bricks(
        {32, 8, 8}, [](std::size_t brick) { return brick == 1 ? 0.0f : 0.25f * (1 + static_cast<float>(brick)); });
    auto const fly = [&](float optical_depth) {
        BrickFlight flight = begin_brick_flight(bricks.medium, {2, 4, 4}, {1, 0, 0}, optical_depth);
        while (flight.flies != 0u) cross_brick(bricks.medium, 0, {1, 0, 0}, flight);
        return end_brick_flight(bricks.medium, {2, 4, 4}, {1, 0, 0}, flight);
    };
    EXPECT_FLOAT_EQ(fly(1.0f).target.x, 6);
    EXPECT_FLOAT_EQ(fly(1.5f).target.x, 16) << "empty space has no optical depth";
    EXPECT_FLOAT_EQ(fly(1.5f + 3.0f).target.x, 20);
    EXPECT_EQ(fly(4.5f).majorant, 0.75f);
    EXPECT_FLOAT_EQ(fly(1.5f + 6.0f + 7.0f).target.x, 31);
    EXPECT_EQ(fly(15.0f).leaves, 0u);
    EXPECT_EQ(fly(15.6f).leaves, 1u);
}

TEST(Advance, APathOnItsWayOutOfTheBoxLeavesAtOnce)
{
    BrickMedium const empty(kSize, [](std::size_t) { return 0.0f; });
    for (int axis = 0; axis < 3; ++axis)
        for (float const sign : {1.0f, -1.0f}) {
            Vec3 const face = with_axis({3, 3, 3}, axis, sign > 0 ? get_axis(kSize, axis) : 0.0f);
            PathState<1> path = make_flying_path(face, with_axis({0, 0, 0}, axis, sign));
            EXPECT_EQ(advance<LocalWalk>(empty.medium, path).event, FlightEvent::leave);
        }
}

} // namespace
} // namespace volpt::test
