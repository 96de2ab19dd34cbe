// Averaging over areas: energy, exact factors, coded values in linear light.
#include "libvolpt/image/resample_area.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/image/displayed.h"
#include "libvolpt/sys/error.h"

#include <gtest/gtest.h>
#include <numeric>

namespace volpt::test {
namespace {

Image make_ramp(int width, int height)
{
    Image image = make_image(width, height, Transfer::linear, {"R", "G", "B", "standard_error.R"});
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t i = 0; i < image.pixel_count(); ++i)
            image.channels[c].values[i] = static_cast<float>((i * 7 + c * 3) % 11) / 11;
    return image;
}

double average(Channel const& channel)
{
    return std::accumulate(channel.values.begin(), channel.values.end(), 0.0) /
           static_cast<double>(channel.values.size());
}

TEST(ResampleArea, MeanIsKeptWhateverTheSize)
{
    Image const image = make_ramp(37, 23);
    for (auto const& [width, height] :
         {std::pair{10, 7}, std::pair{37, 5}, std::pair{1, 1}, std::pair{74, 46}, std::pair{50, 23}})
        for (std::size_t c = 0; c < 3; ++c)
            EXPECT_NEAR(average(resample_area(image, width, height).channels[c]), average(image.channels[c]), 1e-6)
                << width << " x " << height;
}

TEST(ResampleArea, WholeFactorsAreBlockMeans)
{
    Image image = make_image(4, 2, Transfer::linear, {"Y"});
    image.channels[0].values = {1, 2, 5, 6, 3, 4, 7, 8};
    EXPECT_EQ(resample_area(image, 2, 1).channels[0].values, (std::vector<float>{2.5f, 6.5f}));
    EXPECT_EQ(resample_area(image, 4, 2).channels[0].values, image.channels[0].values);
    EXPECT_EQ(resample_area(image, 8, 2).channels[0].values[3], 2);
}

TEST(ResampleArea, CodedValuesAreAveragedInLinearLight)
{
    Image image = make_image(2, 1, Transfer::srgb, {"Y", "A"});
    image.channels[0].values = {0, 1};
    image.channels[1].values = {1, 1};
    Image const one = resample_area(image, 1, 1);
    EXPECT_NEAR(one.channels[0].values[0], encode_srgb(0.5), 1e-7);
    EXPECT_EQ(one.channels[1].values[0], 1);
    EXPECT_EQ(one.transfer, Transfer::srgb);
}

TEST(ResampleArea, ColoursThatNobodySeesHaveNoPartInTheMean)
{
    Image image = make_image(3, 1, Transfer::srgb, {"Y", "A"});
    image.channels[0].values = {0.2f, 0.9f, 0.6f};
    image.channels[1].values = {0.5f, 0, 1};
    Image const one = resample_area(image, 1, 1);
    EXPECT_NEAR(one.channels[1].values[0], 0.5, 1e-7);
    EXPECT_NEAR(one.channels[0].values[0],
                encode_srgb((0.5 * decode_srgb(double(0.2f)) + decode_srgb(double(0.6f))) / 1.5), 1e-6);
    EXPECT_EQ(find_alpha_form(one), AlphaForm::straight);
    image.transfer = Transfer::linear;
    set_alpha_form(image, AlphaForm::premultiplied);
    EXPECT_NEAR(resample_area(image, 1, 1).channels[0].values[0], 1.7 / 3, 1e-6);
}

TEST(ResampleArea, LayersAreLeftOutAndNothingElseIsAnError)
{
    EXPECT_EQ(resample_area(make_ramp(4, 4), 2, 2).channels.size(), 3u);
    EXPECT_THROW(resample_area(make_image(4, 4, Transfer::linear, {"band0"}), 2, 2), Error);
    EXPECT_THROW(resample_area(make_ramp(4, 4), 0, 2), Error);
}

TEST(ResampleArea, TransferFunctionsAreInverse)
{
    for (double value = -0.1; value < 1.5; value += 0.003) EXPECT_NEAR(encode_srgb(decode_srgb(value)), value, 1e-6);
}

} // namespace
} // namespace volpt::test
