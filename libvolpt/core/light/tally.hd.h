// How particles add to the sums of TallyView: without loss, in any order, on many threads.
#pragma once

#include "libvolpt/core/light/tally_view.hd.h"

namespace volpt {

VOLPT_HD void add_to_sum(std::uint64_t* sum, std::uint64_t value)
{
#if VOLPT_ON_DEVICE
    atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
#else
    __atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
#endif
}

/// `scaled`, from 0 on, rounded without bias over random `bits`; up to 2^62.
VOLPT_HD std::uint64_t dither_size(float scaled, std::uint32_t bits)
{
    float const bounded = exact::min(scaled, 0x1p62f);
    auto const whole = static_cast<std::int64_t>(bounded);
    float const rest = bounded - static_cast<float>(whole); // exact, below 1
    return static_cast<std::uint64_t>(whole) + (bits < static_cast<std::uint32_t>(rest * 0x1p32f) ? 1u : 0u);
}

/// `value * scale` rounded without bias over random `bits`, in two's complement, its size up to 2^62. What a surface
/// absorbs is negative where a sampled weight exceeds 1, though not on average; a particle's sum of gains by roulette
/// has no bound.
VOLPT_HD std::uint64_t dither_to_sum(float value, float scale, std::uint32_t bits)
{
    std::uint64_t const size = dither_size(exact::abs(value * scale), bits);
    return value < 0.0f ? std::uint64_t{0} - size : size;
}

/// The gate of an optical path length, of `gates` gates with the width `width_mm` of optical path; `gates` if it is
/// past the last.
VOLPT_HD std::uint32_t find_gate(std::uint32_t gates, float width_mm, float optical_mm)
{
    if (!(width_mm > 0.0f)) return 0u;
    float const gate = exact::divide(optical_mm, width_mm);
    return static_cast<std::uint32_t>(exact::to_index(gate, static_cast<float>(gates)));
}

VOLPT_HD std::uint32_t find_gate(TallyView const& tally, float optical_mm)
{
    return find_gate(tally.gates, tally.gate_optical_mm, optical_mm);
}

VOLPT_HD bool is_past_gates(TallyView const& tally, float optical_mm)
{
    return tally.kind != TallyKind::none && find_gate(tally, optical_mm) >= tally.gates;
}

/// Number of the cell that holds `position` (voxels); on the box's far faces, the last.
VOLPT_HD std::size_t find_tally_cell(TallyView const& tally, Vec3 position)
{
    Vec3 const p = position * tally.cells_per_voxel;
    auto const find = [](float at, std::uint32_t cells) {
        return static_cast<std::size_t>(exact::to_index(at, static_cast<float>(cells - 1u)));
    };
    return (find(p.z, tally.dims[2]) * tally.dims[1] + find(p.y, tally.dims[1])) * tally.dims[0] +
           find(p.x, tally.dims[0]);
}

/// Where band 0 of a cell lies in `sums`; the next band is count_tally_cells further.
VOLPT_HD std::size_t find_tally_sum(TallyView const& tally, std::uint32_t bands, std::uint32_t group,
                                    std::uint32_t gate, Vec3 position)
{
    std::size_t const row = (static_cast<std::size_t>(group) * tally.gates + gate) * bands;
    return row * count_tally_cells(tally) + find_tally_cell(tally, position);
}

/// Where band 0 of DetectedSum 0 of a detector's cell lies in `sums`.
VOLPT_HD std::size_t find_detector_sum(TallyView const& tally, std::uint32_t bands, std::uint32_t group,
                                       std::uint32_t cell)
{
    std::size_t const row = static_cast<std::size_t>(group) * tally.detectors.cells + cell;
    return count_volume_sums(tally, bands) + row * count_detected_sums(tally.detectors) * bands;
}

/// Where a kind of energy lies in `energy_sums`, of band 0.
VOLPT_HD std::size_t find_energy_sum(std::uint32_t bands, std::uint32_t part, EnergyKind kind)
{
    return (static_cast<std::size_t>(part) * kEnergyKinds + static_cast<std::uint32_t>(kind)) * bands;
}

} // namespace volpt
