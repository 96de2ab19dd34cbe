// Encodes rows of floats, and finds the largest value and the largest error in the same pass.
#pragma once

#include "libvolpt/core/encoding.hd.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace volpt {

/// How errors are measured: absolute for density, relative to the value for 1 - albedo.
enum class ErrorMeasure { absolute, relative };

struct RowFindings {
    std::uint32_t largest_bits =
        0; ///< of the values as unsigned integers: from 0x7f800000 on, one is not finite or negative
    std::uint32_t largest_code = 0;
    float error_max = 0.0f;
};

/// `codes` holds as many elements of the encoding's size as `values`. Codes u8 and u16 are round-to-nearest-even of
/// value / value_scale, clamped to the largest code; f16 is round-to-nearest-even, 0x7c00 or more if the value is too
/// large. -0 is stored as 0. Codes of invalid values are unspecified.
RowFindings encode_row(Encoding encoding, float value_scale, ErrorMeasure measure, std::span<float const> values,
                       std::byte* codes);

/// The least code of f16 for values that round to more than 65504, the largest finite half.
inline constexpr std::uint32_t kHalfInfinityCode = 0x7c00u;

/// Sum in double, always in the same order.
double sum_row(std::span<float const> values);

} // namespace volpt
