// Whether long steps pay in a scene: the rule behind --long-steps auto.
#pragma once

#include "libvolpt/scene/scene.h"
#include "libvolpt/volume/volume.h"

namespace volpt {

/// How many flights paths take without and with long steps, and for how many of them triangles are searched: sums over
/// the same few paths of the scene, which are walked collision by collision.
struct FlightCounts {
    std::uint64_t paths = 0;
    std::uint64_t plain = 0;
    std::uint64_t stepping = 0;
    std::uint64_t plain_searches = 0; ///< 0 in a box
    std::uint64_t stepping_searches = 0;
    std::uint64_t bank_outcomes = 0; ///< to be made for each bank of the scene
    std::uint64_t bank_paths = 0;    ///< of the scene, that share a bank
};

/// Depends on volume and scene alone; the scene's choice of long steps and its light are ignored. Takes a tenth of a
/// second. Error as RenderScene's constructor.
FlightCounts count_flights(Scene scene, PackedVolume const& volume);

/// `on` if long steps save so many flights that they pay although each costs more and banks of outcomes must be made,
/// one for kBankSamples samples of all pixels: in a film of few pixels the banks cost more than the paths. The scene
/// must have the local majorants that long steps need. The number of samples plays no part, as films of other samples
/// are to be of the same scene; a film of fewer than kBankSamples still pays for a whole bank.
LongSteps choose_long_steps(Scene const& scene, PackedVolume const& volume);

} // namespace volpt
