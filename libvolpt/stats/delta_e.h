// Colour differences of CIE L*a*b* colours.
//
// CIE 15:2004 (1976); CIE 116-1995 (1994, graphic arts); Sharma, Wu & Dalal 2005 (2000).
#pragma once

#include "libvolpt/stats/colour.h"
#include "libvolpt/stats/metric.h"

namespace volpt {

/// Distances of test[i] and reference[i], rows of L*, a*, b*.
using ColourDistance = void (*)(ColourRow test, ColourRow reference, std::size_t count, float* distance);

void measure_de76(ColourRow test, ColourRow reference, std::size_t count, float* distance);
/// Not symmetric: the reference is the standard, whose chroma weighs.
void measure_de94(ColourRow test, ColourRow reference, std::size_t count, float* distance);
/// Parametric factors 1.
void measure_de2000(ColourRow test, ColourRow reference, std::size_t count, float* distance);

/// The figures of pool_map over the distances. White is the settings' illuminant, to which sRGB's D65 is adapted
/// (Bradford); linear 1 is white, nothing is clamped and no viewing transfer is applied.
MetricResult measure_colours(std::string_view name, Image const& test, Image const& reference,
                             MetricSettings const& settings, ColourDistance distance);

} // namespace volpt
