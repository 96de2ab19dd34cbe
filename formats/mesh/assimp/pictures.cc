#include "formats/mesh/assimp/pictures.h"

#include "formats/mesh/assimp/folder.h"
#include "libvolpt/sys/error.h"

#include <assimp/GltfMaterial.h>
#include <assimp/material.h>
#include <assimp/scene.h>
#include <fmt/format.h>
#include <string_view>

namespace volpt {
namespace {

/// glTF 2.0, 3.9.4: alpha of a material that is not said to be else is without meaning.
PictureAlpha find_alpha(aiMaterial const& material, AssimpFormat format)
{
    if (format != AssimpFormat::gltf) return PictureAlpha::blended;
    aiString mode;
    bool const is_told = material.Get(AI_MATKEY_GLTF_ALPHAMODE, mode) == aiReturn_SUCCESS;
    bool const is_opaque = !is_told || std::string_view(mode.C_Str()) == "OPAQUE";
    return is_opaque ? PictureAlpha::ignored : PictureAlpha::blended;
}

} // namespace

std::optional<MaterialPicture> find_material_picture(aiMaterial const& material, AssimpFormat format)
{
    for (aiTextureType const type : {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE}) {
        aiString name;
        if (material.GetTexture(type, 0, &name) != aiReturn_SUCCESS) continue;
        MaterialPicture picture{name.C_Str()};
        int coordinates = 0;
        material.Get(AI_MATKEY_UVWSRC(type, 0), coordinates);
        if (coordinates > 0 && coordinates < AI_MAX_NUMBER_OF_TEXTURECOORDS)
            picture.coordinates = static_cast<unsigned>(coordinates);
        picture.alpha = find_alpha(material, format);
        int along_u = aiTextureMapMode_Wrap, along_v = aiTextureMapMode_Wrap;
        material.Get(AI_MATKEY_MAPPINGMODE_U(type, 0), along_u);
        material.Get(AI_MATKEY_MAPPINGMODE_V(type, 0), along_v);
        picture.is_repeated = {along_u == aiTextureMapMode_Wrap, along_v == aiTextureMapMode_Wrap};
        return picture;
    }
    return std::nullopt;
}

std::uint16_t PictureList::add(MaterialPicture const& picture)
{
    for (std::size_t i = 0; i < names_.size(); ++i)
        if (names_[i] == picture.name && pictures_[i].alpha == picture.alpha) return static_cast<std::uint16_t>(i);
    if (names_.size() == kMaxMeshPictures)
        fail_input(fmt::format("has more than {} pictures", kMaxMeshPictures), where_, {},
                   "bake them into fewer in a mesh editor, or give --texture PICTURE or --colour '#rrggbb'");
    names_.push_back(picture.name);
    pictures_.push_back(read(picture.name));
    pictures_.back().alpha = picture.alpha;
    return static_cast<std::uint16_t>(pictures_.size() - 1);
}

/// assimp names pictures inside of the file "*0", "*1", and so on.
MeshPicture PictureList::read(std::string const& name)
{
    if (name.empty()) fail_input("a material names a picture without a name or bytes", where_, {}, "export it again");
    if (!is_gltf_) return {name};
    if (!name.starts_with('*')) return {decode_percents(name)};
    auto const [embedded, index] = scene_.GetEmbeddedTextureAndIndex(name.c_str());
    std::string const told = fmt::format("picture {} inside", index + 1);
    if (embedded == nullptr || embedded->mHeight != 0 || embedded->mWidth == 0 || embedded->pcData == nullptr)
        fail_input(told + " is empty or not a file", where_, {}, "export it again, or give --texture PICTURE");
    inside_bytes_ += embedded->mWidth;
    if (inside_bytes_ > kMaxMeshPictureBytes)
        fail_input("its pictures take more than 1 GiB", where_, {}, "make them smaller");
    auto const* const bytes = reinterpret_cast<std::byte const*>(embedded->pcData);
    return {told, {bytes, bytes + embedded->mWidth}};
}

} // namespace volpt
