// Memory that a sandboxed process and its parent share: voxels cross without a copy through a socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace volpt {

/// Made before the child, which inherits it; sized by the parent and mapped by each side for itself.
class SharedMemory {
public:
    SharedMemory(); ///< Error (system)
    ~SharedMemory();
    SharedMemory(SharedMemory const&) = delete;
    SharedMemory& operator=(SharedMemory const&) = delete;

    /// In the parent, once: sizes, maps and seals it, so that no child can take pages away under the parent's feet.
    /// Error (system) if the machine has no room.
    void create(std::uint64_t size_bytes);
    /// What the parent gave it; 0 before `create`.
    std::uint64_t size_bytes() const;
    /// In the child, after `create`. std::bad_alloc if its limit on memory forbids it.
    void map();
    std::span<std::byte> bytes() const noexcept { return bytes_; }

private:
    bool map_bytes(std::uint64_t size_bytes);

    int descriptor_ = -1;
    std::span<std::byte> bytes_;
};

} // namespace volpt
