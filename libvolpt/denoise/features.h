// What a band of a film is regressed on: its guides, as they are and smoothed as a translucent material may have
// smoothed them.
#pragma once

#include "libvolpt/denoise/cell_moments.h"
#include "libvolpt/denoise/guides.h"

#include <memory>
#include <vector>

namespace volpt {

/// Planes of mean 0 and variance 1, those first that explain most. One that does not vary is left out.
struct FeatureSet {
    using Plane = std::shared_ptr<std::vector<float> const>; ///< bands have most planes in common
    std::vector<Plane> wide;                                 ///< for windows of many pixels
    std::vector<Plane> fine;                                 ///< for windows of few
};

/// Of one picture; on up to `threads` threads, whose number no bit depends on.
class FeatureMaker {
public:
    FeatureMaker(Guides const& guides, int threads);

    FeatureSet make(std::uint32_t band) const;

private:
    FeatureSet::Plane normalise(std::vector<float> plane) const;

    Guides const& guides_;
    int threads_;
    std::vector<std::vector<float>> coverage_; ///< by scale
    FeatureSet::Plane covered_, depth_, column_, row_, thinness_, emission_, rim_;
    FeatureSet::Plane normal_[3];
};

} // namespace volpt
