#include "libvolpt/sys/file_bytes.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/text/lfs_pointer.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace volpt {

FileBytes::FileBytes(std::filesystem::path path) : path_(std::move(path))
{
    // O_NONBLOCK: opening a pipe by mistake must fail the regular-file check below, not wait for a writer.
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor_ < 0)
        fail_input(fmt::format("cannot be opened: {}", std::strerror(errno)), path_.string(), {}, "check the name");
    struct stat status = {};
    if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(descriptor_);
        fail_input("is not a regular file", path_.string(), "volumes are read at several places",
                   "write a pipe's content to a file first");
    }
    size_bytes_ = static_cast<std::uint64_t>(status.st_size);
    try {
        refuse_lfs_pointer(descriptor_, size_bytes_, path_.string());
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

FileBytes::~FileBytes()
{
    if (descriptor_ >= 0) ::close(descriptor_);
}

FileBytes::FileBytes(FileBytes&& other) noexcept
    : path_(std::move(other.path_)), size_bytes_(other.size_bytes_), descriptor_(std::exchange(other.descriptor_, -1))
{
}

void FileBytes::read_at(std::uint64_t offset_bytes, std::span<std::byte> bytes) const
{
    while (!bytes.empty()) {
        auto const got = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset_bytes));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            fail_input(fmt::format("cannot be read: {}", std::strerror(errno)),
                       fmt::format("{} at offset {}", path_.string(), offset_bytes));
        if (got == 0)
            fail_input(fmt::format("the file ends {} bytes early", bytes.size()),
                       fmt::format("{} at offset {}", path_.string(), offset_bytes), {}, "get a complete copy");
        bytes = bytes.subspan(static_cast<std::size_t>(got));
        offset_bytes += static_cast<std::uint64_t>(got);
    }
}

} // namespace volpt
