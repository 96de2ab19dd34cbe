// Outputs appear whole or not at all, and what was there before survives every failure.
#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/scratch_file.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace volpt {
namespace {

using test::expect_error;
using test::read_bytes;
using test::TempFolder;

std::vector<std::byte> make_bytes(std::string_view text)
{
    auto const bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

std::size_t count_files(TempFolder const& folder)
{
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path()), {}));
}

TEST(AtomicFile, NothingIsVisibleBeforeCommit)
{
    TempFolder const folder;
    AtomicFile file(folder / "out");
    file.write(make_bytes("new"));
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
    file.commit();
    EXPECT_EQ(read_bytes(folder / "out"), make_bytes("new"));
    EXPECT_EQ(count_files(folder), 1u);
}

TEST(AtomicFile, AbandonedFileLeavesTheOldOneAndNoTrace)
{
    TempFolder const folder;
    test::write_bytes(folder / "out", make_bytes("old"));
    {
        AtomicFile file(folder / "out");
        file.write(make_bytes("half"));
    }
    EXPECT_EQ(read_bytes(folder / "out"), make_bytes("old"));
    EXPECT_EQ(count_files(folder), 1u);
}

TEST(AtomicFile, TwoWritersOfOneNameDoNotMix)
{
    TempFolder const folder;
    AtomicFile first(folder / "out");
    AtomicFile second(folder / "out");
    first.write(make_bytes("first"));
    second.write(make_bytes("second"));
    first.commit();
    EXPECT_EQ(read_bytes(folder / "out"), make_bytes("first"));
    second.commit();
    EXPECT_EQ(read_bytes(folder / "out"), make_bytes("second"));
}

TEST(AtomicFile, PatchedBytesLandWhereTheyBelong)
{
    TempFolder const folder;
    AtomicFile file(folder / "out");
    file.write(make_bytes("....tail"));
    file.write_at(0, make_bytes("head"));
    file.write(make_bytes("!"));
    file.commit();
    EXPECT_EQ(read_bytes(folder / "out"), make_bytes("headtail!"));
}

TEST(AtomicFile, SymbolicLinkStaysALink)
{
    TempFolder const folder;
    test::write_bytes(folder / "real", make_bytes("old"));
    std::filesystem::create_symlink("real", folder / "link");
    write_file_atomically(folder / "link", make_bytes("new"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_EQ(read_bytes(folder / "real"), make_bytes("new"));
}

TEST(AtomicFile, PermissionsOfTheReplacedFileAreKept)
{
    TempFolder const folder;
    test::write_bytes(folder / "out", make_bytes("old"));
    std::filesystem::permissions(folder / "out", std::filesystem::perms(0640));
    write_file_atomically(folder / "out", make_bytes("new"));
    EXPECT_EQ(std::filesystem::status(folder / "out").permissions(), std::filesystem::perms(0640));
}

TEST(AtomicFile, DeviceOrMissingFolderIsRefusedAsSystemError)
{
    TempFolder const folder;
    for (auto const& path : {std::filesystem::path("/dev/null"), folder.path(), folder / "no/such/out"}) {
        SCOPED_TRACE(path);
        expect_error(ExitStatus::system, {path.string()}, [&] { AtomicFile const file(path); });
    }
}

TEST(ScratchFile, BytesComeBackInAnyOrderAndNoNameIsLeft)
{
    TempFolder const folder;
    ScratchFile scratch(folder.path());
    std::vector<std::byte> block(100'000);
    for (int i = 0; i < 30; ++i) {
        std::fill(block.begin(), block.end(), std::byte{static_cast<unsigned char>(i)});
        scratch.append(block);
    }
    EXPECT_EQ(scratch.size_bytes(), 3'000'000u);
    scratch.flush();
    for (unsigned i : {29u, 0u, 17u}) {
        scratch.read_at(i * block.size(), block);
        EXPECT_EQ(block.front(), std::byte{static_cast<unsigned char>(i)});
        EXPECT_EQ(block.back(), std::byte{static_cast<unsigned char>(i)});
    }
    std::vector<std::byte> scattered(300);
    std::vector<iovec> places;
    for (std::size_t i = 0; i < 3; ++i) places.push_back({scattered.data() + (2 - i) * 100, 100});
    scratch.read_at(1'999'850, places);
    EXPECT_EQ(scattered[149], std::byte{19});
    EXPECT_EQ(scattered[150], std::byte{20});
    EXPECT_EQ(scattered[0], std::byte{20});
    EXPECT_EQ(count_files(folder), 0u);
    EXPECT_THROW(scratch.read_at(3'000'000u - 1, block), Error);
}

} // namespace
} // namespace volpt
