// Particles that begin in the medium begin where paths look the same voxels up.
#include "libvolpt/core/light/start_in_medium.hd.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <vector>

namespace volpt::test {
namespace {

/// Points along x, by place: how many of them look `voxel` up, of points that are even over the box; and how many of
/// the starts for it lie there.
TEST(StartInMedium, PointsAreThoseThatLookTheVoxelUp)
{
    for (float const jitter : {0.0f, 0x1p-11f})
        for (int const size : {1, 2, 5}) {
            MediumView medium;
            set_size(medium, {static_cast<float>(size), 1, 1});
            medium.brick_counts[0] = medium.brick_counts[1] = medium.brick_counts[2] = 1;
            medium.jitter = jitter;
            int const bins = 8 * size, samples = 400000;
            Rng rng = seed_rng(1, 2, 3, 4);
            for (int voxel = 0; voxel < size; ++voxel) {
                std::vector<double> looks(static_cast<std::size_t>(bins)), starts(looks.size());
                auto const find_bin = [&](float x) {
                    return static_cast<std::size_t>(std::min(x * 8, static_cast<float>(bins - 1)));
                };
                VoxelRef const wanted = make_voxel_ref(medium, voxel, 0, 0);
                for (int i = 0; i < samples; ++i) {
                    float const x = to_unit(rng.draw()) * static_cast<float>(size);
                    if (pick_voxel(medium, {x, 0.5f, 0.5f}, rng.draw()).morton == wanted.morton)
                        looks[find_bin(x)] += static_cast<double>(size) / samples;
                    float const start =
                        sample_lookup(static_cast<float>(voxel), medium.size_voxels.x, jitter, rng.draw());
                    ASSERT_TRUE(start >= 0 && start <= medium.size_voxels.x) << start;
                    starts[find_bin(start)] += 1.0 / samples;
                }
                for (std::size_t bin = 0; bin < looks.size(); ++bin)
                    EXPECT_NEAR(starts[bin], looks[bin], 5 * std::sqrt(0.125 * size / samples) + 2e-4)
                        << "voxel " << voxel << " of " << size << ", bin " << bin << ", jitter " << jitter;
            }
        }
}

TEST(StartInMedium, CornersAreThoseOfTheVoxels)
{
    MediumView medium;
    medium.brick_counts[0] = 3;
    medium.brick_counts[1] = 2;
    medium.brick_counts[2] = 2;
    for (std::int32_t const x : {0, 7, 8, 21})
        for (std::int32_t const y : {0, 5, 15})
            for (std::int32_t const z : {1, 6, 14}) {
                Vec3 const corner = find_voxel_corner(medium, make_voxel_ref(medium, x, y, z));
                EXPECT_EQ(corner.x, static_cast<float>(x));
                EXPECT_EQ(corner.y, static_cast<float>(y));
                EXPECT_EQ(corner.z, static_cast<float>(z));
            }
}

TEST(StartInMedium, EntriesAreChosenByTheirSharesAndNoneWithout)
{
    std::uint32_t const shares[5] = {0u, 0x40000000u, 0x40000000u, 0xfffffffeu, 0xffffffffu};
    Rng rng = seed_rng(5, 6, 7, 8);
    std::map<std::uint32_t, double> counts;
    int const samples = 100000;
    for (int i = 0; i < samples; ++i) {
        float probability = 0;
        std::uint32_t const entry = choose_share(shares, 5, rng.draw(), probability);
        counts[entry] += 1.0 / samples;
        EXPECT_FLOAT_EQ(probability, entry == 1 ? 0.25f : entry == 3 ? 0.75f : 0x1p-32f) << entry;
    }
    EXPECT_NEAR(counts[1], 0.25, 0.006);
    EXPECT_NEAR(counts[3], 0.75, 0.006);
    EXPECT_EQ(counts.count(0) + counts.count(2), 0u);
    for (std::uint32_t const bits : {0u, 0x40000000u, 0xfffffffdu, 0xfffffffeu, 0xffffffffu}) {
        float probability = 0;
        std::uint32_t const entry = choose_share(shares, 5, bits, probability);
        EXPECT_EQ(entry, bits == 0u ? 1u : bits < 0xfffffffeu ? 3u : 4u) << bits;
    }
}

} // namespace
} // namespace volpt::test
