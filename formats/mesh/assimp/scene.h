// What assimp makes of a file, as a triangle mesh; called in a sandboxed process.
#pragma once

#include "formats/mesh/reader.h"

namespace volpt {

enum class AssimpFormat { obj, gltf };

/// Error (input) as for read_mesh.
MeshFile load_with_assimp(std::filesystem::path const& path, AssimpFormat format, MeshPictures pictures);

} // namespace volpt
