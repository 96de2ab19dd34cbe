// A side of a box moves outwards if all runs of equal bricks in the next layer are long enough.
#include "libvolpt/volume/clearance/alike_boxes.h"

#include "libvolpt/volume/clearance/brick_grid.h"

#include <map>
#include <numeric>

namespace volpt {
namespace {

/// Limit on the lookups of runs, per brick of the volume.
constexpr std::size_t kMaxLookups = 64;

using Corner = std::array<std::int32_t, 3>;

class BoxGrower {
public:
    explicit BoxGrower(BrickGrid const& grid) : grid_(grid), values_(number_values(grid))
    {
        for (std::size_t axis = 0; axis < 3; ++axis) runs_[axis] = measure_runs(axis);
    }

    bool is_constant(std::size_t brick) const { return values_[brick] != 0; }
    std::size_t lookups() const { return lookups_; }

    std::size_t index(Corner const& at) const
    {
        std::size_t brick = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) brick += static_cast<std::size_t>(at[axis]) * grid_.strides[axis];
        return brick;
    }

    BrickBox grow(Corner const& seed)
    {
        BrickBox box{seed, {seed[0] + 1, seed[1] + 1, seed[2] + 1}};
        std::uint32_t const value = values_[index(seed)];
        for (bool grows = true; grows;) {
            grows = false;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                if (box.high[axis] < static_cast<std::int32_t>(grid_.counts[axis]) &&
                    is_all(value, box, axis, box.high[axis])) {
                    ++box.high[axis];
                    grows = true;
                }
                if (box.low[axis] > 0 && is_all(value, box, axis, box.low[axis] - 1)) {
                    --box.low[axis];
                    grows = true;
                }
            }
        }
        return box;
    }

private:
    /// By brick: 0 if it varies, else a number for its combination of constants.
    static std::vector<std::uint32_t> number_values(BrickGrid const& grid)
    {
        std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
        std::vector<std::uint32_t> values(grid.size);
        for (std::size_t brick = 0; brick < grid.size; ++brick)
            if (grid.is_constant(brick))
                values[brick] =
                    numbers.try_emplace(grid.list_words(brick), static_cast<std::uint32_t>(numbers.size() + 1))
                        .first->second;
        return values;
    }

    /// By brick: the number of consecutive bricks along `axis`, from it on, that have its value.
    std::vector<std::int32_t> measure_runs(std::size_t axis) const
    {
        std::vector<std::int32_t> runs(grid_.size, 1);
        std::size_t const stride = grid_.strides[axis];
        for (std::size_t brick = grid_.size; brick-- > 0;) {
            bool const is_last = brick / stride % grid_.counts[axis] + 1 == grid_.counts[axis];
            if (!is_last && values_[brick] == values_[brick + stride]) runs[brick] = runs[brick + stride] + 1;
        }
        return runs;
    }

    /// Whether all bricks of the box's extension to layer `at` along `axis` have the value.
    bool is_all(std::uint32_t value, BrickBox const& box, std::size_t axis, std::int32_t at)
    {
        std::size_t const along = axis == 0 ? 1 : 0; // runs are looked up along this one, lines of them along the third
        std::size_t const across = 3 - axis - along;
        Corner corner = box.low;
        corner[axis] = at;
        for (corner[across] = box.low[across]; corner[across] < box.high[across]; ++corner[across]) {
            ++lookups_;
            std::size_t const brick = index(corner);
            if (values_[brick] != value || runs_[along][brick] < box.high[along] - box.low[along]) return false;
        }
        return true;
    }

    BrickGrid const& grid_;
    std::vector<std::uint32_t> values_;
    std::array<std::vector<std::int32_t>, 3> runs_;
    std::size_t lookups_ = 0;
};

} // namespace

AlikeBoxes find_alike_boxes(VolumeView const& volume, std::span<float const> clearance_mm)
{
    BrickGrid const grid(volume);
    if (!grid.has_planes()) return {};
    BoxGrower grower(grid);
    std::vector<std::uint32_t> order(grid.size);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return clearance_mm[a] > clearance_mm[b]; });
    AlikeBoxes found{{}, std::vector<std::uint32_t>(grid.size, kNoBox)};
    std::size_t placed = 0;
    for (std::uint32_t const brick : order) {
        if (!grower.is_constant(brick) || found.box_of_brick[brick] != kNoBox) continue;
        Corner seed{};
        for (std::size_t axis = 0; axis < 3; ++axis)
            seed[axis] = static_cast<std::int32_t>(brick / grid.strides[axis] % grid.counts[axis]);
        bool const is_too_slow = grower.lookups() + placed > kMaxLookups * grid.size;
        BrickBox const box = is_too_slow ? BrickBox{seed, {seed[0] + 1, seed[1] + 1, seed[2] + 1}} : grower.grow(seed);
        auto const number = static_cast<std::uint32_t>(found.boxes.size());
        found.boxes.push_back(box);
        for (std::int32_t z = box.low[2]; z < box.high[2]; ++z)
            for (std::int32_t y = box.low[1]; y < box.high[1]; ++y)
                for (std::int32_t x = box.low[0]; x < box.high[0]; ++x, ++placed) {
                    std::uint32_t& owner = found.box_of_brick[grower.index({x, y, z})];
                    if (owner == kNoBox) owner = number;
                }
    }
    return found;
}

} // namespace volpt
