// Makes the outcomes of banks by the core's own collisions: larger spheres are composed of smaller ones.
#pragma once

#include "libvolpt/core/layers/make_layer_outcome.hd.h"
#include "libvolpt/core/outcome.hd.h"

namespace volpt {

/// The least level that larger spheres are composed of, 4 mean free paths. Smaller steps are walked collision by
/// collision while banks are made: composing them would save little and add its error.
inline constexpr std::int32_t kMinComposedLevel = 2 * kLevelsInOctave;

/// Outcome `number` of `level`: a walk from the sphere's centre to its surface, lengths in mean free paths. It takes
/// steps of the levels of `bank` that lie an octave or more below, which are complete, and single flights where only
/// smaller spheres fit.
///
/// The outcomes it takes are a permutation of `number`, not drawn: the first step, which counts most, takes each
/// outcome of the level below once, without the noise of drawing them.
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
        if (fits >= kMinComposedLevel) {
            SphereExit const exit =
                decode_exit(bank.outcomes[find_outcome(bank, static_cast<std::uint32_t>(fits), choice++)]);
            std::uint32_t const meridian_turns = rng.draw();
            SphereStep const step = place_exit(direction, exit, meridian_turns);
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

/// Outcome number `place` of the spheres or layers of `level`, below count_level_outcomes, for the scene's g number
/// `g_index` in bank `bank_number`. `outcomes` points to that g's part of the bank, whose lower levels are complete.
/// The generator depends on seed and bank: all banks differ.
template <Steps kind>
VOLPT_HD Outcome make_bank_outcome(SceneView const& scene, Outcome const* outcomes, std::uint32_t bank_number,
                                   std::uint32_t g_index, std::int32_t level, std::uint32_t place)
{
    BankView below = scene.long_steps.bank;
    below.outcomes = outcomes;
    float const g = scene.long_steps.g[g_index];
    if constexpr (kind == Steps::layers) {
        std::uint32_t const node = place >> below.log2_size;
        std::uint32_t const number = place & ((1u << below.log2_size) - 1u);
        return make_bank_layer_outcome(below, scene.seed, bank_number, g_index, g, level, node, number);
    } else {
        constexpr std::uint64_t kBankKey = 0x6f7574636f6d6573u;
        Rng const rng =
            seed_rng(scene.seed ^ kBankKey, place, bank_number, static_cast<std::uint32_t>(level) | g_index << 8);
        return make_outcome(below, level, place, g, rng);
    }
}

} // namespace volpt
