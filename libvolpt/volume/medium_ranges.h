// Ranges of numbers that volumes store, scenes override and options name.
#pragma once

#include "libvolpt/sys/text/number_range.h"

namespace volpt {

/// g of Henyey-Greenstein, in single precision. Directions are exact for every float between the ends; densities, which
/// paths that are connected to light need, cancel near them: a white medium in light of 1 (sigma_t times its side 9,
/// 256 x 256 paths) has 1.0000 up to |g| = 0.99999, with bdpt 0.9998 at 0.999999 and 0.9986 at the last float.
inline constexpr NumberRange kAnisotropyRange = NumberRange::open(-1, 1);
/// Indices of refraction.
inline constexpr NumberRange kIorRange = NumberRange::closed(0.1, 10);
/// GGX roughness.
inline constexpr NumberRange kAlphaRange = NumberRange::closed(0, 1);

} // namespace volpt
