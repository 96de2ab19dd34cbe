// Option values: what is read, what is refused, and that the message helps.
#include "tools/options/units.h"
#include "libvolpt/medium/curves/piecewise_curve.h"
#include "libvolpt/medium/curves/transfer_table.h"

#include "libvolpt/sys/error.h"
#include "tests/support/expect_error.h"

#include <array>
#include <gtest/gtest.h>

namespace volpt {
namespace {

using test::expect_error;

TEST(Units, LengthsTakeUnits)
{
    EXPECT_EQ(parse_length_mm("--size", "10mm"), 10);
    EXPECT_EQ(parse_length_mm("--size", "42.3um"), 0.0423);
    EXPECT_EQ(parse_length_mm("--size", "0.5cm"), 5);
    EXPECT_EQ(parse_length_mm("--size", "1m"), 1000);
    EXPECT_EQ(parse_length_mm("--size", "7"), 7);
    EXPECT_EQ(parse_length_mm("--size", " -1e-3 mm "), -0.001);
}

TEST(Units, LengthsRefuseOtherText)
{
    for (auto const* text : {"", "mm", "10 inch", "1,5mm", "nan", "inf", "1e999", "0x10", "10mmm", "+-1"}) {
        SCOPED_TRACE(text);
        expect_error(ExitStatus::usage, {"--size"}, [&] { parse_length_mm("--size", text); });
    }
}

TEST(Units, MessageNamesOptionTextAndExample)
{
    expect_error(ExitStatus::usage, {"--pitch '10parsec'", "42.3um"}, [] { parse_length_mm("--pitch", "10parsec"); });
}

TEST(Units, TriplesRepeatOneValueOnlyWhereAllowed)
{
    EXPECT_EQ(parse_triple("--origin", "-1,0,0.5", SingleValue::refused), (std::array<double, 3>{-1, 0, 0.5}));
    EXPECT_EQ(parse_length_triple_mm("--pitch", "42.3um", SingleValue::repeated),
              (std::array<double, 3>{0.0423, 0.0423, 0.0423}));
    expect_error(ExitStatus::usage, {}, [] { parse_triple("--origin", "1", SingleValue::refused); });
    expect_error(ExitStatus::usage, {}, [] { parse_triple("--origin", "1,2", SingleValue::repeated); });
    expect_error(ExitStatus::usage, {}, [] { parse_triple("--origin", "1,2,3,4", SingleValue::repeated); });
}

TEST(Units, SizesAndDimsArePositiveIntegers)
{
    EXPECT_EQ(parse_size("--resolution", "640x480"), (std::array<int, 2>{640, 480}));
    EXPECT_EQ(parse_dims("--dims", "1,2,65535"), (std::array<int, 3>{1, 2, 65535}));
    for (auto const* text : {"640", "0x5", "-1x5", "5x", "99999999999999999999x5", "5x5x5"}) {
        SCOPED_TRACE(text);
        expect_error(ExitStatus::usage, {}, [&] { parse_size("--resolution", text); });
    }
    for (auto const* text : {"1,2", "1,2,0", "1,2,65536", "1.5,2,3", "1,,3"}) {
        SCOPED_TRACE(text);
        expect_error(ExitStatus::usage, {}, [&] { parse_dims("--dims", text); });
    }
}

TEST(Units, SizesInBytesTakeBinaryUnits)
{
    EXPECT_EQ(parse_size_bytes("--volume-cache", "0"), 0u);
    EXPECT_EQ(parse_size_bytes("--volume-cache", "4096"), 4096u);
    EXPECT_EQ(parse_size_bytes("--volume-cache", "1.5 KiB"), 1536u);
    EXPECT_EQ(parse_size_bytes("--volume-cache", "512MiB"), std::size_t{512} << 20);
    EXPECT_EQ(parse_size_bytes("--volume-cache", "3GiB"), std::size_t{3} << 30);
    for (char const* text : {"", "MiB", "-1", "1MB", "1e9TiB", "nan", "20%"})
        EXPECT_THROW(parse_size_bytes("--volume-cache", text), Error) << text;
}

TEST(Units, SampleRangesEndAtTwoToTheThirtyTwo)
{
    auto const range = parse_sample_range("--samples", "64:128");
    EXPECT_EQ(range.first, 64u);
    EXPECT_EQ(range.count, 128u);
    EXPECT_EQ(parse_sample_range("--samples", "16").first, 0u);
    for (auto const* text : {"0:0", "4294967295:2", "-1:2", "1:", ":", "a:b"}) {
        SCOPED_TRACE(text);
        expect_error(ExitStatus::usage, {}, [&] { parse_sample_range("--samples", text); });
    }
}

TEST(Units, AxesListsAndChoices)
{
    EXPECT_EQ(parse_axis("--side", "+z"), 4u);
    EXPECT_EQ(parse_axis("--side", "-y"), 3u);
    EXPECT_EQ(parse_axis("--side", "x"), 0u);
    expect_error(ExitStatus::usage, {}, [] { parse_axis("--side", "top"); });
    EXPECT_EQ(parse_floats("--albedo", "0.5, 0.25,1"), (std::vector<float>{0.5f, 0.25f, 1.0f}));
    expect_error(ExitStatus::usage, {}, [] { parse_floats("--albedo", "1e40"); });
    expect_error(ExitStatus::usage, {}, [] { parse_floats("--albedo", "1,2", 3, 3); });
    EXPECT_EQ(parse_integers("--bands", "2,0"), (std::vector<std::uint32_t>{2, 0}));
    expect_error(ExitStatus::usage, {"nearest, trilinear"}, [] {
        parse_choice("--filter", "cubic", {"nearest", "trilinear"});
    });
}

TEST(Units, CurvesAreReadPointByPoint)
{
    auto const curve = parse_curve("--opacity", "-1000:0, 0:0,300:1e0");
    ASSERT_EQ(curve.points().size(), 3u);
    EXPECT_EQ(curve.evaluate(150), 0.5);
    TransferTable const albedos = parse_albedo_curve("--albedo-curve", "0:1:0.5,10:0:0.5");
    std::array<float, 2> darkness{};
    ASSERT_EQ(albedos.bands(), 2u);
    albedos.evaluate(2.5f, darkness);
    EXPECT_EQ(darkness, (std::array{0.25f, 0.5f}));
    for (char const* const text : {"", "0", "0:0", "0:0,1", "0:0,1:-1", "0:0,1:nan", "0:0,inf:1", "0:0,0:1", "0:0,1:1,",
                                   "0:0,1:", "0:0,1:1:1", "0:0;1:1"})
        expect_error(ExitStatus::usage, {"--opacity"}, [&] { parse_curve("--opacity", text); });
    for (char const* const text : {"0:0,1:1.5", "0:0:0,1:1", "0:0"})
        expect_error(ExitStatus::usage, {"--albedo-curve"}, [&] { parse_albedo_curve("--albedo-curve", text); });
}

} // namespace
} // namespace volpt
