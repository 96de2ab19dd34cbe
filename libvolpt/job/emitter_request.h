#pragma once

#include "libvolpt/scene/scene.h"
#include "libvolpt/volume/emitters/emitter.h"
#include "libvolpt/volume/volume.h"

#include <optional>
#include <span>
#include <vector>

namespace volpt {

/// Light that begins at emitters, and how paths find it, as far as the caller says.
struct EmitterRequest {
    std::vector<Emitter> emitters; ///< besides those of the volume
    /// Some amounts were given in lm, cd, lx or cd/m^2: pictures have an exposure of their own unless one is given.
    bool are_photometric = false;
    std::optional<Integrator> integrator;
    std::optional<EnvironmentNee> nee;
    std::optional<MisHeuristic> heuristic;
    std::optional<std::uint32_t> mutations, bootstrap, chains, longest; ///< of MetropolisSpec

    bool names_emitters() const { return !emitters.empty(); }
    /// Changes only what is given. `own` are the emitters of the volume, to which the others are added; the light of
    /// black bodies gets its bands. Error (usage) if `nee` is given for particles, or a field of other integrators is,
    /// or a temperature and the scene's bands have no colour.
    void apply(Scene& scene, std::span<Emitter const> own, VolumeMeta const& meta) const;
};

/// choose_exposure of the scene's emitters, and of its environment if that is one radiance.
double choose_light_exposure(Scene const& scene, VolumeMeta const& meta);

} // namespace volpt
