// One ray of the guides.
#pragma once

#include "libvolpt/core/camera.hd.h"
#include "libvolpt/denoise/aov/first_collision.h"

namespace volpt {

/// Of a ray; sums weighted by what it meets (Guides).
struct GuideSample {
    float coverage = 0;
    float depth_mm = 0;
    Vec3 normal;
    float albedo[kMaxBands] = {};
    float beneath[kMaxBands] = {};
    float thinness = 1;
    float emission = 0;
};

/// The ray through picture point (px, py), in pixels from the top left corner; of a lens that through its centre, of a
/// probe the one along the normal.
Ray make_guide_ray(SceneView const& scene, float px, float py);

/// What that ray meets.
GuideSample cast_guide_ray(MediumTable const& media, float px, float py);

/// Where the same ray first collides with a medium or meets a surface. What surrounds the volume has no label.
FirstCollision cast_collision_ray(MediumTable const& media, float px, float py);

} // namespace volpt
