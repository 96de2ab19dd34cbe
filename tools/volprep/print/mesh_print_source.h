// From a file with a triangle mesh to its print.
#pragma once

#include "tools/options/tool.h"
#include "tools/volprep/options.h"
#include "tools/volprep/print/printed_job.h"

namespace volpt {

/// How a printed mesh is bounded: by its own triangles, or not at all, with air around it.
enum class PrintBoundary { mesh, none };

/// --print-mesh of the mesh at `path`. Its colours are those of --colour, --texture, the pictures and materials of
/// the file, or its vertices; Error (input) if there is none of these, or if the picture cannot be read. `job`, if
/// there is one, collects what is printed.
std::unique_ptr<VoxelStream> open_mesh_print(ToolRun const& run, std::string const& path, VolprepOptions const& options,
                                             PrintBoundary boundary, PrintedJob* job = nullptr);

} // namespace volpt
