// OBJ: indices, polygons, colours of vertices and of materials, side files, damage.
#include "tests/formats/mesh_checks.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <cmath>

namespace volpt {
namespace {

using test::expect_error;
using test::TempFolder;

class ObjMesh : public testing::Test {
protected:
    MeshFile read(std::string const& content) { return read_mesh(folder_.write("mesh.obj", content), options_); }
    void refuse(std::string const& content, std::initializer_list<std::string_view> parts)
    {
        expect_error(ExitStatus::input, parts, [&] { read(content); });
    }
    TempFolder folder_;
    MeshReadOptions options_{MeshPictures::kept, {}};
};

constexpr std::string_view kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST_F(ObjMesh, TheTetrahedronComesBack)
{
    MeshFile const file = read(make_obj("# made by a test\no thing\n"));
    EXPECT_EQ(file.format, "obj");
    ASSERT_EQ(file.mesh.triangles.size(), 4u);
    expect_tetrahedron(file.mesh);
    EXPECT_TRUE(file.mesh.colours.empty());
    EXPECT_TRUE(file.mesh.normals.empty());
    EXPECT_TRUE(file.notices.empty());
}

TEST_F(ObjMesh, NegativeIndicesCountFromTheEnd)
{
    std::string text = make_obj();
    text = text.substr(0, text.find("f ")) + "f -4 -2 -3\nf -4 -3 -1\nf -3 -2 -1\nf -4 -1 -2\n";
    expect_tetrahedron(read(text).mesh);
}

TEST_F(ObjMesh, QuadsAreCutAndTheirNormalsAndTexturePlacesStay)
{
    MeshFile const file = read(std::string(kSquare) +
                               "vt 0 0\nvt 0.25 0\nvt 0.25 0.75\nvt 0 0.75\nvn 0 0 2\nf 1/1/1 2/2/1 3/3/1 4/4/1\n");
    ASSERT_EQ(file.mesh.triangles.size(), 2u);
    EXPECT_EQ(corner_of(file.mesh, 0, 1), (MeshCorner{1, 0, 0}));
    EXPECT_EQ(corner_of(file.mesh, 1, 2), (MeshCorner{0, 1, 0}));
    EXPECT_EQ(file.mesh.normals[1][1].z, 1.0f);
    EXPECT_EQ(file.mesh.texture_coordinates[0][2].u, 0.25f);
    EXPECT_EQ(file.mesh.texture_coordinates[0][2].v, 0.75f);
}

TEST_F(ObjMesh, ConcavePolygonsAreCutAlongInnerEdges)
{
    MeshFile const file = read("v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf 1 2 3 4\n");
    ASSERT_EQ(file.mesh.triangles.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        MeshCorner const a = corner_of(file.mesh, i, 0), b = corner_of(file.mesh, i, 1), c = corner_of(file.mesh, i, 2);
        EXPECT_FLOAT_EQ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]), 4.0f);
    }
}

TEST_F(ObjMesh, MaterialsColourTheirFaces)
{
    folder_.write("paint.mtl", "newmtl red\nKd 1 0 0\nnewmtl teal\nKd 0 .5 .5\nmap_Kd wood.png\n");
    MeshFile const file =
        read("mtllib paint.mtl\n" + std::string(kSquare) + "usemtl teal\nf 1 2 3\nusemtl red\nf 1 3 4\n");
    ASSERT_EQ(file.mesh.colours.size(), 2u);
    std::vector<std::uint32_t> found{file.mesh.colours[0][0], file.mesh.colours[1][2]};
    std::ranges::sort(found);
    EXPECT_EQ(found, (std::vector<std::uint32_t>{0x008080, 0xff0000}));
    ASSERT_EQ(file.pictures.size(), 1u);
    EXPECT_EQ(file.pictures[0].name, "wood.png");
    EXPECT_FALSE(file.pictures[0].is_inside());
    EXPECT_TRUE(file.notices.empty());
}

TEST_F(ObjMesh, PicturesOfMaterialsGoWithTheirFaces)
{
    folder_.write("paint.mtl", "newmtl a\nmap_Kd a.png\nnewmtl b\nKd .5 .5 .5\nmap_Kd b.png\nnewmtl c\nKd 1 0 0\n");
    MeshFile const file = read("mtllib paint.mtl\n" + std::string(kSquare) +
                               "vt 0 0\nusemtl a\nf 1/1 2/1 3/1\nusemtl b\nf 1/1 3/1 4/1\nusemtl c\nf 1/1 2/1 4/1\n");
    ASSERT_EQ(file.pictures.size(), 2u);
    EXPECT_EQ(file.pictures[1].name, "b.png");
    EXPECT_EQ(file.mesh.pictures, (std::vector<std::uint16_t>{0, 1, TriangleMesh::kNoPicture}));
    EXPECT_EQ(file.mesh.colours[0][0], 0xffffffu); // no Kd
    EXPECT_EQ(file.mesh.colours[1][0], 0x808080u);
    EXPECT_EQ(file.mesh.colours[2][0], 0xff0000u);
}

TEST_F(ObjMesh, TooManyPicturesAreRefused)
{
    std::string materials, faces;
    for (int i = 0; i < 65; ++i) {
        materials += "newmtl m" + std::to_string(i) + "\nmap_Kd " + std::to_string(i) + ".png\n";
        faces += "usemtl m" + std::to_string(i) + "\nf 1 2 3\n";
    }
    folder_.write("paint.mtl", materials);
    std::string const text = "mtllib paint.mtl\n" + std::string(kSquare) + faces;
    refuse(text, {"mesh.obj", "more than 64 pictures"});
    options_ = {};
    MeshFile const shape = read(text);
    EXPECT_EQ(shape.mesh.triangles.size(), 65u);
    EXPECT_TRUE(shape.has_pictures);
    EXPECT_TRUE(shape.mesh.pictures.empty());
}

TEST_F(ObjMesh, FacesWithoutTextureCoordinatesKeepTheColourOfTheirMaterial)
{
    folder_.write("paint.mtl", "newmtl a\nmap_Kd a.png\nnewmtl b\nKd .6 .6 .6\nmap_Kd b.png\n");
    MeshFile const file =
        read("mtllib paint.mtl\n" + std::string(kSquare) + "vt 0 0\nusemtl a\nf 1/1 2/1 3/1\nusemtl b\nf 1 2 3 4\n");
    ASSERT_EQ(file.mesh.triangles.size(), 3u);
    EXPECT_EQ(file.pictures.size(), 1u);
    EXPECT_EQ(file.mesh.pictures, (std::vector<std::uint16_t>{0, TriangleMesh::kNoPicture, TriangleMesh::kNoPicture}));
    EXPECT_EQ(file.mesh.colours[0][0], 0xffffffu);
    EXPECT_EQ(file.mesh.colours[1][0], 0x999999u);
    ASSERT_FALSE(file.notices.empty());
    EXPECT_TRUE(std::ranges::any_of(file.notices, [](std::string const& notice) {
        return notice.starts_with("2 triangles have a picture, but no");
    }));
}

TEST_F(ObjMesh, ClampedPicturesAreTold)
{
    auto const count_notices = [&](std::string const& places) {
        folder_.write("paint.mtl", "newmtl a\nmap_Kd -clamp on a.png\n");
        return read("mtllib paint.mtl\n" + std::string(kSquare) + places + "usemtl a\nf 1/1 2/2 3/3\n").notices.size();
    };
    EXPECT_EQ(count_notices("vt 0 0\nvt 1 0\nvt 1 1\n"), 0u);
    EXPECT_EQ(count_notices("vt 0 0\nvt 2 0\nvt 1 1\n"), 1u);
}

TEST_F(ObjMesh, ColoursOfVerticesReachTheCorners)
{
    MeshFile const file = read("v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nf 1 2 3\n");
    ASSERT_EQ(file.mesh.colours.size(), 1u);
    EXPECT_EQ(file.mesh.colours[0], (std::array<std::uint32_t, 3>{0xff0000, 0x00ff00, 0x0000ff}));
}

TEST_F(ObjMesh, AMissingMaterialFileIsTold)
{
    folder_.write("mesh.mtl", "newmtl red\nKd 1 0 0\n"); // of the mesh's name, but not named by it
    MeshFile const file = read("mtllib lost.mtl\n" + std::string(kSquare) + "usemtl red\nf 1 2 3\n");
    EXPECT_TRUE(file.mesh.colours.empty());
    ASSERT_EQ(file.notices.size(), 1u);
    EXPECT_EQ(file.notices[0], "lost.mtl cannot be read: materials give no colours");
}

TEST_F(ObjMesh, SideFilesOutsideTheFolderAreRefused)
{
    TempFolder const other;
    auto const target = other.write("paint.mtl", "newmtl red\nKd 1 0 0\n");
    std::filesystem::create_symlink(target, folder_ / "link.mtl");
    std::filesystem::create_symlink(folder_.write("paint.mtl", "newmtl red\nKd 1 0 0\n"), folder_ / "inner.mtl");
    std::string const rest = "\n" + std::string(kSquare) + "usemtl red\nf 1 2 3\n";
    for (std::string const& name : {target.string(), std::string("../paint.mtl"), std::string("link.mtl"),
                                    "../" + other.path().filename().string() + "/paint.mtl"})
        refuse("mtllib " + name + rest, {name, "outside the mesh's folder"});
    EXPECT_EQ(read("mtllib inner.mtl" + rest).mesh.colours.size(), 1u);
}

TEST_F(ObjMesh, LinesAndPointsAreLeftOutAndTold)
{
    MeshFile const file = read(std::string(kSquare) + "l 1 2\np 1\nf 1 2 3\n");
    EXPECT_EQ(file.mesh.triangles.size(), 1u);
    EXPECT_EQ(file.notices, (std::vector<std::string>{"1 lines left out", "1 points left out"}));
    refuse(std::string(kSquare) + "l 1 2\n", {"mesh.obj", "holds no triangles", "1 lines left out"});
}

TEST_F(ObjMesh, CoordinatesThatAreNoNumbersAreHandedOver)
{
    MeshFile const file = read("v nan 0 0\nv 1 inf 0\nv 0 1 0\nf 1 2 3\n");
    EXPECT_TRUE(std::isnan(corner_of(file.mesh, 0, 0)[0]));
    EXPECT_EQ(corner_of(file.mesh, 0, 1)[1], INFINITY);
}

TEST_F(ObjMesh, IndicesOutOfRangeAreRefused)
{
    for (char const* const face : {"f 1 2 5\n", "f 0 1 2\n", "f -1 -2 -5\n", "f 1 2 4000000000\n"})
        refuse(std::string(kSquare) + face, {"mesh.obj"});
}

TEST_F(ObjMesh, CommentsBehindNumbersAreNoPartOfThem)
{
    std::string text = make_obj("usemtl a#1\n");
    for (std::size_t at = text.find('\n', 12); at != std::string::npos; at = text.find('\n', at + 30))
        text.insert(at, " # v 1 2 3, f 1 2 3");
    MeshFile const file = read(text);
    ASSERT_EQ(file.mesh.triangles.size(), 4u);
    expect_tetrahedron(file.mesh);
    EXPECT_EQ(read(make_obj() + "f 1 2 3#").mesh.triangles.size(), 5u);
}

TEST_F(ObjMesh, TextureCoordinatesThatAreNotFiniteCountAsAbsent)
{
    MeshFile const file = read(std::string(kSquare) + "vt 0 0\nvt nan 0\nvt 1 inf\nf 1/1 2/2 3/3\nf 1/1 3/1 4/1\n");
    expect_finite_coordinates(file.mesh);
}

} // namespace
} // namespace volpt
