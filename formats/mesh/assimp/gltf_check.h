#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace volpt {

struct GltfFacts {
    bool is_binary = false;              ///< .glb
    std::uint64_t triangles = 0;         ///< of the meshes in the scene that is shown, each counted once
    bool has_texture_transforms = false; ///< KHR_texture_transform, which assimp hands over without applying it
    /// The file with the spaces that its JSON chunk lacks at the end; empty if it lacks none. assimp looks for the next
    /// chunk behind them.
    std::vector<std::byte> padded_glb = {};
};

/// Error (input) unless the file is glTF 2, requires no extension that changes geometry, has positions of floats and
/// shows at most 2^20 nodes, or as many as it lists.
GltfFacts check_gltf(std::filesystem::path const& path);

} // namespace volpt
