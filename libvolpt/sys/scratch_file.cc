#include "libvolpt/sys/scratch_file.h"

#include "libvolpt/sys/error.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace volpt {
namespace {

constexpr std::size_t kScratchBuffer_bytes = 1 << 20;

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
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    if (buffer_.size() >= kScratchBuffer_bytes) flush();
}

void ScratchFile::flush()
{
    std::span<std::byte const> rest = buffer_;
    while (!rest.empty()) {
        ssize_t const written = ::pwrite(descriptor_, rest.data(), rest.size(), static_cast<off_t>(written_bytes_));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail_with_errno("cannot write a temporary file", folder_);
        rest = rest.subspan(static_cast<std::size_t>(written));
        written_bytes_ += static_cast<std::uint64_t>(written);
    }
    buffer_.clear();
}

void ScratchFile::read_at(std::uint64_t offset_bytes, std::span<std::byte> bytes)
{
    flush();
    while (!bytes.empty()) {
        ssize_t const got = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset_bytes));
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) errno = EIO;
        if (got <= 0) fail_with_errno("cannot read back a temporary file", folder_);
        bytes = bytes.subspan(static_cast<std::size_t>(got));
        offset_bytes += static_cast<std::uint64_t>(got);
    }
}

} // namespace volpt
