// Shares of the materials by depth.
#include "libvolpt/medium/coverage.h"

#include "tests/volume/volume_samples.h"

namespace volpt::test {
namespace {

TEST(Coverage, CountsEachLayerFromTheTop)
{
    // Layer z holds z + 1 voxels of M, the rest is W, in bricks of which one is constant.
    PackedVolume const volume = make_volume(
        label_meta({9, 2, 10}), {.label = [](int x, int y, int z) { return 2 * x + y <= z ? 1 : 2; }}, three_inks());
    Coverage const coverage = measure_coverage(volume);
    ASSERT_EQ(coverage.layers.size(), 10u);
    for (std::size_t layer = 0; layer < 10; ++layer) {
        double const expected = static_cast<double>(10 - layer) / 18;
        EXPECT_EQ(coverage.layers[layer][0], 0);
        EXPECT_DOUBLE_EQ(coverage.layers[layer][1], expected) << layer;
        EXPECT_DOUBLE_EQ(coverage.layers[layer][2], 1 - expected) << layer;
    }
    EXPECT_NEAR(coverage.total[1], 55.0 / 180, 1e-12);
    EXPECT_NEAR(coverage.total[1] + coverage.total[2], 1, 1e-12);
}

TEST(Coverage, VolumeWithoutMaterialsIsRefused)
{
    EXPECT_THROW(
        measure_coverage(make_volume(density_meta({2, 2, 2}), {.density = [](int, int, int) { return 1.0f; }})), Error);
}

} // namespace
} // namespace volpt::test
