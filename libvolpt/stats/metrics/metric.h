// What a metric is: a name, a definition and a function of two images. Each metric is a file metric_<name>.cc and a
// line of metrics.def; what several of them compute lies in stats/maps.
#pragma once

#include "libvolpt/colour/colour_space.h"
#include "libvolpt/image/displayed.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// Which values mean that test and reference agree better.
enum class Better { lower, higher, closer_to_zero };

/// Whether a metric compares values one by one or also looks at their neighbours.
enum class Reach { value, neighbourhood };

/// How a metric gets the images if one is sRGB-coded and the other linear.
enum class Coding {
    common, ///< both sRGB-coded, clamped to 0..1
    own,    ///< each in its own coding: the metric decodes, nothing is clamped
};

/// name: "rmse", "rmse.R" for one channel, or "flip.p95" of a metric with several figures.
struct MetricValue {
    std::string name;
    double value;
};

/// What a metric makes of a channel A.
enum class AlphaUse {
    channel,   ///< a channel as the others, whose values are compared as they are
    displayed, ///< colours are compared as displayed over backgrounds: pool_displayed
};

enum class KeepMap { no, yes };

struct MetricSettings {
    int threads = 1;
    double peak = 1; ///< full scale of psnr, ssim and msssim
    /// Of flip and hdrflip; the default is that of Andersson et al. 2020: 0.7 m from a monitor 0.7 m and 3840 pixels
    /// wide.
    double pixels_per_degree = 67.0206;
    Illuminant illuminant = Illuminant::d65; ///< of de76, de94 and de2000
    /// What pictures with alpha are displayed over; of each pixel, the largest error counts. At least one.
    std::vector<DisplayBackground> backgrounds = list_default_backgrounds();
    KeepMap keep_map = KeepMap::no;
};

struct BackgroundError {
    DisplayBackground background;
    double mean = 0; ///< of the pixels' errors
};

/// The place of the largest mean; the last one of equal ones.
std::size_t find_worst(std::span<BackgroundError const> errors);

struct MetricResult {
    std::vector<MetricValue> values;
    /// The backgrounds of the settings, if a picture is not opaque and the metric compares what is displayed.
    std::vector<BackgroundError> backgrounds = {};
    /// The error of each pixel, row by row, if settings.keep_map asks for it and the metric has one; NaN where it is
    /// not defined.
    std::vector<float> map = {};
};

struct Metric {
    std::string_view name;
    std::string_view definition; ///< formula or paper, for help and docs; t is the test's value, r the reference's
    Better better;
    Reach reach;
    /// Returns either the value over all channels under the metric's name, then one per channel as name.channel; or
    /// name.mean, name.median, name.p95 and name.max over the pixels. Pairs with a NaN or an infinite value are left
    /// out, and pixels whose neighbourhood holds one; where nothing is left the value is NaN. The bits do not depend on
    /// the number of threads. Error (usage) unless sizes and channels agree and are what the metric is defined for.
    MetricResult (*evaluate)(Image const& test, Image const& reference, MetricSettings const& settings);
    AlphaUse alpha = AlphaUse::channel;
    Coding coding = Coding::common;
};

/// In the order of metrics.def.
std::span<Metric const> list_metrics();
/// Error (usage) lists the known ones.
Metric const& find_metric(std::string_view name);

} // namespace volpt
