// Shares and worst colours of what inks cannot mix.
#include "libvolpt/print/gamut_report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

TEST(GamutReport, CountsWhatIsMoreThanOneAway)
{
    GamutReport report;
    EXPECT_EQ(report.out_of_gamut_share(), 0);
    for (int i = 0; i < 6; ++i) report.add({0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, 1);
    for (int i = 0; i < 2; ++i) report.add({1, 0, 0}, {0.8, 0.1, 0.1}, 9);
    EXPECT_EQ(report.out_of_gamut_share(), 0.25);
    EXPECT_EQ(report.list_worst(5).size(), 1u);
}

TEST(GamutReport, WorstColoursAreThoseThatLoseMost)
{
    GamutReport report;
    for (int i = 0; i < 90; ++i) report.add({0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, 0);
    report.add({0, 0, 1}, {0, 0, 0.5}, 20);
    for (int i = 0; i < 9; ++i) report.add({1, 0, 0}, {0.6, 0.1, 0.1}, i % 2 == 0 ? 3 : 5);
    auto const worst = report.list_worst(2);
    ASSERT_EQ(worst.size(), 2u);
    EXPECT_EQ(worst[0]["colour"], "#ff0000") << "35 of Delta E in all, blue 20";
    EXPECT_NEAR(worst[0]["delta_e_2000"].get<double>(), 35.0 / 9, 1e-12);
    EXPECT_NEAR(worst[0]["share"].get<double>(), 0.09, 1e-12);
    EXPECT_EQ(worst[1]["colour"], "#0000ff");
    EXPECT_EQ(worst[1]["printed"], "#0000bc");
    EXPECT_EQ(report.list_worst(1).size(), 1u);
}

TEST(CodeColour, IsClampedToSrgb)
{
    EXPECT_EQ(code_colour({-0.1, 0.2158605, 7}), 0x0080ffffu);
}

} // namespace
} // namespace volpt
