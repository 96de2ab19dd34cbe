// From the command line to the volume that is packed.
#pragma once

#include "libvolpt/volume/voxel_stream.h"
#include "tools/options/tool.h"
#include "tools/volprep/option_rules.h"
#include "tools/volprep/options.h"
#include "tools/volprep/print/printed_job.h"

namespace volpt {

/// What the one input is, or what is made. Error (usage) unless exactly one is given; Error (input) if it cannot be
/// read.
InputKinds find_input_kinds(std::vector<std::string> const& inputs, VolprepOptions const& options);

/// The numbers of a file as they are packed: the part, cropped, in larger voxels, without bad numbers.
std::unique_ptr<VolumeSource> open_shaped_source(std::string const& input, VolprepOptions const& options);

/// Opens the input, makes the volume or prints the picture, whichever was asked for. Error (usage) unless exactly one
/// was, or if an option has no meaning for it; notices for options without effect. `job`, if there is one, collects the
/// layers of a print.
std::unique_ptr<VoxelStream> open_voxel_stream(ToolRun const& run, VolprepOptions const& options,
                                               PrintedJob* job = nullptr);

} // namespace volpt
