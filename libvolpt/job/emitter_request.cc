#include "libvolpt/job/emitter_request.h"

#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/sys/error.h"

namespace volpt {

void EmitterRequest::apply(Scene& scene, std::span<Emitter const> own) const
{
    if (!emitters.empty()) {
        std::vector<Emitter> all(own.begin(), own.end());
        all.insert(all.end(), emitters.begin(), emitters.end());
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

} // namespace volpt
