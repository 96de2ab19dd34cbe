// The sentences about Delta E and its noise.
#include "libvolpt/stats/verdict/colour_verdict.h"

#include <cmath>
#include <gtest/gtest.h>

namespace volpt::test {
namespace {

std::vector<MetricValue> make_values(double noise_mean, double noise_share)
{
    return {{"de2000.mean", 5},
            {"de2000.p95", 11},
            {"de2000.noise_mean", noise_mean},
            {"de2000.noise_p95", 2 * noise_mean},
            {"de2000.noise_share", noise_share}};
}

TEST(DescribeColours, TrustsTexelsThenPatchesThenNeither)
{
    EXPECT_TRUE(describe_colours(make_values(0.4, 0.1)).back().starts_with("Trust single texels"));
    EXPECT_TRUE(describe_colours(make_values(1.5, 0.3)).back().starts_with("Trust patches; of single texels only"));
    EXPECT_TRUE(describe_colours(make_values(3.9, 0.8)).back().find("no single texel") != std::string::npos);
    EXPECT_TRUE(describe_colours(make_values(4.9, 0.9)).back().starts_with("Trust the mean of large areas alone"));
}

TEST(DescribeColours, TellsTheMeanWithoutNoiseWhereItIsKnown)
{
    EXPECT_NE(describe_colours(make_values(3, 0.5))[1].find("without it the mean would be about 4.0"),
              std::string::npos);
    EXPECT_EQ(describe_colours(make_values(4.9, 0.9))[1].find("without it"), std::string::npos);
}

TEST(DescribeColours, MoreSamplesFollowFromTheRootLaw)
{
    // 0.3 is twice 0.15: four times the samples.
    EXPECT_NE(describe_colours(make_values(1.5, 0.3)).back().find("4 times the samples would make it 15 %"),
              std::string::npos);
}

TEST(DescribeColours, UnknownNoiseIsToldAsSuch)
{
    EXPECT_NE(describe_colours(make_values(INFINITY, 1)).back().find("not known"), std::string::npos);
    EXPECT_TRUE(describe_colours({{"de2000.mean", 5}, {"de2000.p95", 11}}).empty());
    EXPECT_TRUE(describe_colours({{"rmse", 5}}).empty());
}

} // namespace
} // namespace volpt::test
