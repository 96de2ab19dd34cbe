#include "libvolpt/job/emitter_request.h"

#include "libvolpt/colour/colour_space.h"
#include "libvolpt/colour/planck.h"
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/emitters/estimate_irradiance.h"

#include <algorithm>
#include <fmt/format.h>
#include <numbers>

namespace volpt {

namespace {

/// Light of black bodies by the volume's bands.
void give_bands(std::vector<Emitter>& emitters, VolumeMeta const& meta)
{
    for (Emitter& emitter : emitters) {
        if (emitter.temperature_k == 0) continue;
        if (!have_colour(meta.bands(), meta.wavelengths_nm))
            fail_usage(
                fmt::format("--light has a temperature, but {} bands without wavelengths have no colour", meta.bands()),
                "give it an amount for each band instead");
        auto const colour = compute_blackbody_colour(meta.bands(), meta.wavelengths_nm, emitter.temperature_k);
        float const amount = emitter.amount.front();
        emitter.amount.clear();
        for (double const part : colour)
            emitter.amount.push_back(static_cast<float>(static_cast<double>(amount) * part));
        emitter.temperature_k = 0;
    }
}

} // namespace

void EmitterRequest::apply(Scene& scene, std::span<Emitter const> own, VolumeMeta const& meta) const
{
    if (!emitters.empty()) {
        std::vector<Emitter> all(own.begin(), own.end());
        all.insert(all.end(), emitters.begin(), emitters.end());
        give_bands(all, meta);
        scene.emitters = to_emitter_records(all);
    }
    if (integrator) scene.integrator = *integrator;
    if (nee && scene.integrator != Integrator::path)
        fail_usage("--nee connects paths from the film to the environment, but --integrator light, bdpt and mlt have "
                   "particles",
                   "leave one of the two out");
    if (nee) scene.nee = *nee;
    if (heuristic && !is_bidirectional(scene))
        fail_usage("--heuristic is of bidirectional paths alone", "give --integrator bdpt or mlt, or leave it out");
    if (heuristic) scene.heuristic = *heuristic;
    if ((mutations || bootstrap || chains || longest) && scene.integrator != Integrator::mlt)
        fail_usage("--mutations, --bootstrap, --chains and --longest are of Metropolis light transport alone",
                   "give --integrator mlt, or leave them out");
    MetropolisSpec& mlt = scene.mlt;
    if (mutations) mlt.mutations = *mutations;
    if (bootstrap) mlt.bootstrap = *bootstrap;
    if (chains) mlt.chains = *chains;
    if (longest) mlt.longest = *longest;
}

double choose_light_exposure(Scene const& scene, VolumeMeta const& meta)
{
    auto const& radiance = scene.environment.radiance;
    bool const is_constant = scene.environment.kind == EnvironmentKind::constant && !radiance.empty();
    double const around = is_constant ? std::numbers::pi * static_cast<double>(std::ranges::max(radiance)) : 0;
    return choose_exposure(around + estimate_irradiance(read_emitter_records(scene.emitters).value(), meta));
}

} // namespace volpt
