#include "libvolpt/image/tone_map.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/image/displayed.h"
#include "tests/image/image_fixtures.h"
#include "tests/support/expect_error.h"

#include <algorithm>
#include <array>
#include <cmath>
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

TEST(FindExposure, OfAFilmicPictureShowsTheSameShare)
{
    Image const image = make_grey(0, 3);
    float const exposure = find_exposure(image, Tone::filmic);
    EXPECT_GT(exposure, find_exposure(image));
    EXPECT_NEAR(show_filmic(3 * static_cast<double>(exposure)), 0.9, 1e-6);
}

TEST(FilmicTone, RisesFromNothingToWhiteAndLeavesMiddleGrey)
{
    EXPECT_EQ(show_filmic(0), 0);
    EXPECT_EQ(show_filmic(-1), 0);
    EXPECT_EQ(show_filmic(std::numeric_limits<double>::quiet_NaN()), 0);
    EXPECT_NEAR(show_filmic(0.18), 0.18, 1e-12);
    EXPECT_LT(show_filmic(9.9), 1);
    EXPECT_EQ(show_filmic(10.1), 1);
    EXPECT_EQ(show_filmic(HUGE_VAL), 1);
    double before = 0;
    for (double light = 1e-6; light < 10; light *= 1.01) {
        double const shown = show_filmic(light);
        ASSERT_GT(shown, before) << light;
        before = shown;
    }
    // A toe below middle grey, a shoulder above it: the published curve at x = 1, and its slope at 0.
    EXPECT_NEAR(show_filmic(1 / 0.72317), 2.54 / 3.16, 1e-4);
    EXPECT_NEAR(show_filmic(1e-9) / 1e-9, 0.72317 * 0.03 / 0.14, 1e-5);
}

double decode(float shown)
{
    return decode_srgb(static_cast<double>(shown));
}

std::array<double, 3> show_colour(std::array<float, 3> const& rgb, Tone tone)
{
    Image image = make_image(1, 1, Transfer::linear, {"R", "G", "B"});
    for (std::size_t c = 0; c < 3; ++c) image.channels[c].values[0] = rgb[c];
    Image const shown = tone_map(image, 1, 1, tone);
    EXPECT_EQ(shown.transfer, Transfer::srgb);
    return {decode(shown.channels[0].values[0]), decode(shown.channels[1].values[0]),
            decode(shown.channels[2].values[0])};
}

TEST(FilmicTone, KeepsTheHueAndTheLargestChannelIsOfTheCurve)
{
    for (std::array<float, 3> const& rgb :
         {std::array{0.2f, 0.1f, 0.05f}, std::array{0.5f, 0.45f, 0.6f}, std::array{4.0f, 0.4f, 0.1f},
          std::array{0.0f, 0.0f, 5.0f}, std::array{8.0f, 8.0f, 0.0f}}) {
        auto const shown = show_colour(rgb, Tone::filmic);
        auto const largest = static_cast<std::size_t>(std::ranges::max_element(rgb) - rgb.begin());
        auto const light = static_cast<double>(rgb[largest]);
        EXPECT_NEAR(shown[largest], show_filmic(light), 1e-5);
        // A mixture with white, and nothing else: what is below the largest channel stays in proportion.
        double const mixed = 1 / (0.15 * std::max(light - show_filmic(light), 0.0) + 1);
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(shown[largest] - shown[c],
                        mixed * show_filmic(light) * (1 - static_cast<double>(rgb[c]) / light), 1e-5);
            EXPECT_LE(shown[c], 1 + 1e-6);
            EXPECT_GE(shown[c], 0);
        }
    }
}

TEST(FilmicTone, VeryBrightColoursGoToWhite)
{
    double before = 0;
    for (float const light : {1.0f, 4.0f, 16.0f, 1000.0f}) {
        double const least = show_colour({0, 0, light}, Tone::filmic)[0];
        EXPECT_GT(least, before);
        before = least;
    }
    EXPECT_GT(before, 0.98);
}

TEST(FilmicTone, GreyIsTheSameInOneChannelAndInThree)
{
    for (float const light : {0.0f, 0.02f, 0.18f, 0.9f, 3.0f, 50.0f}) {
        Image image = make_image(1, 1, Transfer::linear, {"Y"});
        image.channels[0].values[0] = light;
        float const grey = tone_map(image, 1, 1, Tone::filmic).channels[0].values[0];
        EXPECT_NEAR(decode(grey), show_filmic(static_cast<double>(light)), 1e-6);
        for (double const shown : show_colour({light, light, light}, Tone::filmic))
            EXPECT_NEAR(shown, decode(grey), 1e-6);
    }
}

TEST(FilmicTone, OddValuesAreShown)
{
    float const infinite = std::numeric_limits<float>::infinity(), nan = std::nanf("");
    for (auto const& rgb : {std::array{infinite, 0.0f, 1.0f}, std::array{nan, 0.5f, -1.0f}, std::array{nan, nan, nan}})
        for (double const shown : show_colour(rgb, Tone::filmic)) EXPECT_TRUE(shown >= 0 && shown <= 1) << shown;
}

TEST(Tone, SrgbIsTheTransferFunctionAndLinearNone)
{
    Image image = make_image(3, 1, Transfer::linear, {"Y", "A"});
    image.channels[0].values = {0.25f, 3, -1};
    image.channels[1].values = {0.5f, 1, 1};
    Image const srgb = tone_map(image, 1), linear = tone_map(image, 1, 1, Tone::linear);
    EXPECT_EQ(srgb.channels[0].values, (std::vector<float>{static_cast<float>(encode_srgb(0.5)), 1, 0}));
    EXPECT_EQ(linear.channels[0].values, (std::vector<float>{0.5f, 1, 0}));
    EXPECT_EQ(srgb.find("A")->values, image.channels[1].values);
}

} // namespace
} // namespace volpt::test
