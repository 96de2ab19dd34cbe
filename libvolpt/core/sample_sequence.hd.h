// Numbers that are stratified over the samples of a pixel: (0,2)-sequences, scrambled anew for every pixel.
//
// I. Sobol', On the Distribution of Points in a Cube (1967): the sequence. A. Owen, Randomly Permuted (t,m,s)-Nets and
// (t,s)-Sequences (1995): nested uniform scrambling. S. Laine & T. Karras, Stratified Sampling for Stochastic
// Transparency (EGSR 2011): the same as a hash. B. Burley, Practical Hash-based Owen Scrambling (JCGT 9, 2020): further
// sequences by shuffling.
#pragma once

#include "libvolpt/core/advance.hd.h"
#include "libvolpt/core/boundary/boundary.hd.h"
#include "libvolpt/core/rng.hd.h"

namespace volpt {

struct Pair32 {
    std::uint32_t x;
    std::uint32_t y;
};

VOLPT_HD std::uint32_t reverse_bits(std::uint32_t x)
{
#if VOLPT_ON_DEVICE
    return __brev(x);
#else
    x = x >> 16 | x << 16;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    return (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
#endif
}

/// Nested uniform scrambling of a number whose bits are in reversed order: each bit is flipped or kept as those below
/// it and the keys say. A bijection of `x`, and of `offset`: for a uniform offset the result is exactly uniform.
VOLPT_HD std::uint32_t scramble_reversed(std::uint32_t x, std::uint32_t offset, std::uint32_t factor)
{
    x ^= x * 0x3d20adeau;
    x += offset;
    x *= factor | 1u;
    x ^= x * 0x05526c56u;
    x ^= x * 0x53a22864u;
    return x;
}

/// The second number of point `index` of the (0,2)-sequence, its bits in reversed order; those of the first one are the
/// index itself. The product with Pascal's triangle modulo 2: bit k is the sum of the bits j for which j & k is k.
VOLPT_HD std::uint32_t multiply_by_pascal(std::uint32_t index)
{
    index ^= index >> 1 & 0x55555555u;
    index ^= index >> 2 & 0x33333333u;
    index ^= index >> 4 & 0x0f0f0f0fu;
    index ^= index >> 8 & 0x00ff00ffu;
    return index ^ index >> 16;
}

/// A sample's numbers from its pixel's sequences, one sequence after the other. Of the samples [k 2^m, (k + 1) 2^m) of
/// a pixel, a sequence of pairs has one in every box 2^-a by 2^(a-m), one of single numbers one in every interval 2^-m.
/// Each number is uniform over pixels and seeds.
class SampleSequence {
public:
    /// `keys` is the pixel's: the same for all its samples.
    VOLPT_HD SampleSequence(Rng keys, std::uint32_t sample) : keys_(keys), sample_(sample) { factor_ = keys_.draw(); }

    /// The pair of the first sequence, whose points are in the order of the samples.
    VOLPT_HD Pair32 draw_first_pair() { return draw_pair(sample_); }

    /// The pair of another sequence: in an order of its own, so that it says nothing of the ones before.
    VOLPT_HD Pair32 draw_next_pair()
    {
        std::uint32_t const index = shuffle();
        return draw_pair(index);
    }

    /// The number of another sequence, in an order of its own.
    VOLPT_HD std::uint32_t draw_next_number()
    {
        std::uint32_t const index = shuffle();
        return draw_number(index);
    }

private:
    /// The sample's number in another order, which keeps sets [k 2^m, (k + 1) 2^m) together.
    VOLPT_HD std::uint32_t shuffle() { return draw_number(reverse_bits(sample_)); }

    VOLPT_HD std::uint32_t draw_number(std::uint32_t reversed)
    {
        std::uint32_t const offset = keys_.draw();
        return reverse_bits(scramble_reversed(reversed, offset, factor_));
    }

    VOLPT_HD Pair32 draw_pair(std::uint32_t index)
    {
        std::uint32_t const x = draw_number(index);
        std::uint32_t const y = draw_number(multiply_by_pascal(index));
        return {x, y};
    }

    Rng keys_;
    std::uint32_t sample_;
    std::uint32_t factor_;
};

/// The keys of a pixel's sequences, the same for all its samples. The counter's last word sets them apart from the
/// generators of paths (seed_rng).
VOLPT_HD Rng seed_pixel_keys(std::uint64_t seed, std::uint32_t pixel, std::uint32_t band_number)
{
    Words4 const w = hash_philox({{pixel, 0u, band_number, 1u}}, static_cast<std::uint32_t>(seed),
                                 static_cast<std::uint32_t>(seed >> 32));
    return {w.word[0], w.word[1], w.word[2], w.word[3]};
}

/// A generator whose next three draws are `first`, `second` and `third`, and whose state keeps the word c of `rng`:
/// with uniform numbers it is as uniform as any.
VOLPT_HD Rng set_next_draws(Rng rng, std::uint32_t first, std::uint32_t second, std::uint32_t third)
{
    // The state's words b and c after one draw, and a and b after two, as Rng::draw has them.
    std::uint32_t const b1 = rng.c + (rng.c << 3);
    std::uint32_t const c1 = (rng.c << 21 | rng.c >> 11) + first;
    std::uint32_t const a2 = b1 ^ b1 >> 9;
    std::uint32_t const b2 = c1 + (c1 << 3);
    rng.counter = third - 2u - a2 - b2;
    rng.b = undo_xor_shift(second - 1u - rng.counter - b1);
    rng.a = first - rng.b - rng.counter;
    return rng;
}

/// Numbers that a path draws before the three that are stratified: those that most of the noise is due to. With a
/// boundary that reflects more than 1 % at normal incidence, they are the first ones that it draws there, which choose
/// between reflection and refraction; otherwise, the first flight's optical depth and the direction after it.
VOLPT_HD std::uint32_t count_draws_before_stratified(SceneView const& scene)
{
    if (scene.transport != Transport::escape) return 0u; // the numbers that a flight draws differ
    Surface const surface = choose_surface(scene.boundary);
    bool const enters = scene.boundary.kind != BoundaryKindView::none;
    if (enters && compute_fresnel(1.0f, scene.boundary.int_over_ext).reflectance > 0.01f)
        return surface == Surface::many_facets ? 1u : 0u;
    // The fewest facets that let a path in.
    std::uint32_t const entering = surface == Surface::many_facets ? 5u : surface == Surface::single_facet ? 3u : 1u;
    return count_draws_before_depth(scene.medium.extinction) + (enters ? entering : 0u);
}

} // namespace volpt
