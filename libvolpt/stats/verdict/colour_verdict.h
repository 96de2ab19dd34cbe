// What Delta E 2000 and its noise mean, in words.
#pragma once

#include "libvolpt/stats/metrics/metric.h"

#include <string>
#include <vector>

namespace volpt {

/// Sentences about the figures of de2000 (judge): its mean and 95th percentile, the share that is noise, and what can
/// be trusted: texels, patches, or the mean of large areas alone. None unless the values have de2000.noise_share.
std::vector<std::string> describe_colours(std::vector<MetricValue> const& values);

} // namespace volpt
