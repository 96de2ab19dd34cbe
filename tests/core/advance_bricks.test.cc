// Which bricks a ray visits on its way through the box.
#include "libvolpt/core/boundary.hd.h"
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

bool is_on_brick_face(float p, float size)
{
    return p == size || p / 8 == std::floor(p / 8);
}

/// The same of a path in an empty medium, whose every flight ends at the next brick; by the brick that the flight reads
/// its majorant from.
std::map<int, double> walk_bricks(MediumView const& medium, Vec3 position, Vec3 direction, int& flights)
{
    PathState<1> path = make_flying_path(position, direction);
    std::map<int, double> chords;
    for (flights = 1; flights < 100; ++flights) {
        Vec3 const from = path.position;
        int const bx = find_brick(from.x, direction.x, kBricks[0], kSize.x).brick;
        int const by = find_brick(from.y, direction.y, kBricks[1], kSize.y).brick;
        int const bz = find_brick(from.z, direction.z, kBricks[2], kSize.z).brick;
        Flight const flight = advance<LocalWalk>(medium, path);
        EXPECT_EQ(flight.tentative, 0u);
        EXPECT_NE(flight.event, FlightEvent::collision);
        bool const leaves = flight.event == FlightEvent::leave;
        if (!leaves) {
            EXPECT_TRUE(is_on_brick_face(path.position.x, kSize.x) || is_on_brick_face(path.position.y, kSize.y) ||
                        is_on_brick_face(path.position.z, kSize.z));
        } else {
            EXPECT_EQ(path.position.x, from.x) << "a path that leaves keeps its place";
            EXPECT_EQ(path.position.y, from.y);
            EXPECT_EQ(path.position.z, from.z);
        }
        Vec3 const to = leaves ? find_exit(from, direction, kSize).position : path.position;
        chords[(bz * kBricks[1] + by) * kBricks[0] + bx] += length(to - from);
        if (leaves) break;
    }
    return chords;
}

void expect_same_bricks(MediumView const& medium, Vec3 position, Vec3 direction)
{
    std::map<int, double> expected = measure_chords(position, direction);
    int flights = 0;
    for (auto const& [brick, chord] : walk_bricks(medium, position, direction, flights)) expected[brick] -= chord;
    for (auto const& [brick, difference] : expected)
        ASSERT_NEAR(difference, 0, 2e-4) << "brick " << brick << " from " << position.x << ' ' << position.y << ' '
                                         << position.z << " along " << direction.x << ' ' << direction.y << ' '
                                         << direction.z;
    ASSERT_LE(flights, kBricks[0] + kBricks[1] + kBricks[2]);
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
