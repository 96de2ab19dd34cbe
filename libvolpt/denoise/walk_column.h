// Straight lines through a medium, voxel by voxel: what scatters on the way, and how much passes.
#pragma once

#include "libvolpt/denoise/guides.h"
#include "libvolpt/denoise/medium_reader.h"

namespace volpt {

/// Of all lines that a ray goes through, one after another. Bands that the scene lacks, up to a whole group, have
/// nothing.
struct ColumnSums {
    alignas(4 * kBandGroup) float optical_depth[kMaxBands];
    /// The part of light that passed a kBeneathDepths-th of it.
    alignas(4 * kBandGroup) float deep_passed[kMaxBands];
    alignas(4 * kBandGroup) float albedo[kMaxBands];  ///< of the first collision, times its probability
    alignas(4 * kBandGroup) float beneath[kMaxBands]; ///< the same with 1 / kBeneathDepths of the extinction
    float scattered_depth_mm = 0; ///< expected distance of the first collision, times its probability
    float emission = 0;

    explicit ColumnSums(std::uint32_t bands)
    {
        for (std::uint32_t b = 0; b < (bands + kBandGroup - 1) / kBandGroup * kBandGroup; ++b) {
            optical_depth[b] = albedo[b] = beneath[b] = 0;
            deep_passed[b] = 1;
        }
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

/// Guides::thinness, of what was walked through.
float find_thinness(ColumnSums const& sums, std::uint32_t bands);

/// A part of a line inside of the volume's box.
struct ColumnLine {
    Vec3 start; ///< voxels
    Vec3 direction;
    float length_mm;
    float before_mm; ///< along the ray, up to `start`
};

/// Adds the medium along a line, by one voxel in each slab of them that it crosses, without interpolation. Ends early
/// where nothing more would be seen.
void walk_column(MediumTable const& media, ColumnLine const& line, ColumnSums& sums);

} // namespace volpt
