// What a real collision does to a path: absorption as a weight, roulette, a new direction; without branches.
#pragma once

#include "libvolpt/core/lookup.hd.h"
#include "libvolpt/core/path.hd.h"
#include "libvolpt/core/phase_function.hd.h"

namespace volpt {

/// 1 - albedo of band `band` at a voxel.
template <Source source>
VOLPT_HD float read_one_minus_albedo(MediumView const& medium, VoxelRef voxel, std::uint32_t band)
{
    if constexpr (source == Source::plane) return read_value(medium.one_minus_albedo, voxel, band);
    if constexpr (source == Source::material) {
        std::int32_t const row = static_cast<std::int32_t>(band) * kMaxMaterials;
        return medium.material_one_minus_albedo[row + read_label(medium.label, voxel)];
    }
    return medium.constant_one_minus_albedo[band];
}

/// throughput *= albedo, written as w - w (1 - albedo): 1 - albedo is what the file holds precisely, and a white medium
/// leaves the weight untouched to the last bit.
template <Source source, int bands>
VOLPT_HD void absorb(MediumView const& medium, VoxelRef voxel, PathState<bands>& path, bool active)
{
    // A factor, not a choice: the compiler would move the lookup under the choice's mask, and the loop over lanes would
    // stay scalar.
    float const gate = active ? 1.0f : 0.0f;
    float losses[bands];
    if constexpr (source == Source::plane && bands == 3) {
        read_values(medium.one_minus_albedo, voxel, losses);
    } else {
        for (int b = 0; b < bands; ++b)
            losses[b] =
                read_one_minus_albedo<source>(medium, voxel, bands > 1 ? static_cast<std::uint32_t>(b) : path.band);
    }
    for (int b = 0; b < bands; ++b)
        path.throughput[b] = exact::fma(-path.throughput[b], gate * losses[b], path.throughput[b]);
}

template <int bands>
VOLPT_HD float largest_throughput(PathState<bands> const& path)
{
    float w = path.throughput[0];
    for (int b = 1; b < bands; ++b) w = exact::max(w, path.throughput[b]);
    return w;
}

/// Where g comes from; `isotropic` is a constant g of 0, which needs no frame.
enum class Turn : std::uint32_t { isotropic = 0, constant_g = 1, material_g = 2 };

VOLPT_HD Turn choose_turn(MediumView const& medium)
{
    if (medium.anisotropy == Source::material) return Turn::material_g;
    return medium.g == 0.0f ? Turn::isotropic : Turn::constant_g;
}

/// Turns the path into a new direction; draws two numbers.
template <Turn kind, int bands>
VOLPT_HD void sample_scattering(MediumView const& medium, VoxelRef voxel, PathState<bands>& path, bool active)
{
    Rng rng = path.rng;
    std::uint32_t const cosine_bits = rng.draw();
    std::uint32_t const azimuth_bits = rng.draw();
    Vec3 direction;
    if constexpr (kind == Turn::isotropic) {
        direction = sample_isotropic(cosine_bits, azimuth_bits);
    } else if constexpr (kind == Turn::constant_g) {
        direction = sample_hg(path.direction, medium.g, cosine_bits, azimuth_bits);
    } else {
        float const g = medium.material_g[read_label(medium.label, voxel)];
        direction = sample_hg(path.direction, g, cosine_bits, azimuth_bits);
    }
    path.direction.x = active ? direction.x : path.direction.x;
    path.direction.y = active ? direction.y : path.direction.y;
    path.direction.z = active ? direction.z : path.direction.z;
    path.rng = choose_rng(active, rng, path.rng);
}

/// Below this throughput nothing reaches the film any more: the brightest light times it rounds to 0 in its fixed point
/// (2^-33 2^kSampleLog2 < 1/2), so that ending the path changes no bit.
inline constexpr float kInvisibleThroughput = 0x1p-33f;

/// Russian roulette below w_min on the largest throughput w: the path survives with probability w / w_min and goes on
/// at w_min, so no weight grows past what it once had (a survival cap would have infinite variance in a white medium).
/// Draws one number, only if it plays; an invisible throughput ends the path without one.
template <int bands>
VOLPT_HD void play_roulette(float w_min, PathState<bands>& path)
{
    float const w = largest_throughput(path);
    if (!(w > kInvisibleThroughput)) {
        path.stage = Stage::ended;
        return;
    }
    if (!(w < w_min)) return;
    std::uint32_t const bits = path.rng.draw();
    bool const survives = to_fine_unit(bits) * w_min < w;
    float const gain = w_min / w;
    for (int b = 0; b < bands; ++b) path.throughput[b] = survives ? path.throughput[b] * gain : 0.0f;
    if (!survives) path.stage = Stage::ended;
}

/// A real collision as a whole, in the order absorb, turn, roulette; the branches are the same for every path of a
/// scene, and none where nothing varies.
template <class M>
VOLPT_HD void scatter(SceneView const& scene, VoxelRef voxel, PathState<M::kBands>& path)
{
    MediumView const& medium = scene.medium;
    bool const varies = M::kExtinction != Extinction::bare;
    if (!varies || medium.albedo == Source::constant)
        absorb<Source::constant>(medium, voxel, path, true);
    else if (medium.albedo == Source::plane)
        absorb<Source::plane>(medium, voxel, path, true);
    else
        absorb<Source::material>(medium, voxel, path, true);
    Turn const kind = choose_turn(medium);
    if (kind == Turn::isotropic)
        sample_scattering<Turn::isotropic>(medium, voxel, path, true);
    else if (!varies || kind == Turn::constant_g)
        sample_scattering<Turn::constant_g>(medium, voxel, path, true);
    else
        sample_scattering<Turn::material_g>(medium, voxel, path, true);
    play_roulette(scene.roulette_w_min, path);
    path.bounces = 0;
}

} // namespace volpt
