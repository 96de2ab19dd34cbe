// BrickGrid: which bricks of a volume are constant, and which are the same constant, from its tables.
#pragma once

#include "libvolpt/volume/volume.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace volpt {

/// The volume's planes, and the counts and strides of its bricks.
class BrickGrid {
public:
    explicit BrickGrid(VolumeView const& volume)
    {
        for (PlaneView const& plane : {volume.density, volume.one_minus_albedo, volume.label})
            if (plane.channels > 0) planes_.push_back(plane);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            counts[axis] = static_cast<std::size_t>(volume.brick_counts[axis]);
            strides[axis] = size;
            size *= counts[axis];
        }
    }

    bool has_planes() const { return !planes_.empty(); }

    bool is_constant(std::size_t brick) const
    {
        return std::all_of(planes_.begin(), planes_.end(), [&](PlaneView const& plane) {
            return plane.table[brick * plane.table_stride] == kConstantBrick;
        });
    }

    /// Both constant, with the same words in every plane.
    bool are_same(std::size_t a, std::size_t b) const
    {
        return is_constant(a) && std::all_of(planes_.begin(), planes_.end(), [&](PlaneView const& plane) {
                   return std::ranges::equal(read_entry(plane, a), read_entry(plane, b));
               });
    }

    /// The words of all planes that are_same compares.
    std::vector<std::uint32_t> list_words(std::size_t brick) const
    {
        std::vector<std::uint32_t> words;
        for (PlaneView const& plane : planes_) {
            auto const entry = read_entry(plane, brick);
            words.insert(words.end(), entry.begin(), entry.end());
        }
        return words;
    }

    template <typename Visit>
    void for_each_brick(Visit&& visit) const
    {
        std::size_t brick = 0;
        for (std::size_t z = 0; z < counts[2]; ++z)
            for (std::size_t y = 0; y < counts[1]; ++y)
                for (std::size_t x = 0; x < counts[0]; ++x) visit(std::array{x, y, z}, brick++);
    }

    std::array<std::size_t, 3> counts{};
    std::array<std::size_t, 3> strides{};
    std::size_t size = 1;

private:
    static std::span<std::uint32_t const> read_entry(PlaneView const& plane, std::size_t brick)
    {
        return {plane.table + brick * plane.table_stride, std::min(1 + plane.channels, plane.table_stride)};
    }

    std::vector<PlaneView> planes_;
};

} // namespace volpt
