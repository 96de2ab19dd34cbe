// The GPU code is loaded from beside the program; what has none says why, and the CPU renders.
#include "kernels/gpu_backend.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

TEST(GpuLibrary, WithoutGpusTheReasonIsTold)
{
    std::string why;
    auto const gpus = list_gpus(&why);
    EXPECT_EQ(gpus.empty(), !why.empty()) << why;
}

TEST(GpuLibrary, OfThisBuildIsFoundAndKnowsTheKernels)
{
    Backend const* const backend = gpu_backend();
    if (backend == nullptr) GTEST_SKIP() << "no GPU code in this build";
    EXPECT_EQ(backend->list_kernels().size(), list_gpu_kernels().size());
    EXPECT_EQ(backend->list_kernels().front().name, list_gpu_kernels().front().name);
}

} // namespace
} // namespace volpt::test
