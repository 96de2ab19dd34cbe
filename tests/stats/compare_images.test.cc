// Matching of images: sizes, channels, layers, transfers, values that are no numbers.
#include "libvolpt/stats/verdict/compare_images.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/image/displayed.h"
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

std::vector<Metric const*> const kColourMetrics{&find_metric("flip"), &find_metric("de2000"), &find_metric("rmse")};

/// sRGB-coded and straight, of colours of 8 bits, half of it of alpha 0.5.
Image make_transparent()
{
    Image image = make_colours({"R", "G", "B", "A"});
    image.transfer = Transfer::srgb;
    set_alpha_form(image, AlphaForm::straight);
    for (std::size_t i = 0; i < image.pixel_count(); ++i) image.channels[3].values[i] = i < 24 ? 0.5f : 1.0f;
    return image;
}

/// The same linear and premultiplied.
Image make_premultiplied(Image image)
{
    for (std::size_t c = 0; c < 3; ++c)
        for (float& value : image.channels[c].values)
            value = static_cast<float>(decode_srgb(static_cast<double>(value)));
    image.transfer = Transfer::linear;
    set_alpha_form(image, AlphaForm::straight);
    premultiply(image);
    return image;
}

double find_value(ImageComparison const& comparison, std::string_view name)
{
    return std::ranges::find(comparison.values, name, &MetricValue::name)->value;
}

TEST(CompareImages, PremultipliedAndStraightFormOfOnePictureAreEqual)
{
    Image const straight = make_transparent(), premultiplied = make_premultiplied(straight);
    for (bool const is_swapped : {false, true}) {
        ImageComparison const comparison = is_swapped ? compare_images(straight, premultiplied, kColourMetrics)
                                                      : compare_images(premultiplied, straight, kColourMetrics);
        EXPECT_TRUE(comparison.equal_bits);
        EXPECT_LT(find_value(comparison, "de2000.max"), 0.01);
        EXPECT_LT(find_value(comparison, "flip.max"), 0.01);
        EXPECT_LT(find_value(comparison, "rmse"), 1e-6);
        EXPECT_EQ(comparison.channels, (std::vector<std::string>{"R", "G", "B", "A"}));
    }
}

TEST(CompareImages, AlphaThatDiffersIsADifferenceAfterAConversionToo)
{
    Image opaque = make_transparent();
    opaque.channels.pop_back(); // without A it is opaque
    ImageComparison const comparison = compare_images(make_premultiplied(make_transparent()), opaque, kColourMetrics);
    EXPECT_TRUE(comparison.matched());
    EXPECT_FALSE(comparison.equal_bits);
    EXPECT_GT(find_value(comparison, "rmse"), 0.1);
    EXPECT_GT(find_value(comparison, "de2000.max"), 10);
    EXPECT_GT(find_value(comparison, "flip.max"), 0.1);
}

TEST(CompareImages, ColoursUnderAlphaZeroAreNoDifferenceAfterAConversion)
{
    Image straight = make_transparent();
    straight.channels[3].values.assign(straight.pixel_count(), 0.0f);
    EXPECT_TRUE(compare_images(make_premultiplied(straight), straight, kColourMetrics).equal_bits);
}

TEST(CompareImages, OpaqueAlphaOfOneSideIsNoDifferenceAfterAConversion)
{
    Image with_alpha = make_transparent(), without = with_alpha;
    with_alpha.channels[3].values.assign(with_alpha.pixel_count(), 1.0f);
    without.channels.pop_back();
    ImageComparison const comparison = compare_images(make_premultiplied(with_alpha), without, kColourMetrics);
    EXPECT_TRUE(comparison.equal_bits);
    EXPECT_EQ(comparison.channels, (std::vector<std::string>{"R", "G", "B"}));
    EXPECT_FALSE(comparison.alpha);
}

TEST(CompareImages, WhereAlphaDecidedASentenceSaysSo)
{
    Image const picture = make_transparent();
    Image clear = picture;
    clear.channels[3].values.assign(clear.pixel_count(), 0.0f);
    ImageComparison const comparison = compare_images(clear, picture, kColourMetrics);
    ASSERT_TRUE(comparison.alpha);
    EXPECT_EQ(describe(*comparison.alpha),
              "100 % of the pixels are not opaque: flip, de2000 compare what is displayed over black and over white, "
              "and the larger error of each pixel counts");
    EXPECT_EQ(describe(*compare_images(picture, picture, kColourMetrics).alpha).substr(0, 4), "50 %");
    EXPECT_FALSE(compare_images(clear, picture, kMetrics).alpha) << "no metric of what is displayed";
    MetricSettings settings;
    settings.backgrounds = {parse_background("--background", "#808080")};
    EXPECT_EQ(describe(*compare_images(clear, picture, {&kColourMetrics[1], 1}, settings).alpha),
              "100 % of the pixels are not opaque: de2000 compares what is displayed over #808080");
}

TEST(CompareImages, BlackObjectIsShownOverWhereItIsSeen)
{
    Image object = make_image(8, 6, Transfer::srgb, {"R", "G", "B", "A"});
    Image const clear = object;
    object.channels[3].values.assign(object.pixel_count(), 1.0f);
    EXPECT_EQ(compare_images(object, clear, kColourMetrics).alpha->worst().name, "white");
    for (std::size_t c = 0; c < 3; ++c) object.channels[c].values.assign(object.pixel_count(), 1.0f);
    EXPECT_EQ(compare_images(object, clear, kColourMetrics).alpha->worst().name, "black");
}

TEST(CompareImages, LinearStraightColoursAreMultipliedByAlphaFirst)
{
    Image const premultiplied = make_premultiplied(make_transparent());
    Image straight = premultiplied;
    set_alpha_form(straight, AlphaForm::straight);
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t i = 0; i < straight.pixel_count(); ++i)
            straight.channels[c].values[i] /= straight.channels[3].values[i];
    ImageComparison const comparison = compare_images(straight, premultiplied, kColourMetrics);
    EXPECT_LT(find_value(comparison, "rmse"), 1e-6);
    EXPECT_LT(find_value(comparison, "de2000.max"), 0.01);
    ASSERT_EQ(comparison.notices.size(), 1u);
    EXPECT_TRUE(comparison.notices[0].starts_with("the test has straight alpha, the other premultiplied"));
}

TEST(CompareImages, AlphaOfOneSideIsAMismatchWithAWayOut)
{
    Image opaque = make_transparent();
    Image const plain = make_colours();
    opaque.transfer = Transfer::linear;
    std::string const given = compare_images(opaque, plain, kMetrics).mismatches.front();
    EXPECT_EQ(given, "channels differ: R G B A against R G B (--channels R,G,B compares without alpha)");
    opaque.channels[3].values.assign(opaque.pixel_count(), 1.0f);
    EXPECT_NE(compare_images(plain, opaque, kMetrics).mismatches.front().find("(A is 1 throughout: --channels R,G,B"),
              std::string::npos);
}

TEST(CompareImages, PixelsOutsideOfTheDisplayWindowCountForEqualityAlone)
{
    Image one = make_colours(), other = make_colours();
    one.metadata = {{kOverscanAttribute, "01"}};
    other.metadata = {{kOverscanAttribute, "02"}};
    EXPECT_TRUE(compare_images(one, one, kMetrics).equal_bits);
    ImageComparison const comparison = compare_images(one, other, kMetrics);
    EXPECT_FALSE(comparison.equal_bits);
    EXPECT_EQ(comparison.values.front().value, 0);
    EXPECT_EQ(comparison.notices, std::vector<std::string>{"pixels outside of the display window differ"});
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
