// Morton order of the voxels in a brick.
#include "libvolpt/core/morton.hd.h"

#include <gtest/gtest.h>

#include <set>

namespace volpt::test {
namespace {

TEST(Morton, InterleavesBitsWithXLowest)
{
    EXPECT_EQ(morton_in_brick(1, 0, 0), 1u);
    EXPECT_EQ(morton_in_brick(0, 1, 0), 2u);
    EXPECT_EQ(morton_in_brick(0, 0, 1), 4u);
    EXPECT_EQ(morton_in_brick(7, 0, 0), 0b001001001u);
    EXPECT_EQ(morton_in_brick(5, 3, 6), 0b101110011u);
}

TEST(Morton, VisitsEachVoxelOnceAndSeesTheLowBitsAlone)
{
    std::set<std::uint32_t> seen;
    for (std::uint32_t z = 0; z < 8; ++z)
        for (std::uint32_t y = 0; y < 8; ++y)
            for (std::uint32_t x = 0; x < 8; ++x) {
                std::uint32_t const morton = morton_in_brick(x, y, z);
                EXPECT_LT(morton, static_cast<std::uint32_t>(kBrickVoxels));
                EXPECT_EQ(morton, morton_in_brick(x + 8, y + 64, z + 8000));
                seen.insert(morton);
            }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(kBrickVoxels));
}

} // namespace
} // namespace volpt::test
