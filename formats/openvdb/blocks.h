// A grid of any number type as layers of floats, over its own box or over another grid's.
#pragma once

#include "formats/openvdb/messages.h"

#include <memory>
#include <openvdb/openvdb.h>

namespace volpt {

/// How a grid's numbers become density or albedo.
struct VdbMapping {
    std::optional<double> ramp_depth; ///< a level set: the depth at which `interior` is reached, world units
    double interior = 1;
    BadNumbers bad_numbers = BadNumbers::refused;
    VdbQuantity quantity = VdbQuantity::density; ///< three numbers of all but an emission are an albedo, at most 1
};

enum class VdbSampling { own_voxels, resampled };

class VdbBlocks {
public:
    virtual ~VdbBlocks() = default;
    virtual int channels() const = 0;
    /// Box of the active voxels and tiles; empty if there are none.
    virtual openvdb::CoordBBox const& active_box() const = 0;
    /// How many numbers of leaves and tiles BadNumbers::clamped replaces; 0 if they are refused.
    virtual std::uint64_t clamped() const = 0;
    /// Layers of the frame, channels fastest, then x, y, z: the grid's own voxels, or trilinear between them if its
    /// transform is not the frame's.
    virtual void fill(SlabRequest request, VdbFrame const& frame, VdbSampling sampling,
                      std::span<float> values) const = 0;
};

/// nullptr if the grid's type is neither scalar nor Vec3 (point grids, strings).
std::unique_ptr<VdbBlocks> make_vdb_blocks(openvdb::GridBase::Ptr grid, VdbMapping mapping);

} // namespace volpt
