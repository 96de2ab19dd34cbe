#include "libvolpt/volume/paging/access_order.h"

#include <algorithm>
#include <cstring>

namespace volpt {
namespace {

constexpr std::int32_t kSurroundingsEdge = 4; // bricks

/// Sums of lookups over the cubes of a coarse grid; `around` is that of the cube that holds the brick.
class Surroundings {
public:
    Surroundings(std::int32_t const (&brick_counts)[3], std::span<std::uint32_t const> lookups)
        : counts_{brick_counts[0], brick_counts[1], brick_counts[2]}
    {
        for (int a = 0; a < 3; ++a) cubes_[a] = (counts_[a] + kSurroundingsEdge - 1) / kSurroundingsEdge;
        sums_.resize(std::size_t(cubes_[0]) * std::size_t(cubes_[1]) * std::size_t(cubes_[2]));
        for (std::size_t brick = 0; brick < lookups.size(); ++brick) sums_[find_cube(brick)] += lookups[brick];
    }
    std::uint64_t around(std::size_t brick) const { return sums_[find_cube(brick)]; }

private:
    std::size_t find_cube(std::size_t brick) const
    {
        auto const nx = std::size_t(counts_[0]), ny = std::size_t(counts_[1]);
        std::size_t const x = brick % nx / kSurroundingsEdge, y = brick / nx % ny / kSurroundingsEdge,
                          z = brick / (nx * ny) / kSurroundingsEdge;
        return (z * std::size_t(cubes_[1]) + y) * std::size_t(cubes_[0]) + x;
    }

    std::int32_t counts_[3];
    std::int32_t cubes_[3];
    std::vector<std::uint64_t> sums_;
};

struct SlotAccesses {
    std::uint64_t fit = 0;
    std::uint64_t holdout = 0;
    std::uint64_t around = 0;
};

std::uint32_t saturate(std::uint64_t value, std::uint64_t most)
{
    return static_cast<std::uint32_t>(std::min(value, most));
}

/// By descending (fit, around), then ascending slot. Packed into one number each: 17 million sort in a second.
std::vector<std::uint32_t> sort_slots(std::vector<SlotAccesses> const& accesses, std::vector<bool> const& is_used)
{
    std::vector<std::uint64_t> keys;
    for (std::size_t slot = 0; slot < accesses.size(); ++slot) {
        if (!is_used[slot]) continue;
        std::uint64_t const fit = saturate(accesses[slot].fit, 0xffff),
                            around = saturate(accesses[slot].around, 0xffff);
        keys.push_back(((fit << 16 | around) ^ 0xffffffffu) << 32 | slot);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::uint32_t> slots;
    for (std::uint64_t const key : keys) slots.push_back(static_cast<std::uint32_t>(key));
    return slots;
}

} // namespace

PlaneOrder order_plane(PlaneReader const& plane, std::int32_t const (&brick_counts)[3],
                       std::span<std::uint32_t const> fit, std::span<std::uint32_t const> holdout)
{
    PlaneOrder order;
    if (plane.table == nullptr) return order;
    auto const stride = static_cast<std::size_t>(plane.table_stride);
    std::size_t const bricks =
        std::size_t(brick_counts[0]) * std::size_t(brick_counts[1]) * std::size_t(brick_counts[2]);
    order.slot_bytes = plane.words_per_brick * sizeof(std::uint32_t);
    order.table.assign(plane.table, plane.table + bricks * stride);
    Surroundings const surroundings(brick_counts, fit);
    std::vector<SlotAccesses> accesses;
    std::vector<bool> is_used;
    for (std::size_t brick = 0; brick < bricks; ++brick) {
        std::uint32_t const slot = plane.table[brick * stride];
        if (slot == kConstantBrick) continue;
        if (slot >= accesses.size()) {
            accesses.resize(slot + 1);
            is_used.resize(slot + 1);
        }
        is_used[slot] = true;
        if (!fit.empty()) accesses[slot].fit += fit[brick];
        if (!holdout.empty()) accesses[slot].holdout += holdout[brick];
        accesses[slot].around = std::max(accesses[slot].around, surroundings.around(brick));
    }
    order.old_slots = sort_slots(accesses, is_used);
    std::vector<std::uint32_t> new_slots(accesses.size());
    for (std::uint32_t slot = 0; slot < order.old_slots.size(); ++slot) {
        SlotAccesses const& old = accesses[order.old_slots[slot]];
        new_slots[order.old_slots[slot]] = slot;
        order.fit.push_back(saturate(old.fit, 0xffff));
        order.holdout.push_back(saturate(old.holdout, UINT32_MAX));
    }
    for (std::size_t entry = 0; entry < order.table.size(); entry += stride)
        if (order.table[entry] != kConstantBrick) order.table[entry] = new_slots[order.table[entry]];
    return order;
}

std::array<PlaneOrder, kPlanes> order_planes(MediumView const& medium, BrickAccessCounts const& accesses)
{
    auto const order = [&](PlaneReader const& plane, std::vector<std::uint32_t> BrickLookups::*lookups) {
        return order_plane(plane, medium.brick_counts, accesses.fit.*lookups, accesses.holdout.*lookups);
    };
    bool const labels_fly = medium.extinction == Extinction::label;
    return {order(medium.density, &BrickLookups::flights), order(medium.one_minus_albedo, &BrickLookups::collisions),
            order(medium.label, labels_fly ? &BrickLookups::flights : &BrickLookups::collisions)};
}

void gather_words(PlaneReader const& plane, PlaneOrder const& order, std::size_t first_word,
                  std::span<std::uint32_t> words)
{
    std::size_t const slot_words = plane.words_per_brick;
    std::size_t const end = std::min(first_word + words.size(), order.old_slots.size() * slot_words);
    for (std::size_t word = first_word; word < end;) {
        std::size_t const slot = word / slot_words, inside = word % slot_words;
        std::size_t const count = std::min(slot_words - inside, end - word);
        std::memcpy(words.data() + (word - first_word), plane.words + order.old_slots[slot] * slot_words + inside,
                    count * sizeof(std::uint32_t));
        word += count;
    }
}

} // namespace volpt
