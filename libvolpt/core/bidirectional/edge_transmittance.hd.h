// The transmittance of an edge as weights of multiple importance sampling have it: the same in all strategies.
#pragma once

#include "libvolpt/core/camera.hd.h"

namespace volpt {

/// Length of a straight way in the volume's box, mm; `distance_mm` from `from` (voxels) along `direction`.
VOLPT_HD float measure_in_box_mm(SceneView const& scene, Vec3 from, Vec3 direction, float distance_mm)
{
    Vec3 const velocity = direction * scene.medium.inv_pitch, size = scene.medium.size_voxels;
    SlabInterval const x = meet_slab(from.x, velocity.x, size.x);
    SlabInterval const y = meet_slab(from.y, velocity.y, size.y);
    SlabInterval const z = meet_slab(from.z, velocity.z, size.z);
    float const first = exact::max(0.0f, exact::max(x.first, exact::max(y.first, z.first)));
    float const last = exact::min(distance_mm, exact::min(x.last, exact::min(y.last, z.last)));
    return exact::max(0.0f, last - first);
}

/// exp(-mean of sigma_t times the length in the box), but not below e^-16: ratios of weights are bounded.
VOLPT_HD float estimate_edge(SceneView const& scene, Vec3 from, Vec3 direction, float distance_mm)
{
    return exact::exp_neg(
        exact::min(16.0f, scene.strategies.mean_sigma_t * measure_in_box_mm(scene, from, direction, distance_mm)));
}

} // namespace volpt
