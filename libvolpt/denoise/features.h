// What a band of a film is regressed on: its guides, as they are and smoothed as a translucent material may have
// smoothed them.
#pragma once

#include "libvolpt/denoise/cell_moments.h"
#include "libvolpt/denoise/guides.h"

#include <vector>

namespace volpt {

/// Planes of mean 0 and variance 1, those first that explain most. One that does not vary is left out.
struct FeatureSet {
    std::vector<std::vector<float>> wide; ///< for windows of many pixels
    std::vector<std::vector<float>> fine; ///< for windows of few
};

FeatureSet make_features(Guides const& guides, std::uint32_t band, int threads);

} // namespace volpt
