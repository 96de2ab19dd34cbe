// Colour differences as metrics: what de76, de94 and de2000 share.
#pragma once

#include "libvolpt/colour/delta_e.h"
#include "libvolpt/stats/metrics/metric.h"

namespace volpt {

/// The figures of pool_map over the distances. White is the settings' illuminant, to which sRGB's D65 is adapted
/// (Bradford); linear 1 is white, nothing is clamped and no viewing transfer is applied.
MetricResult measure_colours(std::string_view name, Image const& test, Image const& reference,
                             MetricSettings const& settings, ColourDistance distance);

} // namespace volpt
