#include "libvolpt/sys/scratch_file.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace volpt {
namespace {

constexpr std::size_t kScratchBuffer_bytes = 1 << 20;
constexpr std::size_t kDirect_bytes = 1 << 16; // appended without a copy

[[noreturn]] void fail_with_errno(char const* what, std::filesystem::path const& folder)
{
    fail_system(std::string(what) + ": " + std::strerror(errno), folder.string(),
                "free some space or write the output to another disk");
}

} // namespace

ScratchFile::ScratchFile(std::filesystem::path folder) : folder_(folder.empty() ? "." : std::move(folder))
{
    std::string name = (folder_ / "volpt-scratch-XXXXXX").string();
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0) fail_with_errno("cannot create a temporary file", folder_);
    ::unlink(name.c_str()); // at once: no crash can leave the file behind
    buffer_.reserve(kScratchBuffer_bytes);
}

ScratchFile::~ScratchFile()
{
    ::close(descriptor_);
}

void ScratchFile::append(std::span<std::byte const> bytes)
{
    bool const is_large = bytes.size() >= kDirect_bytes;
    if (is_large || buffer_.size() + bytes.size() > kScratchBuffer_bytes) flush();
    if (is_large)
        write(bytes);
    else
        buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void ScratchFile::flush()
{
    write(buffer_);
    buffer_.clear();
}

void ScratchFile::write(std::span<std::byte const> bytes)
{
    while (!bytes.empty()) {
        ssize_t const written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(written_bytes_));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail_with_errno("cannot write a temporary file", folder_);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        written_bytes_ += static_cast<std::uint64_t>(written);
    }
}

void ScratchFile::read_at(std::uint64_t offset_bytes, std::span<std::byte> bytes) const
{
    iovec place{bytes.data(), bytes.size()};
    read_at(offset_bytes, std::span(&place, 1));
}

void ScratchFile::read_at(std::uint64_t offset_bytes, std::span<iovec> places) const
{
    while (!places.empty()) {
        auto const count = static_cast<int>(std::min<std::size_t>(places.size(), IOV_MAX));
        ssize_t const got = ::preadv(descriptor_, places.data(), count, static_cast<off_t>(offset_bytes));
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) errno = EIO;
        if (got <= 0) fail_with_errno("cannot read back a temporary file", folder_);
        offset_bytes += static_cast<std::uint64_t>(got);
        auto rest = static_cast<std::size_t>(got);
        for (; !places.empty() && rest >= places.front().iov_len; places = places.subspan(1))
            rest -= places.front().iov_len;
        if (rest == 0) continue;
        places.front().iov_base = static_cast<std::byte*>(places.front().iov_base) + rest;
        places.front().iov_len -= rest;
    }
}

} // namespace volpt
