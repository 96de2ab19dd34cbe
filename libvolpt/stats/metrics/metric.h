// What a metric is: a name, a definition and a function of two images; one metric_<name>.cc each, listed in
// metrics.def.
#pragma once

#include "libvolpt/colour/colour_space.h"
#include "libvolpt/image/image.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// Which values are the good ones.
enum class Better { lower, higher, closer_to_zero };

/// What a metric looks at: single values, or also their neighbours.
enum class Reach { value, neighbourhood };

/// What a metric is given where one image is sRGB-coded and the other linear.
enum class Coding {
    common, ///< both sRGB-coded, clamped to 0..1
    own,    ///< each as it is: the metric decodes, nothing is clamped
};

/// "rmse", "rmse.R" of one channel, or "flip.p95" of a metric that yields several figures.
struct MetricValue {
    std::string name;
    double value;
};

enum class KeepMap { no, yes };

struct MetricSettings {
    int threads = 1;
    double peak = 1; ///< the value that psnr, ssim and msssim take for full scale
    /// Of flip and hdrflip: 0.7 m from a monitor 0.7 m and 3840 pixels wide, as Andersson et al. 2020 have it.
    double pixels_per_degree = 67.0206;
    Illuminant illuminant = Illuminant::d65; ///< of de76, de94 and de2000
    KeepMap keep_map = KeepMap::no;
};

struct MetricResult {
    std::vector<MetricValue> values;
    /// The error of each pixel, row by row, if asked for and the metric has one; NaN where it is not defined.
    std::vector<float> map;
};

struct Metric {
    std::string_view name;
    std::string_view definition; ///< formula or paper, for help and docs; t is the test's value, r the reference's
    Better better;
    Reach reach;
    /// Either the value over all channels under the metric's name, then one a channel as name.channel; or name.mean,
    /// name.median, name.p95 and name.max over the pixels. Values of which one is NaN or infinite are left out, and the
    /// pixels whose neighbourhood holds them; where nothing is left the value is NaN. The same bits whatever the number
    /// of threads. Error (usage) unless sizes and channels agree and are what the metric is defined for.
    MetricResult (*evaluate)(Image const& test, Image const& reference, MetricSettings const& settings);
    Coding coding = Coding::common;
};

/// In the order of metrics.def.
std::span<Metric const> list_metrics();
/// Error (usage) lists the known ones.
Metric const& find_metric(std::string_view name);

} // namespace volpt
