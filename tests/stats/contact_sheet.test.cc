// Patches and the contact sheet that shows them.
#include "libvolpt/stats/report/contact_sheet.h"

#include "libvolpt/sys/error.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

/// Quarters of red, white, black and a checkerboard of single pixels, sRGB-coded.
Image make_quarters()
{
    Image image = make_image(96, 96, Transfer::srgb, {"R", "G", "B"});
    for (std::size_t c = 0; c < 3; ++c)
        for (int y = 0; y < 96; ++y)
            for (int x = 0; x < 96; ++x) {
                float const checker = (x + y) % 2 == 0 ? 1.0f : 0.0f;
                float const left = y < 48 ? (c == 0 ? 1.0f : 0.0f) : 0.0f, right = y < 48 ? 1.0f : checker;
                image.channels[c].values[static_cast<std::size_t>(y * 96 + x)] = x < 48 ? left : right;
            }
    return image;
}

/// Half the linear values of an sRGB-coded picture of 0 and 1.
Image make_darker(Image image)
{
    image.transfer = Transfer::linear;
    for (Channel& channel : image.channels)
        for (float& value : channel.values) value /= 2;
    return image;
}

struct Pair {
    Subject test, reference;
    Criteria criteria;
    Verdict verdict;

    explicit Pair(Image prediction)
        : test{.name = "prediction <1>", .film = {}, .image = std::move(prediction)}, reference{.name = "target",
                                                                                                .film = {},
                                                                                                .image =
                                                                                                    make_quarters()}
    {
        criteria.metrics = {"de2000"};
        criteria.settings.keep_map = KeepMap::yes;
        verdict = judge(test, reference, criteria);
    }

    ReportedPair view() const { return {"a pair", test, reference, verdict, criteria}; }
};

TEST(Patches, AreEvenAndDiffer)
{
    std::vector<Patch> const patches = choose_patches(make_quarters(), 8);
    ASSERT_EQ(patches.size(), 3u); // the checkerboard is not even, and all else is one of three colours
    EXPECT_TRUE(patches[0].x >= 48 && patches[0].y < 48) << "the lightest comes first";
    for (Patch const& patch : patches) {
        EXPECT_TRUE(patch.x + patch.width <= 48 || patch.y + patch.height <= 48);
        EXPECT_EQ(patch.width, 4);
    }
}

TEST(Patches, MeanIsOfLinearColours)
{
    Image const target = make_quarters();
    std::vector<PatchColours> const measured =
        measure_patches(target, make_darker(target), {{"checker", 60, 60, 10, 10}, {"white", 50, 0, 3, 3}});
    // Y = 0.5 is L* = 116 * cbrt(0.5) - 16.
    EXPECT_NEAR(measured[0].target_lab[0], 76.0693, 1e-3);
    EXPECT_NEAR(measured[0].prediction_lab[0], 57.0754, 1e-3);
    EXPECT_NEAR(measured[1].target_lab[0], 100, 1e-3);
    EXPECT_NEAR(measured[1].prediction_lab[0], 76.0693, 1e-3);
    // Greys: Delta E 2000 is the difference of lightness over S_L (Sharma et al. 2005, equation 15).
    double const mean = (100 + 76.0693) / 2 - 50;
    EXPECT_NEAR(measured[1].de2000, (100 - 76.0693) / (1 + 0.015 * mean * mean / std::sqrt(20 + mean * mean)), 1e-2);
}

TEST(Patches, WhiteStaysWhiteUnderD50AndRedDoesNot)
{
    Image const target = make_quarters();
    std::vector<Patch> const patches{{"white", 50, 0, 3, 3}, {"red", 0, 0, 3, 3}};
    auto const d50 = measure_patches(target, target, patches, Illuminant::d50);
    EXPECT_NEAR(d50[0].target_lab[1], 0, 1e-2);
    EXPECT_NEAR(d50[0].target_lab[2], 0, 1e-2);
    // sRGB's red, Bradford-adapted to D50: 54.29, 80.81, 69.89 (ICC profile of IEC 61966-2-1); 53.24, 80.09, 67.20
    // under D65.
    EXPECT_NEAR(d50[1].target_lab[0], 54.29, 0.1);
    EXPECT_NEAR(d50[1].target_lab[2], 69.89, 0.3);
    EXPECT_EQ(d50[1].de2000, 0);
}

TEST(Patches, BeyondThePictureAreRefused)
{
    Image const target = make_quarters();
    for (Patch const& patch : {Patch{"a", 90, 0, 7, 1}, Patch{"b", 0, -1, 1, 1}, Patch{"c", 0, 0, 0, 1}})
        EXPECT_THROW(measure_patches(target, target, {patch}), Error) << patch.name;
}

TEST(ContactSheet, BothFormsComeFromOnePair)
{
    Pair const pair(make_darker(make_quarters()));
    std::vector<Patch> const patches{{"white & bright", 50, 0, 3, 3}};
    Image const sheet = draw_contact_sheet(pair.view(), patches);
    EXPECT_EQ(sheet.channels.size(), 3u);
    EXPECT_EQ(sheet.transfer, Transfer::srgb);
    std::string const page = format_contact_sheet(pair.view(), patches);
    EXPECT_NE(page.find("white &amp; bright"), page.npos);
    EXPECT_NE(page.find("prediction &lt;1&gt;"), page.npos);
    EXPECT_NE(page.find("<td>100.0</td>"), page.npos) << "L* of the target";
    EXPECT_NE(page.find("<td>76.1</td>"), page.npos) << "L* of the prediction";
    EXPECT_EQ(page.find("src=\"http"), page.npos);
}

TEST(Patches, NoiseOfAMeanFallsWithTheRootOfItsPixels)
{
    Image const target = make_quarters();
    std::vector<float> const noise(96 * 96, 2.0f);
    auto const measured =
        measure_patches(target, target, {{"a", 3, 5, 4, 4}, {"b", 0, 0, 1, 1}}, Illuminant::d65, noise);
    EXPECT_FLOAT_EQ(measured[0].noise, 0.5f);
    EXPECT_FLOAT_EQ(measured[1].noise, 2.0f);
    EXPECT_EQ(measure_patches(target, target, {{"a", 3, 5, 4, 4}})[0].noise, 0);
}

TEST(ContactSheet, NotesAndAScaleAreOnBothForms)
{
    Pair const pair(make_darker(make_quarters()));
    SheetLabels const labels{{"Print: 60 x 60 mm <b>", std::string(400, 'n') + " " + std::string(90, 'm')}, 60};
    Image const plain = draw_contact_sheet(pair.view(), {}), sheet = draw_contact_sheet(pair.view(), {}, labels);
    EXPECT_EQ(sheet.width, plain.width);
    EXPECT_EQ(sheet.height, plain.height + 3 * 28)
        << "a line, and one that is wrapped; the scale lies beside the figures";
    std::string const page = format_contact_sheet(pair.view(), {}, labels);
    EXPECT_NE(page.find("Print: 60 x 60 mm &lt;b&gt;"), page.npos);
    EXPECT_NE(page.find("width:133.3px\">20 mm</span>"), page.npos) << "a third of 400 pixels";
    EXPECT_EQ(format_contact_sheet(pair.view(), {}).find(" mm</span>"), page.npos);
}

SheetLabels make_views(std::size_t count)
{
    SheetLabels labels;
    for (std::size_t i = 0; i < count; ++i)
        labels.views.push_back({"view <" + std::to_string(i) + ">", make_quarters(), 60});
    return labels;
}

TEST(ContactSheet, ViewsStandAboveTheComparisonInRowsOfFour)
{
    Pair const pair(make_darker(make_quarters()));
    int const plain = draw_contact_sheet(pair.view(), {}).height;
    int const row = draw_contact_sheet(pair.view(), {}, make_views(4)).height - plain;
    EXPECT_GT(row, 192) << "pictures of 96 pixels are enlarged by a whole number";
    EXPECT_EQ(draw_contact_sheet(pair.view(), {}, make_views(5)).height - plain, 2 * row);
    std::string const page = format_contact_sheet(pair.view(), {}, make_views(4));
    EXPECT_NE(page.find("view &lt;3&gt;</figcaption>"), page.npos);
    EXPECT_NE(page.find("20 mm</span>"), page.npos);
    EXPECT_LT(page.find("view &lt;0&gt;"), page.find("prediction: "));
}

TEST(ContactSheet, ViewsAloneNeedNoComparison)
{
    SheetLabels labels = make_views(2);
    labels.notes = {"Print: <b>"};
    Image const sheet = draw_view_sheet(labels);
    EXPECT_EQ(sheet.width, draw_contact_sheet(Pair(make_quarters()).view(), {}).width);
    std::string const page = format_view_sheet("a & b", labels);
    EXPECT_NE(page.find("<h1>a &amp; b</h1>"), page.npos);
    EXPECT_NE(page.find("Print: &lt;b&gt;"), page.npos);
    EXPECT_EQ(page.find("<script"), page.npos);
}

TEST(ContactSheet, AlphaOfAViewIsShownOverWhite)
{
    SheetLabels labels;
    labels.views = {{"clear", make_image(300, 300, Transfer::linear, {"R", "G", "B", "A"}), {}}};
    Image const sheet = draw_view_sheet(labels);
    for (Channel const& channel : sheet.channels)
        EXPECT_EQ(channel.values[static_cast<std::size_t>(sheet.width) * 150 + 100], 1) << channel.name;
}

/// A white square on the left and a black one on the right; the rest, or all of it, is clear.
Image make_squares(float alpha)
{
    Image image = make_image(96, 96, Transfer::srgb, {"R", "G", "B", "A"});
    for (int y = 40; y < 56; ++y)
        for (int x = 0; x < 96; ++x)
            if (x % 48 >= 16 && x % 48 < 32) {
                auto const i = static_cast<std::size_t>(y * 96 + x);
                for (std::size_t c = 0; c < 3; ++c) image.channels[c].values[i] = x < 48 ? 1.0f : 0.0f;
                image.channels[3].values[i] = alpha;
            }
    return image;
}

TEST(ContactSheet, PatchOfAnObjectThatVanishedHasTheLargestDifferenceOverABackground)
{
    std::vector<Patch> const patches{{"light", 18, 42, 8, 8}, {"dark", 66, 42, 8, 8}, {"none", 0, 0, 8, 8}};
    auto const measured = measure_patches(make_squares(1), make_squares(0), patches);
    EXPECT_NEAR(measured[0].de2000, 100, 0.1) << "white, over black";
    EXPECT_NEAR(measured[0].prediction_lab[0], 0, 0.1);
    EXPECT_NEAR(measured[1].de2000, 100, 0.1) << "black, over white";
    EXPECT_NEAR(measured[1].prediction_lab[0], 100, 0.1);
    EXPECT_EQ(measured[2].de2000, 0);
    auto const over_white =
        measure_patches(make_squares(1), make_squares(0), patches, Illuminant::d65, {}, {{"white", {1, 1, 1}}});
    EXPECT_EQ(over_white[0].de2000, 0);
}

std::string write_page(ReportedPair const& pair)
{
    return format_html("pairs", {&pair, 1});
}

TEST(ContactSheet, AlphaThatDecidedIsOnThePageWithItsBackground)
{
    Pair pair(make_squares(0));
    pair.reference.image = make_squares(1);
    pair.verdict = judge(pair.test, pair.reference, pair.criteria);
    std::string const page = format_contact_sheet(pair.view(), {});
    EXPECT_NE(page.find("not opaque: de2000 compares what is displayed over black and over white"), page.npos);
    EXPECT_NE(page.find("The pictures are shown over "), page.npos);
    std::string const report = write_page(pair.view());
    EXPECT_NE(report.find("<p>alpha: "), report.npos);
    EXPECT_NE(report.find(", over "), report.npos);
    Pair const plain(make_quarters());
    EXPECT_EQ(write_page(plain.view()).find("alpha: "), report.npos);
}

TEST(ContactSheet, SaysWhatIsJudged)
{
    Pair pair(make_darker(make_quarters()));
    pair.criteria.purpose = Purpose::sheet;
    EXPECT_EQ(spell_verdict(pair.verdict, pair.criteria), "no threshold");
    EXPECT_NE(format_contact_sheet(pair.view(), {}).find("No threshold: the difference is shown, not judged."),
              std::string::npos);
    EXPECT_NE(write_page(pair.view()).find("no threshold: judged by equality"), std::string::npos);
    pair.criteria.threshold = parse_threshold("de2000.p95<3");
    pair.verdict = judge(pair.test, pair.reference, pair.criteria);
    EXPECT_NE(format_contact_sheet(pair.view(), {}).find("Threshold de2000.p95&lt;3: fail."), std::string::npos);
}

TEST(ContactSheet, PixelsThatAreLeftOutAreGreyAndCountNowhere)
{
    Image prediction = make_darker(make_quarters());
    Pair pair(prediction);
    for (Image* const image : {&pair.test.image, &pair.reference.image})
        for (Channel& channel : image->channels)
            for (std::size_t i = 0; i < std::size_t{96} * 48; ++i) channel.values[i] = std::nanf("");
    pair.verdict = judge(pair.test, pair.reference, pair.criteria);
    for (Patch const& patch : choose_patches(pair.reference.image, 8)) EXPECT_GE(patch.y, 48);
    // Half of this patch is left out; the rest is black and stays so.
    auto const measured = measure_patches(pair.reference.image, pair.test.image, {{"a", 0, 46, 4, 4}});
    EXPECT_EQ(measured[0].target_lab[0], 0);
    EXPECT_EQ(measured[0].de2000, 0);
    Image const sheet = draw_contact_sheet(pair.view(), {});
    EXPECT_FLOAT_EQ(sheet.channels[0].values[static_cast<std::size_t>(sheet.width) * (24 + 56 + 20) + 24 + 20], 0.88f);
}

TEST(ContactSheet, NeedsAMapOfDeltaE)
{
    Pair pair(make_quarters());
    pair.verdict.image.maps.clear();
    EXPECT_THROW(draw_contact_sheet(pair.view(), {}), Error);
}

} // namespace
} // namespace volpt::test
