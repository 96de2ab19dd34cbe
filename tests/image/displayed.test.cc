// Pictures with alpha as they are displayed.
#include "libvolpt/image/displayed.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/image/linear_rgb.h"
#include "libvolpt/image/tone_map.h"
#include "tests/image/image_fixtures.h"

#include <bit>

namespace volpt::test {
namespace {

/// sRGB-coded, straight; alpha rises from 0 to 1 along the pixels.
Image make_straight()
{
    Image image = make_picture(16, 4, {"R", "G", "B", "A"});
    image.transfer = Transfer::srgb;
    set_alpha_form(image, AlphaForm::straight);
    for (std::size_t i = 0; i < image.pixel_count(); ++i)
        image.channels[3].values[i] = std::min(1.0f, static_cast<float>(i) / 48);
    return image;
}

/// The same picture, linear and premultiplied.
Image make_premultiplied(Image const& straight)
{
    Image image = straight;
    image.transfer = Transfer::linear;
    set_alpha_form(image, AlphaForm::premultiplied);
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t i = 0; i < image.pixel_count(); ++i)
            image.channels[c].values[i] =
                static_cast<float>(decode_srgb(static_cast<double>(straight.channels[c].values[i])) *
                                   static_cast<double>(straight.channels[3].values[i]));
    return image;
}

constexpr Colour kBlack{0, 0, 0}, kWhite{1, 1, 1}, kOrange{1, 0.25f, 0};

TEST(Displayed, BothFormsOfAPictureLookAlikeAndAreTheMeanOfColourAndBackground)
{
    Image const straight = make_straight(), premultiplied = make_premultiplied(straight);
    for (Colour const& background : {kBlack, kWhite, kOrange}) {
        Image const one = display_over(straight, background), other = display_over(premultiplied, background, 3);
        ASSERT_EQ(one.channels.size(), 3u);
        EXPECT_EQ(one.transfer, Transfer::linear);
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t i = 0; i < one.pixel_count(); ++i) {
                double const alpha = static_cast<double>(straight.channels[3].values[i]);
                double const colour = decode_srgb(static_cast<double>(straight.channels[c].values[i]));
                double const expected = alpha * colour + (1 - alpha) * static_cast<double>(background[c]);
                EXPECT_NEAR(one.channels[c].values[i], expected, 1e-6);
                EXPECT_NEAR(other.channels[c].values[i], expected, 1e-6);
            }
    }
}

TEST(Displayed, PixelsOfAlphaOneKeepTheirBits)
{
    Image const straight = make_straight();
    std::vector<float> red(16), green(16), blue(16);
    for (Image const& image : {straight, make_premultiplied(straight)}) {
        Image const shown = display_over(image, kOrange);
        load_linear_rgb(image, 3, 0, 16, {red.data(), green.data(), blue.data()});
        for (std::size_t x = 0; x < 16; ++x) {
            EXPECT_EQ(std::bit_cast<std::uint32_t>(shown.channels[0].values[48 + x]),
                      std::bit_cast<std::uint32_t>(red[x]));
            EXPECT_EQ(std::bit_cast<std::uint32_t>(shown.channels[2].values[48 + x]),
                      std::bit_cast<std::uint32_t>(blue[x]));
        }
    }
}

TEST(Displayed, AlphaIsClampedAndWhatIsNoNumberStaysSo)
{
    Image image = make_image(4, 1, Transfer::linear, {"Y", "A"});
    image.channels[0].values = {0.5f, 0.5f, 0.5f, HUGE_VALF};
    image.channels[1].values = {-1, 2, std::nanf(""), 1};
    Image const shown = display_over(image, kWhite);
    EXPECT_EQ(shown.channels[0].name, "Y");
    EXPECT_EQ(shown.channels[0].values[0], 1.5f) << "premultiplied colours add light";
    EXPECT_EQ(shown.channels[0].values[1], 0.5f);
    EXPECT_TRUE(std::isnan(shown.channels[0].values[2]));
    EXPECT_TRUE(std::isnan(shown.channels[0].values[3]));
}

TEST(Displayed, GreyOverAColourHasColours)
{
    Image const shown = display_over(make_image(2, 2, Transfer::srgb, {"Y", "A"}), kOrange);
    ASSERT_EQ(shown.channels.size(), 3u);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(shown.channels[c].values[3], kOrange[c]);
}

TEST(Displayed, OpaqueIsWithoutAlphaBelowOne)
{
    Image image = make_image(2, 1, Transfer::linear, {"Y"});
    EXPECT_TRUE(is_opaque(image));
    image.add_channel("A").values = {1, 1.5f};
    EXPECT_TRUE(is_opaque(image));
    image.channels[1].values[0] = 0.999f;
    EXPECT_FALSE(is_opaque(image));
}

TEST(Displayed, BackgroundsHaveNamesOrCodes)
{
    EXPECT_EQ(parse_background("--background", "white").colour, kWhite);
    EXPECT_EQ(parse_background("--background", "#000000").colour, kBlack);
    EXPECT_NEAR(parse_background("--background", "#ff8000").colour[1], decode_srgb(128 / 255.0), 1e-7);
    EXPECT_EQ(parse_background("--background", "#ff8000").name, "#ff8000");
    for (char const* const text : {"", "grey", "#fff", "#ff80zz", "#ff800000", "ff8000"})
        expect_error(ExitStatus::usage, {"is no colour"}, [&] { parse_background("--background", text); });
}

TEST(Displayed, PngHasStraightAlphaWhateverItsTransfer)
{
    for (Transfer const transfer : {Transfer::srgb, Transfer::linear}) {
        Image image = make_straight();
        image.transfer = transfer;
        Image const read = find_codec("png").decode(find_codec("png").encode(image), "a.png");
        EXPECT_EQ(read.transfer, transfer);
        EXPECT_EQ(find_alpha_form(read), AlphaForm::straight);
    }
    EXPECT_EQ(find_alpha_form(make_image(1, 1, Transfer::linear, {"Y", "A"})), AlphaForm::premultiplied);
}

TEST(Displayed, ToneMappingDividesPremultipliedColoursAlone)
{
    Image image = make_image(1, 1, Transfer::linear, {"Y", "A"});
    image.channels[0].values = {0.25f};
    image.channels[1].values = {0.5f};
    EXPECT_NEAR(tone_map(image, 1).channels[0].values[0], encode_srgb(0.5), 1e-6);
    set_alpha_form(image, AlphaForm::straight);
    EXPECT_NEAR(tone_map(image, 1).channels[0].values[0], encode_srgb(0.25), 1e-6);
}

TEST(Displayed, DisplayablePictureIsOverItsBackground)
{
    Image const straight = make_straight();
    Image const shown = make_displayable(straight, kWhite);
    EXPECT_EQ(shown.find("A"), nullptr);
    EXPECT_EQ(shown.channels[0].values[0], 1) << "alpha 0";
    EXPECT_NEAR(shown.channels[0].values[63], straight.channels[0].values[63], 1e-6) << "alpha 1";
    Image opaque = straight;
    opaque.channels.pop_back();
    EXPECT_EQ(make_displayable(opaque, kWhite).channels[0].values, opaque.channels[0].values);
}

} // namespace
} // namespace volpt::test
