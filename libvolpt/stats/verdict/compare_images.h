// Matches two images in size, channels and transfer, then compares them: exactly, and by metrics.
#pragma once

#include "libvolpt/stats/metrics/metric.h"
#include "libvolpt/stats/maps/pixel_maps.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace volpt {

struct ErrorMap {
    std::string metric;
    std::vector<float> values; ///< row by row; see MetricResult
};

struct ImageComparison {
    /// Why nothing was compared: sizes, channels or transfers that do not fit. A negative verdict, never a crop.
    std::vector<std::string> mismatches;
    std::vector<std::string> channels; ///< those compared, in the test's order
    /// What was done before comparing and what was left out; for the user to read.
    std::vector<std::string> notices;
    /// All channels bit for bit; after a conversion, the colours rounded to 8 bits.
    bool equal_bits = false;
    std::uint64_t non_finite_test = 0; ///< values that are NaN or infinite
    std::uint64_t non_finite_reference = 0;
    /// Places where one of the two is NaN or infinite and the bits differ; metrics leave them out, so a verdict must
    /// not.
    std::uint64_t non_finite_differing = 0;
    std::vector<MetricValue> values;
    std::optional<LargestDifference> largest;
    std::vector<ErrorMap> maps; ///< of the metrics that have one, if the settings ask for them

    bool matched() const { return mismatches.empty(); }
};

/// Metrics and counts are over the picture's channels (R, G, B, A, Y, band0, ..); layers (names with a dot,
/// sample_count) count for exact equality alone. If one image is sRGB-coded and the other linear, the linear one is
/// converted: IEC 61966-2-1 transfer, exposure 1, clamped to 0..1; alpha and layers are then left out.
ImageComparison compare_images(Image test, Image reference, std::span<Metric const* const> metrics,
                               MetricSettings const& settings = {});

} // namespace volpt
