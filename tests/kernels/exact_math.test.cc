// Square roots, reciprocals and quotients on a GPU are the correctly rounded ones; skipped, visibly, where no GPU is.
#include "kernels/gpu_backend.h"
#include "tests/kernels/count_wrong.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

class ExactMathOnGpu : public testing::Test {
protected:
    void SetUp() override
    {
        std::string why;
        if (list_gpus(&why).empty()) GTEST_SKIP() << why;
    }
};

TEST_F(ExactMathOnGpu, EverySquareRootIsCorrectlyRounded)
{
    EXPECT_EQ(count_wrong_on_gpu(Rounded::sqrt), 0u);
}

TEST_F(ExactMathOnGpu, EveryReciprocalIsCorrectlyRounded)
{
    EXPECT_EQ(count_wrong_on_gpu(Rounded::reciprocal), 0u);
}

TEST_F(ExactMathOnGpu, QuotientsAreCorrectlyRounded)
{
    EXPECT_EQ(count_wrong_on_gpu(Rounded::divide), 0u);
}

} // namespace
} // namespace volpt::test
