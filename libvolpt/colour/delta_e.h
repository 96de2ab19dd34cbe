// Colour differences of CIE L*a*b* colours, and the differential of CIEDE2000.
//
// CIE 15:2004 (1976); CIE 116-1995 (1994, graphic arts); Sharma, Wu & Dalal 2005 (2000).
#pragma once

#include "libvolpt/colour/colour.h"

namespace volpt {

/// Distances of test[i] and reference[i], rows of L*, a*, b*.
using ColourDistance = void (*)(ColourRow test, ColourRow reference, std::size_t count, float* distance);

void measure_de76(ColourRow test, ColourRow reference, std::size_t count, float* distance);
/// Not symmetric: the reference is the standard, whose chroma sets the weights.
void measure_de94(ColourRow test, ColourRow reference, std::size_t count, float* distance);
/// Parametric factors 1.
void measure_de2000(ColourRow test, ColourRow reference, std::size_t count, float* distance);

/// The matrix M for which CIEDE2000 between `lab` and lab + d tends to sqrt(d' M d) for small d. Parametric factors 1.
Matrix3 differentiate_de2000(Triple const& lab);

} // namespace volpt
