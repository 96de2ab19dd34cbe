// Random numbers of one path: an sfc32 generator whose whole state comes from a strong hash of the path's identity.
//
// C. Doty-Humphrey, PractRand: sfc32 (2010). J. Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3 (SC 2011):
// Philox4x32 with 7 rounds, the fewest that pass BigCrush. 32-bit adds, shifts and xors only in the hot path: 64-bit
// multiplications are slow on vector lanes and on GPUs.
#pragma once

#include "libvolpt/core/exact_math.hd.h"

namespace volpt {

/// Four words of Philox4x32-7; known answers in tests/core.
struct Words4 {
    std::uint32_t word[4];
};

VOLPT_HD Words4 hash_philox(Words4 counter, std::uint32_t key0, std::uint32_t key1)
{
    for (int round = 0; round < 7; ++round) {
        std::uint64_t const p0 = std::uint64_t{0xD2511F53u} * counter.word[0];
        std::uint64_t const p1 = std::uint64_t{0xCD9E8D57u} * counter.word[2];
        counter = {{static_cast<std::uint32_t>(p1 >> 32) ^ counter.word[1] ^ key0, static_cast<std::uint32_t>(p1),
                    static_cast<std::uint32_t>(p0 >> 32) ^ counter.word[3] ^ key1, static_cast<std::uint32_t>(p0)}};
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    return counter;
}

struct Rng {
    std::uint32_t a = 0, b = 0, c = 0, counter = 0;

    /// The next 32 random bits.
    VOLPT_HD std::uint32_t draw()
    {
        std::uint32_t const result = a + b + counter;
        counter += 1u;
        a = b ^ (b >> 9);
        b = c + (c << 3);
        c = ((c << 21) | (c >> 11)) + result;
        return result;
    }
};

/// The x for which x ^ x >> 9 is `y`.
VOLPT_HD std::uint32_t undo_xor_shift(std::uint32_t y)
{
    y ^= y >> 9;
    return y ^ y >> 18;
}

/// The generator as it was before its last draw.
VOLPT_HD Rng step_back(Rng const& rng)
{
    Rng before;
    before.c = rng.b * 0x38e38e39u; // 1/9 modulo 2^32
    before.b = undo_xor_shift(rng.a);
    before.counter = rng.counter - 1u;
    before.a = rng.c - (before.c << 21 | before.c >> 11) - before.b - before.counter;
    return before;
}

/// Word by word: `if_set` where the mask is all ones, `if_clear` where it is 0.
VOLPT_HD Rng blend_rng(std::uint32_t mask, Rng const& if_set, Rng const& if_clear)
{
    return {blend_bits(mask, if_set.a, if_clear.a), blend_bits(mask, if_set.b, if_clear.b),
            blend_bits(mask, if_set.c, if_clear.c), blend_bits(mask, if_set.counter, if_clear.counter)};
}

/// The generator of the path (pixel, sample, band number) under `seed`; `pixel` is y * width + x of the whole picture.
VOLPT_HD Rng seed_rng(std::uint64_t seed, std::uint32_t pixel, std::uint32_t sample, std::uint32_t band_number)
{
    Words4 const w = hash_philox({{pixel, sample, band_number, 0u}}, static_cast<std::uint32_t>(seed),
                                 static_cast<std::uint32_t>(seed >> 32));
    return {w.word[0], w.word[1], w.word[2], w.word[3]};
}

/// [0, 1) in steps of 2^-24.
VOLPT_HD float to_unit(std::uint32_t bits)
{
    return static_cast<float>(static_cast<std::int32_t>(bits >> 8)) * 0x1p-24f;
}

/// [2^-32, 1] in steps of 2^-31 near 0, rounded to 24 bits above, for comparison with probabilities that may be tiny:
/// it is less than p with probability p to within 2^-32, and never less than 0.
VOLPT_HD float to_fine_unit(std::uint32_t bits)
{
    return exact::fma(static_cast<float>(static_cast<std::int32_t>(bits >> 1)), 0x1p-31f, 0x1p-32f);
}

/// [-1, 1], exactly symmetric in distribution up to rounding.
VOLPT_HD float to_symmetric(std::uint32_t bits)
{
    return static_cast<float>(static_cast<std::int32_t>(bits)) * 0x1p-31f;
}

/// An exponential deviate of mean 1 (an optical depth): 0 up to 32 log 2.
/// The uniform number has fine steps where depths are long and is never 0: the tail is cut at 2e-10.
VOLPT_HD float to_optical_depth(std::uint32_t bits)
{
    return exact::neg_log(to_fine_unit(bits));
}

} // namespace volpt
