// A packed volume with other densities and albedos, cut to a box of voxels: how other curves would look, without the
// source of the volume.
#pragma once

#include "libvolpt/medium/curves/piecewise_curve.h"
#include "libvolpt/volume/source/cropped_source.h"
#include "libvolpt/volume/voxel_stream.h"

#include <optional>

namespace volpt {

/// Everything that is absent stays as it is.
struct RemapOptions {
    std::optional<PiecewiseCurve> opacity; ///< new density of the packed one
    std::optional<PiecewiseCurve> albedo;  ///< 0..1, of the packed density; in every band
    std::optional<Crop> crop;              ///< in voxels of the packed volume

    bool is_empty() const { return !opacity && !albedo && !crop; }
};

/// Voxels stay where they are in the world. New densities are u16 in steps of the curve's largest one, f32 where the
/// volume has f32; new albedos f16. Error (usage) if a curve is given for a volume with materials or without a density
/// plane, if the albedo exceeds 1, or if the crop is no box inside the volume or would cut a volume that is bounded by
/// a mesh or surrounded by surfaces.
std::unique_ptr<VoxelStream> make_remapped_volume(PackedVolume volume, RemapOptions options);

} // namespace volpt
