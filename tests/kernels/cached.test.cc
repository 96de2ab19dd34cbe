// Volumes of which only a part lies on the GPU give the CPU's film bit for bit; skipped, visibly, where no GPU is.
#include "kernels/gpu_backend.h"
#include "kernels/host/device_memory.h"
#include "tests/support/large_volumes.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr SampleRange kSamples{0, 2};

class CachedOnGpu : public testing::Test {
protected:
    void SetUp() override
    {
        std::string why;
        if (list_gpus(&why).empty()) GTEST_SKIP() << why;
        RendererOptions const options{.kernel = "regen_pool", .cache = {.bytes = 0}};
        PackedVolume const& volume = list_volumes().front().volume;
        RenderScene const scene(make_scene(volume), volume, nullptr, 1);
        if (gpu_backend()->plan_memory(scene.view(), 1, options).volume_memory != VolumeMemory::cached)
            GTEST_SKIP() << "the driver maps no host memory";
    }

    static std::string hash_cpu(PackedVolume const& volume)
    {
        return to_hex(hash_film(render_scene(make_scene(volume), volume, kSamples, {.threads = 8})));
    }

    static std::string hash_gpus(PackedVolume const& volume, std::vector<RendererOptions> gpus)
    {
        return to_hex(hash_film(render_scene(make_scene(volume), volume, kSamples,
                                             {.threads = 8, .gpu_backend = gpu_backend(), .gpus = std::move(gpus)})));
    }
};

TEST_F(CachedOnGpu, EveryEncodingGivesTheBitsOfTheCpu)
{
    for (LargeVolume const& large : list_volumes()) {
        std::string const expected = hash_cpu(large.volume);
        for (double const share : {0.0, 0.1, 0.5, 0.9}) {
            RendererOptions const options{.kernel = "regen_pool", .cache = {.share = share}};
            EXPECT_EQ(hash_gpus(large.volume, {options}), expected) << large.name << ", " << share;
        }
        EXPECT_EQ(hash_gpus(large.volume, {{.kernel = "regen_pool", .volume_memory = VolumeMemory::cached}}), expected)
            << large.name;
    }
}

TEST_F(CachedOnGpu, EveryKernelGivesTheBitsOfTheCpu)
{
    for (std::size_t const i : {2u, 5u}) { // f16; all three planes
        PackedVolume const& volume = list_volumes()[i].volume;
        std::string const expected = hash_cpu(volume);
        for (KernelInfo const& kernel : list_gpu_kernels()) {
            if (!takes_voxels(kernel.name)) continue;
            EXPECT_EQ(hash_gpus(volume, {{.kernel = std::string(kernel.name), .cache = {.share = 0.3}}}), expected)
                << kernel.name;
        }
    }
}

/// Different parts of the same chunks. Where there is one device, it stands for two.
TEST_F(CachedOnGpu, TwoThatShareTheHostsPartGiveTheBitsOfTheCpu)
{
    PackedVolume const& volume = list_volumes()[4].volume;
    int const last = static_cast<int>(list_gpus().size()) - 1;
    RendererOptions const some{.kernel = "regen_pool", .device = 0, .cache = {.share = 0.5}};
    RendererOptions const few{.kernel = "regen_vote", .device = last, .cache = {.share = 0.2}};
    EXPECT_EQ(hash_gpus(volume, {some, few}), hash_cpu(volume));
}

/// The rest of the device is taken by something else.
TEST_F(CachedOnGpu, AVolumeLargerThanTheFreeMemoryGivesTheBitsOfTheCpu)
{
    PackedVolume const& volume = list_volumes()[4].volume;
    RenderScene const scene(make_scene(volume), volume, nullptr, 7);
    RendererOptions const options{.kernel = "regen_pool"};
    MemoryPlan const roomy = gpu_backend()->plan_memory(scene.view(), 32 * 24, options);
    ASSERT_EQ(roomy.volume_memory, VolumeMemory::device);
    constexpr std::size_t kReserve_bytes = std::size_t{256} << 20;
    std::size_t const left_bytes = kReserve_bytes + roomy.volume_bytes - roomy.voxel_bytes / 2;
    DeviceArray<std::byte> const taken(roomy.free_bytes - left_bytes);
    Film film = make_film(scene, 7);
    RenderReport const report =
        render_film(scene, film, kSamples, {.threads = 8, .gpu_backend = gpu_backend(), .gpus = {options}});
    MemoryPlan const& memory = report.only_gpu()->memory;
    EXPECT_EQ(memory.volume_memory, VolumeMemory::cached);
    EXPECT_GT(memory.voxel_bytes, roomy.voxel_bytes / 4);
    EXPECT_GT(memory.host_bytes, roomy.voxel_bytes / 4);
    EXPECT_EQ(to_hex(hash_film(film)), hash_cpu(volume));
}

TEST_F(CachedOnGpu, TheReportSaysWhatLiesWhere)
{
    PackedVolume const& volume = list_volumes()[1].volume;
    RenderScene const scene(make_scene(volume), volume, nullptr, 7);
    Film film = make_film(scene, 7);
    RenderReport const report =
        render_film(scene, film, kSamples,
                    {.gpu_backend = gpu_backend(), .gpus = {{.kernel = "regen_pool", .cache = {.share = 0.5}}}});
    MemoryPlan const& memory = report.only_gpu()->memory;
    EXPECT_EQ(memory.volume_memory, VolumeMemory::cached);
    EXPECT_GT(memory.voxel_bytes, 0u);
    EXPECT_GT(memory.host_bytes, 0u);
    ASSERT_TRUE(memory.hit_rate.has_value());
    double const share =
        static_cast<double>(memory.voxel_bytes) / static_cast<double>(memory.voxel_bytes + memory.host_bytes);
    EXPECT_GT(*memory.hit_rate, share);
    EXPECT_LT(*memory.hit_rate, 1.0);
}

} // namespace
} // namespace volpt::test
