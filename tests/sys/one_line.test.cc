#include "libvolpt/sys/text/one_line.h"

#include <gtest/gtest.h>

namespace volpt {
namespace {

TEST(OneLine, ControlCharactersAreSpelled)
{
    EXPECT_EQ(to_one_line("a\x1b[31m\nverified: full\r\t\x7f"), "a\\x1b[31m\\x0averified: full\\x0d\\x09\\x7f");
    EXPECT_EQ(to_one_line(std::string_view("\0b", 2)), "\\x00b");
    EXPECT_EQ(to_one_line("\xc2\x9b"
                          "2J"),
              "\\x9b2J");
}

TEST(OneLine, BytesThatAreNoUtf8AreSpelled)
{
    EXPECT_EQ(to_one_line("a\xff\xc2"), "a\\xff\\xc2");
    EXPECT_EQ(to_one_line("\xe4 \xc3\xa4"), "\\xe4 \xc3\xa4") << "Latin 1, then UTF-8";
    EXPECT_EQ(to_one_line("\xed\xa0\x80\xc0\xaf"), "\\xed\\xa0\\x80\\xc0\\xaf") << "a surrogate, an overlong slash";
}

TEST(OneLine, OtherTextStays)
{
    for (std::string_view const text : {"", "head.mha: 1.5 \xc2\xb5m", "\xc3\xa4\xc2\xa0\xe2\x82\xac", "{\"a\": 1}"})
        EXPECT_EQ(to_one_line(text), text);
}

} // namespace
} // namespace volpt
