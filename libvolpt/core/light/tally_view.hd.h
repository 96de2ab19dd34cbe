// Sums that particles add to on their way: energy by voxel, what detectors count, and what became of all that was
// launched.
#pragma once

#include "libvolpt/core/light/detector_view.hd.h"
#include "libvolpt/core/vec.hd.h"

namespace volpt {

enum class TallyKind : std::uint32_t {
    none = 0,
    absorbed = 1, ///< energy absorbed at collisions; what roulette and cuts end is not counted
    fluence = 2,  ///< mean of path length per volume
};

/// How fluence is summed.
enum class FluenceEstimator : std::uint32_t {
    collision = 0, ///< weight / majorant at each tentative collision
    length = 1,    ///< weight times length in each cell on the way: less noise where collisions are rare
};

/// How launched energy ends: sums of weights. launched + roulette_gained = reflected + .. + roulette_lost.
enum class EnergyKind : std::uint32_t {
    launched = 0,
    reflected = 1,   ///< left against the direction in which its particle was launched
    transmitted = 2, ///< left along it
    absorbed = 3,    ///< in the medium and at surfaces
    cut = 4,         ///< by the depth limit, or after the last gate
    roulette_lost = 5,
    roulette_gained = 6,
    outside_reflected = 7,   ///< the part of `reflected` that was never in the solid: specular reflection
    outside_transmitted = 8, ///< the part of `transmitted` that was never in it
};
inline constexpr std::uint32_t kEnergyKinds = 9;

/// Particles are added to group `sample % kTallyGroups`; the spread between groups gives the standard error.
inline constexpr std::uint32_t kTallyGroups = 16;
/// Parts of the energy sums, so that few particles add to the same word.
inline constexpr std::uint32_t kEnergyParts = 1024;

/// Weights of one band are shares of LightsView::reference_power_w; times `scale`, rounded without bias, they are added
/// to 64-bit integers.
struct TallyView {
    TallyKind kind = TallyKind::none;
    FluenceEstimator fluence = FluenceEstimator::collision;
    std::uint32_t dims[3] = {0, 0, 0}; ///< cells
    Vec3 cells_per_voxel{1, 1, 1};
    std::uint32_t gates = 1;
    float gate_optical_mm = 0; ///< optical path length of one gate; 0: one gate without end
    float index_inside = 1;    ///< of refraction
    float index_outside = 1;
    float scale = 1;                      ///< a power of two; of fluence: per mm
    std::uint64_t* sums = nullptr;        ///< [group][gate][band][z][y][x], then those of detectors
    DetectorsView detectors;              ///< their sums are [group][cell][DetectedSum][band]
    float energy_scale = 1;               ///< a power of two
    std::uint64_t* energy_sums = nullptr; ///< [part][kind][band]
};

VOLPT_HD bool sums_collisions(TallyView const& tally)
{
    return tally.kind == TallyKind::fluence && tally.fluence == FluenceEstimator::collision;
}
VOLPT_HD bool sums_length(TallyView const& tally)
{
    return tally.kind == TallyKind::fluence && tally.fluence == FluenceEstimator::length;
}

/// Whether path lengths of particles are measured.
VOLPT_HD bool measures_way(TallyView const& tally)
{
    bool const has_gates = tally.kind != TallyKind::none && tally.gate_optical_mm > 0.0f;
    return has_gates || sums_length(tally) || tally.detectors.count != 0u;
}

/// Whether there are sums besides those of energy.
VOLPT_HD bool is_tallied(TallyView const& tally)
{
    return tally.kind != TallyKind::none || tally.detectors.count != 0u;
}

VOLPT_HD std::size_t count_tally_cells(TallyView const& tally)
{
    return static_cast<std::size_t>(tally.dims[0]) * tally.dims[1] * tally.dims[2];
}

/// Elements of `sums` before those of detectors.
VOLPT_HD std::size_t count_volume_sums(TallyView const& tally, std::uint32_t bands)
{
    return tally.kind == TallyKind::none ? 0 : kTallyGroups * tally.gates * bands * count_tally_cells(tally);
}

/// Elements of `sums`.
VOLPT_HD std::size_t count_tally_sums(TallyView const& tally, std::uint32_t bands)
{
    DetectorsView const& detectors = tally.detectors;
    return count_volume_sums(tally, bands) +
           static_cast<std::size_t>(kTallyGroups) * detectors.cells * count_detected_sums(detectors) * bands;
}

/// Elements of `energy_sums`.
VOLPT_HD std::size_t count_energy_sums(std::uint32_t bands)
{
    return static_cast<std::size_t>(kEnergyParts) * kEnergyKinds * bands;
}

} // namespace volpt
