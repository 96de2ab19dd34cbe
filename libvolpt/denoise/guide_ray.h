// One ray of the guides.
#pragma once

#include "libvolpt/denoise/medium_reader.h"

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
GuideSample cast_guide_ray(MediumTable const& media, float px, float py);

} // namespace volpt
