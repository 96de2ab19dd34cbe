// Address ranges of a device that are made of device memory in front and of pinned host memory behind: CUDA's virtual
// memory management.
#pragma once

#include "libvolpt/backend/memory_plan.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace volpt {

/// Drivers for CUDA 13 and later can tell.
PageSupport find_page_support(int device);

/// Memory that has no address yet. Sizes are multiples of kPage_bytes (volume_split.h). Error (system) if there is not
/// enough.
class PageBlock {
public:
    PageBlock() = default;
    static PageBlock on_device(int device, std::size_t size_bytes);
    /// Pinned, on the NUMA node next to `device`; every device can map it.
    static PageBlock on_host(int device, std::size_t size_bytes);
    PageBlock(PageBlock&& other) noexcept;
    PageBlock& operator=(PageBlock&& other) noexcept;
    ~PageBlock();

    std::size_t size_bytes() const { return size_bytes_; }
    unsigned long long handle() const { return handle_; }

private:
    unsigned long long handle_ = 0;
    std::size_t size_bytes_ = 0; ///< 0: there is none
};

enum class HostAccess { no, yes };

/// A range of addresses, filled from the front with blocks. A block may be destroyed before the range: its memory
/// stays.
class PageRange {
public:
    PageRange(int device, std::size_t size_bytes);
    PageRange(PageRange&& other) noexcept;
    PageRange& operator=(PageRange&&) = delete;
    ~PageRange();

    /// Maps the block behind the last one, so that this device can read and write it. With HostAccess::yes host code
    /// can use the same pointer, too; only for blocks on the host.
    std::uint32_t* append(PageBlock const& block, HostAccess host);

    std::uint32_t* data() const { return reinterpret_cast<std::uint32_t*>(address_); }

private:
    int device_ = 0;
    unsigned long long address_ = 0;
    std::size_t size_bytes_ = 0;
    std::size_t mapped_bytes_ = 0;
};

} // namespace volpt
