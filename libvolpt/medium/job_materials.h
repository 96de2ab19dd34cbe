// What a print job and its user say about the colours of slices, put into a material table.
#pragma once

#include "libvolpt/medium/colour_labels.h"
#include "libvolpt/sys/progress.h"
#include "libvolpt/volume/source/volume_source.h"

namespace volpt {

/// --label: pixels of the colour are of the material.
struct LabelRequest {
    std::uint32_t colour = 0; ///< 0xRRGGBBAA
    std::string material;
    std::string job_name = {}; ///< of the job's material that has the colour, which is not known yet; else empty
};

/// Colours beside those of the table, and sentences on what was assumed.
struct JobColours {
    std::vector<ColourLabel> labels;
    std::vector<std::string> notices;
};

/// "#rrggbb[aa]=NAME", or "JOBNAME=NAME" with a name of the job's manifest. Error (usage) otherwise.
LabelRequest parse_label_request(std::string const& text);

/// The requests with the colours that the job gives to the names in them. Error (usage) if it has no such material;
/// `job` is null where there is no manifest.
std::vector<LabelRequest> find_label_colours(std::vector<LabelRequest> requests, PrintJob const* job);

/// Adds the requests to `colours`. The names air, support and clear stand for such a material where the table has none
/// of that name: it is added. Error (usage) for another name, or a colour that two requests name.
void apply_labels(MaterialTable& table, std::vector<LabelRequest> const& requests, std::string const& where,
                  JobColours& colours);

/// What a job's manifest says, where no request says otherwise: a material of a name of the table, or of a resin that
/// the table has (resins.h), has the colour that the job gives it, and one that had this colour loses it, which is
/// told; the background is air. Clear resins and support are added to a table that has none. The order of the manifest
/// does not matter, but where two resins of the job are one material: it keeps the colour of the first. Error (input)
/// if there is no room in the table.
void apply_print_job(MaterialTable& table, PrintJob const& job, std::string const& where, JobColours& colours);

/// Reads pixels until it finds one that is transparent. Error (system) if `progress` asks it to stop.
bool has_transparent_pixels(VolumeSource& source, ProgressSink const& progress = {});

/// Adds air to a table without it, for the transparent pixels of slices.
void apply_transparency(MaterialTable& table, std::string const& where, JobColours& colours);

} // namespace volpt
