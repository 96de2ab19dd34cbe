// PLY: all storages, polygons, values of corners, damage.
#include "tests/formats/mesh_checks.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace volpt {
namespace {

using test::expect_contains;
using test::expect_error;
using test::TempFolder;

class PlyFiles : public testing::Test {
protected:
    MeshFile read(std::string const& content) { return read_mesh(folder_.write("mesh.ply", content)); }
    void refuse(std::string const& content, std::initializer_list<std::string_view> parts)
    {
        expect_error(ExitStatus::input, parts, [&] { read(content); });
    }
    TempFolder folder_;
};

/// One square in the plane z = 0, counter-clockwise, with more properties of vertices and of the face.
std::string make_square(std::string const& vertex_properties, std::array<std::string, 4> const& values,
                        std::string const& face_properties = {}, std::string const& face_values = {})
{
    std::string text =
        "ply\r\nformat ascii 1.0\r\nobj_info x\r\nelement vertex 4\r\nproperty double x\r\nproperty double y\r\n"
        "property double z\r\n" +
        vertex_properties +
        "element edge 1\r\nproperty int vertex1\r\nproperty int vertex2\r\nelement face 1\r\nproperty list int uint "
        "vertex_index\r\n" +
        face_properties + "end_header\r\n";
    constexpr std::array kPlaces{"0 0 0 ", "1 0 0 ", "1 1 0 ", "0 1 0 "};
    for (std::size_t i = 0; i < 4; ++i) text += kPlaces[i] + values[i] + "\r\n";
    return text + "0 1\r\n4 0 1 2 3 " + face_values + "\r\n";
}

TEST_F(PlyFiles, AllStoragesGiveTheSameTriangles)
{
    for (std::string const& content :
         {make_ascii_ply(), make_binary_ply(MeshBytes::little), make_binary_ply(MeshBytes::big)}) {
        MeshFile const file = read(content);
        EXPECT_EQ(file.format, "ply");
        EXPECT_EQ(file.mesh.positions_mm.size(), 4u);
        EXPECT_EQ(file.mesh.triangles.size(), 4u);
        expect_tetrahedron(file.mesh);
        EXPECT_TRUE(file.notices.empty());
    }
}

TEST_F(PlyFiles, ValuesOfVerticesReachTheCorners)
{
    MeshFile const file = read(
        make_square("property float nx\r\nproperty float ny\r\nproperty float nz\r\nproperty float s\r\nproperty float "
                    "t\r\nproperty uchar red\r\nproperty uchar green\r\nproperty uchar blue\r\n",
                    {"0 0 2 .25 .5 1 2 3", "0 3 4 0 0 0 0 0", "0 0 0 1 1 255 255 255", "nan 0 1 0 1 9 8 7"}));
    ASSERT_EQ(file.mesh.triangles.size(), 2u);
    EXPECT_EQ(file.mesh.triangles[0], (std::array<std::uint32_t, 3>{0, 1, 2}));
    EXPECT_EQ(file.mesh.triangles[1], (std::array<std::uint32_t, 3>{0, 2, 3}));
    EXPECT_EQ(file.mesh.colours[0], (std::array<std::uint32_t, 3>{0x010203, 0, 0xffffff}));
    EXPECT_EQ(file.mesh.colours[1][2], 0x090807u);
    EXPECT_EQ(file.mesh.texture_coordinates[0][0].u, 0.25f);
    EXPECT_EQ(file.mesh.texture_coordinates[0][0].v, 0.5f);
    EXPECT_EQ(file.mesh.normals[0][0].z, 1.0f);
    EXPECT_EQ(file.mesh.normals[0][1].y, 0.6f);
    EXPECT_EQ(file.mesh.normals[0][2].z, 1.0f); // absent: the triangle's
    EXPECT_EQ(file.mesh.normals[1][2].z, 1.0f);
    EXPECT_EQ(file.notices, (std::vector<std::string>{"1 elements \"edge\" left out",
                                                      "3 corners without a normal take that of their triangle"}));
}

TEST_F(PlyFiles, ValuesOfFacesGoBeforeThoseOfVertices)
{
    MeshFile const file = read(make_square(
        "", {},
        "property list uchar float texcoord\r\nproperty float red\r\nproperty float green\r\nproperty float blue\r\n",
        "8 0 0 1 0 1 1 0 1 1 .5 0"));
    EXPECT_EQ(file.mesh.colours[1][1], 0xff8000u);
    EXPECT_EQ(file.mesh.texture_coordinates[1][1].v, 1.0f);
    EXPECT_EQ(file.mesh.texture_coordinates[1][2].u, 0.0f);
}

TEST_F(PlyFiles, EveryTruncationOfBinaryFilesIsRefused)
{
    for (MeshBytes const order : {MeshBytes::little, MeshBytes::big}) {
        std::string const content = make_binary_ply(order);
        for (std::size_t size = 0; size < content.size(); ++size) refuse(content.substr(0, size), {"mesh.ply"});
    }
    std::string const text = make_ascii_ply();
    for (std::size_t size = 0; size < text.size() - 2; ++size)
        refuse(text.substr(0, size), {"mesh.ply"}); // "3 0 3 2\n": to the last digit
}

TEST_F(PlyFiles, DamageIsNamedWithItsPlace)
{
    std::string const good = make_ascii_ply();
    auto const with = [&](std::string_view from, std::string_view to) {
        std::string text = good;
        return text.replace(text.find(from), from.size(), to);
    };
    refuse(with("3 1 2 3", "3 1 2 4"), {"vertex 4 is not among the 4", "face 2"});
    refuse(with("3 1 2 3", "3 1 2 -1"), {"vertex -1 is not among the 4"});
    refuse(with("3 1 2 3", "3 1 2 .5"), {"vertex 0.5 is not among the 4"});
    refuse(with("1.5 0 0", "1.5 x 0"), {"'x' is no number", "vertex 1"});
    refuse(with("vertex 4", "vertex 4000000000"), {"mesh.ply"});
    refuse(with("face 4", "face 4000000000"), {"the file ends early", "face 4", "4000000000 of them"});
    refuse(with("3 1 2 3", "2000000000 1 2 3"), {"the file ends early", "face 2"});
    refuse(with("property float x\n", ""), {"vertices have no x, y and z"});
    refuse(with("float x", "quark x"), {"'quark' is no type", "line 5"});
    refuse(with("face 4", "tristrips 4"), {"holds no triangles", "tristrips"});
    refuse(with("ascii", "utf-8"), {"'utf-8' is no format"});
    refuse(make_square("property uchar red\r\nproperty uchar green\r\nproperty uchar blue\r\n",
                       {"0 0 0", "0 0 256", "0 0 0", "0 0 0"}),
           {"colour 256 is not within 0 to 255", "vertex 1"});
}

TEST_F(PlyFiles, PointsAloneAreRefusedAndFacesOfTwoCornersTold)
{
    std::string text = make_ascii_ply();
    refuse(text.substr(0, text.find("element face")) + "end_header\n0 0 0\n0 0 0\n0 0 0\n0 0 0\n",
           {"holds no triangles"});
    text.replace(text.find("3 0 2 1"), 7, "2 0 2");
    MeshFile const file = read(text);
    EXPECT_EQ(file.mesh.triangles.size(), 3u);
    EXPECT_EQ(file.notices, std::vector<std::string>{"1 faces of fewer than three corners left out"});
}

TEST_F(PlyFiles, FacesMayStandBeforeTheVertices)
{
    std::string const text = make_ascii_ply();
    std::size_t const vertex = text.find("element vertex"), face = text.find("element face"),
                      end = text.find("end_header\n"), faces = text.find("3 0 2 1");
    std::string const head =
        text.substr(0, vertex) + text.substr(face, end - face) + text.substr(vertex, face - vertex);
    std::size_t const places = end + std::string_view("end_header\n").size();
    MeshFile const file = read(head + "end_header\n" + text.substr(faces) + text.substr(places, faces - places));
    ASSERT_EQ(file.mesh.triangles.size(), 4u);
    expect_tetrahedron(file.mesh);
    EXPECT_TRUE(file.notices.empty());
    refuse(head + "end_header\n" + "3 0 2 4\n" + text.substr(faces + 8) + text.substr(places, faces - places),
           {"vertex 4 is not among the 4", "face 0"});
}

TEST_F(PlyFiles, TextureCoordinatesThatAreNotFiniteCountAsAbsent)
{
    MeshFile const file =
        read(make_square("property float s\r\nproperty float t\r\n", {"0 0", "0 1", "1 1", "nan inf"}));
    ASSERT_EQ(file.mesh.texture_coordinates.size(), 2u);
    expect_finite_coordinates(file.mesh);
    EXPECT_EQ(file.mesh.texture_coordinates[0][1].v, 1);
    ASSERT_EQ(file.notices.size(), 3u);
    EXPECT_EQ(file.notices[1], "texture coordinates of 1 triangles are NaN or infinite, and left out");
}

} // namespace
} // namespace volpt
