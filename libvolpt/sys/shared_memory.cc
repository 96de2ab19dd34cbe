// A sealed file in memory, mapped twice.
#include "libvolpt/sys/shared_memory.h"

#include "libvolpt/sys/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace volpt {

SharedMemory::SharedMemory() : descriptor_(::memfd_create("volpt", MFD_CLOEXEC | MFD_ALLOW_SEALING))
{
    if (descriptor_ < 0) fail_system(fmt::format("no shared memory: {}", std::strerror(errno)), "memfd_create");
}

SharedMemory::~SharedMemory()
{
    if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
    ::close(descriptor_);
}

bool SharedMemory::map_bytes(std::uint64_t size_bytes)
{
    void* const place = ::mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (place == MAP_FAILED) return false;
    bytes_ = {static_cast<std::byte*>(place), size_bytes};
    return true;
}

void SharedMemory::create(std::uint64_t size_bytes)
{
    // Pages come when they are written: a size that a damaged file merely claims costs nothing.
    if (::ftruncate(descriptor_, static_cast<off_t>(size_bytes)) != 0 ||
        ::fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0 || !map_bytes(size_bytes))
        fail_system(fmt::format("no {} MiB of shared memory: {}", size_bytes >> 20, std::strerror(errno)),
                    "memfd_create", "free some memory");
}

std::uint64_t SharedMemory::size_bytes() const
{
    struct stat status = {};
    return ::fstat(descriptor_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

void SharedMemory::map()
{
    std::uint64_t const size = size_bytes();
    if (size == 0 || !map_bytes(size)) throw std::bad_alloc();
}

} // namespace volpt
