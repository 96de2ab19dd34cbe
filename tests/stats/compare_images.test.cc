// Matching of images: sizes, channels, layers, transfers, values that are no numbers.
#include "libvolpt/stats/verdict/compare_images.h"

#include "libvolpt/image/tone_map.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace volpt::test {
namespace {

std::vector<Metric const*> const kMetrics{&find_metric("max"), &find_metric("rmse")};

Image make_colours(std::vector<std::string> const& channels = {"R", "G", "B"})
{
    Image image = make_image(8, 6, Transfer::linear, channels);
    for (std::size_t c = 0; c < channels.size(); ++c)
        for (std::size_t i = 0; i < image.pixel_count(); ++i)
            image.channels[c].values[i] = static_cast<float>((i * 7 + c * 13) % 48) / 48.0f;
    return image;
}

TEST(CompareImages, EqualImagesHaveEqualBitsAndNoError)
{
    ImageComparison const comparison = compare_images(make_colours(), make_colours(), kMetrics);
    EXPECT_TRUE(comparison.matched());
    EXPECT_TRUE(comparison.equal_bits);
    EXPECT_TRUE(comparison.notices.empty());
    for (MetricValue const& value : comparison.values) EXPECT_EQ(value.value, 0) << value.name;
}

TEST(CompareImages, OneUlpIsADifferenceAndIsLocated)
{
    Image test = make_colours();
    float& value = test.channels[1].values[3 * 8 + 5];
    value = std::nextafter(value, 2.0f);
    ImageComparison const comparison = compare_images(test, make_colours(), kMetrics);
    EXPECT_FALSE(comparison.equal_bits);
    ASSERT_TRUE(comparison.largest);
    EXPECT_EQ(comparison.largest->x, 5);
    EXPECT_EQ(comparison.largest->y, 3);
    EXPECT_EQ(comparison.largest->channel, "G");
    EXPECT_GT(comparison.largest->absolute, 0);
}

TEST(CompareImages, SignOfZeroIsABit)
{
    Image test = make_image(2, 1, Transfer::linear, {"Y"});
    Image const reference = test;
    test.channels[0].values[0] = -0.0f;
    ImageComparison const comparison = compare_images(test, reference, kMetrics);
    EXPECT_FALSE(comparison.equal_bits);
    EXPECT_EQ(comparison.largest->absolute, 0);
}

TEST(CompareImages, OrderOfChannelsPlaysNoPart)
{
    Image reordered = make_colours();
    std::ranges::reverse(reordered.channels);
    EXPECT_TRUE(compare_images(make_colours(), reordered, kMetrics).equal_bits);
}

TEST(CompareImages, DifferentSizesAreAMismatchNotACrop)
{
    ImageComparison const comparison =
        compare_images(make_colours(), make_image(8, 5, Transfer::linear, {"R", "G", "B"}), kMetrics);
    ASSERT_EQ(comparison.mismatches.size(), 1u);
    EXPECT_TRUE(comparison.mismatches[0].starts_with("sizes differ: 8 x 6 against 8 x 5"));
    EXPECT_NE(comparison.mismatches[0].find("--resample area"), std::string::npos);
    EXPECT_FALSE(comparison.equal_bits);
    EXPECT_TRUE(comparison.values.empty());
}

TEST(CompareImages, DifferentChannelsAreAMismatch)
{
    EXPECT_EQ(compare_images(make_colours(), make_colours({"Y"}), kMetrics).mismatches,
              std::vector<std::string>{"channels differ: R G B against Y"});
    EXPECT_FALSE(compare_images(make_colours({"R", "G", "B", "A"}), make_colours(), kMetrics).matched());
    EXPECT_FALSE(compare_images(make_colours({"sample_count"}), make_colours({"sample_count"}), kMetrics).matched());
}

TEST(CompareImages, LayersCountForEqualityButNotForMetrics)
{
    std::vector<std::string> const names{"R", "G", "B", "standard_error.R", "sample_count"};
    Image test = make_colours(names);
    test.channels[4].values[0] = 4096;
    ImageComparison comparison = compare_images(test, make_colours(names), kMetrics);
    EXPECT_FALSE(comparison.equal_bits);
    EXPECT_EQ(comparison.values.front().value, 0);
    EXPECT_EQ(comparison.notices, std::vector<std::string>{"layers differ: sample_count"});

    comparison = compare_images(make_colours(names), make_colours(), kMetrics);
    EXPECT_TRUE(comparison.matched());
    EXPECT_FALSE(comparison.equal_bits);
    EXPECT_EQ(comparison.values.front().value, 0);
}

TEST(CompareImages, LinearAgainstCodedIsConvertedWithANotice)
{
    Image const linear = make_colours({"R", "G", "B", "A", "sample_count"});
    Image coded = tone_map(linear, 1);
    ImageComparison comparison = compare_images(linear, coded, kMetrics);
    EXPECT_TRUE(comparison.equal_bits);
    EXPECT_EQ(comparison.values.front().value, 0);
    ASSERT_EQ(comparison.notices.size(), 1u);
    EXPECT_NE(comparison.notices[0].find("the test is linear"), std::string::npos);

    for (Channel& channel : coded.channels)
        for (float& value : channel.values) value = std::round(value * 255) / 255;
    comparison = compare_images(coded, linear, kMetrics);
    EXPECT_TRUE(comparison.equal_bits) << "equal in 8 bits";
    EXPECT_GT(comparison.values.front().value, 0);
    EXPECT_LE(comparison.values.front().value, 0.5 / 255 + 1e-7);
    EXPECT_NE(comparison.notices[0].find("the reference is linear"), std::string::npos);

    coded.channels[0].values[7] += 1.0f / 255;
    EXPECT_FALSE(compare_images(coded, linear, kMetrics).equal_bits);
}

TEST(CompareImages, LinearBandsWithoutColoursCannotBeConverted)
{
    Image const bands = make_colours({"band0", "band1"});
    EXPECT_FALSE(compare_images(bands, tone_map(make_colours(), 1), kMetrics).matched());
}

TEST(CompareImages, NonFiniteValuesAreCounted)
{
    float const infinity = std::numeric_limits<float>::infinity();
    Image test = make_colours(), reference = make_colours();
    test.channels[0].values[1] = infinity;
    reference.channels[0].values[1] = infinity;
    reference.channels[1].values[2] = std::nanf("");
    test.channels[2].values[3] = -infinity;
    reference.channels[2].values[3] = infinity;
    ImageComparison const comparison = compare_images(test, reference, kMetrics);
    EXPECT_EQ(comparison.non_finite_test, 2u);
    EXPECT_EQ(comparison.non_finite_reference, 3u);
    EXPECT_EQ(comparison.non_finite_differing, 2u);
    std::vector<std::string> places;
    for (NonFinitePlace const& place : comparison.non_finite_places) places.push_back(describe(place));
    ASSERT_EQ(places.size(), 3u);
    EXPECT_TRUE(places[0].starts_with("pixel 2,0 of channel G: ") && places[0].ends_with(" against nan")) << places[0];
    EXPECT_TRUE(places[1].starts_with("pixel 3,0 of channel B: -inf against inf")) << places[1];
    EXPECT_TRUE(places[2].starts_with("pixel 1,0 of channel R: inf against inf")) << places[2];
    EXPECT_FALSE(comparison.equal_bits);
    EXPECT_EQ(comparison.values.front().value, 0);
}

} // namespace
} // namespace volpt::test
