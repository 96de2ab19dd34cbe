// Sectioned files come back as written, and no damaged, cut, swapped or forged one is believed.
#include "libvolpt/sys/container/sectioned_file.h"
#include "libvolpt/sys/container/container_layout.h"
#include "libvolpt/sys/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

namespace volpt {
namespace {

using container::HeaderPage;
using test::catch_error;
using test::expect_contains;
using test::expect_error;
using test::TempFolder;

constexpr FileKind kTestFile{{'V', 'O', 'L', 'P', 'T', 'E', 'S', 'T'}, file_version(2, 3), "test file"};

std::vector<std::byte> make_section_bytes(std::string_view text)
{
    auto const bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

/// Two sections and an empty one between them.
std::vector<std::byte> make_small_file(TempFolder const& folder)
{
    SectionedWriter writer(folder / "small", kTestFile);
    writer.write_section("first", make_section_bytes("seven b"));
    writer.begin_section("empty");
    writer.begin_section("second");
    for (int i = 0; i < 5000; ++i) writer.append(make_section_bytes(i % 3 ? "x" : "y"));
    writer.commit();
    return test::read_bytes(folder / "small");
}

HeaderPage header_of(std::vector<std::byte> const& bytes)
{
    HeaderPage page;
    std::memcpy(&page, bytes.data(), sizeof page);
    return page;
}

/// With checksums and end marker made anew, as a forger would.
void put_header(std::vector<std::byte>& bytes, HeaderPage page)
{
    page.checksum = container::hash_header(page);
    container::EndMarker const end{page.magic, page.file_bytes, page.checksum};
    std::memcpy(bytes.data(), &page, sizeof page);
    std::memcpy(bytes.data() + bytes.size() - sizeof end, &end, sizeof end);
}

/// The message of the Error that opening throws, which names file and offset; empty if the file opens.
std::string refusal(std::filesystem::path const& path, VerifyLevel level)
{
    std::string message = catch_error(ExitStatus::input, [&] { SectionedFile::open(path, kTestFile, level); });
    if (!message.empty()) expect_contains(message, {path.string(), "offset"});
    return message;
}

std::string refusal(TempFolder const& folder, std::vector<std::byte> const& bytes, VerifyLevel level)
{
    test::write_bytes(folder / "tried", bytes);
    return refusal(folder / "tried", level);
}

TEST(SectionedFile, SectionsComeBackAlignedWithTheirChecksums)
{
    TempFolder const folder;
    auto const bytes = make_small_file(folder);
    auto const file = SectionedFile::open(folder / "small", kTestFile, VerifyLevel::full);
    EXPECT_EQ(file.size_bytes(), bytes.size());
    ASSERT_EQ(file.sections().size(), 3u);
    for (SectionInfo const& info : file.sections()) {
        EXPECT_EQ(info.offset_bytes % 4096, 0u);
        EXPECT_EQ(file.section(info.name).size(), info.size_bytes);
        EXPECT_EQ(hash_bytes(file.section(info.name)), file.checksum(info.name));
    }
    EXPECT_EQ(std::memcmp(file.section("first").data(), "seven b", 7), 0);
    EXPECT_TRUE(file.has("empty"));
    EXPECT_TRUE(file.section("empty").empty());
    EXPECT_EQ(file.section("second").size(), 5000u);
    EXPECT_FALSE(file.has("third"));
    EXPECT_THROW(file.section("third"), Error);
}

TEST(SectionedFile, ChangesBehindASetBackTimeAreSeenByTheChecksums)
{
    TempFolder const folder;
    make_small_file(folder);
    auto const path = folder / "small";
    auto const time = std::filesystem::last_write_time(path);
    auto const file = SectionedFile::open(path, kTestFile, VerifyLevel::quick);
    EXPECT_NO_THROW(file.check_unchanged());
    std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    EXPECT_NO_THROW(file.check_unchanged());
    auto const offset = file.sections().front().offset_bytes;
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // beyond the clock of the file system
    test::flip_bits(path, offset, 1);
    std::filesystem::last_write_time(path, time);
    expect_error(ExitStatus::input, {path.string(), "changed while"}, [&] { file.check_unchanged(); });
    test::flip_bits(path, offset, 1);
    std::filesystem::last_write_time(path, time);
    EXPECT_NO_THROW(file.check_unchanged());
}

TEST(SectionedFile, LargeAppendsAndSmallOnesGiveTheSameBytes)
{
    TempFolder const folder;
    std::vector<std::byte> content(1'000'000);
    for (std::size_t i = 0; i < content.size(); ++i) content[i] = std::byte{static_cast<unsigned char>(i * i >> 7)};
    SectionedWriter whole(folder / "whole", kTestFile);
    whole.write_section("s", content);
    whole.commit();
    SectionedWriter pieces(folder / "pieces", kTestFile);
    pieces.begin_section("s");
    std::span<std::byte const> rest = content;
    for (std::size_t step = 1; !rest.empty(); step = step * 3 + 1) {
        std::size_t const count = std::min(step, rest.size());
        pieces.append(rest.first(count));
        rest = rest.subspan(count);
    }
    pieces.commit();
    EXPECT_EQ(test::read_bytes(folder / "whole"), test::read_bytes(folder / "pieces"));
}

TEST(SectionedFile, EveryFlippedByteIsRefusedAtFullLevel)
{
    TempFolder const folder;
    std::size_t const size_bytes = make_small_file(folder).size();
    for (std::size_t i = 0; i < size_bytes; ++i) {
        unsigned const mask = 1u << (i % 8);
        test::flip_bits(folder / "small", i, mask);
        ASSERT_FALSE(refusal(folder / "small", VerifyLevel::full).empty()) << "byte " << i;
        test::flip_bits(folder / "small", i, mask);
    }
    EXPECT_EQ(refusal(folder / "small", VerifyLevel::full), "");
}

TEST(SectionedFile, DamagedSectionIsNamedWithItsOffset)
{
    TempFolder const folder;
    auto bytes = make_small_file(folder);
    std::uint64_t const offset = header_of(bytes).sections[2].offset_bytes;
    bytes[offset + 17] ^= std::byte{4};
    expect_contains(refusal(folder, bytes, VerifyLevel::full), {fmt::format("section 'second', offset {}", offset)});
    bytes[offset + 17] ^= std::byte{4};
    bytes[offset + 5003] = std::byte{1};
    expect_contains(refusal(folder, bytes, VerifyLevel::full), {fmt::format("offset {}", offset + 5003)});
}

TEST(SectionedFile, TruncatedFileIsRefusedAtQuickLevelWithOffset)
{
    TempFolder const folder;
    auto const bytes = make_small_file(folder);
    for (std::size_t length = 0; length < bytes.size(); length += length < 256 || length + 64 > bytes.size() ? 1 : 97) {
        std::vector<std::byte> const cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
        ASSERT_FALSE(refusal(folder, cut, VerifyLevel::quick).empty()) << length;
    }
    auto longer = bytes;
    longer.push_back(std::byte{0});
    expect_contains(refusal(folder, longer, VerifyLevel::quick), {"appended"});
}

TEST(SectionedFile, LostTailIsSeenEvenWhenTheLengthIsRestored)
{
    TempFolder const folder;
    auto bytes = make_small_file(folder);
    std::fill(bytes.end() - 40, bytes.end(), std::byte{0});
    expect_contains(refusal(folder, bytes, VerifyLevel::quick), {"end marker"});
}

TEST(SectionedFile, AbsurdTablesWithFreshChecksumsAreRefusedAtQuickLevel)
{
    TempFolder const folder;
    auto const good = make_small_file(folder);
    auto const refuse_forged = [&](char const* what, auto&& change) {
        auto forged = good;
        HeaderPage page = header_of(good);
        change(page);
        put_header(forged, page);
        EXPECT_FALSE(refusal(folder, forged, VerifyLevel::quick).empty()) << what;
    };
    auto unchanged = good;
    put_header(unchanged, header_of(good));
    EXPECT_EQ(unchanged, good);
    refuse_forged("huge section", [](HeaderPage& p) { p.sections[0].size_bytes = ~std::uint64_t{0}; });
    refuse_forged("huge offset", [](HeaderPage& p) { p.sections[2].offset_bytes = ~std::uint64_t{4095}; });
    refuse_forged("overlap", [](HeaderPage& p) { p.sections[2].offset_bytes = p.sections[0].offset_bytes; });
    refuse_forged("gap", [](HeaderPage& p) { p.sections[2].size_bytes -= 4096; });
    refuse_forged("too many sections", [](HeaderPage& p) { p.section_count = 0xffffffffu; });
    refuse_forged("one section too few", [](HeaderPage& p) { p.section_count = 2; });
    refuse_forged("same name twice", [](HeaderPage& p) { p.sections[1].name = p.sections[0].name; });
    refuse_forged("no name", [](HeaderPage& p) { p.sections[1].name = {}; });
    refuse_forged("name without end", [](HeaderPage& p) { p.sections[1].name.fill('x'); });
    refuse_forged("other header size", [](HeaderPage& p) { p.header_bytes = 8192; });
    refuse_forged("file size", [](HeaderPage& p) { p.file_bytes = ~std::uint64_t{0}; });
}

TEST(SectionedFile, KindOrderAndVersionAreToldApart)
{
    TempFolder const folder;
    auto const good = make_small_file(folder);
    auto const forged = [&](auto&& change) {
        auto bytes = good;
        HeaderPage page = header_of(good);
        change(page);
        put_header(bytes, page);
        return refusal(folder, bytes, VerifyLevel::quick);
    };
    expect_contains(forged([](HeaderPage& p) { p.magic[7] = 'X'; }), {"no test file"});
    expect_contains(forged([](HeaderPage& p) { p.byte_order_mark = 0x04030201u; }), {"big-endian"});
    expect_contains(forged([](HeaderPage& p) { p.version = file_version(3, 0); }), {"3.0"});
    expect_contains(forged([](HeaderPage& p) { p.version = file_version(1, 9); }), {"1.9"});
    EXPECT_EQ(forged([](HeaderPage& p) { p.version = file_version(2, 9); }), "");
}

TEST(SectionedWriter, BadSectionNamesAreRefused)
{
    TempFolder const folder;
    SectionedWriter writer(folder / "out", kTestFile);
    EXPECT_THROW(writer.append(make_section_bytes("too early")), Error);
    writer.begin_section("name");
    EXPECT_THROW(writer.begin_section("name"), Error);
    EXPECT_THROW(writer.begin_section(""), Error);
    EXPECT_THROW(writer.begin_section("sixteen letters!"), Error);
    EXPECT_NO_THROW(writer.begin_section("fifteen letters"));
}

TEST(SectionedWriter, TableHoldsEightyFourSections)
{
    TempFolder const folder;
    SectionedWriter writer(folder / "out", kTestFile);
    for (int i = 0; i < 84; ++i) writer.begin_section(fmt::format("s{}", i));
    EXPECT_THROW(writer.begin_section("s84"), Error);
    writer.commit();
    EXPECT_EQ(SectionedFile::open(folder / "out", kTestFile, VerifyLevel::full).sections().size(), 84u);
}

} // namespace
} // namespace volpt
