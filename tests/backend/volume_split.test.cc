// The volumes of the tests of caches are worth testing with.
#include "libvolpt/volume/paging/volume_split.h"

#include "tests/support/large_volumes.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

TEST(VolumeSplit, EveryPlaneIsSplitInTheMiddle)
{
    for (LargeVolume const& large : list_volumes()) {
        RenderScene const scene(make_scene(large.volume), large.volume, nullptr, 1);
        VolumeSplit split = split_volume(order_planes(scene.view().medium, {}), SIZE_MAX);
        EXPECT_EQ(split.host_bytes, 0u);
        split = split_volume(order_planes(scene.view().medium, {}), split.device_bytes / 2);
        EXPECT_GT(split.device_bytes, 0u) << large.name;
        EXPECT_GT(split.host_bytes, 0u) << large.name;
        for (PlaneSplit const& plane : split.planes)
            EXPECT_TRUE(plane.size_bytes == 0 || plane.size_bytes >= 3 * kPage_bytes) << large.name;
    }
}

} // namespace
} // namespace volpt::test
