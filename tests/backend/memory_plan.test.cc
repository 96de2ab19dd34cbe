#include "libvolpt/backend/memory_plan.h"

#include "libvolpt/sys/error.h"
#include "tests/support/make_scene.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

/// With memory for two tiles, as the GPUs' renderer plans it.
MemoryPlan plan_cloud(std::size_t free_bytes, std::uint32_t pixels, RendererOptions const& options,
                      PageSupport pages = PageSupport::yes, std::size_t workspace_bytes = 0)
{
    static PackedVolume const volume = make_cloud(); // 26x21x18 voxels of 4 bytes in 36 bricks, half of them constant
    RenderScene const scene(make_scene(volume), volume, nullptr, 1);
    SceneSizes const sizes = count_scene_sizes(scene.view());
    return plan_voxels(sizes.voxel_bytes,
                       {.table_bytes = sizes.table_bytes,
                        .film_bytes = count_film_bytes(pixels, scene.view().bands),
                        .workspace_bytes = workspace_bytes,
                        .free_bytes = free_bytes,
                        .pages = pages},
                       options);
}

MemoryPlan plan_cloud(std::size_t free_bytes, std::uint32_t pixels, VolumeMemory wanted,
                      std::size_t workspace_bytes = 0)
{
    return plan_cloud(free_bytes, pixels, {.kernel = {}, .volume_memory = wanted}, PageSupport::yes, workspace_bytes);
}

std::string message_of(MemoryPlan const& plan)
{
    try {
        check_memory(plan);
    } catch (Error const& error) {
        EXPECT_EQ(error.status(), ExitStatus::system);
        return error.what();
    }
    return {};
}

TEST(MemoryPlan, FilmCountsSumsAndBothHalvesOfSquaresOfTwoTiles)
{
    MemoryPlan const plan = plan_cloud(1024 * kMiB, 1000, VolumeMemory::automatic);
    EXPECT_EQ(plan.film_bytes, 2u * 1000 * 3 * 8);
    EXPECT_EQ(plan.volume_memory, VolumeMemory::device);
    EXPECT_NO_THROW(check_memory(plan));
}

TEST(MemoryPlan, VoxelsStayOnTheHostOnlyIfTheyDoNotFitOrOnRequest)
{
    MemoryPlan const device = plan_cloud(1024 * kMiB, 1000, VolumeMemory::automatic);
    MemoryPlan const asked = plan_cloud(1024 * kMiB, 1000, VolumeMemory::zerocopy);
    EXPECT_EQ(device.hit_rate, 1.0);
    EXPECT_EQ(device.host_bytes, 0u);
    EXPECT_EQ(asked.volume_bytes, device.volume_bytes - device.voxel_bytes);
    EXPECT_EQ(asked.host_bytes, device.voxel_bytes);
    EXPECT_EQ(asked.hit_rate, 0.0);
    std::size_t const tight_bytes = 256 * kMiB + device.film_bytes + asked.volume_bytes;
    MemoryPlan const tight = plan_cloud(tight_bytes + 1000, 1000, VolumeMemory::automatic);
    EXPECT_EQ(tight.volume_memory, VolumeMemory::cached);
    EXPECT_EQ(tight.voxel_bytes, 1000u);
    EXPECT_EQ(tight.host_bytes, device.voxel_bytes - 1000);
    EXPECT_FALSE(tight.hit_rate.has_value());
    EXPECT_NO_THROW(check_memory(tight));
    MemoryPlan const no_pages = plan_cloud(tight_bytes, 1000, RendererOptions{}, PageSupport::no);
    EXPECT_EQ(no_pages.volume_memory, VolumeMemory::zerocopy);
    EXPECT_NO_THROW(check_memory(no_pages));
}

TEST(MemoryPlan, ACacheTakesWhatItsLimitAllows)
{
    std::size_t const voxels = plan_cloud(1024 * kMiB, 1000, VolumeMemory::device).voxel_bytes;
    auto const plan_limited = [](VolumeMemory wanted, CacheLimit limit) {
        return plan_cloud(1024 * kMiB, 1000, RendererOptions{.kernel = {}, .volume_memory = wanted, .cache = limit});
    };
    EXPECT_EQ(plan_limited(VolumeMemory::automatic, {.share = 0.25}).voxel_bytes, voxels / 4);
    EXPECT_EQ(plan_limited(VolumeMemory::automatic, {.bytes = 0}).volume_memory, VolumeMemory::cached);
    EXPECT_EQ(plan_limited(VolumeMemory::automatic, {.bytes = 1000, .share = 0.5}).voxel_bytes, 1000u);
    EXPECT_EQ(plan_limited(VolumeMemory::automatic, {.bytes = voxels}).volume_memory, VolumeMemory::device);
    EXPECT_EQ(plan_limited(VolumeMemory::cached, {}).volume_memory, VolumeMemory::cached);
    EXPECT_GE(plan_limited(VolumeMemory::cached, {}).voxel_bytes, voxels);
    EXPECT_THROW(plan_cloud(1024 * kMiB, 1000, RendererOptions{.kernel = {}, .volume_memory = VolumeMemory::cached},
                            PageSupport::no),
                 Error);
}

TEST(MemoryPlan, WhatDoesNotFitIsToldWithItsFiguresAndTheOptionThatHelps)
{
    std::string const picture = message_of(plan_cloud(1024 * kMiB, 1u << 30, VolumeMemory::device));
    EXPECT_NE(picture.find("film 48.00"), std::string::npos) << picture;
    EXPECT_NE(picture.find("1.00 are free"), std::string::npos) << picture;
    EXPECT_NE(picture.find("--tile-size"), std::string::npos) << picture;
    std::string const volume = message_of(plan_cloud(1 * kMiB, 1, VolumeMemory::device));
    EXPECT_NE(volume.find("--volume-memory auto"), std::string::npos) << volume;
    std::string const tables = message_of(plan_cloud(1 * kMiB, 1, VolumeMemory::automatic));
    EXPECT_NE(tables.find("--device cpu"), std::string::npos) << tables;
    std::string const paths = message_of(plan_cloud(1024 * kMiB, 1, VolumeMemory::device, 1400 * kMiB));
    EXPECT_NE(paths.find("paths 1.37"), std::string::npos) << paths;
    EXPECT_NE(paths.find("--paths-per-lane"), std::string::npos) << paths;
}

} // namespace
} // namespace volpt::test
