// What every metric of metrics.def keeps: its best value for equal images, a worse one for a shift, no silent mismatch.
#include "libvolpt/stats/metrics/metric.h"

#include "libvolpt/sys/error.h"
#include "tests/support/expect_error.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace volpt::test {
namespace {

Image make_ramp(int width, int height, float offset)
{
    Image image = make_image(width, height, Transfer::linear, {"R", "G", "B"});
    for (Channel& channel : image.channels)
        for (std::size_t i = 0; i < channel.values.size(); ++i)
            channel.values[i] = static_cast<float>(i) / static_cast<float>(2 * channel.values.size()) + offset;
    return image;
}

constexpr int kImageWidth = 180, kImageHeight = 177; // msssim begins at 176 x 176

double badness(Metric const& metric, double value)
{
    switch (metric.better) {
    case Better::lower:
        return value;
    case Better::higher:
        return -value;
    case Better::closer_to_zero:
        break;
    }
    return std::abs(value);
}

class MetricContract : public testing::TestWithParam<Metric const*> {
protected:
    std::vector<MetricValue> values_of(Image const& test, Image const& reference) const
    {
        return GetParam()->evaluate(test, reference, {.threads = 2}).values;
    }
    double value_of(Image const& test, Image const& reference) const
    {
        return values_of(test, reference).front().value;
    }
};

TEST_P(MetricContract, LargerShiftIsWorseAndNoShiftIsBest)
{
    Image const reference = make_ramp(kImageWidth, kImageHeight, 0);
    double last = badness(*GetParam(), value_of(reference, reference));
    if (GetParam()->better != Better::higher) {
        EXPECT_EQ(last, 0.0);
    }
    for (float const shift : {0.05f, 0.125f, 0.25f}) {
        double const now = badness(*GetParam(), value_of(make_ramp(kImageWidth, kImageHeight, shift), reference));
        EXPECT_GT(now, last) << "shift " << shift;
        last = now;
    }
}

TEST_P(MetricContract, ValuesAreByChannelOrOverPixels)
{
    Image const image = make_ramp(kImageWidth, kImageHeight, 0);
    std::string const name(GetParam()->name);
    std::vector<std::string> names;
    for (MetricValue const& value : values_of(image, image)) names.push_back(value.name);
    if (names.front() == name) {
        EXPECT_EQ(names, (std::vector<std::string>{name, name + ".R", name + ".G", name + ".B"}));
    } else {
        ASSERT_GE(names.size(), 4u);
        names.resize(4);
        EXPECT_EQ(names, (std::vector<std::string>{name + ".mean", name + ".median", name + ".p95", name + ".max"}));
    }
}

TEST_P(MetricContract, ValuesAndMapDoNotDependOnTheNumberOfThreads)
{
    Image const reference = make_ramp(kImageWidth, kImageHeight, 0),
                test = make_ramp(kImageWidth, kImageHeight, 0.125f);
    auto const evaluate = [&](int threads) {
        return GetParam()->evaluate(test, reference, {.threads = threads, .keep_map = KeepMap::yes});
    };
    MetricResult const one = evaluate(1), three = evaluate(3);
    for (std::size_t i = 0; i < one.values.size(); ++i) EXPECT_EQ(one.values[i].value, three.values[i].value);
    EXPECT_TRUE(one.map.empty() || one.map.size() == test.pixel_count());
    ASSERT_EQ(one.map.size(), three.map.size());
    for (std::size_t i = 0; i < one.map.size(); ++i)
        ASSERT_EQ(std::bit_cast<std::uint32_t>(one.map[i]), std::bit_cast<std::uint32_t>(three.map[i]));
}

TEST_P(MetricContract, SizeOrChannelMismatchIsAnError)
{
    EXPECT_THROW(value_of(make_ramp(4, 4, 0), make_ramp(4, 5, 0)), Error);
    Image other = make_ramp(4, 4, 0);
    other.channels.pop_back();
    EXPECT_THROW(value_of(make_ramp(4, 4, 0), other), Error);
}

TEST_P(MetricContract, NonFiniteValuesAreLeftOut)
{
    Image const reference = make_ramp(kImageWidth, kImageHeight, 0);
    Image test = make_ramp(kImageWidth, kImageHeight, 0.25f);
    double const clean = value_of(test, reference);
    test.channels[1].values[3] = std::numeric_limits<float>::infinity();
    test.channels[2].values[7] = std::nanf("");
    double const left = value_of(test, reference);
    // The ramp is not the same everywhere, so that leaving pixels out moves averages of colours and windows a little.
    EXPECT_NEAR(left, clean, 0.02 * std::abs(clean));
    for (Channel& channel : test.channels) channel.values.assign(channel.values.size(), std::nanf(""));
    EXPECT_TRUE(std::isnan(value_of(test, reference)));
}

Image add_alpha(Image image, AlphaForm form, float alpha)
{
    image.add_channel("A").values.assign(image.pixel_count(), alpha);
    set_alpha_form(image, form);
    return image;
}

TEST_P(MetricContract, ObjectThatVanishedIsSeen)
{
    for (float const offset : {0.0f, 0.5f}) // dark, seen over white; light, seen over black
        for (AlphaForm const form : {AlphaForm::straight, AlphaForm::premultiplied}) {
            Image const picture = make_ramp(kImageWidth, kImageHeight, offset);
            Image const opaque = add_alpha(picture, form, 1), clear = add_alpha(picture, form, 0);
            double const none = badness(*GetParam(), value_of(opaque, opaque));
            EXPECT_GT(badness(*GetParam(), value_of(opaque, clear)), none);
            EXPECT_GT(badness(*GetParam(), value_of(clear, opaque)), none);
        }
}

TEST_P(MetricContract, ColoursThatNobodySeesCountOnlyWhereValuesAreCompared)
{
    Image const one = add_alpha(make_ramp(kImageWidth, kImageHeight, 0), AlphaForm::straight, 0),
                other = add_alpha(make_ramp(kImageWidth, kImageHeight, 0.5f), AlphaForm::straight, 0);
    double const none = badness(*GetParam(), value_of(one, one)), error = badness(*GetParam(), value_of(one, other));
    if (GetParam()->alpha == AlphaUse::displayed) {
        EXPECT_EQ(error, none);
    } else {
        EXPECT_GT(error, none);
    }
}

TEST_P(MetricContract, OpaqueAlphaChangesNoBitOfWhatIsDisplayed)
{
    if (GetParam()->alpha != AlphaUse::displayed) return; // alpha is one of the channels
    Image const reference = make_ramp(kImageWidth, kImageHeight, 0),
                test = make_ramp(kImageWidth, kImageHeight, 0.125f);
    std::vector<MetricValue> const plain = values_of(test, reference);
    for (AlphaForm const form : {AlphaForm::straight, AlphaForm::premultiplied}) {
        auto const with_alpha = values_of(add_alpha(test, form, 1), add_alpha(reference, form, 1));
        ASSERT_EQ(with_alpha.size(), plain.size());
        for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(with_alpha[i].value, plain[i].value) << plain[i].name;
    }
}

TEST_P(MetricContract, OneBackgroundIsComparedAlone)
{
    if (GetParam()->alpha != AlphaUse::displayed) return; // alpha is one of the channels
    Image const black = make_image(kImageWidth, kImageHeight, Transfer::linear, {"R", "G", "B"});
    Image const opaque = add_alpha(black, AlphaForm::straight, 1), clear = add_alpha(black, AlphaForm::straight, 0);
    for (auto const& [name, is_seen] :
         {std::pair{"black", false}, std::pair{"white", true}, std::pair{"#808080", true}}) {
        MetricSettings settings;
        settings.backgrounds = {parse_background("--background", name)};
        MetricResult const result = GetParam()->evaluate(clear, opaque, settings);
        EXPECT_EQ(result.values.front().value > 0, is_seen) << name;
        ASSERT_EQ(result.backgrounds.size(), 1u);
        EXPECT_EQ(result.backgrounds[0].mean, result.values.front().value);
    }
}

std::vector<Metric const*> all_metrics()
{
    std::vector<Metric const*> all;
    for (Metric const& metric : list_metrics()) all.push_back(&metric);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Stats, MetricContract, testing::ValuesIn(all_metrics()),
                         [](auto const& parameter) { return std::string(parameter.param->name); });

TEST(Metrics, ValuesFollowTheirDefinitions)
{
    Image const reference = make_image(2, 1, Transfer::linear, {"Y"});
    Image test = reference;
    test.channels[0].values = {0.5f, -1.5f};
    auto const value = [&](char const* name) {
        return find_metric(name).evaluate(test, reference, {}).values.front().value;
    };
    EXPECT_DOUBLE_EQ(value("max"), 1.5);
    EXPECT_DOUBLE_EQ(value("mae"), 1.0);
    EXPECT_DOUBLE_EQ(value("mse"), 1.25);
    EXPECT_DOUBLE_EQ(value("rmse"), std::sqrt(1.25));
    EXPECT_DOUBLE_EQ(value("bias"), -0.5);
    EXPECT_DOUBLE_EQ(value("psnr"), -10 * std::log10(1.25));
    EXPECT_DOUBLE_EQ(value("relmse"), (0.25 / 0.01 + 2.25 / 0.01) / 2);
    EXPECT_NEAR(value("smape"), (0.5 / 0.51 + 1.5 / 1.51) / 2, 1e-15);
    EXPECT_NEAR(value("mrse"), 1250, 1e-3);
}

TEST(Metrics, OverallMeanSquareIsTheMeanOfTheChannels)
{
    Image const reference = make_image(5, 3, Transfer::linear, {"R", "G", "B"});
    Image test = reference;
    for (float& value : test.channels[0].values) value += 0.5f;
    std::vector<MetricValue> const values = find_metric("mse").evaluate(test, reference, {}).values;
    EXPECT_DOUBLE_EQ(values[1].value, 0.25);
    EXPECT_DOUBLE_EQ(values[2].value, 0);
    EXPECT_DOUBLE_EQ(values[0].value, 0.25 / 3);
}

TEST(Metrics, UnknownNameListsTheKnown)
{
    expect_error(ExitStatus::usage, {"max mae mse rmse bias"}, [&] { find_metric("ssim2"); });
}

} // namespace
} // namespace volpt::test
