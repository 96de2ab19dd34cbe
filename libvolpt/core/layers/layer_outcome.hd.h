// Outcomes of walks that enter a plane layer of one material at one of its faces, for entry cosines 0, 1/16, .. 1
// (docs/design/long-steps.md, "Layers").
#pragma once

#include "libvolpt/core/outcome.hd.h"

namespace volpt {

/// How a walk leaves the layer. Lengths are in mean free paths; azimuths count about the layer's normal from the plane
/// of incidence, 2^32 to a turn.
struct LayerExit {
    float cosine;                 ///< between its new direction and the normal, (0, 1]
    std::uint32_t through;        ///< 1 if it leaves through the other face, 0 if through the one that it entered
    float offset;                 ///< distance along the layer
    std::uint32_t offset_azimuth; ///< direction of `offset`
    std::uint32_t azimuth;        ///< of the new direction
    float collisions;             ///< on the way
};

/// The same in eight bytes, as banks hold it; one of the two mirror images about the plane of incidence. In `places`:
/// cosine (low 15 bits: k is (k + 1) 2^-15), through (bit 15), offset (high 16); in `collisions`: azimuth (low 10
/// bits), offset_azimuth (9), both the middles of steps, collisions (13).
///
/// Offsets have 12 significant bits, from 2^-15 to 2^17. Collisions have 9, rounded up or down at random by
/// `rounding_bits` so that their mean is kept: exact below 2^9.
VOLPT_HD Outcome encode_layer_exit(LayerExit const& exit, std::uint32_t rounding_bits)
{
    auto const cosine = static_cast<std::uint32_t>(exact::max(0.0f, exact::fma(exit.cosine, 32768.0f, -0.5f)));
    std::uint32_t const offset =
        (bits_from_float(exact::min(exact::max(exit.offset, 0x1p-15f), 0x1.ffep16f)) - 0x38000000u + 0x800u) >> 12;
    std::uint32_t const size =
        exit.collisions > 0.0f
            ? ((bits_from_float(exit.collisions) - 0x3f800000u + (rounding_bits & 0x7fffu)) >> 15) + 1u
            : 0u;
    // The one whose offset lies to the left.
    std::uint32_t const mirror = mask_if(exit.offset_azimuth >= 0x80000000u);
    std::uint32_t const offset_azimuth = blend_bits(mirror, ~exit.offset_azimuth, exit.offset_azimuth);
    std::uint32_t const azimuth = blend_bits(mirror, ~exit.azimuth, exit.azimuth);
    return {(cosine < 32767u ? cosine : 32767u) | exit.through << 15 | offset << 16,
            azimuth >> 22 | (offset_azimuth >> 22) << 10 | size << 19};
}

/// The mirror image where `mirror` is all ones.
VOLPT_HD LayerExit decode_layer_exit(Outcome const& outcome, std::uint32_t mirror)
{
    std::uint32_t const size = outcome.collisions >> 19;
    std::uint32_t const offset_azimuth = ((outcome.collisions >> 10) & 0x1ffu) << 22 | 0x200000u;
    std::uint32_t const azimuth = (outcome.collisions & 0x3ffu) << 22 | 0x200000u;
    float const collisions = float_from_bits(((size - 1u) << 15) + 0x3f800000u);
    return {static_cast<float>(static_cast<std::int32_t>(outcome.places & 0x7fffu) + 1) * 0x1p-15f,
            (outcome.places >> 15) & 1u,
            float_from_bits(((outcome.places >> 16) << 12) + 0x38000000u),
            offset_azimuth ^ mirror,
            azimuth ^ mirror,
            size != 0u ? collisions : 0.0f};
}

/// The end of a walk through a layer: offset in mean free paths, and new direction.
struct LayerStep {
    Vec3 offset;
    Vec3 direction;
};

/// get_axis by masks: `axis` is the same in all lanes of a loop, and conditions on it would keep the loop from vectors.
VOLPT_HD float blend_axis(Vec3 v, int axis)
{
    return blend(mask_if(axis == 0), v.x, blend(mask_if(axis == 1), v.y, v.z));
}

/// The layer of `thickness` mean free paths lies ahead of the unit vector `direction`; its normal is `axis`. A path
/// along the normal has no plane of incidence: azimuths count from the first of the other axes.
VOLPT_HD LayerStep place_layer_exit(Vec3 direction, LayerExit const& exit, float thickness, int axis)
{
    std::uint32_t const is_x = mask_if(axis == 0), is_y = mask_if(axis == 1), is_z = mask_if(axis == 2);
    float const u = blend(is_x, direction.y, direction.x);
    float const v = blend(is_z, direction.y, direction.z);
    float const sine2 = exact::fma(u, u, v * v);
    std::uint32_t const upright = mask_if(sine2 < 0x1p-40f);
    float const scale = exact::reciprocal(exact::sqrt(blend(upright, 1.0f, sine2)));
    float const tangent_u = blend(upright, 1.0f, scale * u);
    float const tangent_v = blend(upright, 0.0f, scale * v);
    exact::SinCos const offset = exact::sincos_turns(exit.offset_azimuth);
    exact::SinCos const turn = exact::sincos_turns(exit.azimuth);
    float const sine = exact::sqrt(exact::fma(-exit.cosine, exit.cosine, 1.0f));
    float const forward = exact::copysign(1.0f, blend_axis(direction, axis));
    auto const make = [&](float along, float aside, float normal) {
        float const new_u = exact::fma(along, tangent_u, -aside * tangent_v);
        float const new_v = exact::fma(along, tangent_v, aside * tangent_u);
        return Vec3{blend(is_x, normal, new_u), blend(is_x, new_u, blend(is_y, normal, new_v)),
                    blend(is_z, normal, new_v)};
    };
    std::uint32_t const through = 0u - exit.through;
    return {make(exit.offset * offset.cosine, exit.offset * offset.sine, blend(through, forward * thickness, 0.0f)),
            make(sine * turn.cosine, sine * turn.sine, blend(through, forward, -forward) * exit.cosine)};
}

/// One of the two nodes about an entry `cosine` from 0 to 1, at random, with the weights of linear interpolation.
VOLPT_HD std::uint32_t choose_layer_node(float cosine, std::uint32_t bits)
{
    float const place = cosine * static_cast<float>(static_cast<std::int32_t>(kLayerNodes - 1u));
    std::int32_t const low = exact::min(static_cast<std::int32_t>(place), static_cast<std::int32_t>(kLayerNodes) - 2);
    return static_cast<std::uint32_t>(low) - mask_if(to_unit(bits) < place - static_cast<float>(low));
}

/// Index in the bank, [level][node][2^log2_size], of the outcome `choice`, modulo the outcomes of a node. Level k is a
/// layer of sphere_radius(k) mean free paths.
VOLPT_HD std::uint32_t find_layer_outcome(BankView const& bank, std::int32_t level, std::uint32_t node,
                                          std::uint32_t choice)
{
    std::uint32_t const row = static_cast<std::uint32_t>(level) * kLayerNodes + node;
    return (row << bank.log2_size) + (choice & ((1u << bank.log2_size) - 1u));
}

/// What one layer ahead does to a path: where it takes it, and the collisions that it stands for.
struct LayerWalk {
    LayerStep step;
    float collisions;
};

/// The outcome `choice` of the layer of `level` ahead of `direction`. `bits` choose node and mirror image: two
/// decisions by one number, its high 24 bits and its lowest.
VOLPT_HD LayerWalk walk_layer(BankView const& bank, std::int32_t level, int axis, Vec3 direction, std::uint32_t choice,
                              std::uint32_t bits)
{
    float const cosine = exact::min(1.0f, exact::abs(blend_axis(direction, axis)));
    std::uint32_t const at = find_layer_outcome(bank, level, choose_layer_node(cosine, bits), choice);
    LayerExit const exit = decode_layer_exit(bank.outcomes[static_cast<std::int32_t>(at)], 0u - (bits & 1u));
    return {place_layer_exit(direction, exit, sphere_radius(level), axis), exit.collisions};
}

} // namespace volpt
