// Volumes of which only a part lies on the GPU give the CPU's film bit for bit; what needs a GPU is skipped, visibly,
// where none is.
#include "kernels/gpu_backend.h"
#include "kernels/host/device_memory.h"
#include "libvolpt/core/lookup.hd.h"
#include "libvolpt/volume/paging/volume_split.h"
#include "tests/support/make_scene.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr SampleRange kSamples{0, 2};

struct LargeVolume {
    std::string name;
    PackedVolume volume;
};

/// Several pages a plane, and something constant on one side.
VolumeMeta make_large_meta(Encoding encoding)
{
    VolumeMeta meta = density_meta({168, 160, 168}, Filter::trilinear, encoding);
    meta.pitch_mm = {0.1f, 0.12f, 0.11f};
    meta.scale = 3.0f;
    meta.constant_one_minus_albedo = {0.05f};
    if (encoding == Encoding::u8) meta.density_value_scale = 1.0f / 255;
    if (encoding == Encoding::u16) meta.density_value_scale = 1.0f / 65535;
    return meta;
}

float density_at(int x, int y, int z)
{
    return x < 8 ? 0.0f : static_cast<float>((x * 7 + y * 3 + z * 5) % 11) / 10;
}
float loss_at(int x, int y, int z, int band)
{
    return y < 8 ? 0.01f : static_cast<float>((x + 2 * y + 3 * z + 5 * band) % 7) / 20;
}
int label_at(int x, int y, int z)
{
    return z < 8 ? 0 : (x / 4 + y / 3 + z) % 2;
}

PackedVolume make_large_density(Encoding encoding)
{
    return make_volume(make_large_meta(encoding), {.density = density_at});
}

/// An albedo of its own, and labels for g, where asked for.
PackedVolume make_large_colours(Encoding albedo, Source anisotropy)
{
    VolumeMeta meta = make_large_meta(Encoding::u16);
    meta.band_numbers = {0, 1, 2};
    meta.constant_extinction = {1, 1, 1};
    meta.constant_one_minus_albedo = {0, 0, 0};
    meta.albedo = Source::plane;
    meta.albedo_encoding = albedo;
    meta.anisotropy = anisotropy;
    VoxelFunctions voxels{.density = density_at, .one_minus_albedo = loss_at};
    if (anisotropy != Source::material) return make_volume(meta, voxels);
    voxels.label = label_at;
    return make_volume(meta, voxels, {{"a", {1, 1, 1}, {0, 0, 0}, 0.3f}, {"b", {1, 1, 1}, {0, 0, 0}, -0.3f}});
}

PackedVolume make_large_inks()
{
    VolumeMeta meta = make_large_meta(Encoding::u8);
    meta.band_numbers = {0, 1, 2};
    meta.scale = 1.0f;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    meta.constant_extinction = {1, 1, 1};
    meta.constant_one_minus_albedo = {0, 0, 0};
    return make_volume(meta, {.label = label_at},
                       {{"C", {9.0f, 4.5f, 7.5f}, {0.95f, 0.3f, 0.02f}, 0.4f},
                        {"Y", {2.25f, 3.75f, 19.0f}, {0.003f, 0.005f, 0.85f}, -0.3f}});
}

std::vector<LargeVolume> const& list_volumes()
{
    static std::vector<LargeVolume> const volumes = [] {
        std::vector<LargeVolume> made;
        made.push_back({"u8", make_large_density(Encoding::u8)});
        made.push_back({"u16", make_large_density(Encoding::u16)});
        made.push_back({"f16", make_large_density(Encoding::f16)});
        made.push_back({"f32", make_large_density(Encoding::f32)});
        made.push_back({"albedo f16", make_large_colours(Encoding::f16, Source::constant)});
        made.push_back({"albedo u8, labels", make_large_colours(Encoding::u8, Source::material)});
        made.push_back({"inks", make_large_inks()});
        return made;
    }();
    return volumes;
}

TEST(CachedVolume, EveryPlaneIsSplitInTheMiddle)
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
        for (KernelInfo const& kernel : list_gpu_kernels())
            EXPECT_EQ(hash_gpus(volume, {{.kernel = std::string(kernel.name), .cache = {.share = 0.3}}}), expected)
                << kernel.name;
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
