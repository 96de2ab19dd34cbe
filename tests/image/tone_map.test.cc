#include "libvolpt/image/tone_map.h"
#include "tests/image/image_fixtures.h"
#include "tests/support/expect_error.h"

#include <gtest/gtest.h>
#include <limits>

namespace volpt::test {
namespace {

/// `count` pixels of 0.01 and one of `bright`, grey.
Image make_grey(int count, float bright)
{
    Image image = make_image(count + 1, 1, Transfer::linear, {"Y"});
    std::ranges::fill(image.channels.front().values, 0.01f);
    image.channels.front().values.back() = bright;
    return image;
}

TEST(FindExposure, OneBrightPixelOfManyDoesNotCount)
{
    EXPECT_FLOAT_EQ(find_exposure(make_grey(200, 1000)), 90);
    EXPECT_FLOAT_EQ(find_exposure(make_grey(0, 1000)), 0.0009f);
}

TEST(FindExposure, ScalesInverselyWithTheLight)
{
    Image image = make_picture(20, 20, {"R", "G", "B"});
    float const before = find_exposure(image);
    for (Channel& channel : image.channels)
        for (float& value : channel.values) value *= 8;
    EXPECT_FLOAT_EQ(find_exposure(image), before / 8);
}

TEST(FindExposure, GoesByTheLargestOfTheColours)
{
    Image image = make_image(1, 1, Transfer::linear, {"R", "G", "B"});
    image.channels[2].values[0] = 3;
    EXPECT_FLOAT_EQ(find_exposure(image), 0.3f);
}

TEST(FindExposure, IsOfWhatIsNotTransparent)
{
    Image image = make_image(2, 1, Transfer::linear, {"Y", "A"});
    image.channels[0].values = {0.2f, 100};
    image.channels[1].values = {0.5f, 0}; // the first is 0.4 where it is seen
    EXPECT_FLOAT_EQ(find_exposure(image), find_alpha_form(image) == AlphaForm::straight ? 4.5f : 2.25f);
}

TEST(FindExposure, OfNoLightIsOne)
{
    EXPECT_EQ(find_exposure(make_image(4, 4, Transfer::linear, {"Y"})), 1);
    EXPECT_EQ(find_exposure(make_grey(0, std::numeric_limits<float>::quiet_NaN())), 1);
    EXPECT_EQ(find_exposure(make_grey(0, std::numeric_limits<float>::infinity())), 0);
    EXPECT_EQ(find_exposure(make_grey(0, std::numeric_limits<float>::denorm_min())), 1e9f);
    expect_error(ExitStatus::usage, {"linear"}, [] { find_exposure(make_image(1, 1, Transfer::srgb, {"Y"})); });
}

} // namespace
} // namespace volpt::test
