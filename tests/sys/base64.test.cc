#include "libvolpt/sys/text/base64.h"

#include <gtest/gtest.h>
#include <string_view>

namespace volpt::test {
namespace {

TEST(Base64, HasTheVectorsOfItsStandard)
{
    auto const encode = [](std::string_view text) { return encode_base64(std::as_bytes(std::span(text))); };
    EXPECT_EQ(encode(""), ""); // RFC 4648, section 10
    EXPECT_EQ(encode("f"), "Zg==");
    EXPECT_EQ(encode("fo"), "Zm8=");
    EXPECT_EQ(encode("foo"), "Zm9v");
    EXPECT_EQ(encode("foobar"), "Zm9vYmFy");
    EXPECT_EQ(encode("\xff\xfe\xfd"), "//79");
}

} // namespace
} // namespace volpt::test
