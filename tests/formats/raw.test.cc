// Headerless volumes: every type and byte order, and sizes that must match to the byte.
#include "formats/raw/reader.h"
#include "libvolpt/sys/error.h"
#include "tests/formats/metaimage_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <cmath>

namespace volpt {
namespace {

using test::expect_error;
using test::TempFolder;

TEST(Raw, EveryTypeIsReadInBothByteOrders)
{
    TempFolder const folder;
    std::vector<double> const numbers{0, 1, 2, 100, 127, 3};
    std::pair<char const*, std::string (*)(std::vector<double> const&, bool)> const types[] = {
        {"u8", to_binary<std::uint8_t>},   {"i8", to_binary<std::int8_t>},    {"u16", to_binary<std::uint16_t>},
        {"i16", to_binary<std::int16_t>},  {"u32", to_binary<std::uint32_t>}, {"i32", to_binary<std::int32_t>},
        {"u64", to_binary<std::uint64_t>}, {"i64", to_binary<std::int64_t>},  {"f32", to_binary<float>},
        {"f64", to_binary<double>}};
    for (auto const& [name, encode] : types)
        for (bool const big : {false, true}) {
            auto const stored = parse_stored_type(std::string(name) + (big ? "be" : ""));
            ASSERT_TRUE(stored.has_value()) << name;
            auto const source = open_raw(folder.write("r.raw", encode(numbers, big)), {3, 1, 2}, *stored);
            std::vector<float> values(6);
            source->read_slab(0, 2, values);
            EXPECT_EQ(values, std::vector<float>(numbers.begin(), numbers.end())) << name << big;
        }
    EXPECT_FALSE(parse_stored_type("u12").has_value());
    EXPECT_FALSE(parse_stored_type("").has_value());
}

TEST(Raw, HalfFloatsKeepTheirSpecialValues)
{
    TempFolder const folder;
    // 1, -2, 2^-24, 65504, +inf, NaN in binary16, little-endian.
    auto const path = folder.write("h.raw", std::string("\x00\x3c\x00\xc0\x01\x00\xff\x7b\x00\x7c\x01\x7e", 12));
    auto const source = open_raw(path, {6, 1, 1}, {ElementType::f16, ByteOrder::little});
    std::vector<float> values(6);
    source->read_slab(0, 1, values);
    EXPECT_EQ(values[0], 1.0f);
    EXPECT_EQ(values[1], -2.0f);
    EXPECT_EQ(values[2], 0x1p-24f);
    EXPECT_EQ(values[3], 65504.0f);
    EXPECT_TRUE(std::isinf(values[4]));
    EXPECT_TRUE(std::isnan(values[5]));
}

TEST(Raw, SizeHasToMatchToTheByte)
{
    TempFolder const folder;
    for (std::size_t const size : {0u, 23u, 25u, 12u, 48u}) {
        SCOPED_TRACE(size);
        expect_error(ExitStatus::input, {"take 24"}, [&] {
            open_raw(folder.write("s.raw", std::string(size, 'x')), {2, 3, 2}, {ElementType::u16, ByteOrder::little});
        });
    }
    EXPECT_THROW(open_raw(folder / "s.raw", {65535, 65535, 65535}, {ElementType::f64, ByteOrder::little}), Error);
}

} // namespace
} // namespace volpt
