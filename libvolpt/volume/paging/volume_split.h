// Divides the planes of a volume between device and host memory if they do not fit on the device.
#pragma once

#include "libvolpt/volume/paging/access_order.h"

#include <algorithm>
#include <optional>

namespace volpt {

/// Granularity of device mappings: parts of a plane are multiples of it.
inline constexpr std::size_t kPage_bytes = std::size_t{2} << 20;

/// The first part of a plane is on the device, the rest in chunks on the host. Chunks depend on the plane only, so that
/// GPUs with different budgets share the host's.
struct PlaneSplit {
    std::size_t size_bytes = 0; ///< whole pages
    std::size_t chunk_bytes = kPage_bytes;
    std::size_t device_bytes = 0; ///< whole chunks, or all

    std::size_t host_bytes() const { return size_bytes - device_bytes; }
    std::size_t count_chunk_bytes(std::size_t first_byte) const
    {
        return std::min(chunk_bytes, size_bytes - first_byte);
    }
};

struct VolumeSplit {
    std::array<PlaneSplit, kPlanes> planes;
    std::size_t device_bytes = 0;
    std::size_t host_bytes = 0;
    std::optional<double> hit_rate; ///< share of the `holdout` lookups that are on the device; none if there are none
};

/// Puts at most `budget_bytes` on the device, chunk by chunk with the most `fit` lookups per byte.
VolumeSplit split_volume(std::array<PlaneOrder, kPlanes> const& orders, std::size_t budget_bytes);

} // namespace volpt
