// How one voxel element is stored (u8, u16, f16, f32) and decoded; the same bits on every processor.
#pragma once

#include "libvolpt/core/macros.hd.h"

#include <bit>

namespace volpt {

/// Part of the .vpk format.
enum class Encoding : std::uint32_t { u8 = 0, u16 = 1, f16 = 2, f32 = 3 };

/// log2 of the element's size in bytes.
VOLPT_HD std::uint32_t element_log2_bytes(Encoding encoding)
{
    return encoding == Encoding::u8 ? 0u : encoding == Encoding::f32 ? 2u : 1u;
}

VOLPT_HD float float_from_bits(std::uint32_t bits)
{
#if VOLPT_ON_DEVICE
    return __uint_as_float(bits);
#else
    return std::bit_cast<float>(bits);
#endif
}

VOLPT_HD std::uint32_t bits_from_float(float value)
{
#if VOLPT_ON_DEVICE
    return __float_as_uint(value);
#else
    return std::bit_cast<std::uint32_t>(value);
#endif
}

/// Exact value of a finite binary16 number; infinities and NaN do not occur (the packer refuses them).
/// One multiplication by 2^112 moves the exponent bias and makes subnormals right without a branch.
VOLPT_HD float half_to_float(std::uint32_t half)
{
    float const magnitude = float_from_bits((half & 0x7fffu) << 13) * 0x1p112f;
    return float_from_bits(bits_from_float(magnitude) | ((half & 0x8000u) << 16));
}

/// The value of a stored element: `code * value_scale` for u8 and u16 (one rounding), the number itself for f16 and f32.
/// Branch-free so that a loop over lanes vectorises; `bits` holds the element in its low bits.
VOLPT_HD float decode_element(Encoding encoding, float value_scale, std::uint32_t bits)
{
    float const integer = static_cast<float>(static_cast<std::int32_t>(bits & 0xffffu)) * value_scale;
    float const half = half_to_float(bits & 0xffffu);
    float const narrow = encoding == Encoding::f16 ? half : integer;
    return encoding == Encoding::f32 ? float_from_bits(bits) : narrow;
}

} // namespace volpt
