#include "libvolpt/sys/mapped_file.h"

#include "libvolpt/sys/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace volpt {
namespace {

struct Descriptor {
    int value;
    ~Descriptor()
    {
        if (value >= 0) ::close(value);
    }
};

void unmap(std::span<std::byte const> bytes)
{
    if (!bytes.empty()) ::munmap(const_cast<std::byte*>(bytes.data()), bytes.size());
}

} // namespace

MappedFile::MappedFile(std::filesystem::path path) : path_(std::move(path))
{
    // O_NONBLOCK: opening a named pipe without a writer would wait for ever.
    Descriptor const file{::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    struct stat info {};
    if (file.value < 0 || ::fstat(file.value, &info) != 0) {
        fail_input(std::string("cannot open: ") + std::strerror(errno), path_.string(), {},
                   "check the name and the permissions");
    }
    if (!S_ISREG(info.st_mode)) fail_input("not a regular file", path_.string(), {}, "name a file");
    if (info.st_size == 0) return;
    auto const size_bytes = static_cast<std::size_t>(info.st_size);
    void* const address = ::mmap(nullptr, size_bytes, PROT_READ, MAP_SHARED, file.value, 0);
    if (address == MAP_FAILED) {
        fail_system(std::string("cannot map the file into memory: ") + std::strerror(errno), path_.string());
    }
    bytes_ = {static_cast<std::byte const*>(address), size_bytes};
}

MappedFile::~MappedFile()
{
    unmap(bytes_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)), bytes_(std::exchange(other.bytes_, {}))
{
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept
{
    if (this != &other) {
        unmap(bytes_);
        path_ = std::move(other.path_);
        bytes_ = std::exchange(other.bytes_, {});
    }
    return *this;
}

} // namespace volpt
