// Starts of particles in a medium that emits: a voxel in proportion to its power, and a point where lookups find it.
#pragma once

#include "libvolpt/core/light/medium_emission.hd.h"
#include "libvolpt/core/light/sample_particle.hd.h"

namespace volpt {

/// A voxel that has been chosen.
struct VoxelChoice {
    VoxelRef voxel;
    float probability;
};

/// The entry of a table of EmissionView that `bits` fall into, and its probability to 2^-32.
VOLPT_HD std::uint32_t choose_share(std::uint32_t const* shares, std::uint32_t count, std::uint32_t bits,
                                    float& probability)
{
    std::uint32_t const place = bits < 0xfffffffeu ? bits : 0xfffffffeu;
    std::uint32_t first = 0, end = count - 1u;
    while (first < end) {
        std::uint32_t const middle = first + (end - first) / 2u;
        if (place < shares[middle])
            end = middle;
        else
            first = middle + 1u;
    }
    std::uint32_t const share = shares[first] - (first > 0u ? shares[first - 1u] : 0u);
    probability = 0x1p-32f * static_cast<float>(share);
    return first;
}

VOLPT_HD VoxelChoice choose_emitting_voxel(EmissionView const& emission, std::uint32_t brick_bits,
                                           std::uint32_t voxel_bits)
{
    float of_brick, of_voxel;
    std::uint32_t const entry = choose_share(emission.brick_shares, emission.brick_count, brick_bits, of_brick);
    std::uint32_t const* const shares = emission.voxel_shares + std::size_t{entry} * kBrickVoxels;
    std::uint32_t const morton = choose_share(shares, kBrickVoxels, voxel_bits, of_voxel);
    return {{emission.bricks[entry], morton}, of_brick * of_voxel};
}

/// Bits 0, 3 and 6: the inverse of spread_3_bits.
VOLPT_HD std::uint32_t gather_3_bits(std::uint32_t v)
{
    return (v & 1u) | ((v >> 2) & 2u) | ((v >> 4) & 4u);
}

/// The lower corner of a voxel.
VOLPT_HD Vec3 find_voxel_corner(MediumView const& medium, VoxelRef voxel)
{
    std::int32_t const row = medium.brick_counts[0], layer = row * medium.brick_counts[1];
    std::int32_t const z = voxel.brick / layer, y = voxel.brick % layer / row, x = voxel.brick % row;
    auto const corner = [&](std::int32_t brick, std::uint32_t axis) {
        return static_cast<float>(brick * kBrickEdge + static_cast<std::int32_t>(gather_3_bits(voxel.morton >> axis)));
    };
    return {corner(x, 0u), corner(y, 1u), corner(z, 2u)};
}

/// Along one axis, a point whose density is the probability that pick_voxel gives this voxel for it: even over the
/// voxel, and with Filter::trilinear a jitter in addition. Beyond a face, lookups give the last voxel: there the
/// jittered point is mirrored.
VOLPT_HD float sample_lookup(float corner, float size, float jitter, std::uint32_t bits)
{
    float const place = static_cast<float>(static_cast<std::int32_t>(bits >> 16)) * 0x1p-16f + 0x1p-17f;
    float const aside = static_cast<float>(static_cast<std::int32_t>(bits & 0xffffu)) * 0x1p-16f - (0.5f - 0x1p-17f);
    float const p = exact::abs(corner + exact::fma(2048.0f * jitter, aside, place));
    return exact::min(p, 2.0f * size - p);
}

/// A particle from the medium, isotropic. The weight is that outside of a solid: in a medium of index n it is n^2
/// times this. `band` is that of a path of one band. Draws seven numbers.
template <class M>
VOLPT_HD ParticleStart<M::kBands> leave_medium(SceneView const& scene, std::uint32_t band, Rng& rng)
{
    MediumView const& medium = scene.medium;
    EmissionView const& emission = scene.emission;
    std::uint32_t const brick_bits = rng.draw();
    std::uint32_t const voxel_bits = rng.draw();
    std::uint32_t place_bits[3], direction_bits[2];
    for (int i = 0; i < 3; ++i) place_bits[i] = rng.draw();
    for (int i = 0; i < 2; ++i) direction_bits[i] = rng.draw();
    VoxelChoice const choice = choose_emitting_voxel(emission, brick_bits, voxel_bits);
    ParticleStart<M::kBands> start{};
    Vec3 const corner = find_voxel_corner(medium, choice.voxel), size = medium.size_voxels;
    start.position_voxels = {sample_lookup(corner.x, size.x, medium.jitter, place_bits[0]),
                             sample_lookup(corner.y, size.y, medium.jitter, place_bits[1]),
                             sample_lookup(corner.z, size.z, medium.jitter, place_bits[2])};
    start.direction = sample_isotropic(direction_bits[0], direction_bits[1]);
    start.in_medium = 1u;
    start.voxel = choice.voxel;
    float const probability = choice.probability * emission.choice;
    float const gain = exact::divide(emission.power_per_rate, probability);
    read_emitted<M>(scene, choice.voxel, band, start.weight);
    for (int b = 0; b < M::kBands; ++b) {
        std::uint32_t const of_scene = M::kBands > 1 ? 0u : band;
        start.weight[b] *= gain * read_sigma_t<M>(medium, choice.voxel, of_scene);
    }
    return start;
}

} // namespace volpt
