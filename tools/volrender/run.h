// One render of volrender: progress line, estimated time, and the choice between samples and noise.
#pragma once

#include "libvolpt/render/render_to_noise.h"
#include "tools/options/tool.h"
#include "tools/volrender/scene.h"

namespace volpt {

struct RenderOutcome {
    RenderReport report;
    double seconds_real = 0;                      ///< wall clock, device start and looks at the noise included
    std::optional<double> seconds_estimated = {}; ///< told after the first seconds; none for shorter renders
    std::optional<NoiseEstimate> last_look = {};  ///< of --stop-at-de
};

/// Renders what `film` lacks on the devices of `options`; SIGINT and SIGTERM stop it in order. On a terminal or with
/// --verbose, the estimated time is told on stderr when it is known, and at the end what it was worth.
RenderOutcome run_render(ToolRun const& run, RenderGroups const& groups, std::uint64_t default_samples,
                         RenderScene const& scene, Film& film, RenderOptions options);

} // namespace volpt
