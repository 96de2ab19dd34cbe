// White furnaces of solids whose boundaries differ.
#pragma once

#include "tests/statistical/measure.h"

namespace volpt::test {

/// Renders the scene, in which nothing absorbs and light is 1 from everywhere: each pixel of each sample is 1 to the
/// last bit, and no path is lost or cut. Returns what was counted.
inline PathCounts expect_furnace_is_one(RenderScene const& scene)
{
    SceneView const& view = scene.view();
    std::uint32_t const samples = 48 / kHaste + 1;
    TileSums sums(std::size_t{view.width} * view.height * view.bands);
    PathCounts counts;
    list_cpu_kernels().front().render(view, {0, 0, view.width, view.height, 0, samples}, sums.view(), counts, {});
    auto const one = static_cast<std::uint64_t>(static_cast<double>(view.sum_scale));
    for (std::uint64_t const sum : sums.sums) {
        EXPECT_EQ(sum, samples * one);
        if (sum != samples * one) break;
    }
    EXPECT_EQ(counts.lost_paths, 0u);
    EXPECT_EQ(counts.cut_paths, 0u);
    return counts;
}

} // namespace volpt::test
