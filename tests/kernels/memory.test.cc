// Device memory is added up before any of it is taken; needs no GPU.
#include "kernels/gpu_memory.h"
#include "libvolpt/sys/error.h"
#include "tests/support/make_scene.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

KernelFunctions make_kernel(std::size_t (*count_bytes)(SceneView const&, GpuShape const&))
{
    KernelFunctions kernel{};
    kernel.count_workspace_bytes = count_bytes;
    return kernel;
}

KernelFunctions const kSmall = make_kernel([](SceneView const&, GpuShape const&) { return std::size_t{0}; });

GpuMemoryPlan plan_cloud(std::size_t free_bytes, std::uint32_t pixels, VolumeMemory wanted, KernelFunctions const& kernel = kSmall)
{
    static PackedVolume const volume = make_cloud(); // 26x21x18 voxels of 4 bytes in 36 bricks, half of them constant
    RenderScene const scene(make_scene(volume), volume, nullptr, 1);
    return plan_memory(scene.view(), pixels, {"regen_pool", {}, wanted}, kernel, free_bytes);
}

TEST(GpuMemory, FilmCountsSumsAndSquaresOfTwoTiles)
{
    GpuMemoryPlan const plan = plan_cloud(1024 * kMiB, 1000, VolumeMemory::automatic);
    EXPECT_EQ(plan.film_bytes, 2u * 1000 * 2 * 8);
    EXPECT_EQ(plan.volume_memory, VolumeMemory::device);
    EXPECT_NO_THROW(check_memory(plan));
}

TEST(GpuMemory, VoxelsStayOnTheHostOnlyIfTheyDoNotFitOrOnRequest)
{
    GpuMemoryPlan const device = plan_cloud(1024 * kMiB, 1000, VolumeMemory::automatic);
    GpuMemoryPlan const asked = plan_cloud(1024 * kMiB, 1000, VolumeMemory::zerocopy);
    GpuMemoryPlan const tight = plan_cloud(256 * kMiB + device.film_bytes + asked.volume_bytes, 1000, VolumeMemory::automatic);
    EXPECT_EQ(tight.volume_memory, VolumeMemory::zerocopy);
    EXPECT_EQ(tight.volume_bytes, asked.volume_bytes);
    EXPECT_LT(asked.volume_bytes, device.volume_bytes);
    EXPECT_NO_THROW(check_memory(tight));
}

TEST(GpuMemory, WhatDoesNotFitIsToldWithItsFiguresAndTheOptionThatHelps)
{
    auto const message_of = [](GpuMemoryPlan const& plan) {
        try {
            check_memory(plan);
        } catch (Error const& error) {
            EXPECT_EQ(error.status(), ExitStatus::system);
            return std::string(error.what());
        }
        return std::string();
    };
    std::string const picture = message_of(plan_cloud(1024 * kMiB, 1u << 30, VolumeMemory::device));
    EXPECT_NE(picture.find("film 32.00"), std::string::npos) << picture;
    EXPECT_NE(picture.find("1.00 are free"), std::string::npos) << picture;
    EXPECT_NE(picture.find("--tile-size"), std::string::npos) << picture;
    std::string const volume = message_of(plan_cloud(1 * kMiB, 1, VolumeMemory::device));
    EXPECT_NE(volume.find("--volume-memory zerocopy"), std::string::npos) << volume;
    KernelFunctions const large = make_kernel([](SceneView const&, GpuShape const&) { return 700 * kMiB; });
    std::string const paths = message_of(plan_cloud(1024 * kMiB, 1, VolumeMemory::device, large));
    EXPECT_NE(paths.find("paths 1.37"), std::string::npos) << paths;
    EXPECT_NE(paths.find("--paths-per-lane"), std::string::npos) << paths;
}

} // namespace
} // namespace volpt::test
