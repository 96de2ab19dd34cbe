// Volumes of one medium, or of a picture, that options describe: made shapes, meshes, textured slabs.
#pragma once

#include "tools/options/tool.h"
#include "tools/volprep/options.h"

#include <memory>
#include <string>
#include <vector>

namespace volpt {

/// What is assumed of a medium: an option that is not given, and the value that it has then.
struct AssumedValue {
    char const* option;
    std::string value;
};

/// "--sigma-t and --albedo are not given: extinction 1/mm and albedo 0.9 are assumed".
std::string describe_assumed(std::vector<AssumedValue> const& assumed);

/// The medium that --material, or --sigma-t, --albedo and --g give; with a material what its table says of it, which is
/// told. Error (usage) as open_material_table.
MakeOptions choose_filling(ToolRun const& run, VolprepOptions const& options);

/// --make. What is assumed of the medium is told. Error (usage) for options that do not suit the shape, and as
/// open_material_table for --material.
std::unique_ptr<VoxelStream> make_synthetic(ToolRun const& run, VolprepOptions const& options);

/// The mesh that the first argument names, filled with such a medium, or around the volume of --medium. Error (usage)
/// if that is no packed volume.
std::unique_ptr<VoxelStream> open_mesh(ToolRun const& run, VolprepOptions const& options);

/// --slab.
std::unique_ptr<VoxelStream> make_textured_slab(ToolRun const& run, VolprepOptions const& options);

} // namespace volpt
