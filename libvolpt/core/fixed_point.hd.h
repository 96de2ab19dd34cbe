// Fixed-point film sums: integer addition is associative, so any order, partition or merge gives the same bits.
#pragma once

#include "libvolpt/core/path.hd.h"

#include <bit>

namespace volpt {

/// The largest fixed-point value of one sample: 2^32 samples of it still fit 64 bits. Part of the .vpf format.
inline constexpr int kSampleLog2 = 31;

namespace detail {

VOLPT_HD float clamp_to_sample(float scaled)
{
    return exact::min(exact::max(scaled, 0.0f), 0x1p31f);
}

} // namespace detail

/// `value * scale` rounded to nearest (ties to even), 0 .. 2^31; `scale` is a power of two.
VOLPT_HD std::uint32_t to_fixed_point(float value, float scale)
{
    float const scaled = detail::clamp_to_sample(value * scale);
    // Adding and subtracting 2^23 rounds smaller values to an integer; larger floats are integers already.
    float const rounded = scaled < 0x1p23f ? (scaled + 0x1p23f) - 0x1p23f : scaled;
    return static_cast<std::uint32_t>(rounded);
}

/// `value * scale` rounded without bias, 0 .. 2^31: over random `bits`, the mean is the value to 2^-32 of a unit, and
/// an integer is itself. `scale` is a power of two.
VOLPT_HD std::uint32_t dither_to_fixed_point(float value, float scale, std::uint32_t bits)
{
    float const scaled = detail::clamp_to_sample(value * scale);
    auto const whole = static_cast<std::uint32_t>(scaled);
    float const rest = scaled - static_cast<float>(whole); // exact, below 1
    return whole + (bits < static_cast<std::uint32_t>(rest * 0x1p32f) ? 1u : 0u);
}

/// What a path adds to its pixel, by band on the path, in units of 1 / sum_scale.
template <int bands>
struct FixedSample {
    std::uint32_t value[bands];
};

/// Of an ended path. The random bits are the next of its own generator: independent of its radiance, and like it a
/// function of the path's identity. All bands of a path use the same, so that a grey value stays grey, and a band
/// rendered alone is that of all.
template <int bands>
VOLPT_HD FixedSample<bands> round_sample(PathState<bands> const& path, float sum_scale)
{
    Rng rng = path.rng;
    std::uint32_t const bits = rng.draw();
    FixedSample<bands> sample;
    for (int b = 0; b < bands; ++b) sample.value[b] = dither_to_fixed_point(path.throughput[b], sum_scale, bits);
    return sample;
}

/// A sample's square is added up in two halves without carries, each of which 2^32 samples fit: v^2 = low + 2^32 high.
inline constexpr int kSquareHalfLog2 = 32;

struct FixedSquare {
    std::uint32_t low;
    std::uint32_t high;
};

VOLPT_HD FixedSquare square_of(std::uint32_t value)
{
    std::uint64_t const square = std::uint64_t{value} * value;
    return {static_cast<std::uint32_t>(square), static_cast<std::uint32_t>(square >> kSquareHalfLog2)};
}

/// Fixed-point values of samples of Integrator::mlt are below 2^this: a sample is the sum of what a pass of chains adds
/// to a pixel, and 2^24 of them fit 64 bits. Part of the .vpf format.
inline constexpr int kPassLog2 = 40;

/// What a state of a chain adds to its pixel.
template <int bands>
struct FixedDeposit {
    std::uint64_t value[bands];
};

/// round_sample for a deposit, 0 .. 2^40.
template <int bands>
VOLPT_HD FixedDeposit<bands> round_deposit(PathState<bands> const& path, float sum_scale)
{
    Rng rng = path.rng;
    std::uint32_t const bits = rng.draw();
    FixedDeposit<bands> deposit;
    for (int b = 0; b < bands; ++b) {
        float const scaled = exact::min(exact::max(path.throughput[b] * sum_scale, 0.0f), 0x1p40f);
        auto const whole = static_cast<std::uint64_t>(scaled);
        float const rest = scaled - static_cast<float>(whole); // exact, below 1
        deposit.value[b] = whole + (bits < static_cast<std::uint32_t>(rest * 0x1p32f) ? 1u : 0u);
    }
    return deposit;
}

VOLPT_HD std::uint64_t bound_to_pass(std::uint64_t sum)
{
    constexpr std::uint64_t kMost = (std::uint64_t{1} << kPassLog2) - 1u;
    return sum < kMost ? sum : kMost;
}

/// The square of a pass' sum, below 2^40: halves of fewer than 2^16 of them fit 64 bits.
struct FixedSumSquare {
    std::uint64_t low;
    std::uint64_t high;
};

VOLPT_HD FixedSumSquare square_of_sum(std::uint64_t sum)
{
    std::uint64_t const low = sum & 0xffffffffu, high = sum >> 32, square = low * low;
    return {square & 0xffffffffu, (square >> kSquareHalfLog2) + 2u * high * low + (high * high << kSquareHalfLog2)};
}

/// Whether a sample is in the half of a film, whose sums are kept beside those of all. Part of the .vpf format: the
/// half has samples 8 .. 31, 128 .. 511, 2048 .. 8191 and so on. By its number alone, so that the sums do not depend on
/// how a render was cut; in runs, each four times as long as the one before, so that few launches have samples of both
/// sides. Of samples 0 .. n - 1, either side has a sixth or more, from n = 10 on.
VOLPT_HD bool is_in_half(std::uint64_t sample)
{
#if VOLPT_ON_DEVICE // where samples are below 2^32
    auto const log2 = 31u - static_cast<std::uint32_t>(__clz(static_cast<int>(sample)));
#else
    auto const log2 = static_cast<std::uint32_t>(std::bit_width(sample)) - 1u;
#endif
    return sample >= 8u && ((log2 - 3u) & 2u) == 0u;
}

/// The first sample above `sample` that is on the other side.
inline std::uint64_t find_run_end(std::uint64_t sample)
{
    return sample < 8 ? 8 : std::uint64_t{32} << ((std::bit_width(sample) - 4) / 2 * 2);
}

} // namespace volpt
