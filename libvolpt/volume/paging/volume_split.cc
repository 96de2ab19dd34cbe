#include "libvolpt/volume/paging/volume_split.h"

#include <algorithm>

namespace volpt {
namespace {

/// Per plane: each chunk costs a driver call to map.
constexpr std::size_t kMaxChunks = 256;

std::size_t round_up(std::size_t value, std::size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

PlaneSplit make_empty_split(PlaneOrder const& order)
{
    PlaneSplit split;
    split.size_bytes = round_up(order.size_bytes(), kPage_bytes);
    split.chunk_bytes = std::max(kPage_bytes, round_up(split.size_bytes / kMaxChunks, kPage_bytes));
    return split;
}

/// Lookups of each chunk; a brick counts for the chunk in which it begins.
std::vector<std::uint64_t> count_chunk_lookups(PlaneOrder const& order, PlaneSplit const& split)
{
    std::vector<std::uint64_t> lookups(round_up(split.size_bytes, split.chunk_bytes) / split.chunk_bytes);
    for (std::size_t slot = 0; slot < order.fit.size(); ++slot)
        lookups[slot * order.slot_bytes / split.chunk_bytes] += order.fit[slot];
    return lookups;
}

std::optional<double> measure_hit_rate(std::array<PlaneOrder, kPlanes> const& orders, VolumeSplit const& split)
{
    std::uint64_t hits = 0, all = 0;
    for (std::size_t i = 0; i < kPlanes; ++i)
        for (std::size_t slot = 0; slot < orders[i].holdout.size(); ++slot) {
            all += orders[i].holdout[slot];
            if ((slot + 1) * orders[i].slot_bytes <= split.planes[i].device_bytes) hits += orders[i].holdout[slot];
        }
    if (all == 0) return std::nullopt;
    return static_cast<double>(hits) / static_cast<double>(all);
}

} // namespace

VolumeSplit split_volume(std::array<PlaneOrder, kPlanes> const& orders, std::size_t budget_bytes)
{
    VolumeSplit split;
    std::array<std::vector<std::uint64_t>, kPlanes> lookups;
    for (std::size_t i = 0; i < kPlanes; ++i) {
        split.planes[i] = make_empty_split(orders[i]);
        lookups[i] = count_chunk_lookups(orders[i], split.planes[i]);
    }
    for (;;) {
        PlaneSplit* best = nullptr;
        double most = -1;
        for (std::size_t i = 0; i < kPlanes; ++i) {
            PlaneSplit& plane = split.planes[i];
            if (plane.host_bytes() == 0) continue;
            std::size_t const bytes = plane.count_chunk_bytes(plane.device_bytes);
            double const density =
                static_cast<double>(lookups[i][plane.device_bytes / plane.chunk_bytes]) / static_cast<double>(bytes);
            if (bytes > budget_bytes - split.device_bytes || density <= most) continue;
            best = &plane;
            most = density;
        }
        if (best == nullptr) break;
        std::size_t const bytes = best->count_chunk_bytes(best->device_bytes);
        best->device_bytes += bytes;
        split.device_bytes += bytes;
    }
    for (PlaneSplit const& plane : split.planes) split.host_bytes += plane.host_bytes();
    split.hit_rate = measure_hit_rate(orders, split);
    return split;
}

} // namespace volpt
