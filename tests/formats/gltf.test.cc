// glTF: the three ways to store its bytes, transforms, colours, skins, side files, damage.
#include "libvolpt/sys/error.h"
#include "tests/formats/mesh_checks.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace volpt {
namespace {

using test::expect_error;
using test::TempFolder;

class GltfMesh : public testing::Test {
protected:
    GltfMesh() { folder_.write("mesh.bin", make_gltf_buffer()); }
    MeshFile read(std::string const& content) { return read_mesh(folder_.write("mesh.gltf", content), options_); }
    MeshFile read_parts(GltfParts const& parts) { return read(make_gltf(parts)); }
    void refuse(std::string const& content, std::initializer_list<std::string_view> parts)
    {
        expect_error(ExitStatus::input, parts, [&] { read(content); });
    }
    /// An Error is as good as a mesh.
    void try_read(std::string const& content)
    {
        try {
            read(content);
        } catch (Error const& error) {
            EXPECT_EQ(error.status(), ExitStatus::input);
        }
    }
    TempFolder folder_;
    MeshReadOptions options_{MeshPictures::kept, {}};
};

/// As one buffer of 105 bytes with a third view and accessor.
std::string replace_buffer(std::string gltf, std::string const& bytes)
{
    auto const replace = [&](std::string_view from, std::string const& to) {
        gltf.replace(gltf.find(from), from.size(), to);
    };
    replace(R"("byteLength":72)", R"("byteLength":105)");
    replace("mesh.bin", "data:application/octet-stream;base64," + encode_base64(bytes));
    replace(R"("byteOffset":48,"byteLength":24})",
            R"("byteOffset":48,"byteLength":24},{"buffer":0,"byteOffset":72,"byteLength":32})");
    replace(R"("count":12,"type":"SCALAR"})",
            R"("count":12,"type":"SCALAR"},{"bufferView":2,"componentType":5126,"count":4,"type":"VEC2"})");
    return gltf;
}

MeshCorner in_mm(MeshCorner p)
{
    return {1000 * p[0], 1000 * p[1], static_cast<float>(1000.0 * static_cast<double>(p[2]))};
}

TEST_F(GltfMesh, AllWaysToStoreGiveTheSameTrianglesInMillimetres)
{
    for (std::string const& content : {make_gltf({}), make_embedded_gltf(), make_glb()}) {
        MeshFile const file = read(content);
        EXPECT_EQ(file.format, "gltf");
        ASSERT_EQ(file.mesh.triangles.size(), 4u);
        expect_tetrahedron(file.mesh, 0, in_mm);
        EXPECT_TRUE(file.mesh.colours.empty());
        EXPECT_TRUE(file.notices.empty());
    }
}

TEST_F(GltfMesh, NodesPlaceTheirMeshesAndAllAreJoined)
{
    MeshFile const file = read_parts(
        {.nodes =
             R"({"children":[1,2],"translation":[1,0,0]},{"mesh":0,"scale":[2,4,8]},{"mesh":0,"rotation":[0,0,1,0]})"});
    ASSERT_EQ(file.mesh.triangles.size(), 8u);
    expect_tetrahedron(file.mesh, 0, [](MeshCorner p) {
        return MeshCorner{1000 * (1 + 2 * p[0]), 4000 * p[1], static_cast<float>(8000.0 * static_cast<double>(p[2]))};
    });
    expect_tetrahedron(file.mesh, 4, [](MeshCorner p) {
        return MeshCorner{1000 * (1 - p[0]), -1000 * p[1], in_mm(p)[2]};
    });
}

TEST_F(GltfMesh, MirroredNodesKeepTheOutsideOutside)
{
    MeshFile const file = read_parts({.nodes = R"({"mesh":0,"scale":[1,1,-1]})"});
    EXPECT_GT(volume_of(file.mesh), 0);
    expect_tetrahedron(
        file.mesh, 0,
        [](MeshCorner p) {
            return MeshCorner{1000 * p[0], 1000 * p[1], -in_mm(p)[2]};
        },
        true);
}

TEST_F(GltfMesh, NormalsTurnWithTheirMeshAndStayUnit)
{
    // The positions serve as normals; the first is zero.
    MeshFile const file = read_parts({.nodes = R"({"mesh":0,"scale":[-2,1,1]})",
                                      .primitive = R"("attributes":{"POSITION":0,"NORMAL":0},"indices":1)"});
    ASSERT_EQ(file.mesh.normals.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t k = 0; k < 3; ++k) {
            MeshCorner const p = corner_of(file.mesh, i, k);
            Vec3 const n = file.mesh.normals[i][k];
            EXPECT_NEAR(n.x * n.x + n.y * n.y + n.z * n.z, 1, 1e-6);
            EXPECT_TRUE(p[0] == 0 || n.x == -1.0f);
            EXPECT_TRUE(p[1] == 0 || n.y == 1.0f);
        }
    EXPECT_EQ(file.notices, std::vector<std::string>{"3 corners without a normal take that of their triangle"});
}

TEST_F(GltfMesh, LinearColoursAreCoded)
{
    MeshFile const material =
        read_parts({.primitive = R"("attributes":{"POSITION":0},"indices":1,"material":0)",
                    .more = R"(,"materials":[{"pbrMetallicRoughness":{"baseColorFactor":[1,0.5,0,1]}}])"});
    ASSERT_EQ(material.mesh.colours.size(), 4u);
    EXPECT_EQ(material.mesh.colours[3][2], 0xffbc00u); // 0.5 is 187.5 of 255
    MeshFile const vertices = read_parts({.primitive = R"("attributes":{"POSITION":0,"COLOR_0":0},"indices":1)"});
    ASSERT_EQ(vertices.mesh.colours.size(), 4u);
    EXPECT_EQ(vertices.mesh.colours[0], (std::array<std::uint32_t, 3>{0, 0x00ff00, 0xff0000}));
    EXPECT_EQ(vertices.mesh.colours[1][2], 0x000059u); // 0.1
}

TEST_F(GltfMesh, SkinnedMeshesAreReadInTheRestPoseOfTheirBones)
{
    // One bone at (0, 5, 0) whose inverse bind matrix is the identity; the mesh's own node is without effect.
    std::string const buffer = make_gltf_buffer() + std::string(16, '\0') + [] {
        std::string weights, matrix;
        for (int i = 0; i < 4; ++i) weights += mesh_bytes(1.0f) + std::string(12, '\0');
        for (int i = 0; i < 16; ++i) matrix += mesh_bytes(i % 5 == 0 ? 1.0f : 0.0f);
        return weights + matrix;
    }();
    folder_.write("mesh.bin", buffer);
    std::string json = make_gltf(
        {.nodes =
             R"({"children":[1,2]},{"mesh":0,"skin":0,"translation":[9,9,9]},{"translation":[0,5,0],"name":"bone"})",
         .primitive = R"("attributes":{"POSITION":0,"JOINTS_0":2,"WEIGHTS_0":3},"indices":1)",
         .more = R"(,"skins":[{"joints":[2],"inverseBindMatrices":4}])"});
    auto const replace = [&](std::string_view from, std::string_view to) {
        json.replace(json.find(from), from.size(), to);
    };
    replace(R"("byteLength":72)", R"("byteLength":216)");
    replace(
        R"("byteLength":24}])",
        R"("byteLength":24},{"buffer":0,"byteOffset":72,"byteLength":16},{"buffer":0,"byteOffset":88,"byteLength":64},{"buffer":0,"byteOffset":152,"byteLength":64}])");
    replace(
        R"("type":"SCALAR"}])",
        R"("type":"SCALAR"},{"bufferView":2,"componentType":5121,"count":4,"type":"VEC4"},{"bufferView":3,"componentType":5126,"count":4,"type":"VEC4"},{"bufferView":4,"componentType":5126,"count":1,"type":"MAT4"}])");
    MeshFile const file = read(json);
    expect_tetrahedron(file.mesh, 0, [](MeshCorner p) {
        return MeshCorner{1000 * p[0], 1000 * (p[1] + 5), in_mm(p)[2]};
    });
    EXPECT_EQ(file.notices, std::vector<std::string>{"the mesh is animated, skinned or morphed: it is read at rest"});
}

struct PictureParts {
    std::string image = R"({"uri":"skin.png"})";
    std::string material = {}; ///< members, each with a comma in front, of the material that has the picture
    std::string other = R"({"pbrMetallicRoughness":{"baseColorFactor":[1,0,0,1]}})"; ///< material of the second mesh
    std::string texture = {};                                                        ///< as material
    std::string more = {};
};

/// Two tetrahedra: one with texture coordinates, v = 1, -0.5, 1 and -1.25, and a picture; one without.
std::string make_pictured_gltf(PictureParts const& parts)
{
    std::string json =
        make_gltf({.nodes = R"({"children":[1,2]},{"mesh":0},{"mesh":1})",
                   .primitive = R"("attributes":{"POSITION":0,"TEXCOORD_0":2},"indices":1,"material":0)",
                   .more = R"(,"images":[)" + parts.image + R"(],"textures":[{"source":0)" + parts.texture +
                           R"(}],"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0},)"
                           R"("baseColorFactor":[1,0.5,0,1]})" +
                           parts.material + "}," + parts.other + "]" + parts.more});
    auto const replace = [&](std::string_view from, std::string_view to) {
        json.replace(json.find(from), from.size(), to);
    };
    replace(R"("type":"SCALAR"}])",
            R"("type":"SCALAR"},{"bufferView":0,"componentType":5126,"count":4,"type":"VEC2"}])");
    replace(R"("material":0}]}])",
            R"("material":0}]},{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":1}]}])");
    return json;
}

TEST_F(GltfMesh, AlphaOfPicturesIsReadWhereTheMaterialSaysSo)
{
    using enum PictureAlpha;
    auto const find_alpha = [&](std::string const& material) {
        return read(make_pictured_gltf({.material = material})).pictures.at(0).alpha;
    };
    EXPECT_EQ(find_alpha(""), ignored);
    EXPECT_EQ(find_alpha(R"(,"alphaMode":"OPAQUE")"), ignored);
    EXPECT_EQ(find_alpha(R"(,"alphaMode":"BLEND")"), blended);
    EXPECT_EQ(find_alpha(R"(,"alphaMode":"MASK")"), blended);
    std::string both = make_pictured_gltf(
        {.other = R"({"pbrMetallicRoughness":{"baseColorTexture":{"index":0}},"alphaMode":"BLEND"})"});
    std::string const bare = R"({"POSITION":0})";
    both.replace(both.find(bare), bare.size(), R"({"POSITION":0,"TEXCOORD_0":2})");
    MeshFile const file = read(both);
    ASSERT_EQ(file.pictures.size(), 2u);
    EXPECT_EQ(file.pictures[0].alpha, ignored);
    EXPECT_EQ(file.pictures[1].alpha, blended);
    EXPECT_EQ(file.mesh.pictures, (std::vector<std::uint16_t>{0, 0, 0, 0, 1, 1, 1, 1}));
}

TEST_F(GltfMesh, PicturesThatAreNotToBeRepeatedAreTold)
{
    auto const list_notices = [&](std::string const& sampler) {
        return read(make_pictured_gltf({.texture = R"(,"sampler":0)", .more = R"(,"samplers":[)" + sampler + "]"}))
            .notices;
    };
    auto const quiet = list_notices("{}");
    EXPECT_EQ(list_notices(R"({"wrapS":33071,"wrapT":10497})"), quiet); // u is 0
    for (char const* const sampler : {R"({"wrapT":33071})", R"({"wrapT":33648})"}) {
        auto const notices = list_notices(sampler);
        ASSERT_EQ(notices.size(), quiet.size() + 1);
        EXPECT_TRUE(std::ranges::any_of(notices, [](std::string const& notice) {
            return notice.starts_with("4 triangles have texture coordinates beyond 0..1");
        }));
    }
}

TEST_F(GltfMesh, PicturesOfAShapeAloneAreNotLookedAt)
{
    options_ = {};
    for (char const* const image : {R"({"uri":""})", R"({"uri":"../far.png"})", R"({"uri":"none.png"})"}) {
        MeshFile const file = read(make_pictured_gltf({.image = image}));
        EXPECT_EQ(file.mesh.triangles.size(), 8u);
        EXPECT_TRUE(file.has_pictures);
        EXPECT_TRUE(file.pictures.empty());
        EXPECT_TRUE(file.mesh.pictures.empty());
    }
    EXPECT_FALSE(read(make_gltf({})).has_pictures);
}

TEST_F(GltfMesh, PicturesInsideAndBesideComeWithTheTrianglesThatHaveThem)
{
    constexpr std::uint16_t kNone = TriangleMesh::kNoPicture;
    std::vector<std::array<std::string, 2>> const images{
        {R"({"uri":"data:image/png;base64,QUJD"})", "ABC"},
        {R"({"bufferView":1,"mimeType":"image/png"})", make_gltf_buffer().substr(48)},
        {R"({"uri":"my%20skin.png"})", ""}};
    for (auto const& [image, wanted] : images) {
        MeshFile const file = read(make_pictured_gltf({.image = image}));
        ASSERT_EQ(file.pictures.size(), 1u) << image;
        EXPECT_EQ(file.mesh.pictures, (std::vector<std::uint16_t>{0, 0, 0, 0, kNone, kNone, kNone, kNone}));
        EXPECT_EQ(file.mesh.colours[3][2], 0xffbc00u);
        EXPECT_EQ(file.mesh.colours[4][0], 0xff0000u);
        MeshPicture const& picture = file.pictures[0];
        std::string const bytes(reinterpret_cast<char const*>(picture.bytes.data()), picture.bytes.size());
        EXPECT_EQ(bytes, wanted);
        EXPECT_EQ(picture.name, picture.is_inside() ? "picture 1 inside" : "my skin.png");
    }
    refuse(make_pictured_gltf({.image = R"({"bufferView":9,"mimeType":"image/png"})"}), {"no valid glTF"});
    std::string far = make_pictured_gltf({.image = R"({"bufferView":1,"mimeType":"image/png"})"});
    far.replace(far.find(R"("byteOffset":48)"), 15, R"("byteOffset":60)");
    refuse(far, {"picture 1 inside has the bytes 60 to 84 of a buffer of 72"});
}

TEST_F(GltfMesh, BuffersThatAnnounceMoreThanThereIsAreRefused)
{
    for (std::string const& content : {make_gltf({}), make_embedded_gltf(), make_glb()}) {
        std::string raised = content;
        raised.replace(raised.find(R"("byteLength":72)"), 15, R"("byteLength":99)");
        refuse(raised, {"buffer 0 announces 99 bytes, 7"}); // by base64, up to 3 more
    }
    std::string const view = R"("byteOffset":48,"byteLength":24)", far = R"("byteOffset":70,"byteLength":24)";
    std::string glb = make_glb({.more = R"(,"images":[{"bufferView":1}])"});
    glb.replace(glb.find(R"("byteLength":72)"), 15, R"("byteLength":94)");
    refuse(glb.replace(glb.find(view), view.size(), far), {"buffer 0 announces 94 bytes, 72 are there", "BIN"});
    std::string cut = make_glb();
    cut.replace(cut.rfind("BIN") - 4, 4, le(76, 4));
    refuse(cut, {"its chunk BIN announces 76 bytes, the file has 72"});
}

TEST_F(GltfMesh, SideFilesOutsideTheFolderAreRefused)
{
    TempFolder const other;
    auto const target = other.write("mesh.bin", make_gltf_buffer());
    std::filesystem::create_symlink(target, folder_ / "link.bin");
    std::string const neighbour = "../" + other.path().filename().string() + "/mesh.bin";
    std::string const coded = "%2e%2e/" + other.path().filename().string() + "/mesh.bin";
    for (std::string const& name : {target.string(), neighbour, coded, std::string("link.bin")})
        refuse(make_gltf({.uri = name}), {name, "outside the mesh's folder"});
    refuse(make_gltf({.uri = "lost.bin"}), {"names the file lost.bin, which cannot be read"});
    refuse(make_gltf({.uri = "https://example.org/mesh.bin"}), {"cannot be read"});
    folder_.write("with blank.bin", make_gltf_buffer());
    EXPECT_EQ(read_parts({.uri = "with%20blank.bin"}).mesh.triangles.size(), 4u);
}

TEST_F(GltfMesh, EveryTruncationIsRefused)
{
    for (std::string const& content : {make_gltf({}), make_glb()})
        for (std::size_t size = 0; size < content.size(); size += size + 40 < content.size() ? 13 : 1)
            refuse(content.substr(0, size), {"mesh.gltf"});
    folder_.write("mesh.bin", make_gltf_buffer().substr(0, 71));
    refuse(make_gltf({}), {"mesh.gltf"});
}

TEST_F(GltfMesh, WhatCannotBeReadRightIsNamed)
{
    refuse(make_gltf({.more = R"(,"extensionsRequired":["KHR_draco_mesh_compression"])"}),
           {"requires the extension KHR_draco_mesh_compression"});
    EXPECT_NO_THROW(read_parts({.more = R"(,"extensionsRequired":["KHR_materials_unlit"])"}));
    std::string text = make_gltf({});
    refuse(text.replace(text.find("2.0"), 3, "1.0"), {"glTF of version 1.0"});
    text = make_gltf({});
    refuse(text.replace(text.find("5126"), 4, "5122"), {"positions of mesh 0 are not three floats each"});
    refuse(make_gltf({.corner_count = 3}), {"4 triangles are announced, 1 can be read"});
    refuse(make_gltf({.corner_count = 2000000000}), {"mesh.gltf"});
    refuse(make_gltf({.nodes = R"({"mesh":0,"children":[0]})"}), {"mesh.gltf"});
    refuse(make_gltf({.nodes = R"({"mesh":7})"}), {"mesh.gltf"});
    refuse(make_gltf({.primitive = R"("attributes":{"POSITION":0},"indices":1,"mode":1)"}),
           {"holds no triangles", "6 lines left out"});
}

TEST_F(GltfMesh, JsonChunkWithoutPaddingIsReadWithANote)
{
    for (std::size_t spaces = 0; spaces < 4; ++spaces) {
        std::string const padded = make_glb({.more = std::string(spaces, ' ')});
        std::size_t const end = padded.rfind("BIN") - 4; // of the JSON
        std::size_t const cut = end - 1 - padded.find_last_not_of(' ', end - 1);
        std::string bytes = padded.substr(0, end - cut) + padded.substr(end);
        bytes.replace(8, 4, le(static_cast<std::uint32_t>(bytes.size()), 4));
        bytes.replace(12, 4, le(static_cast<std::uint32_t>(end - cut - 20), 4));
        MeshFile const file = read(bytes);
        ASSERT_EQ(file.mesh.triangles.size(), 4u);
        expect_tetrahedron(file.mesh, 0, in_mm);
        EXPECT_EQ(file.notices.size(), cut == 0 ? 0u : 1u);
        for (std::string const& notice : file.notices) test::expect_contains(notice, {"JSON chunk is not padded"});
        refuse(bytes.substr(0, bytes.size() - 4), {"are announced"});
    }
}

TEST_F(GltfMesh, NodesThatMultiplyOrLieInThemselvesAreRefusedBeforeTheyAreMade)
{
    std::string doubling;
    for (int i = 0; i < 40; ++i) doubling += fmt::format(R"({{"children":[{0},{0}]}},)", i + 1);
    refuse(make_gltf({.nodes = doubling + R"({"mesh":0})"}), {"stands for more than 1048576 nodes", "shared nodes"});
    refuse(make_gltf({.nodes = R"({"children":[1]},{"children":[2]},{"children":[0],"mesh":0})"}),
           {"node 2 has the child 0, which it lies in"});
    refuse(make_gltf({.nodes = R"({"children":[7],"mesh":0})"}), {"child 7, which is not there"});
    MeshFile const twice = read_parts({.nodes = R"({"children":[1,1]},{"mesh":0})"});
    EXPECT_EQ(twice.mesh.triangles.size(), 8u);
    std::string deep;
    for (int i = 0; i < 20'000; ++i) deep += fmt::format(R"({{"children":[{}]}},)", i + 1);
    EXPECT_NO_THROW(try_read(make_gltf({.nodes = deep + R"({"mesh":0})"})));
}

TEST_F(GltfMesh, TextureCoordinatesThatAreNotFiniteCountAsAbsent)
{
    std::string const nan("\0\0\xc0\x7f", 4), infinite("\0\0\x80\xff", 4), half("\0\0\0\x3f", 4);
    auto const read_with = [&](std::array<std::string, 8> const& numbers) {
        std::string coordinates;
        for (std::string const& number : numbers) coordinates += number;
        coordinates += std::string(1, '\0'); // 33 bytes, whole triples
        return read(
            replace_buffer(make_gltf({.primitive = R"("attributes":{"POSITION":0,"TEXCOORD_0":2},"indices":1)"}),
                           make_gltf_buffer() + coordinates));
    };
    MeshFile const some = read_with({half, half, half, nan, half, half, half, half});
    ASSERT_EQ(some.mesh.texture_coordinates.size(), 4u);
    expect_finite_coordinates(some.mesh);
    EXPECT_EQ(some.notices[0], "texture coordinates of 3 triangles are NaN or infinite, and left out"); // at corner 1
    MeshFile const none = read_with({nan, nan, infinite, nan, infinite, half, half, infinite});
    EXPECT_TRUE(none.mesh.texture_coordinates.empty());
    EXPECT_EQ(none.notices,
              std::vector<std::string>{"texture coordinates of 4 triangles are NaN or infinite, and left out"});
}

} // namespace
} // namespace volpt
