// Where rows of voxels enter and leave a solid.
#pragma once

#include "libvolpt/core/surface/bvh.hd.h"

#include <array>
#include <vector>

namespace volpt {

/// Where a row along x crosses a mesh, and by how much its winding number changes there: 1 at a front, -1 at a back.
struct RowCrossing {
    double x;
    int change;
};

/// Runs of voxels along x whose centres lie inside a closed mesh.
class RowCrossings {
public:
    /// `bvh` is in voxels, of a mesh that is closed (at every edge the signed incidences cancel), with coordinates
    /// from 2^-4 to 2^17; it has to outlive this object.
    explicit RowCrossings(BvhView const& bvh) : bvh_(bvh) {}

    /// Of a mesh that check_mesh accepts: {first, end} of each run in the row through the voxel centres y + .5, z + .5,
    /// ascending, for x from 0 to before `width`. A row that meets an edge or a vertex is taken a little farther along
    /// +y, and much less along +z (H. Edelsbrunner, E. P. Muecke, Simulation of Simplicity, ACM TOG 9(1), 1990), with
    /// exact signs: the number of crossings is even in every row.
    void find_runs(int y, int z, int width, std::vector<std::array<int, 2>>& runs);

    /// All crossings of that row, ascending along x. The changes before a point add up to its winding number.
    std::vector<RowCrossing> const& find_crossings(int y, int z);

private:
    void visit(std::uint32_t reference);
    void cross(LeafTriangle const& triangle);

    BvhView const& bvh_;
    double y_ = 0, z_ = 0;
    std::vector<RowCrossing> crossings_;
};

} // namespace volpt
