// Mitsuba volumes: placement, encodings, channels, and what is refused.
#include "formats/reader.h"
#include "libvolpt/medium/measured_volume.h"
#include "libvolpt/sys/error.h"
#include "tests/formats/vol_bytes.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace volpt {
namespace {

using test::expect_error;
using test::TempFolder;

class Vol : public testing::Test {
protected:
    void expect_refused(std::string const& content, std::initializer_list<std::string_view> parts)
    {
        expect_error(ExitStatus::input, parts, [&] { open_volume_source(folder_.write("v.vol", content)); });
    }
    TempFolder folder_;
};

TEST_F(Vol, BoxBecomesPitchAndPlacement)
{
    std::string bytes = vol_header({4, 2, 1}, 1, 1, {-1, 2, 0, 1, 3, 0.5f});
    for (int i = 0; i < 8; ++i) append_value(bytes, static_cast<float>(i));
    auto const stream = make_measured_volume(open_volume_source(folder_.write("v.vol", bytes)), {});
    EXPECT_EQ(stream->meta().pitch_mm, (std::array<float, 3>{0.5f, 0.5f, 0.5f}));
    EXPECT_EQ(stream->meta().placement.origin_world_mm, (std::array<double, 3>{-1, 2, 0}));
    auto const slab = stream->read_slab(0, 1);
    EXPECT_EQ(slab.density[5], 5.0f);
}

TEST_F(Vol, BytesMeanZeroToOneWithoutLoss)
{
    std::string bytes = vol_header({3, 1, 1}, 1, 3);
    bytes += std::string("\x00\x80\xff", 3);
    auto const stream = make_measured_volume(open_volume_source(folder_.write("v.vol", bytes)), {});
    EXPECT_EQ(stream->meta().density_encoding, Encoding::u8);
    auto const slab = stream->read_slab(0, 1);
    EXPECT_EQ(slab.density[0], 0.0f);
    EXPECT_NEAR(static_cast<double>(slab.density[1]), 128.0 / 255, 1e-7);
    EXPECT_EQ(slab.density[2], 1.0f);
}

TEST_F(Vol, HalfsAreDecoded)
{
    std::string bytes = vol_header({2, 1, 1}, 1, 2);
    append_value(bytes, std::uint16_t{0x3c00});
    append_value(bytes, std::uint16_t{0x3555});
    auto const source = open_volume_source(folder_.write("v.vol", bytes));
    std::vector<float> values(2);
    source->read_slab(0, 1, values);
    EXPECT_EQ(values[0], 1.0f);
    EXPECT_EQ(values[1], 0x1.554p-2f);
}

TEST_F(Vol, ThreeChannelsAreAlbedo)
{
    std::string bytes = vol_header({1, 1, 1}, 3, 1);
    for (float const value : {0.25f, 0.5f, 1.0f}) append_value(bytes, value);
    auto const stream = make_measured_volume(open_volume_source(folder_.write("v.vol", bytes)), {});
    EXPECT_EQ(stream->meta().bands(), 3u);
    EXPECT_EQ(stream->meta().extinction, Source::constant);
    auto const slab = stream->read_slab(0, 1);
    EXPECT_EQ(slab.one_minus_albedo[0], 0.75f);
    EXPECT_EQ(slab.one_minus_albedo[2], 0.0f);
}

TEST_F(Vol, DamagedHeadersAreRefusedWithOffset)
{
    std::string const good = vol_header({1, 1, 1}, 1, 1) + std::string(4, '\0');
    EXPECT_NO_THROW(open_volume_source(folder_.write("v.vol", good)));
    auto const refused = [&](std::size_t offset, std::string const& bytes, std::string_view expected) {
        std::string damaged = good;
        damaged.replace(offset, bytes.size(), bytes);
        expect_refused(damaged, {expected});
    };
    refused(3, "\x02", "offset 3");
    refused(4, "\x05", "offset 4");
    refused(4, "\x04", "directions");
    refused(12, std::string(4, '\xff'), "offset 12");
    refused(20, "\x02", "2 channels");
    refused(36, std::string(4, '\0'), "offset 24");
    refused(24, "\xff\xff\xff\xff", "offset 24");
    refused(8, std::string("\xff\xff\0\0", 4), "cut short");
    expect_refused("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", {"git lfs pull"});
}

} // namespace
} // namespace volpt
