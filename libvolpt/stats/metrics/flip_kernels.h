// The filters of FLIP: contrast sensitivity, edges and points.
#pragma once

#include "libvolpt/image/convolve.h"

namespace volpt {

/// All of the same radius, so that they serve the same rows.
struct FlipKernels {
    Kernel luminance, red_green;                 ///< sum 1
    Kernel blue_yellow_wide, blue_yellow_narrow; ///< outer squares of both, added, sum to 1
    Kernel gauss;                                ///< sum 1
    Kernel edge, point; ///< first and second derivative; positive weights sum to 1, negative to -1
    int radius = 0;
};

FlipKernels make_flip_kernels(double pixels_per_degree);

} // namespace volpt
