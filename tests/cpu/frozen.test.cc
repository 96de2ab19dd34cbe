// Every CPU kernel renders films with the hashes that must never change; the fastest one is also held to them scene by
// scene (tests/render/frozen_renders.test.cc).
#include "libvolpt/cpu/cpu_backend.h"
#include "tests/support/frozen_scenes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace volpt::test {
namespace {

class FrozenOnCpu : public testing::TestWithParam<std::string> {};

TEST_P(FrozenOnCpu, GivesTheFrozenHashes)
{
    RenderOptions options;
    options.cpu_backend = GetParam();
    auto const hashes = read_frozen_hashes();
    for (auto const& [name, frozen] : make_frozen_scenes()) {
        Film const film = render_scene(frozen.scene, frozen.volume, kFrozenSamples, options, kFrozenSeed);
        ASSERT_TRUE(hashes.contains(name)) << name;
        EXPECT_EQ(to_hex(hash_film(film)), hashes.at(name)) << name;
    }
}

std::vector<std::string> list_kernel_names()
{
    std::vector<std::string> names;
    for (CpuKernel const& kernel : list_cpu_kernels()) names.emplace_back(kernel.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Cpu, FrozenOnCpu, testing::ValuesIn(list_kernel_names()), [](auto const& test) {
    std::string name = test.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

} // namespace
} // namespace volpt::test
