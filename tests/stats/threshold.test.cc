// Threshold expressions: precedence, orders, names, failures, errors.
#include "libvolpt/stats/verdict/threshold.h"

#include "libvolpt/sys/error.h"
#include "tests/support/expect_error.h"

#include <cmath>
#include <gtest/gtest.h>

namespace volpt::test {
namespace {

std::vector<MetricValue> const kValues{{"rmse", 0.02}, {"max", 0.1}, {"max.R", 0.05}, {"worst", std::nan("")}};

bool holds(char const* expression)
{
    return parse_threshold(expression).evaluate(kValues).holds;
}

TEST(Threshold, OrdersAreStrictWhereTheySaySo)
{
    EXPECT_FALSE(holds("rmse<0.02"));
    EXPECT_TRUE(holds("rmse<=0.02"));
    EXPECT_TRUE(holds("rmse >= 2e-2"));
    EXPECT_FALSE(holds("rmse > .02"));
    EXPECT_TRUE(holds("max<inf"));
}

TEST(Threshold, AndBindsTighterThanOr)
{
    EXPECT_TRUE(holds("rmse<1 or max<1 and max>1"));
    EXPECT_FALSE(holds("(rmse<1 or max<1) and max>1"));
    EXPECT_TRUE(holds("((rmse<1))and(max.R<0.06)"));
}

TEST(Threshold, NamesWithDotsAreChannels)
{
    EXPECT_TRUE(holds("max.R<=0.05"));
    EXPECT_EQ(parse_threshold("max.R<1 and rmse<1 or max.R>0").names(), (std::vector<std::string>{"max.R", "rmse"}));
}

TEST(Threshold, NotANumberFulfilsNothing)
{
    EXPECT_FALSE(holds("worst<1"));
    EXPECT_FALSE(holds("worst>=1"));
}

TEST(Threshold, EveryFailureIsListedWithItsValue)
{
    Threshold::Outcome const outcome = parse_threshold("rmse<0.01 and max<0.05 and max.R<1").evaluate(kValues);
    EXPECT_FALSE(outcome.holds);
    EXPECT_EQ(outcome.failures, (std::vector<std::string>{"rmse = 0.02 is not < 0.01", "max = 0.1 is not < 0.05"}));
}

TEST(Threshold, UnknownNameIsAnErrorEvenWhereItWouldNotMatter)
{
    expect_error(ExitStatus::usage, {"'ssim'; known are rmse max max.R"}, [&] { holds("rmse<1 or ssim>0.9"); });
}

TEST(Threshold, UnreadableExpressionsAreRefusedAtTheirLetter)
{
    for (auto const& [expression, place] :
         std::vector<std::pair<std::string, std::string>>{{"", "letter 1"},
                                                          {"rmse", "letter 5"},
                                                          {"rmse<", "letter 6"},
                                                          {"rmse<0.02 rmse", "letter 11"},
                                                          {"rmse=0.02", "letter 5"},
                                                          {"rmse<0.02 and", "letter 14"},
                                                          {"(rmse<0.02", "letter 11"},
                                                          {"0.02>rmse", "letter 5"},
                                                          {"rmse<0.02and max<1", "letter 10"},
                                                          {"rmse<nan", "letter 6"},
                                                          {"rmse<0,02", "letter 7"},
                                                          {"and<1", "letter 4"},
                                                          {std::string(200, '('), "letter 102"}}) {
        SCOPED_TRACE(expression);
        expect_error(ExitStatus::usage, {place + ";"}, [&, &text = expression] { parse_threshold(text); });
    }
}

} // namespace
} // namespace volpt::test
