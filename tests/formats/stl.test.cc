// STL: both kinds, what tells them apart, colours, damage.
#include "tests/formats/mesh_checks.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <cmath>

namespace volpt {
namespace {

using test::expect_error;
using test::TempFolder;

class StlMesh : public testing::Test {
protected:
    MeshFile read(std::string const& content) { return read_mesh(folder_.write("mesh.stl", content)); }
    void refuse(std::string const& content, std::initializer_list<std::string_view> parts)
    {
        expect_error(ExitStatus::input, parts, [&] { read(content); });
    }
    TempFolder folder_;
};

std::string replace_first(std::string text, std::string_view from, std::string_view to)
{
    return text.replace(text.find(from), from.size(), to);
}

TEST_F(StlMesh, BothKindsGiveTheSameTriangles)
{
    for (std::string const& content : {make_ascii_stl(), make_binary_stl(), make_binary_stl({}, "solid, but binary")}) {
        MeshFile const file = read(content);
        EXPECT_EQ(file.format, "stl");
        EXPECT_EQ(file.mesh.triangles.size(), 4u);
        expect_tetrahedron(file.mesh);
        EXPECT_TRUE(file.mesh.normals.empty());
        EXPECT_TRUE(file.mesh.colours.empty());
        EXPECT_TRUE(file.notices.empty());
    }
}

TEST_F(StlMesh, SolidsAreJoinedAndCaseDoesNotMatter)
{
    std::string text = make_ascii_stl() + make_ascii_stl();
    for (char& letter : text) letter = static_cast<char>(std::toupper(letter));
    MeshFile const file = read(text);
    ASSERT_EQ(file.mesh.triangles.size(), 8u);
    expect_tetrahedron(file.mesh, 4);
}

TEST_F(StlMesh, ColoursOfVisCamHaveRedInTheHighBitsThoseOfMagicsInTheLowOnes)
{
    MeshFile const viscam = read(make_binary_stl({0x8000 | 31 << 10, 0x8000 | 31, 0, 0}));
    ASSERT_EQ(viscam.mesh.colours.size(), 4u);
    EXPECT_EQ(viscam.mesh.colours[0][2], 0xff0000u);
    EXPECT_EQ(viscam.mesh.colours[1][0], 0x0000ffu);
    EXPECT_EQ(viscam.mesh.colours[2][0], 0xffffffu);
    EXPECT_EQ(viscam.notices, std::vector<std::string>{"2 triangles without a colour are white"});
    MeshFile const magics = read(make_binary_stl({31, 31 << 10, 0x8000, 0}, "COLOR=\x11\x22\x33\xff"));
    EXPECT_EQ(magics.mesh.colours[0][0], 0xff0000u);
    EXPECT_EQ(magics.mesh.colours[1][1], 0x0000ffu);
    EXPECT_EQ(magics.mesh.colours[2][1], 0x112233u);
}

TEST_F(StlMesh, CoordinatesThatAreNoNumbersAreHandedOver)
{
    MeshFile const file = read(replace_first(make_ascii_stl(), "1.5 0 0", "nan -inf 1e999"));
    MeshCorner const corner = corner_of(file.mesh, 0, 2);
    EXPECT_TRUE(std::isnan(corner[0]));
    EXPECT_EQ(corner[1], -INFINITY);
    EXPECT_EQ(corner[2], INFINITY);
}

TEST_F(StlMesh, BytesBehindTheLastTriangleAreLeftOutWithANote)
{
    for (std::string const& surplus : {std::string(64, '\0'), std::string("surplus"), std::string(50, '\1')}) {
        MeshFile const file = read(make_binary_stl() + surplus);
        ASSERT_EQ(file.mesh.triangles.size(), 4u);
        expect_tetrahedron(file.mesh);
        EXPECT_EQ(file.notices, std::vector<std::string>{fmt::format(
                                    "{} bytes behind the 4 triangles that it announces are left out", surplus.size())});
    }
    std::string none = make_binary_stl();
    none.replace(80, 4, std::string(4, '\0'));
    refuse(none, {"announces 0 triangles", "empty"});
}

TEST_F(StlMesh, EveryTruncationIsRefused)
{
    for (std::string const& content : {make_ascii_stl(), make_binary_stl()})
        for (std::size_t size = 0; size < content.find("endsolid"); ++size) {
            if (size >= content.size()) break;
            refuse(content.substr(0, size), {"mesh.stl"});
        }
}

TEST_F(StlMesh, DamageIsNamedWithItsPlace)
{
    refuse(replace_first(make_ascii_stl(), "endloop", "vertex 0 0 0\nendloop"),
           {"'vertex' where endloop is expected", "line 7"});
    refuse(replace_first(make_ascii_stl(), "1.5 0 0", "x 0 0"), {"'x' where a number is expected", "line 6"});
    refuse(make_binary_stl().substr(0, 280), {"announces 4 triangles, which take 284 bytes", "the file has 280"});
    std::string many = make_binary_stl();
    many.replace(80, 4, "\xff\xff\xff\xff");
    refuse(many, {"announces 4294967295 triangles"});
    refuse("solid nothing\nendsolid\n", {"holds no triangles"});
}

} // namespace
} // namespace volpt
