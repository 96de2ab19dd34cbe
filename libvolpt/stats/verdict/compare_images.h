// Compares two images exactly and by metrics, once they match in size, channels and transfer.
#pragma once

#include "libvolpt/stats/maps/pixel_maps.h"
#include "libvolpt/stats/metrics/metric.h"

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

/// A value that is NaN or infinite on at least one side.
struct NonFinitePlace {
    int x = 0;
    int y = 0; ///< from the top
    std::string channel;
    float test = 0;
    float reference = 0;
};

/// "pixel 3,5 of channel R: nan against 0.5".
std::string describe(NonFinitePlace const& place);

/// How alpha decided values of metrics.
struct DisplayedAlpha {
    std::vector<std::string> metrics;         ///< those that compare what is displayed
    std::vector<BackgroundError> backgrounds; ///< errors of the first of these metrics
    double share = 0;                         ///< of the pixels: not opaque on one side or both

    /// That over which the pictures differ most.
    DisplayBackground const& worst() const { return backgrounds[find_worst(backgrounds)].background; }
};

/// One sentence.
std::string describe(DisplayedAlpha const& alpha);

inline constexpr std::size_t kNonFinitePlaces = 16;

struct ImageComparison {
    /// Why nothing was compared: different sizes, channels or transfers. The verdict is then negative; nothing is
    /// cropped.
    std::vector<std::string> mismatches;
    std::vector<std::string> channels; ///< those that were compared, in the test's order
    /// For the user: what was converted before comparing, and what was left out.
    std::vector<std::string> notices;
    /// All channels bit for bit; after a conversion, the colours rounded to 8 bits.
    bool equal_bits = false;
    std::uint64_t non_finite_test = 0; ///< values that are NaN or infinite
    std::uint64_t non_finite_reference = 0;
    /// Values where one of the two is NaN or infinite and the bits differ. Metrics leave them out, so that a verdict
    /// has to count them.
    std::uint64_t non_finite_differing = 0;
    /// The first kNonFinitePlaces that differ, then, as far as there is room, those that do not; each in channel and
    /// row order.
    std::vector<NonFinitePlace> non_finite_places;
    std::vector<MetricValue> values;
    std::optional<DisplayedAlpha> alpha; ///< if a picture is not opaque, and a metric compares what is displayed
    std::optional<LargestDifference> largest;
    std::vector<ErrorMap> maps; ///< of the metrics that have one, if the settings ask for them

    bool matched() const { return mismatches.empty(); }
};

/// Metrics and counts are over the channels of the picture (R, G, B, A, Y, band0, ..); layers (names with a dot,
/// sample_count) matter only for exact equality. If one image is sRGB-coded and the other linear, the linear one is
/// converted (tone_map at exposure 1); layers are then left out, and so is alpha if both are opaque; a side without A
/// is opaque. Of two linear images, straight colours are multiplied by alpha if the others are.
ImageComparison compare_images(Image test, Image reference, std::span<Metric const* const> metrics,
                               MetricSettings const& settings = {});

} // namespace volpt
