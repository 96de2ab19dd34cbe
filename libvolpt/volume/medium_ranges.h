// Ranges of numbers that volumes store, scenes override and options name.
#pragma once

#include "libvolpt/sys/text/number_range.h"

namespace volpt {

/// g of Henyey-Greenstein, in single precision: core's samplers and densities hold for every float between the ends.
inline constexpr NumberRange kAnisotropyRange = NumberRange::open(-1, 1);
/// Indices of refraction.
inline constexpr NumberRange kIorRange = NumberRange::closed(0.1, 10);
/// GGX roughness.
inline constexpr NumberRange kAlphaRange = NumberRange::closed(0, 1);

} // namespace volpt
