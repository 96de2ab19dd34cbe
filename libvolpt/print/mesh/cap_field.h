// The winding number of the caps on the holes of a mesh, by voxel.
#pragma once

#include "libvolpt/print/mesh/nearest_point.h"
#include "libvolpt/surface/winding/hole_caps.h"
#include "libvolpt/surface/winding/winding_number.h"

#include <vector>

namespace volpt {

/// Voxels from `first` to before `end`.
struct VoxelBox {
    std::array<int, 3> first, end;
};

class CapField {
public:
    /// `closed` is the mesh with its caps, in voxels.
    CapField(TriangleMesh const& closed, HoleCaps const& caps, std::array<float, 3> const& pitch_mm, int threads);

    CapField(CapField const&) = delete; // views point into this object
    CapField& operator=(CapField const&) = delete;

    /// At the centres of the voxels of `box`, x fastest. Voxels of a block may share the value of its middle if from
    /// all of them it is the same way to a quarter, half and three quarters beside whole numbers. For any thread.
    void fill(VoxelBox const& box, std::vector<float>& values) const;

private:
    struct Target;
    void fill_block(VoxelBox const& block, Target const& target, NearestPointSearch& search) const;
    double bound_gradient(std::array<double, 3> const& middle_mm, double radius_mm) const;

    std::array<double, 3> pitch_mm_;
    std::array<float, 3> voxel_mm_;
    WindingNumber winding_;
    Bvh bvh_;
    std::vector<LeafTriangle> triangles_;
    std::vector<TrianglePlane> planes_;
    BvhView view_;
    TriangleMesh edges_; ///< triangles without area
    Bvh edge_bvh_;
    std::vector<double> length_mm_; ///< of the edges in each node
};

} // namespace volpt
