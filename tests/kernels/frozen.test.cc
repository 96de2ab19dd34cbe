// Every kernel renders films with the hashes that the CPU's are held to; skipped, visibly, where no GPU is.
#include "kernels/gpu_backend.h"
#include "tests/support/frozen_scenes.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

class FrozenOnGpu : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override
    {
        std::string why;
        if (list_gpus(&why).empty()) GTEST_SKIP() << why;
    }

    /// Whether the kernel is compiled for the scene; the automatic tuning's choice always is.
    static bool takes(FrozenScene const& frozen)
    {
        std::string const& kernel = GetParam();
        if (kernel.empty() || takes_layers(kernel)) return true;
        bool const is_object = !frozen.volume.surface().is_empty() || has_objects_around(frozen.scene, frozen.volume);
        return !is_object || (takes_meshes(kernel) && frozen.scene.long_steps == LongSteps::plain);
    }

    void expect_frozen(RenderOptions const& options)
    {
        auto const hashes = read_frozen_hashes();
        for (auto const& [name, frozen] : make_frozen_scenes()) {
            if (!takes(frozen)) continue; // tests/kernels/agree.test.cc: refused
            Film const film = render_scene(frozen.scene, frozen.volume, kFrozenSamples, options, kFrozenSeed);
            ASSERT_TRUE(hashes.contains(name)) << name;
            EXPECT_EQ(to_hex(hash_film(film)), hashes.at(name)) << name << ", tile size " << options.tile_size;
        }
    }
};

/// The empty name is the automatic tuning's choice.
TEST_P(FrozenOnGpu, GivesTheHashesOfTheCpu)
{
    for (std::uint32_t const tile_size : {0u, 17u}) {
        RenderOptions options;
        options.gpu_backend = gpu_backend();
        options.gpus = {{.kernel = GetParam()}};
        options.tile_size = tile_size;
        expect_frozen(options);
    }
}

TEST_P(FrozenOnGpu, GivesThemFromVoxelsInHostMemory)
{
    RenderOptions options;
    options.gpu_backend = gpu_backend();
    options.gpus = {{.kernel = GetParam(), .volume_memory = VolumeMemory::zerocopy}};
    expect_frozen(options);
}

std::vector<std::string> list_choices()
{
    std::vector<std::string> names{""};
    for (KernelInfo const& kernel : list_gpu_kernels())
        if (takes_voxels(kernel.name)) names.emplace_back(kernel.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Gpu, FrozenOnGpu, testing::ValuesIn(list_choices()),
                         [](auto const& test) { return test.param.empty() ? "automatic" : test.param; });

} // namespace
} // namespace volpt::test
