// The pictures that the materials of assimp's scene name.
#pragma once

#include "formats/mesh/assimp/scene.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

struct aiMaterial;
struct aiScene;

namespace volpt {

struct MaterialPicture {
    std::string name;         ///< as assimp has it: "*0" is inside of the file
    unsigned coordinates = 0; ///< which texture coordinates of a vertex
    PictureAlpha alpha = PictureAlpha::blended;
    std::array<bool, 2> is_repeated{true, true}; ///< along u and v, beyond 0..1
};

/// The one that colours the surface.
std::optional<MaterialPicture> find_material_picture(aiMaterial const& material, AssimpFormat format);

class PictureList {
public:
    /// `where` names the file.
    PictureList(aiScene const& scene, AssimpFormat format, std::string where)
        : scene_(scene), is_gltf_(format == AssimpFormat::gltf), where_(std::move(where))
    {
    }

    /// Its number among the pictures, each of which is taken once. Error (input) beyond the bounds of a MeshFile, or if
    /// it has neither name nor bytes.
    std::uint16_t add(MaterialPicture const& picture);

    std::vector<MeshPicture> take() { return std::move(pictures_); }

private:
    MeshPicture read(std::string const& name);

    aiScene const& scene_;
    bool is_gltf_;
    std::string where_;
    std::vector<MeshPicture> pictures_;
    std::vector<std::string> names_; ///< of pictures_, as assimp has them
    std::uint64_t inside_bytes_ = 0;
};

} // namespace volpt
