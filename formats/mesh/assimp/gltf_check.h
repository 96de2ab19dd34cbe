#pragma once

#include <cstdint>
#include <filesystem>

namespace volpt {

struct GltfFacts {
    bool is_binary = false;              ///< .glb
    std::uint64_t triangles = 0;         ///< of the meshes in the scene that is shown, each counted once
    bool has_texture_transforms = false; ///< KHR_texture_transform, which assimp hands over without applying it
};

/// Error (input) unless the file is glTF 2, requires no extension that changes geometry and has positions of floats.
GltfFacts check_gltf(std::filesystem::path const& path);

} // namespace volpt
