// The flight inside the medium: which voxel answers, which bricks a ray visits, how far flights go.
#include "libvolpt/core/advance.hd.h"
#include "libvolpt/core/boundary.hd.h"
#include "tests/core/random_vectors.h"
#include "tests/support/goodness_of_fit.h"

#include <gtest/gtest.h>

#include <map>

namespace volpt::test {
namespace {

/// A volume of constant bricks, each with a density and a majorant of its own.
struct BrickMedium {
    std::vector<std::uint32_t> table;
    std::vector<float> majorants;
    std::uint32_t no_words[1] = {0};
    MediumView medium;

    explicit BrickMedium(Vec3 size, std::function<float(std::size_t brick)> const& density)
    {
        std::size_t bricks = 1;
        for (int axis = 0; axis < 3; ++axis) {
            medium.brick_counts[axis] = (static_cast<int>(get_axis(size, axis)) + 7) / 8;
            bricks *= static_cast<std::size_t>(medium.brick_counts[axis]);
        }
        for (std::size_t brick = 0; brick < bricks; ++brick) {
            majorants.push_back(density(brick));
            table.push_back(kConstantBrick);
            table.push_back(bits_from_float(density(brick)));
        }
        medium.size_voxels = size;
        medium.inv_pitch = {1, 1, 1};
        medium.density = make_plane_reader({table.data(), no_words, 1, Encoding::f32, 1, 1, 2});
        medium.local_majorants = majorants.data();
        medium.majorant[0] = *std::max_element(majorants.begin(), majorants.end());
        medium.inv_majorant[0] = 1 / medium.majorant[0];
    }
};

PathState<1> make_path(Vec3 position, Vec3 direction, std::uint32_t sample = 0)
{
    PathState<1> path{};
    path.position = position;
    path.direction = direction;
    path.throughput[0] = 1;
    path.stage = Stage::inside;
    path.rng = seed_rng(43, 0, sample, 0);
    return path;
}

using LocalWalk = Medium<1, Extinction::density, MajorantGrid::local>;
using GlobalWalk = Medium<1, Extinction::density, MajorantGrid::global>;

constexpr Vec3 kSize{26, 21, 18};
constexpr int kBricks[3] = {4, 3, 3};

int brick_at(double x, double y, double z)
{
    auto const along = [](double p, int count) { return std::clamp(static_cast<int>(std::floor(p / 8)), 0, count - 1); };
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

bool is_on_brick_face(float p, float size) { return p == size || p / 8 == std::floor(p / 8); }

/// The same of a path in an empty medium, whose every flight ends at the next brick; by the brick that the flight reads its
/// majorant from.
std::map<int, double> walk_bricks(MediumView const& medium, Vec3 position, Vec3 direction, int& flights)
{
    PathState<1> path = make_path(position, direction);
    std::map<int, double> chords;
    for (flights = 1; flights < 100; ++flights) {
        Vec3 const from = path.position;
        int const bx = find_brick(from.x, direction.x, kBricks[0], kSize.x).brick;
        int const by = find_brick(from.y, direction.y, kBricks[1], kSize.y).brick;
        int const bz = find_brick(from.z, direction.z, kBricks[2], kSize.z).brick;
        Flight const flight = advance<LocalWalk>(medium, path, true);
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
                                         << position.z << " along " << direction.x << ' ' << direction.y << ' ' << direction.z;
    ASSERT_LE(flights, kBricks[0] + kBricks[1] + kBricks[2]);
}

TEST(Advance, TheWalkVisitsTheBricksOfADoublePrecisionTraversal)
{
    BrickMedium const empty(kSize, [](std::size_t) { return 0.0f; });
    RandomVectors random(18);
    for (int i = 0; i < 20000; ++i) expect_same_bricks(empty.medium, random.point_in(kSize), random.direction());
}

TEST(Advance, TheWalkStartsOnFacesEdgesAndCorners)
{
    BrickMedium const empty(kSize, [](std::size_t) { return 0.0f; });
    RandomVectors random(19);
    auto const on_face = [&](float size) { return smaller(size, 8.0f * static_cast<float>(random.bits() % 5)); };
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
            PathState<1> path = make_path(face, with_axis({0, 0, 0}, axis, sign));
            EXPECT_EQ(advance<LocalWalk>(empty.medium, path, true).event, FlightEvent::leave);
        }
}

/// The trilinear weight of voxel `i` at `p` among `count` voxels, centres at i + 1/2, clamped at the border.
double weigh(double p, int i, int count)
{
    double const x = std::clamp(p - 0.5, 0.0, count - 1.0);
    return std::max(0.0, 1 - std::abs(x - i));
}

TEST(Advance, VoxelsArePickedWithTrilinearWeights)
{
    MediumView medium;
    medium.size_voxels = {8, 6, 5};
    medium.brick_counts[0] = medium.brick_counts[1] = medium.brick_counts[2] = 1;
    medium.jitter = 0x1p-16f;
    RandomVectors random(20);
    Vec3 const places[] = {{3.5f, 2.5f, 1.5f}, {4, 3, 2},       {0, 0, 0},          {8, 6, 5},
                           {0.25f, 5.9f, 2.1f}, {7.6f, 0.4f, 5}, {2.75f, 3.1f, 4.4f}, random.point_in({8, 6, 5})};
    for (Vec3 const p : places) {
        std::vector<double> counts(kBrickVoxels), expected(kBrickVoxels);
        for (int z = 0; z < 5; ++z)
            for (int y = 0; y < 6; ++y)
                for (int x = 0; x < 8; ++x)
                    expected[make_voxel_ref(medium, x, y, z).morton] = weigh(static_cast<double>(p.x), x, 8) *
                                                                       weigh(static_cast<double>(p.y), y, 6) *
                                                                       weigh(static_cast<double>(p.z), z, 5);
        Rng rng = seed_rng(47, 0, 0, 0);
        std::uint32_t const drawn = rng.counter;
        constexpr int kPicks = 100000;
        int certain = 0;
        for (int i = 0; i < kPicks; ++i) {
            std::uint32_t const morton = pick_voxel(medium, p, rng).morton;
            ASSERT_GT(expected[morton], 0) << "not one of the eight around";
            counts[morton] += 1;
            if (expected[morton] == 1) ++certain;
        }
        EXPECT_EQ(rng.counter - drawn, 2u * kPicks);
        if (certain == kPicks) continue; // at a voxel's centre or in the box's corner there is nothing to choose
        EXPECT_EQ(certain, 0);
        EXPECT_LT(std::abs(chi_square_deviate(counts, expected)), 4) << p.x << ' ' << p.y << ' ' << p.z;
    }
}

TEST(Advance, NearestPicksTheVoxelThatHoldsThePoint)
{
    MediumView medium;
    medium.size_voxels = {20, 9, 17};
    medium.brick_counts[0] = 3;
    medium.brick_counts[1] = 2;
    medium.brick_counts[2] = 3;
    RandomVectors random(21);
    Rng rng = seed_rng(53, 0, 0, 0);
    for (int i = 0; i < 100000; ++i) {
        Vec3 const p = random.point_in(medium.size_voxels);
        VoxelRef const voxel = pick_voxel(medium, p, rng);
        VoxelRef const holder =
            make_voxel_ref(medium, static_cast<int>(p.x), static_cast<int>(p.y), static_cast<int>(p.z));
        ASSERT_EQ(voxel.brick, holder.brick);
        ASSERT_EQ(voxel.morton, holder.morton);
    }
    VoxelRef const last = pick_voxel(medium, medium.size_voxels, rng);
    EXPECT_EQ(last.brick, 17) << "the far face belongs to the last voxel";
    EXPECT_EQ(last.morton, morton_in_brick(3, 0, 0));
}

TEST(Advance, PlacesFarOutsideNameAVoxelOfTheBox)
{
    MediumView medium;
    medium.size_voxels = {20, 9, 17};
    medium.brick_counts[0] = 3;
    medium.brick_counts[1] = 2;
    medium.brick_counts[2] = 3;
    medium.jitter = 0x1p-16f;
    Rng rng = seed_rng(53, 0, 0, 0);
    EXPECT_EQ(pick_voxel(medium, {-1e30f, -1, -3e38f}, rng).brick, 0);
    EXPECT_EQ(pick_voxel(medium, {1e30f, 1e12f, 3e38f}, rng).brick, 17);
}

TEST(Advance, FlightsAreExponentialInMillimetres)
{
    MediumView medium;
    medium.size_voxels = {1000, 1000, 1000};
    medium.inv_pitch = {10, 5, 2}; // voxels of 0.1 x 0.2 x 0.5 mm
    medium.majorant[0] = 4;
    medium.inv_majorant[0] = 0.25f;
    RandomVectors random(22);
    std::vector<double> lengths_mm;
    for (std::uint32_t i = 0; i < 50000; ++i) {
        PathState<1> path = make_path({500, 500, 500}, random.direction(), i);
        Flight const flight = advance<Medium<1, Extinction::bare, MajorantGrid::global>>(medium, path, true);
        ASSERT_EQ(flight.event, FlightEvent::collision);
        ASSERT_EQ(flight.tentative, 1u);
        Vec3 const moved = path.position - Vec3{500, 500, 500};
        lengths_mm.push_back(length(moved * Vec3{0.1f, 0.2f, 0.5f}));
    }
    EXPECT_LT(kolmogorov_smirnov(lengths_mm, [](double x) { return 1 - std::exp(-4 * x); }), 1.95);
}

TEST(Advance, BrickLocalFlightsAreExponentialThroughBricksOfOtherMajorants)
{
    // Along x: density 0.05, 0.4, 0, 0.2 in bricks of 8 voxels of 1 mm; a real collision is one with density / majorant = 1.
    float const density[] = {0.05f, 0.4f, 0.0f, 0.2f};
    BrickMedium const bricks({32, 8, 8}, [&](std::size_t brick) { return density[brick]; });
    auto const depth = [&](double x) {
        double sum = 0;
        for (std::size_t i = 0; i < 4; ++i) sum += static_cast<double>(density[i]) * std::clamp(x - 8.0 * static_cast<double>(i), 0.0, 8.0);
        return sum;
    };
    auto const collide = [&]<class M>(M, std::uint32_t sample) {
        PathState<1> path = make_path({0, 4, 4}, {1, 0, 0}, sample);
        for (;;) {
            Flight const flight = advance<M>(bricks.medium, path, true);
            if (flight.event == FlightEvent::leave) return 1e9;
            if (flight.event == FlightEvent::collision) return static_cast<double>(path.position.x);
        }
    };
    double const escaping = std::exp(-depth(32));
    std::vector<double> local, global;
    for (std::uint32_t i = 0; i < 50000; ++i) {
        local.push_back(collide(LocalWalk{}, i));
        global.push_back(collide(GlobalWalk{}, i));
    }
    auto const cdf = [&](double x) { return x > 1e8 ? 1.0 : 1 - std::exp(-depth(x)); };
    for (auto* const places : {&local, &global}) {
        double const left = static_cast<double>(std::ranges::count(*places, 1e9)) / 50000;
        EXPECT_NEAR(left, escaping, 4 * std::sqrt(escaping / 50000));
        std::erase(*places, 1e9);
        EXPECT_LT(kolmogorov_smirnov(*places, [&](double x) { return cdf(x) / (1 - escaping); }), 1.95);
    }
}

TEST(Advance, RealCollisionsAreTheShareOfDensityInTheMajorant)
{
    BrickMedium bricks({800, 8, 8}, [](std::size_t) { return 0.3f; });
    bricks.medium.majorant[0] = 1;
    bricks.medium.inv_majorant[0] = 1;
    int real = 0, tentative = 0;
    for (std::uint32_t i = 0; i < 100000; ++i) {
        PathState<1> path = make_path({400, 4, 4}, {1, 0, 0}, i);
        Flight const flight = advance<GlobalWalk>(bricks.medium, path, true);
        tentative += static_cast<int>(flight.tentative);
        if (flight.event == FlightEvent::collision) ++real;
    }
    EXPECT_EQ(tentative, 100000);
    EXPECT_NEAR(real / 1e5, 0.3, 4 * std::sqrt(0.3 * 0.7 / 1e5));
}

template <class M>
std::uint32_t count_draws(MediumView const& medium)
{
    PathState<1> path = make_path({4, 4, 4}, {1, 0, 0});
    std::uint32_t const before = path.rng.counter;
    advance<M>(medium, path, true);
    return path.rng.counter - before;
}

TEST(Advance, DrawsAsManyNumbersAsItSays)
{
    BrickMedium bricks({32, 8, 8}, [](std::size_t) { return 0.3f; });
    std::vector<float> const sigma_t(kMaxMaterials, 0.1f);
    bricks.medium.material_sigma_t = sigma_t.data();
    bricks.medium.label = bricks.medium.density;
    EXPECT_EQ((count_draws<Medium<1, Extinction::bare, MajorantGrid::global>>(bricks.medium)), 1u);
    EXPECT_EQ((count_draws<Medium<1, Extinction::constant, MajorantGrid::global>>(bricks.medium)), 3u);
    EXPECT_EQ((count_draws<GlobalWalk>(bricks.medium)), 4u);
    EXPECT_EQ((count_draws<LocalWalk>(bricks.medium)), 4u);
    EXPECT_EQ((count_draws<Medium<1, Extinction::label, MajorantGrid::local>>(bricks.medium)), 4u);
}

TEST(Advance, AnInactiveLaneIsLeftAsItIs)
{
    BrickMedium const bricks({32, 8, 8}, [](std::size_t) { return 0.3f; });
    PathState<1> path = make_path({4, 4, 4}, {1, 0, 0});
    PathState<1> const before = path;
    EXPECT_EQ(advance<LocalWalk>(bricks.medium, path, false).tentative, 0u);
    EXPECT_EQ(path.position.x, before.position.x);
    EXPECT_EQ(path.rng.a, before.rng.a);
    EXPECT_EQ(path.rng.counter, before.rng.counter);
}

} // namespace
} // namespace volpt::test
