// The power of a medium that emits, and the tables by which particles begin in it.
#pragma once

#include "libvolpt/core/scene_view.hd.h"

#include <vector>

namespace volpt {

/// Whether particles begin in the medium.
enum class EmissionUse : std::uint32_t { found, sampled };

/// Owns what an EmissionView points into.
class EmissionTables {
public:
    /// For a scene whose medium emits: `view` has the medium, its emission, boundary and solids. All voxels that emit
    /// are visited. Error (usage) if the medium sends out no light, or too much for floats.
    void fill(SceneView const& view, Vec3 pitch_mm, EmissionUse use);

    /// W, the sum over voxels of their largest band, times the largest n^2 of all solids, n being their index.
    double power_w() const { return power_w_; }
    /// Largest source radiance of any voxel and band.
    double largest_radiance() const { return largest_; }

    /// Adds the tables to `emission`: a particle begins in the medium with the probability `choice`.
    void show(EmissionView& emission, float choice, float reference_power_w) const;

private:
    double power_w_ = 0;
    double largest_ = 0;
    double voxel_mm3_ = 0;
    std::vector<std::int32_t> bricks_;
    std::vector<std::uint32_t> brick_shares_, voxel_shares_;
};

} // namespace volpt
