#include "formats/mesh/assimp/scene.h"

#include "formats/mesh/assimp/folder.h"
#include "formats/mesh/assimp/gltf_check.h"
#include "formats/mesh/assimp/pictures.h"
#include "formats/mesh/builder.h"
#include "libvolpt/colour/srgb.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/mapped_file.h"

#include <algorithm>
#include <assimp/BaseImporter.h>
#include <assimp/Importer.hpp>
#include <assimp/importerdesc.h>
#include <assimp/material.h>
#include <assimp/scene.h>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr double kGltfUnit_mm = 1000;

/// The upper three rows of a matrix that acts on columns.
using NodeMatrix = std::array<std::array<double, 4>, 3>;

NodeMatrix to_affine(aiMatrix4x4 const& m)
{
    return {{{m.a1, m.a2, m.a3, m.a4}, {m.b1, m.b2, m.b3, m.b4}, {m.c1, m.c2, m.c3, m.c4}}};
}

NodeMatrix operator*(NodeMatrix const& a, NodeMatrix const& b)
{
    NodeMatrix product{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            product[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j] + (j == 3 ? a[i][3] : 0);
    return product;
}

/// The cofactors of the linear part turn normals, also of mirrored meshes; their first row gives the determinant.
NodeMatrix find_cofactors(NodeMatrix const& m)
{
    NodeMatrix c{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            std::size_t const i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c[i][j] = m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
        }
    return c;
}

double find_determinant(NodeMatrix const& m)
{
    NodeMatrix const c = find_cofactors(m);
    return m[0][0] * c[0][0] + m[0][1] * c[0][1] + m[0][2] * c[0][2];
}

Vec3 apply(NodeMatrix const& m, aiVector3D const& v, double w, double scale)
{
    auto const row = [&](std::size_t i) {
        return static_cast<float>(scale * (m[i][0] * static_cast<double>(v.x) + m[i][1] * static_cast<double>(v.y) +
                                           m[i][2] * static_cast<double>(v.z) + m[i][3] * w));
    };
    return {row(0), row(1), row(2)};
}

class SceneToMesh {
public:
    SceneToMesh(aiScene const& scene, AssimpFormat format, MeshPictures pictures, bool has_materials,
                std::string const& where)
        : scene_(scene), format_(format), is_gltf_(format == AssimpFormat::gltf),
          are_pictures_kept_(pictures == MeshPictures::kept), has_materials_(has_materials), builder_(where),
          pictures_(scene, format, where)
    {
        for (unsigned i = 0; i < scene.mNumMeshes; ++i)
            has_coordinates_ = has_coordinates_ || scene.mMeshes[i]->HasTextureCoords(0);
    }

    MeshFile convert()
    {
        struct Open {
            aiNode const* node;
            NodeMatrix parent;
        };
        std::vector<Open> open{{scene_.mRootNode, {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}}};
        while (!open.empty()) {
            auto const [node, parent] = open.back();
            open.pop_back();
            NodeMatrix const to_world = parent * to_affine(node->mTransformation);
            for (unsigned i = 0; i < node->mNumMeshes; ++i) add_mesh(*scene_.mMeshes[node->mMeshes[i]], to_world);
            for (unsigned i = node->mNumChildren; i-- > 0;) open.push_back({node->mChildren[i], to_world});
        }
        MeshFile file = builder_.finish(list_notices());
        file.pictures = pictures_.take();
        file.has_pictures = has_pictures_;
        return file;
    }

private:
    /// What the material of a mesh says of its colour.
    struct PartColour {
        std::optional<std::uint32_t> colour;
        std::uint16_t picture = TriangleMesh::kNoPicture;
        unsigned coordinates = 0; ///< which texture coordinates of a vertex
        std::array<bool, 2> is_repeated{true, true};
    };

    void add_mesh(aiMesh const& mesh, NodeMatrix const& to_world)
    {
        std::vector<NodeMatrix> const pose = find_rest_pose(mesh, to_world);
        auto const place = [&](unsigned vertex) -> NodeMatrix const& { return pose.empty() ? to_world : pose[vertex]; };
        double const scale = is_gltf_ ? kGltfUnit_mm : 1;
        auto const first = static_cast<std::uint32_t>(builder_.position_count());
        for (unsigned i = 0; i < mesh.mNumVertices; ++i)
            builder_.add_position(apply(place(i), mesh.mVertices[i], 1, scale));
        PartColour const part = find_part_colour(mesh);
        bool const is_mirrored = pose.empty() && find_determinant(to_world) < 0;
        for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
            aiFace const& face = mesh.mFaces[i];
            if (face.mNumIndices < 3) {
                ++(face.mNumIndices == 2 ? lines_ : points_);
                continue;
            }
            corners_.assign(face.mIndices, face.mIndices + face.mNumIndices);
            for (std::uint32_t const corner : corners_)
                if (corner >= mesh.mNumVertices) throw std::runtime_error("an index of a vertex is out of range");
            if (is_mirrored) std::reverse(corners_.begin(), corners_.end());
            gather_values(mesh, place, part);
            for (std::uint32_t& corner : corners_) corner += first;
            builder_.add_polygon(corners_, values_);
        }
        is_animated_ = is_animated_ || mesh.mNumAnimMeshes > 0;
    }

    template <typename Place>
    void gather_values(aiMesh const& mesh, Place const& place, PartColour const& part)
    {
        values_ = {};
        values_.picture = part.picture;
        bool is_any_beyond = false;
        for (std::uint32_t const corner : corners_) {
            if (mesh.HasNormals()) {
                NodeMatrix const to_normal = find_cofactors(place(corner));
                double const sign = find_determinant(place(corner)) < 0 ? -1 : 1;
                values_.normals.push_back(apply(to_normal, mesh.mNormals[corner], 0, sign));
            }
            if (mesh.HasTextureCoords(part.coordinates)) {
                aiVector3D const& uv = mesh.mTextureCoords[part.coordinates][corner];
                values_.texture_coordinates.push_back({uv.x, uv.y});
                is_any_beyond = is_any_beyond || is_beyond(part, uv);
            }
            // In OBJ a picture stands for the colours of vertices, in glTF they multiply.
            if (mesh.HasVertexColors(0) && (is_gltf_ || part.picture == TriangleMesh::kNoPicture))
                values_.colours.push_back(find_vertex_colour(mesh.mColors[0][corner], mesh.mMaterialIndex));
            else if (part.colour)
                values_.colours.push_back(*part.colour);
        }
        if (is_any_beyond && part.picture != TriangleMesh::kNoPicture) repeated_anyway_ += corners_.size() - 2;
    }

    /// Linear blend skinning by the skeleton's own nodes: what viewers show of a skinned mesh at rest. The mesh's node
    /// is then without effect (glTF 2.0, 3.7.3.3). Empty if the mesh has no bones.
    std::vector<NodeMatrix> find_rest_pose(aiMesh const& mesh, NodeMatrix const& to_world)
    {
        if (mesh.mNumBones == 0) return {};
        std::vector<NodeMatrix> pose(mesh.mNumVertices, NodeMatrix{});
        std::vector<double> weights(mesh.mNumVertices, 0);
        for (unsigned i = 0; i < mesh.mNumBones; ++i) {
            aiBone const& bone = *mesh.mBones[i];
            NodeMatrix to_bone = to_affine(bone.mOffsetMatrix);
            for (aiNode const* node = scene_.mRootNode->FindNode(bone.mName); node != nullptr; node = node->mParent)
                to_bone = to_affine(node->mTransformation) * to_bone;
            for (unsigned k = 0; k < bone.mNumWeights; ++k) {
                unsigned const vertex = bone.mWeights[k].mVertexId;
                auto const weight = static_cast<double>(bone.mWeights[k].mWeight);
                if (vertex >= mesh.mNumVertices) continue;
                weights[vertex] += weight;
                for (std::size_t row = 0; row < 3; ++row)
                    for (std::size_t column = 0; column < 4; ++column)
                        pose[vertex][row][column] += weight * to_bone[row][column];
            }
        }
        for (std::size_t vertex = 0; vertex < pose.size(); ++vertex) {
            if (!(weights[vertex] > 0))
                pose[vertex] = to_world;
            else
                for (auto& row : pose[vertex])
                    for (double& element : row) element /= weights[vertex];
        }
        is_animated_ = true;
        return pose;
    }

    /// None for assimp's own material of meshes that have none: "DefaultMaterial", in glTF the last.
    aiMaterial const* find_material(unsigned index) const
    {
        if (!has_materials_ || index >= scene_.mNumMaterials || (is_gltf_ && index + 1 == scene_.mNumMaterials))
            return nullptr;
        aiMaterial* const material = scene_.mMaterials[index];
        bool const is_default = !is_gltf_ && std::string_view(material->GetName().C_Str()) == AI_DEFAULT_MATERIAL_NAME;
        return is_default ? nullptr : material;
    }

    static std::optional<aiColor4D> find_diffuse(aiMaterial const* material)
    {
        aiColor4D colour;
        if (material == nullptr || material->Get(AI_MATKEY_COLOR_DIFFUSE, colour) != aiReturn_SUCCESS)
            return std::nullopt;
        return colour;
    }

    /// glTF's colours are linear, those of the other formats are coded.
    std::uint32_t pack(double red, double green, double blue) const
    {
        if (!is_gltf_) return pack_colour(red, green, blue);
        return pack_colour(encode_srgb(red), encode_srgb(green), encode_srgb(blue));
    }

    PartColour find_part_colour(aiMesh const& mesh)
    {
        PartColour part;
        auto const* const material = find_material(mesh.mMaterialIndex);
        if (material == nullptr) return part;
        if (auto const picture = find_material_picture(*material, format_)) {
            has_pictures_ = true;
            part.coordinates = picture->coordinates;
            part.is_repeated = picture->is_repeated;
            if (are_pictures_kept_) part.picture = place_picture(mesh, *picture);
        }
        auto colour = find_diffuse(material);
        if (!colour) return part;
        bool const has_picture = part.picture != TriangleMesh::kNoPicture;
        if (has_picture && !is_gltf_ && is_no_factor(*colour)) colour = aiColor4D(1, 1, 1, 1);
        part.colour =
            pack(static_cast<double>(colour->r), static_cast<double>(colour->g), static_cast<double>(colour->b));
        return part;
    }

    /// Its number; kNoPicture if the mesh lacks coordinates that others have.
    std::uint16_t place_picture(aiMesh const& mesh, MaterialPicture const& picture)
    {
        if (has_coordinates_ && !mesh.HasTextureCoords(picture.coordinates)) {
            for (unsigned i = 0; i < mesh.mNumFaces; ++i)
                unplaced_pictures_ += std::max(mesh.mFaces[i].mNumIndices, 2u) - 2;
            return TriangleMesh::kNoPicture;
        }
        return pictures_.add(picture);
    }

    /// Whether a picture would have to be clamped or mirrored at these coordinates. Rounding is none.
    static bool is_beyond(PartColour const& part, aiVector3D const& uv)
    {
        auto const is_outside = [](float x) { return x < -1e-4f || x > 1 + 1e-4f; };
        return (!part.is_repeated[0] && is_outside(uv.x)) || (!part.is_repeated[1] && is_outside(uv.y));
    }

    /// Of OBJ: 0.6 is what assimp takes for a missing Kd, and 0 is what programs write that do not mean a factor.
    static bool is_no_factor(aiColor4D const& colour)
    {
        auto const is = [&](float value) { return colour.r == value && colour.g == value && colour.b == value; };
        return is(0.6f) || is(0);
    }

    /// In glTF the vertex colour multiplies the material's.
    std::uint32_t find_vertex_colour(aiColor4D const& vertex, unsigned index) const
    {
        auto const material = is_gltf_ ? find_diffuse(find_material(index)) : std::nullopt;
        aiColor4D const colour = material ? vertex * *material : vertex;
        return pack(static_cast<double>(colour.r), static_cast<double>(colour.g), static_cast<double>(colour.b));
    }

    std::vector<std::string> list_notices() const
    {
        std::vector<std::string> notices;
        if (lines_ > 0) notices.push_back(fmt::format("{} lines left out", lines_));
        if (points_ > 0) notices.push_back(fmt::format("{} points left out", points_));
        if (is_animated_ || scene_.HasAnimations())
            notices.push_back("the mesh is animated, skinned or morphed: it is read at rest");
        if (unplaced_pictures_ > 0)
            notices.push_back(fmt::format(
                "{} triangles have a picture, but no texture coordinates: they have the colour of their material",
                unplaced_pictures_));
        if (repeated_anyway_ > 0)
            notices.push_back(
                fmt::format("{} triangles have texture coordinates beyond 0..1, where their picture is to "
                            "be clamped or mirrored: it is repeated",
                            repeated_anyway_));
        return notices;
    }

    aiScene const& scene_;
    AssimpFormat format_;
    bool is_gltf_;
    bool are_pictures_kept_;
    bool has_materials_; ///< assimp makes up those that are named but not defined
    MeshBuilder builder_;
    std::vector<std::uint32_t> corners_;
    CornerValues values_;
    std::uint64_t lines_ = 0;
    std::uint64_t points_ = 0;
    bool is_animated_ = false;
    bool has_coordinates_ = false; ///< some mesh has texture coordinates
    bool has_pictures_ = false;
    PictureList pictures_;                ///< of the materials in use
    std::uint64_t unplaced_pictures_ = 0; ///< triangles, as in the next
    std::uint64_t repeated_anyway_ = 0;
};

/// Leaves the importer of this name alone: assimp else tries several by content.
void keep_importer(Assimp::Importer& importer, std::string_view name)
{
    for (std::size_t i = importer.GetImporterCount(); i-- > 0;)
        if (!std::string_view(importer.GetImporterInfo(i)->mName).starts_with(name))
            importer.UnregisterLoader(importer.GetImporter(i));
}

/// Of assimp's scene: each mesh counted once, however often the nodes use it.
std::uint64_t count_triangles(aiScene const& scene)
{
    std::uint64_t triangles = 0;
    for (unsigned i = 0; i < scene.mNumMeshes; ++i)
        for (unsigned k = 0; k < scene.mMeshes[i]->mNumFaces; ++k)
            triangles += scene.mMeshes[i]->mFaces[k].mNumIndices == 3;
    return triangles;
}

/// OBJ without the comments behind numbers, by which assimp 5.2.5 reads no face; empty if there are none.
std::vector<std::byte> drop_obj_comments(std::filesystem::path const& path)
{
    MappedFile const file(path);
    auto const bytes = file.bytes();
    std::string_view const text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    std::vector<std::byte> cleaned;
    for (std::size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at)) {
        std::size_t const line = at == 0 ? 0 : text.find_last_of("\r\n", at - 1) + 1; // npos + 1 is 0
        std::size_t const first = text.find_first_not_of(" \t", line);
        std::size_t const end = std::min(text.find_first_of("\r\n", at), text.size());
        // Names of groups and materials may have a '#'.
        if (first < at && std::string_view("vflp").find(text[first]) != std::string_view::npos) {
            if (cleaned.empty()) cleaned.assign(bytes.begin(), bytes.end());
            std::fill(cleaned.begin() + static_cast<std::ptrdiff_t>(at),
                      cleaned.begin() + static_cast<std::ptrdiff_t>(end), std::byte{' '});
        }
        at = end;
    }
    file.check_unchanged();
    return cleaned;
}

[[noreturn]] void refuse_outside(std::string const& name, std::string const& where)
{
    fail_input(fmt::format("names the file {}, which lies outside the mesh's folder", name.substr(0, 300)), where,
               "the mesh of a stranger could name any file here", "put the file beside the mesh and correct its name");
}

} // namespace

MeshFile load_with_assimp(std::filesystem::path const& path, AssimpFormat format, MeshPictures pictures)
{
    std::string const where = path.string();
    bool const is_gltf = format == AssimpFormat::gltf;
    GltfFacts facts = is_gltf ? check_gltf(path) : GltfFacts{};
    bool const is_padded = !facts.padded_glb.empty();
    std::vector<std::byte> replaced = is_gltf ? std::move(facts.padded_glb) : drop_obj_comments(path);
    // Not the file's own name: assimp would look for a .mtl of that name where the OBJ file names another.
    std::string const name = std::string(":mesh") + (is_gltf ? facts.is_binary ? ".glb" : ".gltf" : ".obj");
    Assimp::Importer importer;
    keep_importer(importer, is_gltf ? "glTF2 " : "Wavefront ");
    auto* const folder = new MeshFolder(path, name); // assimp deletes it
    if (!replaced.empty()) folder->replace_mesh(std::move(replaced));
    importer.SetIOHandler(folder);
    aiScene const* const scene = importer.ReadFile(name, 0);
    if (folder->outside_name()) refuse_outside(*folder->outside_name(), where);
    auto const& missing = folder->missing_names();
    if (scene == nullptr) {
        if (!missing.empty())
            fail_input(fmt::format("names the file {}, which cannot be read", missing.front().substr(0, 300)), where,
                       {}, "put it beside the mesh");
        std::string_view const reason = importer.GetErrorString();
        if (reason == "std::bad_alloc")
            fail_input("takes more memory than a reader may have", where, {}, "split the mesh");
        fail_input(fmt::format("cannot be read: {}", reason.substr(0, 300)), where, {},
                   "get a complete copy, or export it again");
    }
    if (is_gltf && count_triangles(*scene) != facts.triangles)
        fail_input(fmt::format("{} triangles are announced, {} can be read", facts.triangles, count_triangles(*scene)),
                   where, "indices of vertices are out of range", "get a complete copy, or export it again");
    bool const has_materials = is_gltf || (folder->side_files() > 0 && missing.empty());
    MeshFile file = SceneToMesh(*scene, format, pictures, has_materials, where).convert();
    if (is_padded)
        file.notices.push_back(
            "its JSON chunk is not padded to a multiple of 4 bytes, as glTF asks for; read all the same");
    if (facts.has_texture_transforms && !file.pictures.empty())
        file.notices.push_back("KHR_texture_transform is not applied: pictures may lie elsewhere on the mesh");
    if (!is_gltf && !missing.empty())
        file.notices.push_back(
            fmt::format("{} cannot be read: materials give no colours", missing.front().substr(0, 300)));
    return file;
}

} // namespace volpt
