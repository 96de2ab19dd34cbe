// Mapped files, and what becomes of readers when another program writes to the file.
#include "libvolpt/sys/mapped_file.h"
#include "libvolpt/sys/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/expect_fault.h"
#include "tests/support/temp_folder.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <numeric>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace volpt {
namespace {

using test::expect_error;
using test::TempFolder;

constexpr std::size_t kPage_bytes = 4096;
constexpr std::size_t kFile_bytes = 5 * kPage_bytes + 17;

/// Modified an hour ago, so that every write changes the time, however coarse the file system's clock is.
std::filesystem::path write_old_file(TempFolder const& folder, char content = '\1')
{
    auto path = folder.write("file", std::string(kFile_bytes, content));
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    return path;
}

std::size_t add_bytes(std::span<std::byte const> bytes)
{
    return std::accumulate(bytes.begin(), bytes.end(), std::size_t{0},
                           [](std::size_t sum, std::byte b) { return sum + std::to_integer<std::size_t>(b); });
}

TEST(MappedFile, EmptyFileHasNoBytes)
{
    TempFolder const folder;
    MappedFile const file(folder.write("empty", ""));
    EXPECT_TRUE(file.bytes().empty());
    EXPECT_NO_THROW(file.check_unchanged());
}

TEST(MappedFile, PipesFoldersAndMissingFilesAreRefusedAtOnce)
{
    TempFolder const folder;
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    for (auto const& path : {folder / "pipe", folder.path(), folder / "missing"}) {
        SCOPED_TRACE(path);
        expect_error(ExitStatus::input, {}, [&] { MappedFile const file(path); });
    }
}

TEST(MappedFile, LostPagesReadAsZerosAndTheFileIsRefused)
{
    replace_lost_pages();
    TempFolder const folder;
    auto const path = write_old_file(folder);
    MappedFile const other(folder.write("other", "whole"));
    MappedFile const file(path);
    EXPECT_EQ(add_bytes(file.bytes()), kFile_bytes);
    EXPECT_NO_THROW(file.check_unchanged());
    EXPECT_EQ(find_changed_mapping(), nullptr);
    std::filesystem::resize_file(path, 2 * kPage_bytes);
    std::vector<std::size_t> sums(4);
    {
        std::vector<std::jthread> threads;
        for (std::size_t& sum : sums) threads.emplace_back([&] { sum = add_bytes(file.bytes()); });
    }
    for (std::size_t const sum : sums) EXPECT_EQ(sum, 2 * kPage_bytes);
    std::filesystem::resize_file(path, kFile_bytes);
    test::write_text(path, std::string(kFile_bytes, '\1')); // as it was, but for the time
    expect_error(ExitStatus::input, {path.string(), "changed while"}, [&] { file.check_unchanged(); });
    EXPECT_EQ(find_changed_mapping(), path.string());
    EXPECT_NO_THROW(other.check_unchanged());
    EXPECT_NO_THROW(MappedFile(path).check_unchanged());
}

TEST(MappedFile, ReadingLostPagesAfterThemKeepsTheRefusal)
{
    replace_lost_pages();
    TempFolder const folder;
    auto const path = write_old_file(folder);
    MappedFile const file(path);
    auto const time = std::filesystem::last_write_time(path);
    std::filesystem::resize_file(path, 0);
    EXPECT_EQ(add_bytes(file.bytes()), 0u);
    test::write_text(path, std::string(kFile_bytes, '\1'));
    std::filesystem::last_write_time(path, time);
    EXPECT_EQ(std::filesystem::file_size(path), kFile_bytes);
    expect_error(ExitStatus::input, {path.string()}, [&] { file.check_unchanged(); });
}

TEST(MappedFile, WritingInPlaceIsRefused)
{
    TempFolder const folder;
    auto const path = write_old_file(folder);
    MappedFile const file(path);
    test::flip_bits(path, 100, 1);
    expect_error(ExitStatus::input, {path.string(), "rename it over"}, [&] { file.check_unchanged(); });
}

TEST(MappedFile, ReplacedOrRemovedFileStaysAsItWas)
{
    TempFolder const folder;
    auto const path = write_old_file(folder);
    MappedFile const file(path);
    std::filesystem::rename(folder.write("new", "other content"), path);
    EXPECT_NO_THROW(file.check_unchanged());
    std::filesystem::remove(path);
    EXPECT_NO_THROW(file.check_unchanged());
    EXPECT_EQ(add_bytes(file.bytes()), kFile_bytes);
}

TEST(MappedFile, FaultsOutsideMappingsStillEndTheProcess)
{
    replace_lost_pages();
    replace_lost_pages(); // twice: the handler must not become its own predecessor
    TempFolder const folder;
    auto const path = write_old_file(folder);
    int const descriptor = ::open(path.c_str(), O_RDONLY);
    void* const foreign = ::mmap(nullptr, kPage_bytes, PROT_READ, MAP_SHARED, descriptor, 0);
    ASSERT_NE(foreign, MAP_FAILED);
    ASSERT_EQ(::truncate(path.c_str(), 0), 0);
    VOLPT_EXPECT_FAULT(std::exit(*static_cast<char const volatile*>(foreign)), SIGBUS);
    ::munmap(foreign, kPage_bytes);
    ::close(descriptor);
}

} // namespace
} // namespace volpt
