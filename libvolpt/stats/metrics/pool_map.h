// From an error map to figures: mean, median, 95th percentile, maximum.
#pragma once

#include "libvolpt/stats/metrics/pixel_difference.h"

namespace volpt {

/// Mean of the finite values, NaN without any.
double average_finite(std::span<float const> map);

/// name.mean, name.median, name.p95 and name.max of the finite values, which are not negative; NaN without any.
/// Percentiles are by nearest rank: the smallest value that at least 50 or 95 of 100 do not exceed.
std::vector<MetricValue> pool_map(std::string_view name, std::span<float const> map, MetricSettings const& settings);

} // namespace volpt
