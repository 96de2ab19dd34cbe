// Makes the outcomes that banks hold, by the core's own collisions: larger spheres through smaller ones.
#pragma once

#include "libvolpt/core/outcome.hd.h"

namespace volpt {

/// Spheres below 4 mean free paths are walked collision by collision while banks are made: what small ones save is
/// little, and what is walked is free of the error of composing.
inline constexpr std::int32_t kLeastBuildLevel = 2 * kLevelsInOctave;

/// Outcome `number` of `level`: a walk from the sphere's centre to its surface, lengths in mean free paths, through the
/// levels of `bank` that lie an octave or more below, which are complete; plain where only small spheres fit.
///
/// Which outcomes it takes is no matter of chance but a permutation of `number`: at its first step, the one that counts
/// most, each outcome of the level below is taken once, which leaves out the noise of drawing them.
VOLPT_HD Outcome make_outcome(BankView const& bank, std::int32_t level, std::uint32_t number, float g, Rng rng)
{
    float const radius = sphere_radius(level);
    std::uint32_t choice = number * 0x9E3779B1u + static_cast<std::uint32_t>(level) * 0x85EBCA6Bu;
    Vec3 position{0, 0, 0};
    Vec3 direction{0, 0, 1};
    float collisions = 0;
    for (;;) {
        float const distance = exact::sqrt(dot(position, position));
        std::int32_t const fits = find_level(exact::max(0.0f, radius - distance), level - kLevelsInOctave);
        if (fits >= kLeastBuildLevel) {
            SphereExit const exit =
                decode_exit(bank.outcomes[find_outcome(bank, static_cast<std::uint32_t>(fits), choice++)]);
            std::uint32_t const turn = rng.draw();
            SphereStep const step = place_exit(direction, exit, turn);
            position = move_along(position, sphere_radius(fits), step.offset);
            direction = step.direction;
            collisions += exit.collisions;
            continue;
        }
        std::uint32_t const depth_bits = rng.draw();
        Vec3 const target = move_along(position, to_optical_depth(depth_bits), direction);
        if (dot(target, target) >= radius * radius) break;
        position = target;
        std::uint32_t const cosine_bits = rng.draw();
        std::uint32_t const azimuth_bits = rng.draw();
        direction = sample_hg(direction, g, cosine_bits, azimuth_bits);
        collisions += 1.0f;
    }
    // |position + t direction| = radius.
    float const along = dot(position, direction);
    float const rest = exact::max(0.0f, exact::fma(along, along, radius * radius - dot(position, position)));
    Vec3 const place = (1.0f / radius) * move_along(position, exact::sqrt(rest) - along, direction);
    float const cosine = exact::max(-1.0f, exact::min(1.0f, place.z));
    float const normal = exact::max(0.0f, exact::min(1.0f, dot(place, direction)));
    // The direction's part across the normal, by the meridian (down) and beside it: their ratio is the azimuth's
    // tangent.
    float const sine = exact::sqrt(exact::max(0.0f, 1.0f - cosine * cosine));
    float const down = exact::fma(cosine, normal, -direction.z);                  // times sine
    float const aside = exact::fma(place.x, direction.y, -place.y * direction.x); // times sine
    return encode_exit({cosine, normal, sine > 0.0f ? exact::atan2_turns(down, aside) : rng.draw(), collisions});
}

/// Outcome `number` of `level` for the scene's g of index `g_index` in bank `bank_number`, whose levels below are at
/// `outcomes`, which begin with that g's. Its own generator: banks of one seed and of two differ.
VOLPT_HD Outcome make_bank_outcome(SceneView const& scene, Outcome const* outcomes, std::uint32_t bank_number,
                                   std::uint32_t g_index, std::int32_t level, std::uint32_t number)
{
    constexpr std::uint64_t kBankKey = 0x6f7574636f6d6573u;
    BankView below = scene.long_steps.bank;
    below.outcomes = outcomes;
    Rng const rng =
        seed_rng(scene.seed ^ kBankKey, number, bank_number, static_cast<std::uint32_t>(level) | g_index << 8);
    return make_outcome(below, level, number, scene.long_steps.g[g_index], rng);
}

} // namespace volpt
