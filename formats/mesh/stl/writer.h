#pragma once

#include "libvolpt/surface/triangle_mesh.h"

#include <filesystem>

namespace volpt {

/// Binary STL (Marshall Burns, Automated Fabrication, 1993, section 6.5), in mm, with the normals of the triangles: the
/// shape alone. What is at the path stays until the whole is there. Error (system) if it cannot be written; (usage) for
/// more triangles than the format can count.
void write_stl(TriangleMesh const& mesh, std::filesystem::path const& path);

} // namespace volpt
