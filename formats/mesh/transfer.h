// How a mesh crosses from the sandboxed process that read it.
#pragma once

#include "formats/mesh/reader.h"

#include <functional>

namespace volpt {

/// Runs `read` in a sandbox with the limits of `options`, or those that find_sandbox_limits gives, and returns its
/// mesh. Error (input) if `read` throws, its process dies or exceeds a limit, or what it sends is not a sound mesh.
MeshFile read_mesh_in_sandbox(std::filesystem::path const& path, MeshReadOptions const& options,
                              std::function<MeshFile()> const& read);

} // namespace volpt
