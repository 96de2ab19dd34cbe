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

/// `if_set` where the mask's bits are set, `if_clear` elsewhere. For choices that are the same in all lanes: vector
/// loops broadcast a mask, but do not vectorise with an invariant condition.
VOLPT_HD std::uint32_t blend_bits(std::uint32_t mask, std::uint32_t if_set, std::uint32_t if_clear)
{
    return (if_set & mask) | (if_clear & ~mask);
}

/// All ones if the condition holds, else 0. By arithmetic: g++ joins conditions and choices of a loop over lanes into
/// branches, which it does not vectorise.
VOLPT_HD std::uint32_t mask_if(bool condition)
{
    return 0u - static_cast<std::uint32_t>(condition);
}

/// Of a mask that is all ones or 0.
VOLPT_HD float blend(std::uint32_t mask, float if_set, float if_clear)
{
#if VOLPT_ON_DEVICE
    return mask != 0u ? if_set : if_clear; // one instruction with the condition that made the mask
#else
    return float_from_bits(blend_bits(mask, bits_from_float(if_set), bits_from_float(if_clear)));
#endif
}

/// The value of a stored element, which defines the format; read_value (core/lookup.hd.h) computes the same without
/// branches. `bits` holds the element and zeros above it.
VOLPT_HD float decode_element(Encoding encoding, float value_scale, std::uint32_t bits)
{
    if (encoding == Encoding::f32) return float_from_bits(bits);
    if (encoding == Encoding::f16) return half_to_float(bits);
    return static_cast<float>(static_cast<std::int32_t>(bits)) * value_scale;
}

} // namespace volpt
