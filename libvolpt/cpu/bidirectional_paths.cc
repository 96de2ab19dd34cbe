// Bidirectional paths, compiled once for all instruction sets: they are no loops over lanes.
#include "libvolpt/core/bidirectional/start_bidirectional.hd.h"
#include "libvolpt/cpu/run_emitter_paths.h"

namespace volpt {

struct IsaOfAll {};

bool render_bidirectional(SceneView const& scene, RenderTile const& tile, TileSumsView sums, PathCounts& counts,
                          StopPoll poll)
{
    auto const run = [&](auto medium) {
        return run_emitter_paths<IsaOfAll, decltype(medium)>(scene, tile, sums, counts, poll);
    };
    return carries_all_bands(scene) ? with_bidirectional_medium<3, Transport::bidirectional>(scene, run)
                                    : with_bidirectional_medium<1, Transport::bidirectional>(scene, run);
}

} // namespace volpt
