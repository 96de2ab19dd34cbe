// Drawings as pixels and as SVG.
#include "libvolpt/image/drawing/drawing.h"

#include "libvolpt/image/drawing/markup.h"
#include "libvolpt/sys/error.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

float red_at(Image const& image, int x, int y)
{
    return image.channels[0].values[static_cast<std::size_t>(y * image.width + x)];
}

TEST(Drawing, TextStaysInsideItsMeasureAndEndsWhereItIsAnchored)
{
    double const width = measure_text("Lab 12.5 %", 2);
    Drawing drawing(200, 40);
    drawing.draw_text({190, 20}, "Lab 12.5 %", {2, Anchor::end, {0, 0, 0}});
    Image const image = drawing.to_image();
    int dark = 0;
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 200; ++x)
            if (red_at(image, x, y) < 0.5f) {
                ++dark;
                EXPECT_GE(x, 190 - static_cast<int>(width)) << y;
                EXPECT_LT(x, 190) << y;
                EXPECT_GE(y, 10);
                EXPECT_LT(y, 30);
            }
    EXPECT_GT(dark, 100);
}

TEST(Drawing, TextIsUtf8AndGrowsWithItsSize)
{
    EXPECT_NEAR(measure_text("Delta E 12.5", 4), 2 * measure_text("Delta E 12.5", 2), 1e-9);
    EXPECT_GT(measure_text("1 \xc2\xb1 2", 2), measure_text("1  2", 2));
    EXPECT_LT(measure_text("\xc2\xb1", 2), measure_text("??", 2)) << "one character of two bytes";
    for (std::string const broken : {"\xc2", "\xff\xfe", "a\xe2\x82", "\xb1"}) {
        Drawing drawing(60, 20);
        drawing.draw_text({1, 10}, broken, {2, Anchor::start, {0, 0, 0}});
        EXPECT_GT(measure_text(broken, 2), 0);
        EXPECT_EQ(drawing.to_image().width, 60);
    }
}

TEST(Drawing, PictureShrinksToItsMeanAndGrowsByItsPixels)
{
    Image picture = make_image(4, 1, Transfer::srgb, {"Y"});
    picture.channels[0].values = {0, 1, 0.25f, 0.75f};
    Drawing drawing(10, 2);
    drawing.draw_picture({0, 0, 2, 1}, picture);
    drawing.draw_picture({2, 0, 8, 2}, picture);
    Image const image = drawing.to_image();
    EXPECT_EQ(red_at(image, 0, 0), 0.5f);
    EXPECT_EQ(red_at(image, 1, 0), 0.5f);
    EXPECT_EQ(red_at(image, 0, 1), 1.0f);
    for (int x = 0; x < 8; ++x)
        EXPECT_EQ(red_at(image, 2 + x, 1), picture.channels[0].values[static_cast<std::size_t>(x / 2)]);
}

TEST(Drawing, WhatLeavesThePictureIsCutOff)
{
    Drawing drawing(8, 8);
    drawing.fill_box({-5, -5, 100, 6}, {0, 0, 0});
    drawing.draw_text({7, 7}, "\xc3\xa9 long text", {4, Anchor::start, {0, 0, 0}});
    EXPECT_EQ(red_at(drawing.to_image(), 7, 0), 0.0f);
    EXPECT_EQ(red_at(drawing.to_image(), 0, 1), 1.0f);
}

TEST(Drawing, SvgHoldsEveryPartEscaped)
{
    Drawing drawing(100, 50);
    drawing.fill_box({1, 2, 3, 4}, {1, 0.5f, 0});
    drawing.draw_text({5, 6}, "C < M & \"Y\"");
    drawing.draw_picture({0, 0, 9, 9}, make_image(1, 1, Transfer::srgb, {"Y"}));
    std::string const svg = drawing.to_svg();
    EXPECT_NE(svg.find("fill=\"#ff8000\""), svg.npos);
    EXPECT_NE(svg.find("C &lt; M &amp; &quot;Y&quot;"), svg.npos);
    EXPECT_NE(svg.find("href=\"data:image/png;base64,iVBORw0KGgo"), svg.npos);
}

TEST(Drawing, SizesThatCannotBeMeantAreRefused)
{
    EXPECT_THROW(Drawing(0, 5), Error);
    EXPECT_THROW(Drawing(5, 20000), Error);
}

} // namespace
} // namespace volpt::test
