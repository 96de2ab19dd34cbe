// Vertices of particles that send light to the film: one of each path is chosen, and its ray followed.
#pragma once

#include "libvolpt/core/light/film_point.hd.h"
#include "libvolpt/core/light/transmittance.hd.h"

namespace volpt {

/// Lower bound of guesses of a transmittance where sigma_t varies or a mesh may end before the box: they may be too
/// small there.
inline constexpr float kLeastGuess = 0x1p-6f;

/// Chooses the vertex at `from` (voxels) in place of the one chosen before, with the probability part / total
/// (reservoir sampling). `response` is by band per sr; `guess` is an estimate of the transmittance, which lowers the
/// variance and does not change the mean. Draws one number if the vertex may appear.
template <int bands, class Path>
VOLPT_HD void offer_splat(FilmPoint const& point, Stage stage, Vec3 from, float const (&response)[bands], float guess,
                          Path& path)
{
    if (point.slot == kNoSlot) return;
    float most = 0.0f;
    for (int b = 0; b < bands; ++b) most = exact::max(most, point.gain * response[b]);
    float const part = most * guess;
    if (!(part > 0x1p-70f)) return;
    path.splat_total += part;
    std::uint32_t const bits = path.rng.draw();
    if (!(to_fine_unit(bits) * path.splat_total < part)) return;
    float const scale = exact::divide(point.gain, part);
    for (int b = 0; b < bands; ++b) path.splat.weight[b] = response[b] * scale;
    path.splat.direction = point.direction;
    path.splat.distance_mm = point.distance_mm;
    path.splat.stage = stage;
    path.splat_from = from;
    path.splat_slot = point.slot;
    if constexpr (HasRegion<Path>) path.splat_region = stage == Stage::inside ? path.region : 0u;
}

template <class Path>
VOLPT_HD std::uint32_t get_splat_region(Path const& path)
{
    if constexpr (HasRegion<Path>)
        return path.splat_region;
    else
        return 0u;
}

} // namespace volpt
