// Portable float maps: byte orders, row order, scale, sizes.
#include "tests/image/image_fixtures.h"

namespace volpt::test {
namespace {

Image decode_text(std::string_view file)
{
    return find_codec("pfm").decode(to_bytes(file), "made.pfm");
}

TEST(PfmCodec, BothByteOrdersAndBottomRowFirst)
{
    using namespace std::string_view_literals;
    std::vector<float> const top_first{2, 1};
    EXPECT_EQ(decode_text("Pf\n1 2\n-1.0\n\0\0\x80\x3f\0\0\0\x40"sv).channels[0].values, top_first);
    EXPECT_EQ(decode_text("Pf 1 2 1.0\n\x3f\x80\0\0\x40\0\0\0"sv).channels[0].values, top_first);
}

TEST(PfmCodec, MagnitudeOfTheScaleMultiplies)
{
    using namespace std::string_view_literals;
    EXPECT_EQ(decode_text("Pf\n1 1\n-2.5\n\0\0\0\x40"sv).channels[0].values[0], 5.0f);
}

TEST(PfmCodec, EveryFloatSurvivesBitForBit)
{
    Image image = make_image(5, 1, Transfer::linear, {"Y"});
    image.channels[0].values = {-0.0f, 1e-45f, HUGE_VALF, -3e38f, std::nanf("")};
    Image const again = find_codec("pfm").decode(find_codec("pfm").encode(image), "a.pfm");
    for (std::size_t i = 0; i < 5; ++i)
        EXPECT_EQ(std::bit_cast<std::uint32_t>(again.channels[0].values[i]),
                  std::bit_cast<std::uint32_t>(image.channels[0].values[i]));
}

TEST(PfmCodec, BadHeadersAreRefusedByField)
{
    auto const expect_refused = [](std::string_view file, std::initializer_list<std::string_view> parts) {
        expect_error(ExitStatus::input, parts, [&] { decode_text(file); });
    };
    expect_refused("PF\n-3 2\n-1\n", {"no width at offset 3"});
    expect_refused("PF\n3 x\n-1\n", {"no height"});
    expect_refused("PF\n1 1\n0\n", {"scale"});
    expect_refused("PF\n1 1\nnan\n", {"scale"});
    expect_refused("PF\n99999999999 99999999999\n-1\n", {"99999999999 x"});
    expect_refused("Pf\n1 1\n-1\nabcde", {"5 bytes of pixels"});
}

} // namespace
} // namespace volpt::test
