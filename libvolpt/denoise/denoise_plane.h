// Removes the noise of one plane of a picture, by regression on features that are known without noise.
#pragma once

#include "libvolpt/denoise/features.h"

namespace volpt {

struct NoisyPlane {
    std::size_t width = 0;
    std::size_t height = 0;
    std::vector<float> values;
    std::vector<float> variances; ///< of the values; 0 is none
};

struct DenoisedPlane {
    std::vector<float> values;
    std::vector<float> errors; ///< expected root mean square error that is left
};

/// A plane without noise stays as it is, within rounding. On up to `threads` threads, whose number no bit depends on.
DenoisedPlane denoise_plane(NoisyPlane const& noisy, FeatureSet const& features, int threads,
                            GoesOn const& goes_on = {});

} // namespace volpt
