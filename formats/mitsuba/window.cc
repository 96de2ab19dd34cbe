// Cuts a box out of a grid.
#include "formats/mitsuba/window.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

/// A box may reach this far beyond its grid, in grid sizes: more is a mistake in the scene.
constexpr double kMaxReach = 8;
constexpr double kSlack = 1e-3; ///< voxels; transforms in text are rounded

} // namespace

VoxelWindow find_voxel_window(MitsubaGrid const& grid, Matrix4 const& box, WindowLimit limit, std::string const& where,
                              std::vector<std::string>& notices)
{
    Matrix4 const to_grid = multiply(invert_affine(grid.box_to_world, where), box);
    VoxelWindow window;
    double widened = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        // Along this axis of the grid exactly one axis of the box runs.
        double span = 0;
        double across = 0;
        double low = to_grid[4 * i + 3];
        for (std::size_t j = 0; j < 3; ++j) {
            double const step = to_grid[4 * i + j];
            low += std::min(step, 0.0);
            across = std::max(across, std::min(std::abs(step), span));
            span = std::max(span, std::abs(step));
        }
        double const size = grid.header.dims[i];
        if (across * size > 0.5)
            fail_input("the shape and the grid of its medium are not parallel", where,
                       "the renderer's domain is the box of the voxels", "turn both alike");
        double const first = low * size;
        double const last = (low + span) * size;
        if (limit == WindowLimit::box && !(low > -kMaxReach && low + span < 1 + kMaxReach))
            fail_input("the shape reaches far beyond the grid of its medium", where,
                       "its boundary would need mostly empty voxels", "make the shape smaller");
        double from = std::floor(std::clamp(first, -1e6, 1e6) + kSlack);
        double to = std::ceil(std::clamp(last, -1e6, 1e6) - kSlack);
        if (limit == WindowLimit::grid) {
            from = std::max(from, 0.0);
            to = std::min(to, size);
        }
        if (!(to > from)) fail_input("the shape and the grid of its medium do not meet", where, "nothing is left");
        if (to - from > 65535) fail_input("the shape spans more than 65535 voxels", where, "it is too large");
        if (first > from) widened = std::max(widened, first - from);
        if (last < to) widened = std::max(widened, to - last);
        window.low[i] = static_cast<int>(from);
        window.dims[i] = static_cast<int>(to - from);
    }
    if (window.dims != grid.header.dims)
        notices.push_back(fmt::format("of {}x{}x{} voxels the shape holds {}x{}x{}, from {},{},{} on",
                                      grid.header.dims[0], grid.header.dims[1], grid.header.dims[2], window.dims[0],
                                      window.dims[1], window.dims[2], window.low[0], window.low[1], window.low[2]));
    if (widened > 2 * kSlack)
        notices.push_back(
            fmt::format("the box is up to {:.2f} voxels larger than the shape, as it holds whole voxels", widened));
    return window;
}

} // namespace volpt
