// Straight lines through a medium, voxel by voxel: what scatters on the way, and how much passes.
#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/denoise/guides.h"

namespace volpt {

/// Of all lines that a ray goes through, one after another.
struct ColumnSums {
    float optical_depth[kMaxBands] = {};
    /// The part of light that passed a kBeneathDepths-th of it.
    float deep_passed[kMaxBands];
    float scattered_depth_mm = 0;  ///< expected distance of the first collision, times its probability
    float albedo[kMaxBands] = {};  ///< of the first collision, times its probability
    float beneath[kMaxBands] = {}; ///< the same with 1 / kBeneathDepths of the extinction
    float emission = 0;
    std::uint32_t label = 0; ///< 1 + that of the first voxel with extinction, 0: none was met

    ColumnSums()
    {
        for (float& part : deep_passed) part = 1;
    }
    float passed(std::uint32_t band) const
    {
        float const squared = deep_passed[band] * deep_passed[band];
        static_assert(kBeneathDepths == 6);
        return squared * squared * squared;
    }
};

/// Probability of a collision, mean over the bands.
float find_collision_share(ColumnSums const& sums, std::uint32_t bands);

/// A part of a line inside of the volume's box.
struct ColumnLine {
    Vec3 start; ///< voxels
    Vec3 direction;
    float length_mm;
    float before_mm; ///< along the ray, up to `start`
};

/// Adds the medium along a line, whose voxels are taken as they are, without interpolation. Ends early where nothing
/// more would be seen.
void walk_column(SceneView const& scene, ColumnLine const& line, ColumnSums& sums);

} // namespace volpt
