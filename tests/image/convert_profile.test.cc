// Colours with a profile come out as the same colours in sRGB.
#include "libvolpt/image/icc/convert_profile.h"

#include "libvolpt/colour/srgb.h"
#include "tests/image/image_fixtures.h"

#if VOLPT_TEST_LCMS2
#include "tests/image/made_profiles.h"

#include <cmath>

namespace volpt::test {
namespace {

constexpr double kCode = 1.0 / 255;

Image make_coded(std::vector<std::string> const& names, std::vector<double> const& values,
                 std::vector<std::byte> profile)
{
    Image image = make_image(1, 1, Transfer::srgb, names);
    image.transfer_source = TransferSource::assumption;
    for (std::size_t i = 0; i < names.size(); ++i) image.channels[i].values[0] = static_cast<float>(values[i]);
    if (!profile.empty()) image.profile = {"made", std::move(profile)};
    return image;
}

/// Linear R G B of these primaries (white D65) of linear sRGB, from chromaticities alone.
std::array<double, 3> convert_primaries(std::array<double, 3> const& srgb, std::array<double, 6> const& to_xy)
{
    using Matrix = std::array<std::array<double, 3>, 3>;
    auto const solve = [](Matrix const& m, std::array<double, 3> const& v) { // Cramer
        auto const det = [](Matrix const& a) {
            return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
                   a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
                   a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
        };
        std::array<double, 3> x{};
        for (std::size_t j = 0; j < 3; ++j) {
            Matrix replaced = m;
            for (std::size_t i = 0; i < 3; ++i) replaced[i][j] = v[i];
            x[j] = det(replaced) / det(m);
        }
        return x;
    };
    auto const make_matrix = [&](std::array<double, 6> const& xy) {
        Matrix m{};
        for (std::size_t j = 0; j < 3; ++j) {
            double const x = xy[2 * j], y = xy[2 * j + 1];
            m[0][j] = x / y, m[1][j] = 1, m[2][j] = (1 - x - y) / y;
        }
        auto const scales = solve(m, {0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290});
        for (auto& row : m)
            for (std::size_t j = 0; j < 3; ++j) row[j] *= scales[j];
        return m;
    };
    Matrix const from = make_matrix(kSrgbXy);
    std::array<double, 3> xyz{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) xyz[i] += from[i][j] * srgb[j];
    return solve(make_matrix(to_xy), xyz);
}

std::vector<std::array<double, 3>> list_srgb_colours()
{
    std::vector<std::array<double, 3>> colours;
    for (double const r : {0.0, 0.02, 0.3, 0.7, 1.0})
        for (double const g : {0.0, 0.02, 0.3, 0.7, 1.0})
            for (double const b : {0.0, 0.02, 0.3, 0.7, 1.0}) colours.push_back({r, g, b});
    return colours;
}

TEST(ApplyProfile, ColoursOfOtherPrimariesAndCurvesAreTheSameInSrgb)
{
    std::vector<std::byte> const adobe = make_rgb_profile(kAdobeRgbXy, make_curve(563.0 / 256));
    std::vector<std::byte> const p3 = make_rgb_profile(kDisplayP3Xy, make_srgb_curve());
    for (auto const& coded : list_srgb_colours()) {
        std::array<double, 3> linear{};
        for (std::size_t i = 0; i < 3; ++i) linear[i] = decode_srgb(coded[i]);
        auto const in_adobe = convert_primaries(linear, kAdobeRgbXy), in_p3 = convert_primaries(linear, kDisplayP3Xy);
        std::vector<double> adobe_codes, p3_codes;
        for (std::size_t i = 0; i < 3; ++i) {
            adobe_codes.push_back(std::pow(std::max(0.0, in_adobe[i]), 256.0 / 563));
            p3_codes.push_back(encode_srgb(std::max(0.0, in_p3[i])));
        }
        Image from_adobe = make_coded({"R", "G", "B"}, adobe_codes, adobe);
        Image from_p3 = make_coded({"R", "G", "B"}, p3_codes, p3);
        apply_profile(from_adobe, "adobe");
        apply_profile(from_p3, "p3");
        EXPECT_EQ(from_p3.transfer_source, TransferSource::file);
        EXPECT_FALSE(from_p3.profile.has_value());
        ASSERT_EQ(from_p3.notices.size(), 1u);
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_NEAR(from_adobe.channels[i].values[0], coded[i], kCode) << "Adobe RGB, channel " << i;
            EXPECT_NEAR(from_p3.channels[i].values[0], coded[i], kCode) << "Display P3, channel " << i;
        }
    }
}

TEST(ApplyProfile, ColoursThatSrgbHasNotLieBeyondItAndAreCounted)
{
    Image green = make_coded({"R", "G", "B"}, {0, 1, 0}, make_rgb_profile(kDisplayP3Xy, make_srgb_curve()));
    apply_profile(green, "green");
    EXPECT_LT(green.find("R")->values[0], -0.1f);
    EXPECT_GT(green.find("G")->values[0], 1.01f);
    expect_contains(green.notices.at(0), {"100 % of its pixels have colours outside sRGB"});
}

TEST(ApplyProfile, StoredSamplesBecomeFloatsWhereColoursAreConverted)
{
    std::vector<std::byte> const other = make_rgb_profile(kDisplayP3Xy, make_srgb_curve()),
                                 srgb = make_rgb_profile(kSrgbXy, make_srgb_curve());
    Image picture = make_picture(40, 30, {"R", "G", "B"});
    picture.transfer = Transfer::srgb;
    auto const file = find_codec("png").encode(picture);
    auto const decode = [&](std::vector<std::byte> const& profile) {
        StoredImage image = decode_stored_image(file, "p.png");
        image.description.profile = ColourProfile{"p", profile};
        image.description.transfer_source = TransferSource::file;
        return image;
    };
    std::uint64_t const values = 3 * 40 * 30;
    StoredImage kept = decode(srgb);
    apply_profile(kept, 1, "p.png", {}, {.given_bytes = values, .usable_bytes = 0});
    EXPECT_EQ(kept.channels[0].value_bytes(), 1u);
    StoredImage converted = decode(other);
    expect_error(ExitStatus::input, {"p.png: 40 x 30 pixels of 3 channels take", "--picture-memory"},
                 [&] { apply_profile(converted, 1, "p.png", {}, {.given_bytes = 4 * values, .usable_bytes = 0}); });
    converted = decode(other);
    Image expected = to_floats(converted);
    apply_profile(expected, "p.png");
    apply_profile(converted, 1, "p.png", {}, {.given_bytes = 4 * values + values / 3, .usable_bytes = 0});
    EXPECT_EQ(converted.description.notices, expected.notices);
    Image const seen = to_floats(std::move(converted));
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(seen.channels[c].values, expected.channels[c].values);
}

TEST(ApplyProfile, GreyKeepsOneChannelAndItsLuminance)
{
    std::vector<std::byte> const profile = make_grey_profile(1.8);
    for (double const code : {0.0, 0.1, 0.5, 0.9, 1.0}) {
        Image image = make_coded({"Y", "A"}, {code, 0.25}, profile);
        apply_profile(image, "grey");
        ASSERT_EQ(image.channels.size(), 2u);
        EXPECT_EQ(image.channels[0].name, "Y");
        EXPECT_NEAR(image.channels[0].values[0], encode_srgb(std::pow(code, 1.8)), kCode) << code;
        EXPECT_EQ(image.find("A")->values[0], 0.25f);
    }
}

TEST(ApplyProfile, DifferencesOfOne16BitCodeSurvive)
{
    std::vector<std::byte> const profile = make_rgb_profile(kAdobeRgbXy, make_curve(2.2));
    float before = -1;
    for (int code = 30000; code < 30040; ++code) {
        Image image = make_coded({"R", "G", "B"}, {code / 65535.0, code / 65535.0, code / 65535.0}, profile);
        apply_profile(image, "grey");
        float const value = image.find("G")->values[0];
        if (code > 30000) {
            EXPECT_GT(value - before, 0.4f / 65535) << code;
            EXPECT_LT(value - before, 2.0f / 65535) << code;
        }
        before = value;
    }
}

TEST(ApplyProfile, InksHaveTheColoursOfTheirPress)
{
    std::vector<std::byte> const press = make_cmyk_profile();
    for (auto const& ink : std::vector<std::array<double, 4>>{
             {0, 0, 0, 0}, {0, 0, 0, 1}, {.2, .1, .1, .1}, {0, .3, .3, 0}, {.1, 0, .2, .5}, {.25, .25, .25, .25}}) {
        Image image = make_coded({"C", "M", "Y", "K"}, {ink[0], ink[1], ink[2], ink[3]}, press);
        apply_profile(image, "sheet.tif");
        ASSERT_EQ(image.channels.size(), 3u);
        auto const expected = find_linear_srgb(find_press_colour(ink[0], ink[1], ink[2], ink[3]));
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_NEAR(image.channels[i].values[0], encode_srgb(expected[i]), kCode)
                << "channel " << i << ", ink " << ink[0] << " " << ink[1] << " " << ink[2] << " " << ink[3];
    }
}

TEST(ApplyProfile, InksWithoutAProfileAreRefusedWithTheRemedy)
{
    Image image = make_coded({"C", "M", "Y", "K"}, {0, 0, 0, 0}, {});
    expect_error(ExitStatus::input, {"sheet.tif", "CMYK and has no colour profile", "--picture-profile", "-profile"},
                 [&] { apply_profile(image, "sheet.tif"); });
    image = make_coded({"C", "M", "Y", "K"}, {0, 0, 0, 0}, make_grey_profile(2.2));
    expect_error(ExitStatus::input, {"is for another kind of colours"}, [&] { apply_profile(image, "sheet.tif"); });
}

TEST(ApplyProfile, AFallbackServesPicturesThatHaveNone)
{
    TempFolder const folder;
    write_bytes(folder / "press.icc", make_cmyk_profile());
    write_bytes(folder / "grey.icc", make_grey_profile(1));
    Image inks = make_coded({"C", "M", "Y", "K"}, {0, 0, 0, 0}, {});
    apply_profile(inks, "sheet.tif", folder / "press.icc");
    for (Channel const& channel : inks.channels) EXPECT_NEAR(channel.values[0], 1, kCode);
    Image grey = make_coded({"Y"}, {0.5}, make_grey_profile(1.8));
    apply_profile(grey, "grey.png", folder / "grey.icc");
    EXPECT_NEAR(grey.channels[0].values[0], encode_srgb(std::pow(0.5, 1.8)), kCode);
    Image colours = make_coded({"R", "G", "B"}, {0, 0, 0}, {});
    expect_error(ExitStatus::input, {"press.icc", "another kind of colours"},
                 [&] { apply_profile(colours, "photo.png", folder / "press.icc"); });
    // Values that say what they are need no fallback.
    colours.transfer_source = TransferSource::file;
    apply_profile(colours, "photo.png", folder / "press.icc");
}

TEST(ApplyProfile, DamagedProfilesGiveANoteOrColours)
{
    std::vector<std::byte> const whole = make_rgb_profile(kAdobeRgbXy, make_curve(2.2));
    for (std::size_t size = 1; size < whole.size(); size += 13) {
        Image image = make_coded({"R", "G", "B"}, {.2, .4, .6}, {whole.begin(), whole.begin() + std::ptrdiff_t(size)});
        apply_profile(image, "cut");
        check_image(image);
    }
    std::vector<std::byte> const press = make_cmyk_profile();
    for (auto const& [names, profile] : {std::pair{std::vector<std::string>{"R", "G", "B"}, whole},
                                         {std::vector<std::string>{"C", "M", "Y", "K"}, press}})
        for (std::size_t at = 0; at < profile.size(); at += 3) {
            std::vector<std::byte> flipped = profile;
            flipped[at] ^= std::byte{0xff};
            Image image = make_coded(names, {.2, .4, .6, .1}, flipped);
            catch_error(ExitStatus::input, [&] { apply_profile(image, "flipped"); });
            for (Channel const& channel : image.channels)
                EXPECT_TRUE(std::isfinite(channel.values[0])) << "byte " << at;
        }
}

} // namespace
} // namespace volpt::test
#endif
