// Messages for tev, against bytes that were counted by hand.
#include "tools/volview/tev/tev_messages.h"
#include "tests/support/expect_error.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace volpt {
namespace {

std::vector<std::byte> list_bytes(std::initializer_list<int> values)
{
    std::vector<std::byte> bytes;
    for (int const value : values) bytes.push_back(static_cast<std::byte>(value));
    return bytes;
}

/// 3 x 2 pixels; R is 0, 1, 2 in the row at the top and 3, 4, 5 below, A is the negative.
Image make_counted_picture()
{
    Image picture = make_image(3, 2, Transfer::linear, {"R", "A"});
    for (std::size_t i = 0; i < 6; ++i) {
        picture.channels[0].values[i] = static_cast<float>(i);
        picture.channels[1].values[i] = -static_cast<float>(i);
    }
    return picture;
}

TEST(TevMessages, CreateHasSizeAndNamesOfChannels)
{
    EXPECT_EQ(make_tev_create("a.vpk", make_counted_picture(), TevFocus::grab),
              list_bytes({28, 0, 0, 0, 4,   1, 'a', '.', 'v', 'p', 'k', 0, // length, type, focus, name
                          3,  0, 0, 0, 2,   0, 0,   0,                     // width, height
                          2,  0, 0, 0, 'R', 0, 'A', 0}));
    EXPECT_EQ(make_tev_create("a.vpk", make_counted_picture(), TevFocus::leave).at(5), std::byte{0});
}

TEST(TevMessages, UpdateHasTheChannelsOfTheTileOneAfterAnother)
{
    // The lower two pixels at the right: R is 4, 5 and A is -4, -5.
    EXPECT_EQ(make_tev_update("v", make_counted_picture(), {1, 1, 2, 1}),
              list_bytes({80, 0, 0,    0,    6,   0, 'v',  0, // length, type, focus, name
                          2,  0, 0,    0,    'R', 0, 'A',  0, // channels
                          1,  0, 0,    0,    1,   0, 0,    0,    2, 0, 0,    0,    1, 0, 0,    0, // x, y, width, height
                          0,  0, 0,    0,    0,   0, 0,    0,    2, 0, 0,    0,    0, 0, 0,    0, // offsets in floats
                          1,  0, 0,    0,    0,   0, 0,    0,    1, 0, 0,    0,    0, 0, 0,    0, // strides
                          0,  0, 0x80, 0x40, 0,   0, 0xa0, 0x40, 0, 0, 0x80, 0xc0, 0, 0, 0xa0, 0xc0}));
}

TEST(TevMessages, TilesCoverThePictureOnceWithinTheLimit)
{
    EXPECT_EQ(list_tev_tiles(3, 2, 6), (std::vector<TevTile>{{0, 0, 3, 2}}));
    EXPECT_EQ(list_tev_tiles(3, 2, 5), (std::vector<TevTile>{{0, 0, 3, 1}, {0, 1, 3, 1}}));
    EXPECT_EQ(list_tev_tiles(3, 1, 2), (std::vector<TevTile>{{0, 0, 2, 1}, {2, 0, 1, 1}}));
    for (std::size_t const most_pixels : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{40}}) {
        std::vector<int> covered(17 * 11);
        for (TevTile const& tile : list_tev_tiles(17, 11, most_pixels)) {
            EXPECT_LE(static_cast<std::size_t>(tile.width * tile.height), std::max<std::size_t>(most_pixels, 1));
            for (int y = tile.y; y < tile.y + tile.height; ++y)
                for (int x = tile.x; x < tile.x + tile.width; ++x) ++covered.at(static_cast<std::size_t>(17 * y + x));
        }
        EXPECT_EQ(std::count(covered.begin(), covered.end(), 1), 17 * 11) << most_pixels;
    }
}

TEST(TevMessages, AddressHasAHostAndPerhapsAPort)
{
    EXPECT_EQ(parse_tev_address("Desk.example").text(), "desk.example:14158");
    EXPECT_EQ(parse_tev_address("127.0.0.1:1").text(), "127.0.0.1:1");
    EXPECT_EQ(parse_tev_address("[::1]:65535").text(), "[::1]:65535");
    EXPECT_EQ(parse_tev_address("[::1]").host, "::1");
    for (char const* const text : {"", ":14158", "desk:", "desk:0", "desk:65536", "desk:1x", "a b", "::1", "[::1"})
        test::expect_error(ExitStatus::usage, {"--tev"}, [&] { parse_tev_address(text); });
}

} // namespace
} // namespace volpt
