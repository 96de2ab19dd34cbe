// What GPUs share if a volume is larger than their memory: the order of its bricks, and the chunks in host memory.
#pragma once

#include "kernels/paging/paged_memory.h"
#include "libvolpt/backend/backend.h"
#include "libvolpt/volume/paging/access_order.h"
#include "libvolpt/volume/paging/volume_split.h"

#include <map>
#include <mutex>

namespace volpt {

/// For one volume. All calls from any thread.
class BrickStore final : public SharedState {
public:
    explicit BrickStore(std::function<BrickAccessCounts()> estimate) : estimate_(std::move(estimate)) {}

    /// The order of the planes of `medium`, the same at every call; the first call estimates the accesses.
    std::array<PlaneOrder, kPlanes> const& order(MediumView const& medium);

    /// Maps the chunk of a plane that begins at `first_byte` behind what `range` holds. The first call
    /// for a chunk makes and fills it.
    void append_chunk(int device, PageRange& range, PlaneReader const& plane, std::size_t plane_index,
                      PlaneSplit const& split, std::size_t first_byte);

private:
    std::function<BrickAccessCounts()> estimate_;
    std::once_flag is_ordered_;
    std::array<PlaneOrder, kPlanes> orders_;
    std::mutex mutex_;
    std::map<std::pair<std::size_t, std::size_t>, PageBlock> chunks_; ///< by plane and first byte
};

} // namespace volpt
