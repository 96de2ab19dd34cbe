#include "libvolpt/volume/clearance/clearance.h"

#include "libvolpt/volume/clearance/brick_grid.h"
#include "libvolpt/volume/clearance/distance_transform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace volpt {
namespace {

/// Bit a: the brick and the next one along axis a are the same constant; the one after the last is the first.
std::vector<std::uint8_t> find_joins(BrickGrid const& grid)
{
    std::vector<std::uint8_t> joins(grid.size);
    grid.for_each_brick([&](std::array<std::size_t, 3> const& at, std::size_t brick) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            bool const is_last = at[axis] + 1 == grid.counts[axis];
            std::size_t const next = is_last ? brick - at[axis] * grid.strides[axis] : brick + grid.strides[axis];
            if (grid.are_same(brick, next)) joins[brick] = static_cast<std::uint8_t>(joins[brick] | 1u << axis);
        }
    });
    return joins;
}

// Lines of neighbouring x are processed in sequence: lines along y and z share cache lines.
void transform_axis(BrickGrid const& grid, std::size_t axis, BrickLineShape const& shape,
                    std::vector<std::uint8_t> const& joins, std::vector<float>& squares)
{
    BrickLineTransform line(shape);
    std::size_t const stride = grid.strides[axis];
    std::size_t const block = stride * grid.counts[axis];
    for (std::size_t start = 0; start < grid.size; start += block)
        for (std::size_t first = start; first < start + stride; ++first)
            line.transform(squares.data() + first, joins.data() + first, static_cast<std::uint8_t>(1u << axis), stride);
}

} // namespace

// Only runs of equal bricks matter along an axis, not which constant they are: a different brick that is not the
// nearest in its line is behind a nearer one.
std::vector<float> compute_clearance_mm(VolumeView const& volume, std::uint32_t wrapped_axes)
{
    BrickGrid const grid(volume);
    if (!grid.has_planes()) return {};
    std::vector<std::uint8_t> const joins = find_joins(grid);
    std::vector<float> clearance(grid.size);
    for (std::size_t brick = 0; brick < grid.size; ++brick)
        clearance[brick] = grid.is_constant(brick) ? std::numeric_limits<float>::infinity() : 0.0f;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double const jitter_voxels = volume.filter == Filter::trilinear ? 0.5 : 0.0;
        transform_axis(grid, axis,
                       {.voxels = volume.dims[axis],
                        .pitch_mm = volume.pitch_mm[axis],
                        .reach_mm = jitter_voxels * static_cast<double>(volume.pitch_mm[axis]),
                        .ends = (wrapped_axes >> axis & 1u) != 0 ? LineEnds::wrapped : LineEnds::open},
                       joins, clearance);
    }
    for (float& value : clearance)
        value = std::isinf(value) ? kUnboundedClearance_mm : round_down(std::sqrt(static_cast<double>(value)));
    return clearance;
}

std::vector<double> measure_clearance_shares(VolumeView const& volume, std::span<double const> distances_mm)
{
    BrickGrid const grid(volume);
    if (!grid.has_planes()) return std::vector<double>(distances_mm.size(), 1.0);
    std::vector<float> computed;
    if (volume.clearance_mm == nullptr) computed = compute_clearance_mm(volume, 0);
    float const* const clearance_mm = volume.clearance_mm != nullptr ? volume.clearance_mm : computed.data();
    std::vector<double> shares(distances_mm.size());
    double const voxels = static_cast<double>(volume.dims[0]) * volume.dims[1] * volume.dims[2];
    grid.for_each_brick([&](std::array<std::size_t, 3> const& at, std::size_t brick) {
        double brick_voxels = 1;
        for (std::size_t axis = 0; axis < 3; ++axis)
            brick_voxels *= std::min(kBrickEdge, volume.dims[axis] - kBrickEdge * static_cast<int>(at[axis]));
        for (std::size_t i = 0; i < shares.size(); ++i)
            if (static_cast<double>(clearance_mm[brick]) >= distances_mm[i]) shares[i] += brick_voxels;
    });
    for (double& share : shares) share /= voxels;
    return shares;
}

} // namespace volpt
