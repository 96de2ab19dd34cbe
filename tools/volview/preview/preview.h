// Previews: the volume with other curves or cut to a box, rendered instead of the packed one.
#pragma once

#include "libvolpt/medium/remap/remapped_volume.h"
#include "libvolpt/volume/volume.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace volpt {

/// {"opacity":"X:Y,.." or null,"albedo":"X:A,.." or null,"crop":[x0,y0,z0,x1,y1,z1] or null}: curves over packed
/// densities, the box in voxels, its end excluded; an absent key is null. Error (usage) for anything else; whether they
/// fit the volume is not known here.
RemapOptions parse_preview_command(nlohmann::ordered_json const& command);

/// The same object again, with all three keys; null if nothing is changed.
nlohmann::ordered_json describe_preview(RemapOptions const& options);

/// Packs `volume`, which was opened from `path`, with these changes into a file in the folder for temporary files,
/// which disappears with the result. Error as make_remapped_volume's; Error (input) if the file at `path` is another
/// one by now; Error (system) if the folder has no space, or `progress` asks to stop.
PackedVolume make_preview(PackedVolume const& volume, std::filesystem::path const& path, RemapOptions const& options,
                          int threads, ProgressSink const& progress = {});

/// The volprep command that packs the volume of the preview into `output` from the source of `volume`, as its
/// provenance describes it: with curves over measured values, and further options as they were. SOURCE and other names
/// in capitals stand for files whose names the provenance does not have. Lines that start with # say what is not as in
/// the preview, or, if no command can be made, why, and the curves over packed densities.
std::vector<std::string> list_preview_commands(PackedVolume const& volume, RemapOptions const& options,
                                               std::string const& output);

} // namespace volpt
