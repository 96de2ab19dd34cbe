// The kernels of kernels.def as data, and choices among them.
#include "kernels/gpu_backend.h"
#include "libvolpt/sys/error.h"

#include <gtest/gtest.h>
#include <set>

namespace volpt::test {
namespace {

void expect_usage_error(RendererOptions const& options, std::string const& part)
{
    try {
        find_kernel(list_gpu_kernels(), "GPU", options);
        FAIL() << options.kernel;
    } catch (Error const& error) {
        EXPECT_EQ(error.status(), ExitStatus::usage);
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
}

TEST(KernelChoice, EveryKernelTakesEachOfItsKnobsAtAllTestValues)
{
    std::set<std::string_view> names;
    for (KernelInfo const& kernel : list_gpu_kernels()) {
        EXPECT_TRUE(names.insert(kernel.name).second) << kernel.name;
        EXPECT_FALSE(kernel.description.empty()) << kernel.name;
        for (KnobInfo const& knob : kernel.knobs) {
            std::vector<int> const values = knob.list_test_values();
            EXPECT_EQ(values.front(), knob.least) << kernel.name << ' ' << knob.name;
            EXPECT_EQ(values.back(), knob.most) << kernel.name << ' ' << knob.name;
            EXPECT_EQ(std::count(values.begin(), values.end(), knob.standard), 1) << kernel.name << ' ' << knob.name;
            EXPECT_FALSE(knob.help.empty()) << kernel.name << ' ' << knob.name;
            for (int const value : values) {
                RendererOptions const options{std::string(kernel.name), {{std::string(knob.name), value}}};
                EXPECT_EQ(&find_kernel(list_gpu_kernels(), "GPU", options), &kernel);
            }
        }
    }
}

TEST(KernelChoice, TheTuningTriesWhatThereIs)
{
    for (Transport const transport :
         {Transport::escape, Transport::emitters, Transport::particles, Transport::tallies}) {
        SceneView scene;
        scene.transport = transport;
        std::vector<RendererOptions> const candidates = list_gpu_candidates(scene);
        ASSERT_FALSE(candidates.empty());
        for (RendererOptions const& candidate : candidates) {
            EXPECT_NO_THROW(find_kernel(list_gpu_kernels(), "GPU", candidate)) << candidate.kernel;
            EXPECT_TRUE(transport == Transport::escape
                            ? takes_voxels(candidate.kernel) && takes_meshes(candidate.kernel) &&
                                  takes_layers(candidate.kernel)
                            : takes_emitters(candidate.kernel))
                << candidate.kernel;
        }
    }
    SceneView paired, chained;
    paired.transport = Transport::bidirectional;
    for (RendererOptions const& candidate : list_gpu_candidates(paired))
        EXPECT_TRUE(takes_bidirectional_paths(candidate.kernel)) << candidate.kernel;
    chained.transport = Transport::metropolis;
    for (RendererOptions const& candidate : list_gpu_candidates(chained))
        EXPECT_TRUE(takes_chains(candidate.kernel)) << candidate.kernel;
    SceneView scene;
    EXPECT_EQ(list_gpu_candidates(scene).front().kernel, "regen_pool");
    scene.transport = Transport::emitters;
    EXPECT_EQ(list_gpu_candidates(scene).front().kernel, "stream_mk");
}

TEST(KernelChoice, KernelsThatTheTuningNeverTriesNeedASwitch)
{
#ifdef VOLPT_BUILD_STUDY
    constexpr bool kHasStudy = true;
#else
    constexpr bool kHasStudy = false;
#endif
    EXPECT_EQ(is_built("naive_sk"), kHasStudy);
    EXPECT_EQ(takes_voxels("regen_thread"), kHasStudy);
    EXPECT_EQ(takes_emitters("regen_thread"), kHasStudy);
    EXPECT_TRUE(is_built("regen_thread")); // of chains
    EXPECT_FALSE(is_built("nosuch"));
}

TEST(KernelChoice, WhatAKernelDoesNotHaveIsAUsageError)
{
    expect_usage_error({"nosuch"}, "use one of auto, naive_sk");
    expect_usage_error({"regen_pool", {{"paths_per_lane", 1}}}, "has no choice of --paths-per-lane");
    expect_usage_error({"regen_pool", {{"refill", 0}}}, "has no choice of --refill");
    expect_usage_error({"regen_vote", {{"exit_votes", 4}}}, "has no choice of --exit-votes");
    expect_usage_error({"regen_vote", {{"min_blocks", 3}}}, "--min-blocks 3 is not compiled into kernel regen_vote");
    expect_usage_error({"regen_vote", {{"face_votes", 33}}}, "from 1 to 32");
}

TEST(KernelChoice, ItIsDescribedByItsOptions)
{
    auto const describe = [](RendererOptions const& options) { return describe_choice(list_gpu_kernels(), options); };
    EXPECT_EQ(describe({"regen_pool"}), "regen_pool");
    EXPECT_EQ(describe({"regen_pool", {{"exit_votes", 6}, {"min_blocks", 8}}}),
              "regen_pool --min-blocks 8 --exit-votes 6");
    EXPECT_EQ(describe({"stream_mk", {{"refill", 0}}}), "stream_mk --refill off");
}

} // namespace
} // namespace volpt::test
