#include "libvolpt/print/mesh/inside_by_winding.h"

#include "libvolpt/print/mesh/cap_field.h"
#include "libvolpt/print/mesh/mesh_slices.h"
#include "libvolpt/print/mesh/row_crossings.h"
#include "libvolpt/surface/mesh_topology.h"
#include "libvolpt/surface/winding/hole_caps.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace volpt {
namespace {

constexpr double kLeastInside = 0.5, kDoubt = 0.25;

/// Of what is decided at a time, in voxels.
constexpr int kStripRows = 16, kStripSlices = 16;

int find_first_voxel(double x, int width)
{
    return std::clamp(static_cast<int>(std::ceil(x - 0.5)), 0, width);
}

/// The mesh with its caps, in voxels.
PlacedMesh close_mesh(PlacedMesh const& placed, HoleCaps const& caps, int threads)
{
    PlacedMesh closed;
    closed.box = placed.box;
    closed.mesh.positions_mm = placed.mesh.positions_mm;
    closed.mesh.positions_mm.insert(closed.mesh.positions_mm.end(), caps.apexes.begin(), caps.apexes.end());
    closed.mesh.triangles = placed.mesh.triangles;
    closed.mesh.triangles.insert(closed.mesh.triangles.end(), caps.triangles.begin(), caps.triangles.end());
    closed.bvh = build_bvh(closed.mesh, {.threads = threads});
    return closed;
}

double measure_volume(TriangleMesh const& mesh)
{
    MeshTopology one;
    one.component_of.assign(mesh.triangles.size(), 0);
    one.is_closed.assign(1, 1);
    return measure_volumes(mesh, one).front();
}

class WindingStrips {
public:
    WindingStrips(PlacedMesh const& closed, CapField const* caps, int sign, int threads)
        : bvh_(closed, threads), dims_(closed.box.dims), caps_(caps), sign_(sign)
    {
    }

    std::size_t count() const { return count_along(1, kStripRows) * count_along(2, kStripSlices); }

    /// Returns how many voxels of the strip are doubtful.
    std::uint64_t fill(std::size_t strip, Occupancy& inside) const
    {
        std::size_t const across = count_along(1, kStripRows);
        int const y_first = 1 + static_cast<int>(strip % across) * kStripRows;
        int const z_first = static_cast<int>(strip / across) * kStripSlices;
        VoxelBox const box{
            {1, y_first, z_first},
            {dims_[0] - 1, std::min(y_first + kStripRows, dims_[1] - 1), std::min(z_first + kStripSlices, dims_[2])}};
        std::vector<float> of_caps;
        if (caps_ != nullptr) caps_->fill(box, of_caps);
        RowCrossings crossings(bvh_.view);
        std::uint64_t doubtful = 0;
        auto of_row = of_caps.begin();
        auto const width = box.end[0] - box.first[0];
        for (int z = box.first[2]; z < box.end[2]; ++z)
            for (int y = box.first[1]; y < box.end[1]; ++y) {
                int whole = 0, x = box.first[0];
                auto const advance = [&](int x_end) {
                    if (x >= x_end) return;
                    if (caps_ == nullptr) {
                        if (whole >= 1) inside.occupy_run(x, x_end, y, z);
                    } else {
                        for (int at = x; at < x_end; ++at) {
                            double const winding = whole - sign_ * static_cast<double>(of_row[at - box.first[0]]);
                            if (winding >= kLeastInside) inside.occupy(at, y, z);
                            if (std::abs(winding - kLeastInside) < kDoubt) ++doubtful;
                        }
                    }
                    x = x_end;
                };
                for (RowCrossing const& crossing : crossings.find_crossings(y, z)) {
                    advance(std::min(find_first_voxel(crossing.x, dims_[0]), box.end[0]));
                    whole += sign_ * crossing.change;
                }
                advance(box.end[0]);
                if (caps_ != nullptr) of_row += width;
            }
        return doubtful;
    }

private:
    std::size_t count_along(std::size_t axis, int length) const
    {
        int const voxels = axis == 1 ? dims_[1] - 2 : dims_[2];
        return static_cast<std::size_t>(std::max(0, (voxels + length - 1) / length));
    }

    OwnBvh bvh_;
    std::array<int, 3> dims_;
    CapField const* caps_;
    int sign_;
};

} // namespace

InsideByWinding find_inside_by_winding(PlacedMesh const& mesh, int threads)
{
    HoleCaps const caps = cap_holes(mesh.mesh, threads);
    PlacedMesh const closed = close_mesh(mesh, caps, threads);
    std::optional<CapField> field;
    if (!caps.triangles.empty()) field.emplace(closed.mesh, caps, mesh.box.pitch_mm, threads);
    WindingStrips const strips(closed, field ? &*field : nullptr, measure_volume(closed.mesh) < 0 ? -1 : 1, threads);
    InsideByWinding found{Occupancy(mesh.box.dims), 0, caps.edges.size()};
    std::vector<std::uint64_t> doubtful(strips.count());
    parallel_for_joined(threads, strips.count(),
                        [&](std::size_t strip, int) { doubtful[strip] = strips.fill(strip, found.inside); });
    for (std::uint64_t const voxels : doubtful) found.doubtful_voxels += voxels;
    return found;
}

} // namespace volpt
