#include "kernels/paging/brick_store.h"

namespace volpt {

std::array<PlaneOrder, kPlanes> const& BrickStore::order(MediumView const& medium)
{
    std::call_once(is_ordered_, [&] { orders_ = order_planes(medium, estimate_ ? estimate_() : BrickAccessCounts{}); });
    return orders_;
}

void BrickStore::append_chunk(int device, PageRange& range, PlaneReader const& plane, std::size_t plane_index,
                              PlaneSplit const& split, std::size_t first_byte)
{
    std::scoped_lock const lock(mutex_);
    auto const place = std::pair(plane_index, first_byte);
    if (auto const chunk = chunks_.find(place); chunk != chunks_.end()) {
        range.append(chunk->second, HostAccess::no);
        return;
    }
    PageBlock block = PageBlock::on_host(device, split.count_chunk_bytes(first_byte));
    std::uint32_t* const words = range.append(block, HostAccess::yes);
    gather_words(plane, orders_[plane_index], first_byte / sizeof(std::uint32_t),
                 {words, block.size_bytes() / sizeof(std::uint32_t)});
    chunks_.emplace(place, std::move(block));
}

} // namespace volpt
