// Fixed-point film sums: integer addition is associative, so any order, partition or merge gives the same bits.
#pragma once

#include "libvolpt/core/exact_math.hd.h"

namespace volpt {

/// The largest fixed-point value of one sample: 2^32 samples of it still fit 64 bits. Part of the .vpf format.
inline constexpr int kSampleLog2 = 31;

/// `value * scale` rounded to nearest (ties to even), 0 .. 2^31. `scale` is a power of two chosen so that the largest
/// possible value maps to at most 2^31 (RenderScene).
VOLPT_HD std::uint32_t to_fixed_point(float value, float scale)
{
    float const scaled = exact::min(exact::max(value * scale, 0.0f), 0x1p31f);
    // Adding and subtracting 2^23 rounds smaller values to an integer; larger floats are integers already.
    float const rounded = scaled < 0x1p23f ? (scaled + 0x1p23f) - 0x1p23f : scaled;
    return static_cast<std::uint32_t>(rounded);
}

} // namespace volpt
