#include "formats/mitsuba/grid_window.h"

#include "libvolpt/surface/make_mesh.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

/// How far a box may reach beyond its grid, in grid sizes: more is a mistake in the scene.
constexpr double kMaxReach = 8;
constexpr double kSlack = 1e-3;    ///< voxels; transforms in text are rounded
constexpr double kParallel = 1e-2; ///< voxels that an edge of a parallel shape may go aside

/// Where a shape lies in a grid, in voxels.
struct ShapeInGrid {
    Matrix4 to_voxels{}; ///< of the unit cube that is the shape
    std::array<double, 3> low{}, high{};
    bool is_parallel = true;
};

ShapeInGrid find_shape_in_grid(MitsubaGrid const& grid, Matrix4 const& box, std::string const& where)
{
    ShapeInGrid shape;
    shape.to_voxels = multiply(invert_affine(grid.box_to_world, where), box);
    for (std::size_t i = 0; i < 3; ++i) {
        double span = 0, longest = 0, across = 0;
        for (std::size_t j = 0; j < 4; ++j) shape.to_voxels[4 * i + j] *= grid.header.dims[i];
        double low = shape.to_voxels[4 * i + 3];
        for (std::size_t j = 0; j < 3; ++j) {
            double const step = shape.to_voxels[4 * i + j];
            low += std::min(step, 0.0);
            span += std::abs(step);
            across = std::max(across, std::min(std::abs(step), longest));
            longest = std::max(longest, std::abs(step));
        }
        // Exactly one edge of a parallel box runs along this axis of the grid.
        shape.is_parallel = shape.is_parallel && across <= kParallel;
        shape.low[i] = std::clamp(low, -1e6, 1e6);
        shape.high[i] = std::clamp(low + span, -1e6, 1e6);
    }
    return shape;
}

bool is_whole(double voxels)
{
    return std::abs(voxels - std::round(voxels)) <= kSlack;
}

/// From one coordinate to another along an axis, in voxels of the grid.
struct Extent {
    double low = 0, high = 0;
};

/// Of the medium. Samples of Mitsuba 0.x end half a voxel before the cells that the packed volume has, which a notice
/// tells: a shape that ends there ends with the cells.
Extent find_medium_extent(MitsubaGrid const& grid, ShapeInGrid const& shape, std::size_t axis, GridReach const& reach)
{
    Extent extent{shape.low[axis], shape.high[axis]};
    double const size = grid.header.dims[axis];
    double const margin = (reach.grid_end == GridEnd::samples && grid.header.dims[axis] > 1 ? 0.5 : 0) + kSlack;
    if (std::abs(extent.low) <= margin || (extent.low < 0 && reach.limit == WindowLimit::grid)) extent.low = 0;
    if (std::abs(extent.high - size) <= margin || (extent.high > size && reach.limit == WindowLimit::grid))
        extent.high = size;
    if (is_whole(extent.low)) extent.low = std::round(extent.low);
    if (is_whole(extent.high)) extent.high = std::round(extent.high);
    return extent;
}

void check_window(VoxelWindow const& window, std::string const& where)
{
    for (int const count : window.dims) {
        if (count < 1) fail_input("the shape and the grid of its medium do not meet", where, "nothing is left");
        if (count > 65535) fail_input("the shape spans more than 65535 voxels", where, "it is too large");
    }
}

Vec3 to_vertex(std::array<double, 3> const& voxels, VoxelWindow const& window)
{
    std::array<float, 3> p{};
    for (std::size_t i = 0; i < 3; ++i)
        p[i] = static_cast<float>(std::clamp(voxels[i] - window.low[i], 0.0, static_cast<double>(window.dims[i])));
    return {p[0], p[1], p[2]};
}

/// The medium's extent between voxels, and the voxels that lookups in it reach.
VoxelWindow find_parallel_window(MitsubaGrid const& grid, std::array<Extent, 3> const& extents, double lookup_reach)
{
    VoxelWindow window;
    bool fills = true;
    for (std::size_t i = 0; i < 3; ++i) {
        Extent const& extent = extents[i];
        double const size = grid.header.dims[i];
        double const first = extent.low <= 0 ? extent.low : std::max(0.0, extent.low - lookup_reach);
        double const last = extent.high >= size ? extent.high : std::min(size, extent.high + lookup_reach);
        window.low[i] = static_cast<int>(std::floor(first));
        window.dims[i] = static_cast<int>(std::ceil(last)) - window.low[i];
        fills = fills && extent.low == window.low[i] && extent.high == window.low[i] + window.dims[i];
    }
    if (!fills)
        window.bounds_voxels = make_box(to_vertex({extents[0].low, extents[1].low, extents[2].low}, window),
                                        to_vertex({extents[0].high, extents[1].high, extents[2].high}, window));
    return window;
}

/// Of a shape that is turned against the grid, and lies in it.
VoxelWindow find_turned_window(MitsubaGrid const& grid, ShapeInGrid const& shape, GridReach const& reach,
                               double lookup_reach, std::string const& where)
{
    VoxelWindow window;
    for (std::size_t i = 0; i < 3; ++i) {
        double const size = grid.header.dims[i];
        bool const is_beyond = shape.low[i] < -kSlack || shape.high[i] > size + kSlack;
        if (is_beyond && reach.limit == WindowLimit::grid)
            fail_input("the shape is turned against the grid of its medium, and reaches beyond it", where,
                       "the medium is what both have in common, which is no box",
                       "turn both alike, or make the shape smaller");
        double const first = std::min(shape.low[i], std::max(0.0, shape.low[i] - lookup_reach));
        double const last = std::max(shape.high[i], std::min(size, shape.high[i] + lookup_reach));
        window.low[i] = static_cast<int>(std::floor(first + kSlack));
        window.dims[i] = static_cast<int>(std::ceil(last - kSlack)) - window.low[i];
    }
    check_window(window, where);
    window.bounds_voxels = make_box({0, 0, 0}, {1, 1, 1});
    for (Vec3& corner : window.bounds_voxels.positions_mm)
        corner =
            to_vertex(transform_point(shape.to_voxels, {static_cast<double>(corner.x), static_cast<double>(corner.y),
                                                        static_cast<double>(corner.z)}),
                      window);
    if (find_determinant(shape.to_voxels) < 0) window.bounds_voxels = invert_mesh(std::move(window.bounds_voxels));
    return window;
}

/// Whole voxels that cover the extents.
VoxelWindow widen_to_voxels(MitsubaGrid const& grid, std::array<Extent, 3> const& extents, WindowLimit limit,
                            std::vector<std::string>& notices)
{
    VoxelWindow window;
    double widened = 0, growth = 1;
    for (std::size_t i = 0; i < 3; ++i) {
        Extent whole{std::floor(extents[i].low), std::ceil(extents[i].high)};
        if (limit == WindowLimit::grid)
            whole = {std::max(whole.low, 0.0), std::min<double>(whole.high, grid.header.dims[i])};
        widened = std::max({widened, extents[i].low - whole.low, whole.high - extents[i].high});
        growth *= (whole.high - whole.low) / (extents[i].high - extents[i].low);
        window.low[i] = static_cast<int>(whole.low);
        window.dims[i] = static_cast<int>(whole.high - whole.low);
    }
    if (widened > 0)
        notices.push_back(fmt::format("the box is up to {:.2f} voxels larger than the shape, as it holds whole voxels "
                                      "(--approximate-shape): its volume by {:.2g} %",
                                      widened, 100 * (growth - 1)));
    return window;
}

} // namespace

VoxelWindow find_voxel_window(MitsubaGrid const& grid, Matrix4 const& box, GridReach const& reach,
                              std::string const& where, GridNotes& notes)
{
    ShapeInGrid const shape = find_shape_in_grid(grid, box, where);
    std::array<Extent, 3> extents;
    bool is_beyond = false;
    for (std::size_t i = 0; i < 3; ++i) {
        double const size = grid.header.dims[i];
        bool const is_far = !(shape.low[i] > -kMaxReach * size && shape.high[i] < (1 + kMaxReach) * size);
        if (reach.limit == WindowLimit::box && is_far)
            fail_input("the shape reaches far beyond the grid of its medium", where,
                       "its boundary would need mostly empty voxels", "make the shape smaller");
        extents[i] = find_medium_extent(grid, shape, i, reach);
        if (!(extents[i].high > extents[i].low && extents[i].high > 0 && extents[i].low < size))
            fail_input("the shape and the grid of its medium do not meet", where, "nothing is left");
        is_beyond = is_beyond || extents[i].low < 0 || extents[i].high > size;
    }
    double const lookup_reach = reach.filter == Filter::trilinear ? 0.5 : 0;
    bool const is_exact = reach.fit == ShapeUse::exact;
    if (!is_exact && !shape.is_parallel)
        notes.losses.push_back("the shape is turned against the grid of its medium: the box around it stands for it");
    VoxelWindow window = !is_exact           ? widen_to_voxels(grid, extents, reach.limit, notes.losses)
                         : shape.is_parallel ? find_parallel_window(grid, extents, lookup_reach)
                                             : find_turned_window(grid, shape, reach, lookup_reach, where);
    check_window(window, where);
    if (is_beyond && reach.filter == Filter::trilinear)
        notes.losses.push_back("the shape is larger than the grid of its medium: about the grid's faces the extinction "
                               "falls to 0 over a voxel, in Mitsuba at once; its sum stays");
    if (window.dims != grid.header.dims)
        notes.facts.push_back(fmt::format("of {}x{}x{} voxels the volume has {}x{}x{}, from {},{},{} on",
                                          grid.header.dims[0], grid.header.dims[1], grid.header.dims[2], window.dims[0],
                                          window.dims[1], window.dims[2], window.low[0], window.low[1], window.low[2]));
    if (!window.bounds_voxels.triangles.empty())
        notes.facts.push_back("the shape of the medium does not end with the voxels of its grid: 12 triangles bound it "
                              "(--approximate-shape: a box of whole voxels, which is rendered faster)");
    return window;
}

} // namespace volpt
