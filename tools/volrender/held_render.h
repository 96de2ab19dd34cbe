// volrender for a program that has volume and film in memory: the same options, the same bits, nothing printed.
#pragma once

#include "tools/volrender/job.h"
#include "tools/volrender/run.h"

#include <string>
#include <vector>

namespace volpt {

struct HeldRender {
    std::optional<Film> film; ///< absent only before a render
    RenderReport report;
};

/// Renders `held.volume`, which lies at `path`, or what `held.film` lacks, by the words of volrender's command line
/// without the volume. A stop that `progress` asks for leaves a valid film. Error (usage) for options that only the
/// program itself has: those that write files, and lists.
HeldRender render_held(std::string const& path, std::vector<std::string> const& words, HeldInputs held,
                       NoticeSink const& notice, ProgressSink const& progress);

/// What a report says, as JSON: device, kernel, seconds_render, counts, and whether the render was finished.
std::string describe_render(RenderReport const& report);

} // namespace volpt
