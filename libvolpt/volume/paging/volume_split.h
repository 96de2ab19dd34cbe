// Says how much of each plane lies on the device if not all of it fits.
#pragma once

#include "libvolpt/volume/paging/access_order.h"

#include <algorithm>
#include <optional>

namespace volpt {

/// Parts of a plane are multiples of it: what a mapping can be made of.
inline constexpr std::size_t kPage_bytes = std::size_t{2} << 20;

/// The front of a plane lies on the device, the rest in chunks on the host. Which chunks there are is a matter of the
/// plane alone, so that GPUs with different fronts share them.
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
    std::optional<double> hit_rate; ///< by `judged`; none if that is empty
};

/// At most `budget_bytes` on the device, chosen chunk by chunk for the most lookups a byte.
VolumeSplit split_volume(std::array<PlaneOrder, kPlanes> const& orders, std::size_t budget_bytes);

} // namespace volpt
