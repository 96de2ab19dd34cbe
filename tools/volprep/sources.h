// From the command line to the volume that is packed.
#pragma once

#include "libvolpt/volume/voxel_stream.h"
#include "tools/options/tool.h"
#include "tools/volprep/option_rules.h"
#include "tools/volprep/options.h"
#include "tools/volprep/print/printed_job.h"

namespace volpt {

/// Opens the input, makes the volume or prints the picture, whichever was asked for. Error (usage) unless exactly one
/// was, or if an option has no meaning for it; notices for options without effect. `job`, if there is one, collects the
/// layers of a print.
std::unique_ptr<VoxelStream> open_voxel_stream(ToolRun const& run, VolprepOptions const& options,
                                               PrintedJob* job = nullptr);

} // namespace volpt
