// A medium whose bricks are constant, each with a density of its own, and paths in it.
#pragma once

#include "libvolpt/core/advance.hd.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace volpt::test {

/// A volume of constant bricks, each with a density and a majorant of its own.
struct BrickMedium {
    std::vector<std::uint32_t> table;
    std::vector<float> majorants;
    std::uint32_t no_words[1] = {0};
    MediumView medium;

    explicit BrickMedium(Vec3 size, std::function<float(std::size_t brick)> const& density)
    {
        std::size_t bricks = 1;
        for (int axis = 0; axis < 3; ++axis) {
            medium.brick_counts[axis] = (static_cast<int>(get_axis(size, axis)) + 7) / 8;
            bricks *= static_cast<std::size_t>(medium.brick_counts[axis]);
        }
        for (std::size_t brick = 0; brick < bricks; ++brick) {
            majorants.push_back(density(brick));
            table.push_back(kConstantBrick);
            table.push_back(bits_from_float(density(brick)));
        }
        set_size(medium, size);
        medium.inv_pitch = {1, 1, 1};
        medium.density = make_plane_reader({table.data(), no_words, 1, Encoding::f32, 1, 1, 2});
        medium.local_majorants = majorants.data();
        medium.band[0].majorant = *std::max_element(majorants.begin(), majorants.end());
        medium.band[0].mean_free_path_voxels = (1 / medium.band[0].majorant) * medium.inv_pitch;
    }
};

inline PathState<1> make_flying_path(Vec3 position, Vec3 direction, std::uint32_t sample = 0)
{
    PathState<1> path{};
    path.position = position;
    path.direction = direction;
    path.throughput[0] = 1;
    path.stage = Stage::inside;
    path.rng = seed_rng(43, 0, sample, 0);
    return path;
}

using LocalWalk = Medium<1, Extinction::density, MajorantGrid::local>;
using GlobalWalk = Medium<1, Extinction::density, MajorantGrid::global>;

} // namespace volpt::test
