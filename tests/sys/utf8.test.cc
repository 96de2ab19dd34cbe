#include "libvolpt/sys/text/utf8.h"

#include <gtest/gtest.h>
#include <string>

namespace volpt {
namespace {

/// RFC 3629, section 3.
std::string encode(char32_t code)
{
    auto const tail = [&](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3f)); };
    if (code < 0x80) return {static_cast<char>(code)};
    if (code < 0x800) return {static_cast<char>(0xc0 | code >> 6), tail(0)};
    if (code < 0x10000) return {static_cast<char>(0xe0 | code >> 12), tail(6), tail(0)};
    return {static_cast<char>(0xf0 | code >> 18), tail(12), tail(6), tail(0)};
}

TEST(Utf8, EveryCharacterHasItsLengthAndSurrogatesHaveNone)
{
    for (char32_t code = 0; code < 0x140000; ++code) {
        std::string const text = encode(code);
        bool const is_character = code < 0x110000 && !(code >= 0xd800 && code < 0xe000);
        ASSERT_EQ(measure_character(text, 0), is_character ? text.size() : 0) << std::hex << std::uint32_t{code};
        if (text.size() > 1) {
            ASSERT_EQ(measure_character(text.substr(0, text.size() - 1), 0), 0u) << "cut";
            ASSERT_EQ(measure_character(text, 1), 0u) << "begins in the middle";
        }
    }
}

TEST(Utf8, OverlongFormsAreNoCharacters)
{
    for (char const* const text : {"\xc0\xaf", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xf8\x88\x80\x80\x80"})
        EXPECT_EQ(measure_character(text, 0), 0u);
    EXPECT_EQ(measure_character("", 0), 0u);
}

} // namespace
} // namespace volpt
