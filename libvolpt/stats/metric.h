// What a metric is: a name, a definition and a function of two images; one metric_<name>.cc each, listed in
// metrics.def.
#pragma once

#include "libvolpt/image/image.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volpt
{

/// Which values are the good ones.
enum class Better { lower, higher, closer_to_zero };

/// "rmse", or "rmse.R" of one channel.
struct MetricValue {
    std::string name;
    double value;
};

struct Metric {
    std::string_view name;
    std::string_view definition; ///< formula or paper, for help and docs; t is the test's value, r the reference's
    Better better;
    /// The value over all channels under the metric's name, then one a channel as name.channel. Pairs of which one is
    /// NaN or infinite are left out; without any pair the value is NaN. Error (usage) unless sizes and channels agree.
    std::vector<MetricValue> (*evaluate)(Image const& test, Image const& reference);
};

/// In the order of metrics.def.
std::span<Metric const> list_metrics();
/// Error (usage) lists the known ones.
Metric const& find_metric(std::string_view name);

} // namespace volpt
