// volrender for a program that has volume and film in memory: the same options, the same bits, nothing printed.
#pragma once

#include "libvolpt/film/film_output.h"
#include "tools/volrender/job.h"
#include "tools/volrender/run.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

struct HeldRender {
    std::optional<Film> film; ///< absent only before a render
    RenderReport report;
    /// Of a device (system), or of the volume's file, which another program changed (input): the film then has the
    /// samples done before, and can be resumed.
    std::optional<Error> failure;
    /// What the film is of, for its pictures; holds the volume.
    std::shared_ptr<RenderJob const> job;
};

/// Renders `held.volume`, which lies at `path`, or what `held.film` lacks, by the words of volrender's command line
/// without the volume. A stop that `progress` asks for leaves a valid film. Error (input) if the file changes before
/// the first sample. Options that write files or say how, and lists, are not for the caller to give.
HeldRender render_held(std::string const& path, std::vector<std::string> const& words, HeldInputs held,
                       NoticeSink const& notice, ProgressSink const& progress);

/// RenderJob::choose_display_film, holding the job, which is null if the film was read from a file: Error (usage) if
/// there is a factor then.
DisplayFilm choose_display_film(std::shared_ptr<RenderJob const> const& job, std::optional<double> backdrop);

/// Whether all samples that were asked for are in the film.
bool is_finished(HeldRender const& rendered);

/// What the report says, as JSON: device, kernel, seconds_render, counts, and whether the render was finished.
std::string describe_render(HeldRender const& rendered);

} // namespace volpt
