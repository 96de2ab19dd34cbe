// The transmittance of an edge as weights of multiple importance sampling have it: the same in all strategies.
#pragma once

#include "libvolpt/core/brick_flight.hd.h"
#include "libvolpt/core/camera.hd.h"

namespace volpt {

/// Estimates of optical depths end here, so that ratios of weights are bounded.
inline constexpr float kMostEdgeDepth = 16.0f;

/// The part of a straight way that is in the volume's box, mm from its beginning; empty if `last` is not above `first`.
VOLPT_HD SlabInterval find_part_in_box(MediumView const& medium, Vec3 from, Vec3 direction, float distance_mm)
{
    Vec3 const velocity = direction * medium.inv_pitch, size = medium.size_voxels;
    SlabInterval const x = meet_slab(from.x, velocity.x, size.x);
    SlabInterval const y = meet_slab(from.y, velocity.y, size.y);
    SlabInterval const z = meet_slab(from.z, velocity.z, size.z);
    return {exact::max(0.0f, exact::max(x.first, exact::max(y.first, z.first))),
            exact::min(distance_mm, exact::min(x.last, exact::min(y.last, z.last)))};
}

/// Optical depth of `length_mm` from a point in the box on, in bricks of the means `sigma_t`; if it is not below
/// kMostEdgeDepth, any number that is not below. `sigma_t[brick]` is a float. On a GPU a call, like
/// estimate_transmittance.
template <class Values>
VOLPT_HD_CALLED float add_up_bricks(MediumView const& medium, Values sigma_t, Vec3 from, Vec3 direction,
                                    float length_mm)
{
    Vec3 const velocity = direction * medium.inv_pitch; // voxels per mm
    std::int32_t const row = medium.brick_counts[0], layer = row * medium.brick_counts[1];
    BrickAxis x = find_brick(from.x, velocity.x, medium.brick_counts[0], medium.size_voxels.x);
    BrickAxis y = find_brick(from.y, velocity.y, medium.brick_counts[1], medium.size_voxels.y);
    BrickAxis z = find_brick(from.z, velocity.z, medium.brick_counts[2], medium.size_voxels.z);
    std::int32_t brick = z.brick * layer + y.brick * row + x.brick;
    bool is_in_grid = true;
    auto const cross_face = [&](float v, std::int32_t stride, std::int32_t bricks, BrickAxis& axis) {
        axis.brick += v < 0.0f ? -1 : 1;
        axis.next += axis.spacing;
        brick += v < 0.0f ? -stride : stride;
        is_in_grid &= axis.brick >= 0 && axis.brick < bricks;
    };
    float optical_depth = 0.0f, walked_mm = 0.0f;
    while (is_in_grid && walked_mm < length_mm && optical_depth < kMostEdgeDepth) {
        float const next = exact::ordered_min(x.next, exact::ordered_min(y.next, z.next));
        float const exit = exact::ordered_min(next, length_mm);
        optical_depth = exact::fma(sigma_t[brick], exit - walked_mm, optical_depth);
        walked_mm = exit;
        if (x.next <= exit) cross_face(velocity.x, 1, medium.brick_counts[0], x);
        if (y.next <= exit) cross_face(velocity.y, row, medium.brick_counts[1], y);
        if (z.next <= exit) cross_face(velocity.z, layer, medium.brick_counts[2], z);
    }
    return optical_depth;
}

/// exp of minus the optical depth of a path of `band`, `distance_mm` from `from` (voxels) along `direction`, by means
/// of sigma_t over bricks, or over the box where there are none; e^-kMostEdgeDepth at least. Voxels outside of a mesh
/// count as well; outside of the box is nothing.
VOLPT_HD float estimate_edge(SceneView const& scene, std::uint32_t band, Vec3 from, Vec3 direction, float distance_mm)
{
    MediumView const& medium = scene.medium;
    StrategiesView const& strategies = scene.strategies;
    SlabInterval const part = find_part_in_box(medium, from, direction, distance_mm);
    float const length_mm = exact::max(0.0f, part.last - part.first);
    float optical_depth;
    if (strategies.brick_sigma_t == nullptr) {
        optical_depth = strategies.mean_extinction_ratio * medium.band[band].majorant * length_mm;
    } else {
        Vec3 const entry = clamp_to_box(move_along(from, part.first, direction * medium.inv_pitch), medium.size_voxels);
        optical_depth = add_up_bricks(medium, strategies.brick_sigma_t + medium.band[band].local_majorant_first, entry,
                                      direction, length_mm);
    }
    return exact::exp_neg(exact::min(kMostEdgeDepth, optical_depth));
}

} // namespace volpt
