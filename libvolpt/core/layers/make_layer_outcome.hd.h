// Makes the outcomes of layers by the core's own collisions: thick layers are composed of thinner ones.
#pragma once

#include "libvolpt/core/layers/layer_outcome.hd.h"

namespace volpt {

/// The least level that thicker layers are composed of, 8 mean free paths.
inline constexpr std::int32_t kMinComposedLayer = 3 * kLevelsInOctave;

/// A walk in the layer 0 <= z <= `thickness` that started at the origin in the plane y = 0.
struct WalkInLayer {
    Vec3 position{0, 0, 0};
    Vec3 direction{0, 0, 1};
    float collisions = 0;
};

VOLPT_HD float measure_ahead(WalkInLayer const& walk, float thickness)
{
    return walk.direction.z >= 0.0f ? thickness - walk.position.z : walk.position.z;
}

VOLPT_HD void take_layer(WalkInLayer& walk, LayerWalk const& taken)
{
    walk.position = walk.position + taken.step.offset;
    walk.direction = taken.step.direction;
    walk.collisions += taken.collisions;
}

/// True if the walk stands on a face and moves outwards.
VOLPT_HD bool has_left_layer(WalkInLayer const& walk, float thickness)
{
    return (walk.position.z <= 0.0f && walk.direction.z < 0.0f) ||
           (walk.position.z >= thickness && walk.direction.z > 0.0f);
}

/// A flight and the collision at its end; true if it ends on a face instead.
VOLPT_HD bool fly_in_layer(WalkInLayer& walk, float thickness, float g, Rng& rng)
{
    float const depth = to_optical_depth(rng.draw());
    Vec3 const target = move_along(walk.position, depth, walk.direction);
    if (target.z < 0.0f || target.z > thickness) {
        float const face = target.z < 0.0f ? 0.0f : thickness;
        float const way = (face - walk.position.z) / walk.direction.z;
        walk.position = move_along(walk.position, exact::max(0.0f, exact::min(way, depth)), walk.direction);
        walk.position.z = face;
        return true;
    }
    walk.position = target;
    std::uint32_t const cosine_bits = rng.draw();
    std::uint32_t const azimuth_bits = rng.draw();
    walk.direction = sample_hg(walk.direction, g, cosine_bits, azimuth_bits);
    walk.collisions += 1.0f;
    return false;
}

VOLPT_HD LayerExit describe_layer_exit(WalkInLayer const& walk, float thickness)
{
    Vec3 const p = walk.position;
    Vec3 const d = walk.direction;
    float const offset = exact::sqrt(exact::fma(p.x, p.x, p.y * p.y));
    return {exact::min(1.0f, exact::abs(d.z)),
            p.z > 0.5f * thickness ? 1u : 0u,
            offset,
            offset > 0.0f ? exact::atan2_turns(p.x, p.y) : 0u,
            d.x != 0.0f || d.y != 0.0f ? exact::atan2_turns(d.x, d.y) : 0u,
            walk.collisions};
}

/// Outcome `number` of `level` and `node`. It takes layers of `bank` that are an octave or more thinner, whose levels
/// are complete, and single flights where only thinner layers than kMinComposedLayer lie ahead.
///
/// The first step is the node's own outcome of the layer half as thick, not interpolated: where it returns, nine times
/// of ten, it is the outcome. As in make_outcome, outcomes are taken by a permutation, not drawn.
VOLPT_HD Outcome make_layer_outcome(BankView const& bank, std::int32_t level, std::uint32_t node, std::uint32_t number,
                                    float g, Rng rng)
{
    float const thickness = sphere_radius(level);
    float const cosine = static_cast<float>(static_cast<std::int32_t>(node)) /
                         static_cast<float>(static_cast<std::int32_t>(kLayerNodes - 1u));
    std::uint32_t choice = number * 0x9E3779B1u + static_cast<std::uint32_t>(level) * 0x85EBCA6Bu;
    WalkInLayer walk;
    walk.direction = {exact::sqrt(exact::fma(-cosine, cosine, 1.0f)), 0.0f, cosine};
    if (level - kLevelsInOctave >= kMinComposedLayer) {
        std::int32_t const half = level - kLevelsInOctave;
        std::uint32_t const at = find_layer_outcome(bank, half, node, choice++);
        LayerExit const exit = decode_layer_exit(bank.outcomes[static_cast<std::int32_t>(at)], 0u - (rng.draw() & 1u));
        take_layer(walk, {place_layer_exit(walk.direction, exit, sphere_radius(half), 2), exit.collisions});
    }
    while (!has_left_layer(walk, thickness)) {
        float const ahead = exact::max(0.0f, measure_ahead(walk, thickness));
        std::int32_t const fits = find_level(ahead, level - kLevelsInOctave);
        if (fits < kMinComposedLayer) {
            if (fly_in_layer(walk, thickness, g, rng)) break;
            continue;
        }
        std::uint32_t const bits = rng.draw();
        take_layer(walk, walk_layer(bank, fits, 2, walk.direction, choice++, bits));
    }
    std::uint32_t const rounding_bits = rng.draw();
    return encode_layer_exit(describe_layer_exit(walk, thickness), rounding_bits);
}

/// make_layer_outcome in bank `bank_number` of `seed`, for its g number `g_index`. All banks differ.
VOLPT_HD Outcome make_bank_layer_outcome(BankView const& bank, std::uint64_t seed, std::uint32_t bank_number,
                                         std::uint32_t g_index, float g, std::int32_t level, std::uint32_t node,
                                         std::uint32_t number)
{
    constexpr std::uint64_t kLayerKey = 0x6c61796572626b73u;
    std::uint32_t const row = static_cast<std::uint32_t>(level) * kLayerNodes + node;
    return make_layer_outcome(bank, level, node, number, g,
                              seed_rng(seed ^ kLayerKey, number, bank_number, row | g_index << 16));
}

} // namespace volpt
