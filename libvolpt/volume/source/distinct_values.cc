#include "libvolpt/volume/source/distinct_values.h"

#include "libvolpt/core/encoding.hd.h"

#include <algorithm>
#include <bit>

namespace volpt {

void DistinctValues::add(float value, std::uint64_t count)
{
    if (are_too_many()) return;
    value += 0.0f; // -0 becomes 0
    constexpr int kShift = 32 - std::bit_width(kSlots - 1);
    constexpr std::uint32_t kFactor = 2654435769u; // 2^32 / golden ratio: Knuth's multiplicative hash
    std::size_t slot = (bits_from_float(value) * kFactor) >> kShift;
    while (slots_[slot].count > 0 && slots_[slot].value != value) slot = (slot + 1) % kSlots;
    if (slots_[slot].count == 0) {
        slots_[slot].value = value;
        ++used_;
    }
    slots_[slot].count += count;
}

std::vector<std::pair<float, std::uint64_t>> DistinctValues::sort() const
{
    std::vector<std::pair<float, std::uint64_t>> sorted;
    if (are_too_many()) return sorted;
    for (Slot const& slot : slots_)
        if (slot.count > 0) sorted.emplace_back(slot.value, slot.count);
    std::ranges::sort(sorted);
    return sorted;
}

} // namespace volpt
