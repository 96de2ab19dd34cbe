// A real collision: absorption as a weight, Russian roulette, a new direction; without branches.
#pragma once

#include "libvolpt/core/lookup.hd.h"
#include "libvolpt/core/path.hd.h"
#include "libvolpt/core/phase_function.hd.h"

namespace volpt {

/// 1 - albedo of band `band` at a voxel.
template <Source source, class Voxel>
VOLPT_HD float read_one_minus_albedo(MediumView const& medium, Voxel voxel, std::uint32_t band)
{
    if constexpr (source == Source::plane) return read_value(medium.one_minus_albedo, voxel, band);
    if constexpr (source == Source::material) {
        std::int32_t const row = static_cast<std::int32_t>(band) * kMaxMaterials;
        return medium.material_one_minus_albedo[row + read_label(medium.label, voxel)];
    }
    return medium.band[band].constant_one_minus_albedo;
}

/// throughput *= albedo, written as w - w (1 - albedo): files hold 1 - albedo precisely, and a white medium keeps every
/// bit of the weight.
template <int bands>
VOLPT_HD void absorb(float const (&one_minus_albedo)[bands], PathState<bands>& path)
{
    for (int b = 0; b < bands; ++b)
        path.throughput[b] = exact::fma(-path.throughput[b], one_minus_albedo[b], path.throughput[b]);
}

/// Absorption in a voxel, which is not read if `source` is constant.
template <Source source, int bands, class Voxel = VoxelRef>
VOLPT_HD void absorb(MediumView const& medium, Voxel voxel, PathState<bands>& path)
{
    float one_minus_albedo[bands];
    if constexpr (source == Source::plane && bands == 3) {
        read_values(medium.one_minus_albedo, voxel, one_minus_albedo);
    } else {
        for (int b = 0; b < bands; ++b)
            one_minus_albedo[b] =
                read_one_minus_albedo<source>(medium, voxel, bands > 1 ? static_cast<std::uint32_t>(b) : path.band);
    }
    absorb(one_minus_albedo, path);
}

template <int bands>
VOLPT_HD float largest_throughput(PathState<bands> const& path)
{
    float w = path.throughput[0];
    for (int b = 1; b < bands; ++b) w = exact::ordered_max(w, path.throughput[b]);
    return w;
}

/// Samples the path's new direction; draws two numbers.
template <Scattering kind, int bands, class Voxel = VoxelRef>
VOLPT_HD void sample_scattering(MediumView const& medium, Voxel voxel, PathState<bands>& path)
{
    std::uint32_t const cosine_bits = path.rng.draw();
    std::uint32_t const azimuth_bits = path.rng.draw();
    if constexpr (kind == Scattering::isotropic) {
        path.direction = sample_isotropic(cosine_bits, azimuth_bits);
    } else if constexpr (kind == Scattering::constant_g) {
        path.direction = sample_hg(path.direction, medium.g, cosine_bits, azimuth_bits);
    } else {
        float const g = medium.material_g[read_label(medium.label, voxel)];
        path.direction = sample_hg(path.direction, g, cosine_bits, azimuth_bits);
    }
}

/// Russian roulette where the largest throughput w is below w_min: the path survives with probability w / w_min and
/// continues with w_min, so no weight exceeds its earlier value (a cap on the survival probability would have infinite
/// variance in a white medium). Draws one number if it plays; an invisible throughput ends the path without one.
template <int bands>
VOLPT_HD void play_roulette(RouletteView roulette, PathState<bands>& path)
{
    float const w = largest_throughput(path);
    if (!(w < roulette.plays_below)) return;
    if (!(w > kInvisibleThroughput)) {
        for (int b = 0; b < bands; ++b) path.throughput[b] = 0.0f;
        path.stage = Stage::ended;
        return;
    }
    float const w_min = roulette.w_min;
    if (!(w < w_min)) return;
    std::uint32_t const bits = path.rng.draw();
    bool const survives = to_fine_unit(bits) * w_min < w;
    float const gain = exact::divide(w_min, w);
    for (int b = 0; b < bands; ++b) path.throughput[b] = survives ? path.throughput[b] * gain : 0.0f;
    if (!survives) path.stage = Stage::ended;
}

// What paths in scenes with emitters do besides, at events that all paths share: they overload these (core/light).

/// At the end of a flight in the medium, before its collision, if there is one.
template <class M, class Flight, class Path>
VOLPT_HD void note_flight(M, SceneView const&, Flight const&, Path&)
{
}
/// At a real collision, before absorption.
template <class M, class Path>
VOLPT_HD void begin_collision(M, SceneView const&, VoxelRef, Path&)
{
}
/// After absorption; the path still has the direction it arrived with.
template <class M, class Path>
VOLPT_HD void end_absorption(M, SceneView const&, VoxelRef, Path&)
{
}
/// After the new direction.
template <class M, class Path>
VOLPT_HD void end_scattering(M, SceneView const&, VoxelRef, Vec3, Path&)
{
}

/// The voxel that gives the albedo of a collision in `voxel`; draws a number if it is another one. In expectation over
/// both draws the path keeps sigma_t times albedo, both interpolated.
template <class M>
VOLPT_HD VoxelRef find_albedo_voxel(SceneView const& scene, VoxelRef voxel, PathOf<M>& path)
{
    // The instances of Transport::escape have no registers to spare. Media of solids that nest do not vary.
    if constexpr (M::kExtinction == Extinction::any && M::kSurfaces != Surfaces::nested)
        if (scene.albedo_lookup.on != 0u)
            return pick_voxel(scene.medium, scene.albedo_lookup.jitter, path.position, path.rng.draw());
    return voxel;
}

/// A real collision: absorption, new direction, roulette, in this order. The branches are the same for all paths of a
/// scene; there are none where nothing varies.
template <class M>
VOLPT_HD void scatter(SceneView const& scene, VoxelRef voxel, PathOf<M>& path)
{
    MediumView const& medium = scene.medium;
    begin_collision(M{}, scene, voxel, path);
    bool const varies = M::kExtinction != Extinction::bare;
    if (varies && medium.albedo == Source::plane)
        absorb<Source::plane>(medium, find_albedo_voxel<M>(scene, voxel, path), path);
    else if (varies && medium.albedo == Source::material)
        absorb<Source::material>(medium, voxel, path);
    else
        absorb<Source::constant>(medium, voxel, path);
    end_absorption(M{}, scene, voxel, path);
    Vec3 const arriving = path.direction;
    if (medium.scattering == Scattering::isotropic)
        sample_scattering<Scattering::isotropic>(medium, voxel, path);
    else if (!varies || medium.scattering == Scattering::constant_g)
        sample_scattering<Scattering::constant_g>(medium, voxel, path);
    else
        sample_scattering<Scattering::material_g>(medium, voxel, path);
    end_scattering(M{}, scene, voxel, arriving, path);
    play_roulette(scene.roulette, path);
    path.bounces = 0;
}

} // namespace volpt
