#include "libvolpt/print/mesh/mesh_slices.h"

#include "libvolpt/print/mesh/row_crossings.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace volpt {
namespace {

/// Of a block whose triangles are gathered at once: about a cube in voxels of printers.
constexpr int kBlockColumns = 8, kBlockRows = 4, kBlockSlices = 8;

/// By as many voxels along a row a search looks beyond the ink, so that blocks of the core take few searches.
constexpr int kCoreStep_voxels = 32;

/// Of a depth: what comparisons between rounded distances give away.
constexpr double kDepthSlack = 1e-6;

std::size_t count_blocks(std::size_t length, int block)
{
    return (length + static_cast<std::size_t>(block) - 1) / static_cast<std::size_t>(block);
}

} // namespace

OwnBvh::OwnBvh(PlacedMesh const& mesh, int threads)
    : nodes(mesh.bvh.nodes),
      triangles(gather_leaf_triangles(mesh.mesh, mesh.bvh.order, threads)), view{nodes.data(), triangles.data(),
                                                                                 mesh.bvh.bounds, mesh.bvh.root}
{
}

/// Rows of neighbouring slices.
struct MeshSlices::Block {
    std::span<PrintSlice> slices;
    int z, y, y_end;
    int x = 0, x_end = 0; ///< what lies inside is between them

    int z_end() const { return z + static_cast<int>(slices.size()); }
    std::size_t find_voxel(int column, int row, int width) const
    {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column);
    }
};

MeshSlices::MeshSlices(PlacedMesh const& mesh, std::shared_ptr<Occupancy const> inside,
                       std::unique_ptr<SurfaceColours> colours, ShellDepths const& depths, int threads)
    : bvh_(mesh, threads), inside_(std::move(inside)), dims_(mesh.box.dims), pitch_mm_(mesh.box.pitch_mm),
      planes_(make_triangle_planes(bvh_.triangles, mesh.box.pitch_mm)), colours_(std::move(colours)), depths_(depths)
{
}

std::size_t MeshSlices::count_pieces(std::size_t slices) const
{
    return count_blocks(static_cast<std::size_t>(dims_[1]), kBlockRows) * count_blocks(slices, kBlockSlices);
}

void MeshSlices::fill_piece(std::span<PrintSlice> slices, int z_first, std::size_t piece) const
{
    std::size_t const blocks = count_blocks(static_cast<std::size_t>(dims_[1]), kBlockRows);
    std::size_t const first = piece / blocks * kBlockSlices;
    int const y = static_cast<int>(piece % blocks) * kBlockRows;
    Block block{slices.subspan(first, std::min<std::size_t>(kBlockSlices, slices.size() - first)),
                z_first + static_cast<int>(first), y, std::min(y + kBlockRows, dims_[1])};
    fill_insides(block);
    NearestPointSearch search(bvh_.view, planes_, pitch_mm_);
    for (int x = block.x; x < block.x_end;) x = fill_chunk(block, search, x);
}

/// All that is inside becomes core.
void MeshSlices::fill_insides(Block& block) const
{
    RowCrossings crossings(bvh_.view);
    std::vector<std::array<int, 2>> runs;
    block.x = dims_[0];
    for (int z = block.z; z < block.z_end(); ++z)
        for (int y = block.y; y < block.y_end; ++y) {
            auto const row = block.slices[static_cast<std::size_t>(z - block.z)].places.begin() +
                             static_cast<std::ptrdiff_t>(block.find_voxel(0, y, dims_[0]));
            std::fill(row, row + dims_[0], kOutsidePlace);
            if (y == 0 || y + 1 == dims_[1]) continue;
            if (inside_ != nullptr)
                list_occupied_runs(y, z, runs);
            else
                crossings.find_runs(y, z, dims_[0], runs);
            for (auto const& [run, run_end] : runs) {
                int const first = std::max(run, 1), end = std::min(run_end, dims_[0] - 1);
                if (first >= end) continue;
                std::fill(row + first, row + end, kCorePlace);
                block.x = std::min(block.x, first);
                block.x_end = std::max(block.x_end, end);
            }
        }
}

void MeshSlices::list_occupied_runs(int y, int z, std::vector<std::array<int, 2>>& runs) const
{
    runs.clear();
    for (int x = 0; x < dims_[0];) {
        std::uint64_t const word = inside_->get_word(x / 64, y, z) >> (x % 64);
        if (word == 0) {
            x += 64 - x % 64;
            continue;
        }
        int const first = x + std::countr_zero(word);
        int end = first;
        while (end < dims_[0] && inside_->is_occupied(end, y, z)) ++end;
        runs.push_back({first, end});
        x = end;
    }
}

/// Returns where the next chunk begins.
int MeshSlices::fill_chunk(Block const& block, NearestPointSearch& search, int x) const
{
    int const x_end = std::min(x + kBlockColumns, block.x_end);
    bool is_inside = false;
    for (PrintSlice const& slice : block.slices)
        for (int y = block.y; y < block.y_end; ++y) {
            auto const row = slice.places.begin() + static_cast<std::ptrdiff_t>(block.find_voxel(0, y, dims_[0]));
            is_inside = is_inside || std::find(row + x, row + x_end, kCorePlace) != row + x_end;
        }
    if (!is_inside) return x_end;

    PointBox const box{{x + 0.5, block.y + 0.5, block.z + 0.5}, {x_end - 0.5, block.y_end - 0.5, block.z_end() - 0.5}};
    std::array<double, 3> middle{}, half_mm{};
    for (std::size_t a = 0; a < 3; ++a) {
        middle[a] = 0.5 * (box.lower[a] + box.upper[a]);
        half_mm[a] = 0.5 * (box.upper[a] - box.lower[a]) * static_cast<double>(pitch_mm_[a]);
    }
    double const beside_mm = std::hypot(half_mm[1], half_mm[2]), corner_mm = std::hypot(half_mm[0], beside_mm);
    double const depth_mm = depths_.ink_end_mm() * (1 + kDepthSlack);
    auto const pitch_x_mm = static_cast<double>(pitch_mm_[0]);
    double const reach_mm = depth_mm + corner_mm + kCoreStep_voxels * pitch_x_mm;
    NearestPoint const point = search.find(middle, reach_mm);
    double const middle_mm = point.triangle == kNoTriangle ? reach_mm : std::sqrt(point.distance2_mm2);
    // A distance changes by no more than the way between two points.
    if (middle_mm - corner_mm > depth_mm) {
        double const columns = (middle_mm - beside_mm - depth_mm) / pitch_x_mm;
        return std::clamp(static_cast<int>(middle[0] + columns - 0.5), x_end, block.x_end);
    }
    search.gather(box, std::min(middle_mm + corner_mm, depth_mm));
    fill_shells(block, search, x, x_end);
    return x_end;
}

void MeshSlices::fill_shells(Block const& block, NearestPointSearch& search, int x, int x_end) const
{
    double const depth_mm = depths_.ink_end_mm(), reach_mm = depth_mm * (1 + kDepthSlack);
    for (int z = block.z; z < block.z_end(); ++z) {
        PrintSlice& slice = block.slices[static_cast<std::size_t>(z - block.z)];
        for (int y = block.y; y < block.y_end; ++y)
            for (int column = x; column < x_end; ++column) {
                std::size_t const voxel = block.find_voxel(column, y, dims_[0]);
                if (slice.places[voxel] != kCorePlace) continue;
                NearestPoint const point = search.find_gathered({column + 0.5, y + 0.5, z + 0.5}, reach_mm);
                if (point.triangle == kNoTriangle || std::sqrt(point.distance2_mm2) > depth_mm) continue;
                slice.places[voxel] = find_place(point);
                if (is_ink(slice.places[voxel])) slice.colours[voxel] = colours_->find(point);
            }
    }
}

/// Layers are as thick as a digital plane of this direction that has one voxel in each column along one axis
/// (Reveilles 1991).
std::uint16_t MeshSlices::find_place(NearestPoint const& point) const
{
    double share = 1; // of the distance: what lies below the coat
    if (depths_.coat_mm > 0) {
        double const distance_mm = std::sqrt(point.distance2_mm2);
        if (distance_mm <= depths_.coat_mm) return kCoatPlace;
        share = 1 - depths_.coat_mm / distance_mm;
    }
    std::array<double, 3> extent{};
    for (std::size_t a = 0; a < 3; ++a) extent[a] = std::abs(point.offset_mm[a]) * static_cast<double>(pitch_mm_[a]);
    std::size_t const axis =
        extent[2] >= extent[1] ? (extent[2] >= extent[0] ? 2 : 0) : (extent[1] >= extent[0] ? 1 : 0);
    double const layer = extent[axis] > 0 ? share * point.distance2_mm2 / extent[axis] : 0;
    return make_ink_place(std::min(static_cast<int>(layer), kMaxInkLayers), static_cast<ColumnAxis>(axis));
}

} // namespace volpt
