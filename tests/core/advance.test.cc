// The flight inside the medium: which voxel answers, how far flights go, what they draw.
#include "tests/core/brick_medium.h"
#include "tests/core/random_vectors.h"
#include "tests/support/goodness_of_fit.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

/// The trilinear weight of voxel `i` at `p` among `count` voxels, centres at i + 1/2, clamped at the border.
double weigh(double p, int i, int count)
{
    double const x = std::clamp(p - 0.5, 0.0, count - 1.0);
    return std::max(0.0, 1 - std::abs(x - i));
}

TEST(Advance, VoxelsArePickedWithTrilinearWeights)
{
    MediumView medium;
    set_size(medium, {8, 6, 5});
    medium.brick_counts[0] = medium.brick_counts[1] = medium.brick_counts[2] = 1;
    medium.jitter = 0x1p-11f;
    RandomVectors random(20);
    Vec3 const places[] = {{3.5f, 2.5f, 1.5f},  {4, 3, 2},       {0, 0, 0},           {8, 6, 5},
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
            std::uint32_t const morton = pick_voxel(medium, p, rng.draw()).morton;
            ASSERT_GT(expected[morton], 0) << "not one of the eight around";
            counts[morton] += 1;
            if (expected[morton] == 1) ++certain;
        }
        EXPECT_EQ(rng.counter - drawn, 1u * kPicks);
        if (certain == kPicks) continue; // at a voxel's centre or in the box's corner there is nothing to choose
        EXPECT_EQ(certain, 0);
        EXPECT_LT(std::abs(chi_square_deviate(counts, expected)), 4) << p.x << ' ' << p.y << ' ' << p.z;
    }
}

MediumView make_box_medium()
{
    MediumView medium;
    set_size(medium, {20, 9, 17});
    medium.brick_counts[0] = 3;
    medium.brick_counts[1] = 2;
    medium.brick_counts[2] = 3;
    return medium;
}

TEST(Advance, NearestPicksTheVoxelThatHoldsThePoint)
{
    MediumView const medium = make_box_medium();
    RandomVectors random(21);
    Rng rng = seed_rng(53, 0, 0, 0);
    for (int i = 0; i < 100000; ++i) {
        Vec3 const p = random.point_in(medium.size_voxels);
        VoxelRef const voxel = pick_voxel(medium, p, rng.draw());
        VoxelRef const holder =
            make_voxel_ref(medium, static_cast<int>(p.x), static_cast<int>(p.y), static_cast<int>(p.z));
        ASSERT_EQ(voxel.brick, holder.brick);
        ASSERT_EQ(voxel.morton, holder.morton);
    }
    VoxelRef const last = pick_voxel(medium, medium.size_voxels, rng.draw());
    EXPECT_EQ(last.brick, 17) << "the far face belongs to the last voxel";
    EXPECT_EQ(last.morton, morton_in_brick(3, 0, 0));
}

TEST(Advance, PlacesFarOutsideNameAVoxelOfTheBox)
{
    MediumView medium = make_box_medium();
    medium.jitter = 0x1p-11f;
    Rng rng = seed_rng(53, 0, 0, 0);
    EXPECT_EQ(pick_voxel(medium, {-1e30f, -1, -3e38f}, rng.draw()).brick, 0);
    EXPECT_EQ(pick_voxel(medium, {1e30f, 1e12f, 3e38f}, rng.draw()).brick, 17);
}

TEST(Advance, FlightsAreExponentialInMillimetres)
{
    MediumView medium;
    set_size(medium, {1000, 1000, 1000});
    medium.inv_pitch = {10, 5, 2}; // voxels of 0.1 x 0.2 x 0.5 mm
    medium.band[0].majorant = 4;
    medium.band[0].mean_free_path_voxels = 0.25f * medium.inv_pitch;
    RandomVectors random(22);
    std::vector<double> lengths_mm;
    for (std::uint32_t i = 0; i < 50000; ++i) {
        PathState<1> path = make_flying_path({500, 500, 500}, random.direction(), i);
        Flight const flight = advance<Medium<1, Extinction::bare, MajorantGrid::global>>(medium, path);
        ASSERT_EQ(flight.event, FlightEvent::collision);
        ASSERT_EQ(flight.tentative, 1u);
        Vec3 const moved = path.position - Vec3{500, 500, 500};
        lengths_mm.push_back(length(moved * Vec3{0.1f, 0.2f, 0.5f}));
    }
    EXPECT_LT(kolmogorov_smirnov(lengths_mm, [](double x) { return 1 - std::exp(-4 * x); }), 1.95);
}

TEST(Advance, BrickLocalFlightsAreExponentialThroughBricksOfOtherMajorants)
{
    // Along x: density 0.05, 0.4, 0, 0.2 in bricks of 8 voxels of 1 mm; a real collision is one with density / majorant
    // = 1.
    float const density[] = {0.05f, 0.4f, 0.0f, 0.2f};
    BrickMedium const bricks({32, 8, 8}, [&](std::size_t brick) { return density[brick]; });
    auto const depth = [&](double x) {
        double sum = 0;
        for (std::size_t i = 0; i < 4; ++i)
            sum += static_cast<double>(density[i]) * std::clamp(x - 8.0 * static_cast<double>(i), 0.0, 8.0);
        return sum;
    };
    auto const collide = [&]<class M>(M, std::uint32_t sample) {
        PathState<1> path = make_flying_path({0, 4, 4}, {1, 0, 0}, sample);
        for (;;) {
            Flight const flight = advance<M>(bricks.medium, path);
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
    bricks.medium.band[0].majorant = 1;
    bricks.medium.band[0].mean_free_path_voxels = bricks.medium.inv_pitch;
    int real = 0, tentative = 0;
    for (std::uint32_t i = 0; i < 100000; ++i) {
        PathState<1> path = make_flying_path({400, 4, 4}, {1, 0, 0}, i);
        Flight const flight = advance<GlobalWalk>(bricks.medium, path);
        tentative += static_cast<int>(flight.tentative);
        if (flight.event == FlightEvent::collision) ++real;
    }
    EXPECT_EQ(tentative, 100000);
    EXPECT_NEAR(real / 1e5, 0.3, 4 * std::sqrt(0.3 * 0.7 / 1e5));
}

template <class M>
std::uint32_t count_draws(MediumView const& medium)
{
    PathState<1> path = make_flying_path({4, 4, 4}, {1, 0, 0});
    std::uint32_t const before = path.rng.counter;
    advance<M>(medium, path);
    return path.rng.counter - before;
}

TEST(Advance, DrawsAsManyNumbersAsItSays)
{
    BrickMedium bricks({32, 8, 8}, [](std::size_t) { return 0.3f; });
    std::vector<float> const sigma_t(kMaxMaterials, 0.1f);
    bricks.medium.material_sigma_t = sigma_t.data();
    bricks.medium.label = bricks.medium.density;
    EXPECT_EQ((count_draws<Medium<1, Extinction::bare, MajorantGrid::global>>(bricks.medium)), 1u);
    EXPECT_EQ((count_draws<Medium<1, Extinction::constant, MajorantGrid::global>>(bricks.medium)), 2u);
    EXPECT_EQ((count_draws<GlobalWalk>(bricks.medium)), 3u);
    EXPECT_EQ((count_draws<LocalWalk>(bricks.medium)), 3u);
    EXPECT_EQ((count_draws<Medium<1, Extinction::label, MajorantGrid::local>>(bricks.medium)), 3u);
}

} // namespace
} // namespace volpt::test
