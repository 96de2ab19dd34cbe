// Print jobs of one bitmap stack per material and a text that lists them (Objet Connex; SlicerFab).
//
// The format is published by its users alone; docs/formats/jobs.md names them.
#pragma once

#include "libvolpt/volume/source/volume_source.h"

#include <filesystem>
#include <memory>
#include <string>

namespace volpt {

/// True for a file .txt that has [Build] and [Materials] among its first 4 KiB.
bool is_material_stacks(std::filesystem::path const& path);

/// The only such text in a folder without slices of its own; empty if there is none. Error (input) for two of them.
std::filesystem::path find_material_stacks(std::filesystem::path const& folder);

/// Pixels R G B A with a palette: a colour per material, that of its Vero resin if it is one; transparent where no
/// stack has a white pixel. Bitmaps are looked for beside the text by the ends of the paths in it, which are those of
/// another machine. The job has the materials' names, and voxels of 600 x 300 dots per inch, which is told. Error
/// (input) for stacks that are missing or differ in size or number, while reading for a pixel of two materials.
std::unique_ptr<VolumeSource> open_material_stacks(std::filesystem::path const& text, SliceAlpha alpha);

} // namespace volpt
