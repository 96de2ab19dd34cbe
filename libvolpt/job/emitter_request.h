#pragma once

#include "libvolpt/scene/scene.h"
#include "libvolpt/volume/emitters/emitter.h"

#include <optional>
#include <span>
#include <vector>

namespace volpt {

/// Light that begins at emitters, and how paths find it, as far as the caller says.
struct EmitterRequest {
    std::vector<Emitter> emitters; ///< besides those of the volume
    std::optional<Integrator> integrator;
    std::optional<EnvironmentNee> nee;
    std::optional<MisHeuristic> heuristic;
    std::optional<std::uint32_t> mutations, bootstrap, chains, longest; ///< of MetropolisSpec

    bool names_emitters() const { return !emitters.empty(); }
    /// Changes only what is given. `own` are the emitters of the volume, to which the others are added. Error (usage)
    /// if `nee` is given for particles, or a field of other integrators is.
    void apply(Scene& scene, std::span<Emitter const> own) const;
};

} // namespace volpt
