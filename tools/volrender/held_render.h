// A render of a volume and a film in memory, by the words of volrender's command line.
#pragma once

#include "libvolpt/job/render_run.h"
#include "tools/volrender/options.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// What a program that renders without volrender holds in memory instead of files.
struct HeldInputs {
    std::shared_ptr<PackedVolume const> volume; ///< checked in full; its file is the command line's argument
    std::optional<Film> film;                   ///< to be resumed
};

using HeldRender = RenderResult;

/// Renders `held.volume`, which lies at `path`, or what `held.film` lacks, by the words of volrender's command line
/// without the volume; a tally is returned. A stop that `progress` asks for leaves a valid film. Error (input) if the
/// file changes before the first sample. Options that write files or say how, and lists, are not for the caller to
/// give.
HeldRender render_held(std::string const& path, std::vector<std::string> const& words, HeldInputs held,
                       NoticeSink const& notice, ProgressSink const& progress);

} // namespace volpt
