// A tally as numbers by cell, with their standard errors.
#pragma once

#include "libvolpt/scene/light/group_spread.h"
#include "libvolpt/scene/light/tally_sums.h"

#include <array>
#include <string>
#include <vector>

namespace volpt {

/// Values are per watt that is launched in their band: absorbed power in 1/mm^3, fluence rate in 1/mm^2. With gates,
/// the same energies per joule of a pulse, by the time since its launch.
struct TallyVolume {
    TallyKind kind = TallyKind::none;
    std::array<int, 3> dims{};
    std::uint32_t gates = 1;
    double gate_ns = 0;
    std::uint32_t bands = 1;
    std::vector<float> values;          ///< [gate][band][z][y][x]
    std::vector<float> standard_errors; ///< likewise, from the spread between groups; NaN of a single group
};

/// `sums` is of a tally, not of energy only. `particles` are the numbers of particles in `sums`. All values are zero if
/// nothing was launched.
TallyVolume make_tally_volume(TallySums const& sums, GroupCounts const& particles);

/// "absorbed" or "fluence".
std::string name_tally_kind(TallyKind kind);

/// Of the values: "1/mm^2 per launched watt".
std::string spell_tally_unit(TallyVolume const& tally);

} // namespace volpt
