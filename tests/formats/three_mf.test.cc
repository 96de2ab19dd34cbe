// 3MF: units, components, transforms, colours, what is not supported, damage.
#include "tests/formats/mesh_checks.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace volpt {
namespace {

using test::expect_error;
using test::TempFolder;

class ThreeMfMesh : public testing::Test {
protected:
    MeshFile read_archive(std::string const& content) { return read_mesh(folder_.write("mesh.3mf", content)); }
    MeshFile read(std::string const& resources, std::string const& build = R"(<item objectid="1"/>)",
                  std::string const& attributes = {})
    {
        return read_archive(make_3mf(make_3mf_model(resources, build, attributes)));
    }
    void refuse(std::string const& resources, std::initializer_list<std::string_view> parts,
                std::string const& build = R"(<item objectid="1"/>)", std::string const& attributes = {})
    {
        expect_error(ExitStatus::input, parts, [&] { read(resources, build, attributes); });
    }
    TempFolder folder_;
};

std::string object(std::string const& inside, std::string const& attributes = {}, int id = 1)
{
    return fmt::format(R"(<object id="{}" {}>{}</object>)", id, attributes, inside);
}

std::string replace_in(std::string text, std::string_view from, std::string_view to)
{
    return text.replace(text.find(from), from.size(), to);
}

TEST_F(ThreeMfMesh, EveryUnitComesInMillimetres)
{
    for (auto const& [unit, mm] : {std::pair{"micron", 0.001},
                                   {"millimeter", 1.0},
                                   {"centimeter", 10.0},
                                   {"inch", 25.4},
                                   {"foot", 304.8},
                                   {"meter", 1000.0}}) {
        MeshFile const file =
            read(object(make_3mf_mesh()), R"(<item objectid="1"/>)", fmt::format(R"(unit="{}")", unit));
        EXPECT_EQ(file.format, "three_mf");
        ASSERT_EQ(file.mesh.triangles.size(), 4u);
        EXPECT_FLOAT_EQ(corner_of(file.mesh, 0, 2)[0], static_cast<float>(1.5 * mm)) << unit;
        EXPECT_TRUE(file.notices.empty());
    }
    expect_tetrahedron(read(object(make_3mf_mesh())).mesh);
    refuse(object(make_3mf_mesh()), {"unit = 'furlong'"}, R"(<item objectid="1"/>)", R"(unit="furlong")");
}

TEST_F(ThreeMfMesh, ComponentsAndItemsAreTransformedInTurn)
{
    std::string const assembly =
        R"(<components><component objectid="1" transform="2 0 0 0 4 0 0 0 8 1 0 0"/><component objectid="1"/></components>)";
    MeshFile const file = read(object(make_3mf_mesh()) + object(assembly, {}, 2),
                               R"(<item objectid="2" transform="0 1 0 -1 0 0 0 0 1 0 0 10"/><item objectid="1"/>)");
    ASSERT_EQ(file.mesh.triangles.size(), 12u);
    // Rows act on row vectors: x goes to y, y to -x.
    auto const lift = [](float z) { return static_cast<float>(static_cast<double>(z) + 10); };
    auto const float_0_1 = [](MeshCorner p) { return p[2] == 0 ? 0.0 : 0.1; };
    expect_tetrahedron(file.mesh, 0, [&](MeshCorner p) {
        return MeshCorner{-4 * p[1], 1 + 2 * p[0], static_cast<float>(8 * float_0_1(p) + 10)};
    });
    expect_tetrahedron(file.mesh, 4, [&](MeshCorner p) { return MeshCorner{-p[1], p[0], lift(p[2])}; });
    expect_tetrahedron(file.mesh, 8);
}

TEST_F(ThreeMfMesh, MirroredPartsKeepTheOutsideOutside)
{
    MeshFile const file = read(object(make_3mf_mesh()), R"(<item objectid="1" transform="1 0 0 0 1 0 0 0 -1 0 0 0"/>)");
    EXPECT_GT(volume_of(file.mesh), 0);
    expect_tetrahedron(
        file.mesh, 0,
        [](MeshCorner p) {
            return MeshCorner{p[0], p[1], -p[2]};
        },
        true);
}

TEST_F(ThreeMfMesh, ColoursComeFromCornersTrianglesAndObjects)
{
    std::string const groups =
        R"(<basematerials id="5"><base name="a" displaycolor="#112233"/><base name="b" displaycolor="#445566"/></basematerials>)"
        R"(<m:colorgroup id="6"><m:color color="#FF0000"/><m:color color="#00FF00"/><m:color color="#0000ff80"/></m:colorgroup>)";
    MeshFile const file =
        read(groups + object(make_3mf_mesh({R"(pid="6" p1="0" p2="1" p3="2")", R"(pid="6" p1="1")", "", R"(p1="0")"}),
                             R"(pid="5" pindex="1")"));
    ASSERT_EQ(file.mesh.colours.size(), 4u);
    EXPECT_EQ(file.mesh.colours[0], (std::array<std::uint32_t, 3>{0xff0000, 0x00ff00, 0x0000ff}));
    EXPECT_EQ(file.mesh.colours[1], (std::array<std::uint32_t, 3>{0x00ff00, 0x00ff00, 0x00ff00}));
    EXPECT_EQ(file.mesh.colours[2][0], 0x445566u);
    EXPECT_EQ(file.mesh.colours[3][1], 0x112233u);
    EXPECT_EQ(file.notices,
              std::vector<std::string>{"colours that lie on nothing are opaque, though the file has an opacity"});
    MeshFile const some = read(groups + object(make_3mf_mesh({R"(pid="6" p1="2")", "", "", ""})));
    EXPECT_EQ(some.mesh.colours[3][0], 0xffffffu);
    EXPECT_NE(std::ranges::find(some.notices, "3 triangles without a colour are white"), some.notices.end());
}

TEST_F(ThreeMfMesh, PrefixesAreThoseThatTheFileDeclares)
{
    std::string model =
        make_3mf_model(R"(<c:object id="1">)" + make_3mf_mesh({R"(pid="6" p1="0")", "", "", ""}) + "</c:object>",
                       R"(<c:item objectid="1"/>)");
    model =
        replace_in(model, "<c:object", R"(<m:colorgroup id="6"><m:color color="#FF0000"/></m:colorgroup><c:object)");
    model = replace_in(replace_in(model, "xmlns=", "xmlns:c="), "xmlns:m=", "xmlns:q=");
    for (char const* const name :
         {"model ", "model>", "resources>", "build>", "mesh>", "vertices>", "triangles>", "vertex ", "triangle "})
        for (std::string const open : {"<", "</"})
            for (std::size_t at = 0; (at = model.find(open + name, at)) != std::string::npos; at += 3)
                model.insert(at + open.size(), "c:");
    for (std::size_t at = 0; (at = model.find("m:color", at)) != std::string::npos;) model.replace(at, 1, "q");
    MeshFile const file = read_archive(make_3mf(model));
    expect_tetrahedron(file.mesh);
    EXPECT_EQ(file.mesh.colours.at(0)[0], 0xff0000u);
}

/// Right values by hand: linear light of sRGB 0x80 is .2159, half of it and half of 1 is .6079, which is 0xcc.
TEST_F(ThreeMfMesh, MultipropertiesBlendTheirLayersInLinearLight)
{
    std::string const groups =
        R"(<basematerials id="5"><base name="a" displaycolor="#0000FF"/><base name="b" displaycolor="#FFFFFF"/></basematerials>)"
        R"(<m:colorgroup id="6"><m:color color="#FF0000"/><m:color color="#FF000080"/><m:color color="#80808080"/></m:colorgroup>)"
        R"(<m:colorgroup id="8"><m:color color="#808080"/></m:colorgroup>)"
        R"(<m:texture2d id="9" path="/3D/a.png" contenttype="image/png"/>)"
        R"(<m:texture2dgroup id="10" texid="9"><m:tex2coord u="0.25" v="0.5"/></m:texture2dgroup>)";
    auto const blend = [&](std::string const& group, std::string const& multi) {
        std::string const several =
            "<m:multiproperties id=\"7\" " + group + "><m:multi pindices=\"" + multi + "\"/></m:multiproperties>";
        return read(groups + several + object(make_3mf_mesh(), R"(pid="7" pindex="0")"));
    };
    auto const find_colour = [&](std::string const& group, std::string const& multi) {
        MeshFile const file = blend(group, multi);
        EXPECT_TRUE(file.notices.empty()) << file.notices.front();
        return file.mesh.colours.at(0)[0];
    };
    EXPECT_EQ(find_colour(R"(pids="5 6")", "0 0"), 0xff0000u) << "opaque colours hide the material";
    EXPECT_EQ(find_colour(R"(pids="5 6")", "0"), 0xff0000u) << "an index that is left out is 0";
    EXPECT_EQ(find_colour(R"(pids="5 6")", "1 2"), 0xccccccu);
    EXPECT_EQ(find_colour(R"(pids="5 6")", "0 1"), 0xbc00bbu) << "half of red, half of blue";
    EXPECT_EQ(find_colour(R"(pids="5 6" blendmethods="multiply")", "0 1"), 0xff0000u)
        << "nothing is multiplied with a material";
    EXPECT_EQ(find_colour(R"(pids="8 6" blendmethods="multiply")", "0 0"), 0x800000u);
    EXPECT_EQ(find_colour(R"(pids="5 6 8" blendmethods="mix multiply")", "0 0 0"), 0x800000u);
    // Half as opaque as what lies below: half of 6 * 8, .5 x .2159 of red, and half of the material, blue.
    EXPECT_EQ(find_colour(R"(pids="5 8 6" blendmethods="mix multiply")", "0 0 1"), 0x5d00bbu);
    EXPECT_EQ(find_colour(R"(pids="10 8")", "0 0"), 0x808080u) << "opaque colours hide a picture";
    MeshFile const pictured = blend(R"(pids="5 6 10")", "0 1 0");
    EXPECT_TRUE(pictured.has_pictures) << "a picture on top is shown";
    EXPECT_TRUE(pictured.mesh.colours.empty());
    EXPECT_EQ(pictured.notices,
              std::vector<std::string>{"pictures that lie on colours are shown on white where they are transparent"});
    MeshFile const begun = blend(R"(pids="5 10" blendmethods="multiply")", "0 0");
    EXPECT_EQ(begun.mesh.texture_coordinates.size(), begun.mesh.triangles.size()) << "on a material it begins anew";
    EXPECT_EQ(pictured.mesh.texture_coordinates.at(0)[0].u, 0.25f);
    refuse(groups + R"(<m:multiproperties id="7" pids="5 66"/>)", {"66", "no group before it"});
    refuse(groups + R"(<m:multiproperties id="7"/>)", {"no pids"});
    refuse(groups + R"(<m:multiproperties id="7" pids="5 6" blendmethods="screen"/>)", {"screen", "mix and multiply"});
    refuse(groups + R"(<m:multiproperties id="7" pids="5 6"><m:multi pindices="0 3"/></m:multiproperties>)",
           {"'3'", "none of the 3"});
    EXPECT_EQ(blend(R"(pids="6 10" blendmethods="multiply")", "0 0").notices,
              std::vector<std::string>{"<m:multiproperties> is not supported and left out"});
}

TEST_F(ThreeMfMesh, WhatIsNotSupportedIsToldOrRefusedIfRequired)
{
    std::string const several = R"(<m:pbmetallicdisplayproperties id="7"/>)";
    std::string const uses = several + object(make_3mf_mesh({R"(pid="7" p1="0")", "", "", ""}));
    MeshFile const file = read(uses);
    EXPECT_TRUE(file.mesh.colours.empty());
    EXPECT_EQ(file.notices, std::vector<std::string>{"<m:pbmetallicdisplayproperties> is not supported and left out"});
    refuse(uses, {"<m:pbmetallicdisplayproperties>", "requires"}, R"(<item objectid="1"/>)",
           R"(requiredextensions="m")");
    EXPECT_NO_THROW(read(several + object(make_3mf_mesh()), R"(<item objectid="1"/>)", R"(requiredextensions="m p")"));
    refuse(object(make_3mf_mesh()), {"requires the extension b", "beamlattice"}, R"(<item objectid="1"/>)",
           R"(xmlns:b="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02" requiredextensions="b")");
    refuse(object(make_3mf_mesh()), {"requires the extension zz", "not declared"}, R"(<item objectid="1"/>)",
           R"(requiredextensions="zz")");
    std::string const mesh = replace_in(make_3mf_mesh(), "</mesh>", "<b:beamlattice/></mesh>");
    EXPECT_EQ(read(object(mesh)).notices, std::vector<std::string>{"<b:beamlattice> is not supported and left out"});
    MeshFile const supported = read(object(make_3mf_mesh()) + object(make_3mf_mesh(), R"(type="support")", 2),
                                    R"(<item objectid="1"/><item objectid="2"/>)");
    EXPECT_EQ(supported.mesh.triangles.size(), 4u);
    EXPECT_EQ(supported.notices, std::vector<std::string>{"1 support objects left out"});
}

std::string const kPicturePart(64, 'p');

bool has_notice(MeshFile const& file, std::string const& notice)
{
    return std::ranges::find(file.notices, notice) != file.notices.end();
}

std::string make_textured(std::string const& texture, std::string const& triangle = R"(pid="7" p1="0" p2="1" p3="2")")
{
    return texture +
           R"(<m:texture2dgroup id="7" texid="3"><m:tex2coord u="0" v="0"/><m:tex2coord u="1" v="0"/><m:tex2coord u="0.5" v="1.25"/></m:texture2dgroup>)" +
           object(make_3mf_mesh({triangle, "", "", ""}));
}

TEST_F(ThreeMfMesh, PicturesComeWithTheirCoordinates)
{
    std::string const texture = R"(<m:texture2d id="3" path="/3D/Textures/a.png" contenttype="image/png"/>)";
    auto const write = [&](std::string const& resources, std::string const& item = R"(<item objectid="1"/>)") {
        std::string const model = make_3mf_model(resources, item);
        return folder_.write("mesh.3mf", make_3mf(model, {{"3D/Textures/a.png", kPicturePart}}));
    };
    MeshReadOptions kept;
    kept.pictures = MeshPictures::kept;
    MeshFile const file = read_mesh(write(make_textured(texture)), kept);
    ASSERT_EQ(file.pictures.size(), 1u);
    EXPECT_EQ(file.pictures[0].name, "3D/Textures/a.png");
    EXPECT_EQ(file.pictures[0].bytes.size(), kPicturePart.size());
    EXPECT_TRUE(file.has_pictures);
    ASSERT_EQ(file.mesh.pictures.size(), 4u);
    EXPECT_EQ(file.mesh.pictures[0], 0);
    EXPECT_EQ(file.mesh.pictures[1], TriangleMesh::kNoPicture);
    ASSERT_EQ(file.mesh.texture_coordinates.size(), 4u);
    EXPECT_EQ(file.mesh.texture_coordinates[0][2].u, 0.5f);
    EXPECT_EQ(file.mesh.texture_coordinates[0][2].v, 1.25f);
    // Turned with its triangle.
    MeshFile const mirrored =
        read_mesh(write(make_textured(texture), R"(<item objectid="1" transform="1 0 0 0 1 0 0 0 -1 0 0 0"/>)"), kept);
    EXPECT_EQ(mirrored.mesh.texture_coordinates[0][1].v, 1.25f);
    // Dropped, it is neither read nor needed.
    MeshFile const dropped = read(make_textured(texture));
    EXPECT_TRUE(dropped.pictures.empty());
    EXPECT_TRUE(dropped.has_pictures);
    std::string const clamped = R"(<m:texture2d id="3" path="/3D/Textures/a.png" tilestylev="clamp"/>)";
    EXPECT_TRUE(has_notice(read(make_textured(clamped)),
                           "1 triangles have texture coordinates beyond 0..1, where their picture is to be clamped or "
                           "mirrored: it is repeated"));
    expect_error(ExitStatus::input, {"no part 3D/Textures/b.png"},
                 [&] { read_mesh(write(make_textured(R"(<m:texture2d id="3" path="/3D/Textures/b.png"/>)")), kept); });
    refuse(make_textured(""), {"texid = '3' names no picture", "group 7"});
    refuse(make_textured(texture, R"(pid="7" p1="3")"), {"property '3' of triangle 0 is none of the 3"});
}

TEST_F(ThreeMfMesh, CompositesAreMixedInLinearLight)
{
    std::string const groups =
        R"(<basematerials id="5"><base name="a" displaycolor="#FF0000"/><base name="b" displaycolor="#00FF00"/><base name="c" displaycolor="#0000FF"/></basematerials>)"
        R"(<m:compositematerials id="6" matid="5" matindices="2 0"><m:composite values="0.5 0.5"/><m:composite values="0 3"/></m:compositematerials>)";
    MeshFile const file =
        read(groups + object(make_3mf_mesh({R"(pid="6" p1="0")", R"(pid="6" p1="1")", R"(pid="5" p1="1")", ""})));
    ASSERT_EQ(file.mesh.colours.size(), 4u);
    EXPECT_EQ(file.mesh.colours[0][0], 0xbc00bcu); // sRGB of one half
    EXPECT_EQ(file.mesh.colours[1][2], 0xff0000u);
    EXPECT_EQ(file.mesh.colours[2][0], 0x00ff00u);
    refuse(replace_in(groups, R"(matid="5")", R"(matid="4")") + object(make_3mf_mesh()), {"matid = '4'", "group 6"});
    refuse(replace_in(groups, R"("2 0")", R"("2 3")") + object(make_3mf_mesh()), {"material '3' is none of the 3"});
    refuse(replace_in(groups, R"("0 3")", R"("0 0")") + object(make_3mf_mesh()), {"a mixture has no shares"});
    refuse(replace_in(groups, R"("0 3")", R"("0 -3")") + object(make_3mf_mesh()), {"share '-3'"});
}

/// As Bambu Studio and OrcaSlicer save projects.
TEST_F(ThreeMfMesh, PartsThatTheModelNamesAreRead)
{
    auto const write = [&](std::string const& root, std::string const& part, std::string const& item) {
        return folder_.write("mesh.3mf", make_3mf(make_3mf_model(root, item, R"(requiredextensions="p")"),
                                                  {{"3D/Objects/a.model", part}}));
    };
    std::string const part = make_3mf_model(R"(<m:colorgroup id="6"><m:color color="#112233"/></m:colorgroup>)" +
                                                object(make_3mf_mesh({R"(pid="6" p1="0")", "", "", ""})) +
                                                object(make_3mf_mesh(), R"(type="other")", 4),
                                            "");
    std::string const assembly = object(
        R"(<components><component p:path="/3D/Objects/A.model" objectid="1" transform="1 0 0 0 1 0 0 0 1 5 0 0"/><component p:path="/3D/Objects/a.model" objectid="4"/></components>)",
        {}, 1);
    std::string const item = R"(<item objectid="1" transform="1 0 0 0 1 0 0 0 1 0 7 0"/>)";
    MeshFile const file = read_mesh(write(assembly, part, item));
    ASSERT_EQ(file.mesh.triangles.size(), 4u);
    expect_tetrahedron(file.mesh, 0, [](MeshCorner p) { return MeshCorner{p[0] + 5, p[1] + 7, p[2]}; });
    EXPECT_EQ(file.mesh.colours.at(0)[0], 0x112233u); // by the part's own group
    EXPECT_TRUE(has_notice(file, "1 support objects left out"));
    // Items may name parts, too; those that are not to be printed are left out.
    MeshFile const item_file = read_mesh(
        write("", part, R"(<item p:path="/3D/Objects/a.model" objectid="1"/><item objectid="9" printable="0"/>)"));
    expect_tetrahedron(item_file.mesh);
    EXPECT_TRUE(has_notice(item_file, "1 objects that the file says are not to be printed left out"));
    // Each part has its own unit; transforms are in that of the root.
    MeshFile const centimetres = read_mesh(
        write(assembly, replace_in(part, "<model ", R"(<model unit="centimeter" )"), R"(<item objectid="1"/>)"));
    EXPECT_FLOAT_EQ(corner_of(centimetres.mesh, 0, 2)[0], 15 + 5);
    auto const refuse_parts = [&](std::string const& root, std::string const& other,
                                  std::initializer_list<std::string_view> parts) {
        expect_error(ExitStatus::input, parts, [&] { read_mesh(write(root, other, R"(<item objectid="1"/>)")); });
    };
    refuse_parts(replace_in(assembly, "A.model", "b.model"), part, {"no part 3D/Objects/b.model"});
    refuse_parts(replace_in(assembly, R"(objectid="1")", R"(objectid="8")"), part,
                 {"no object \"8\" before its use in 3D/Objects/A.model"});
    refuse_parts(assembly, make_3mf_model(assembly, ""), {"only the model that the file begins with"});
    refuse_parts(assembly, "<model", {"A.model at offset", "is no XML"});
}

TEST_F(ThreeMfMesh, DamageIsNamedWithItsPlace)
{
    std::string const mesh = make_3mf_mesh();
    refuse(object(replace_in(mesh, R"(v2="2" v3="1")", R"(v2="2" v3="4")")),
           {"3dmodel.model: object 1", "v3 = '4' of triangle 0"});
    refuse(object(replace_in(mesh, R"(v2="2")", R"(v2="-1")")), {"v2 = '-1' of triangle 0"});
    refuse(object(replace_in(mesh, R"(x="1.5")", R"(x="nan")")), {"x = 'nan' of vertex 1"});
    refuse(object(replace_in(mesh, R"(x="1.5")", "")), {"x = '' of vertex 1"});
    refuse(object(make_3mf_mesh({R"(pid="9" p1="0")", "", "", ""})), {"no property group 9", "triangle 0"});
    refuse(R"(<m:colorgroup id="6"><m:color color="red"/></m:colorgroup>)" + object(mesh),
           {"'red' is no colour", "group 6"});
    refuse(R"(<m:colorgroup id="6"><m:color color="#FF0000"/></m:colorgroup>)" +
               object(make_3mf_mesh({R"(pid="6" p1="1")", "", "", ""})),
           {"property '1' of triangle 0 is none of the 1"});
    refuse(object(mesh), {"no object \"3\""}, R"(<item objectid="3"/>)");
    refuse(object(mesh), {"builds nothing"}, "");
    refuse(object(mesh) + object(mesh), {"two resources have the id 1"});
    refuse(object(mesh), {"transform = '1 2 3'"}, R"(<item objectid="1" transform="1 2 3"/>)");
    refuse(object(R"(<components><component objectid="2"/></components>)", {}, 2), {"no object \"2\" before its use"},
           R"(<item objectid="2"/>)");
    refuse(object("<mesh/>"), {"holds no triangles"});
}

TEST_F(ThreeMfMesh, AssembliesThatMultiplyAreRefused)
{
    std::string resources = object("<mesh/>");
    for (int id = 2; id < 14; ++id) {
        std::string inside = "<components>";
        for (int i = 0; i < 10; ++i) inside += fmt::format(R"(<component objectid="{}"/>)", id - 1);
        resources += object(inside + "</components>", {}, id);
    }
    refuse(resources, {"object 11 has more than 2^31 triangles"}, R"(<item objectid="13"/>)");
    std::string const message = test::catch_error(ExitStatus::input, [&] { read(resources); });
    EXPECT_EQ(message.find("mesh.3mf"), message.rfind("mesh.3mf")) << message;
    resources = object(make_3mf_mesh());
    for (int id = 2; id < 100; ++id)
        resources += object(fmt::format(R"(<components><component objectid="{}"/></components>)", id - 1), {}, id);
    refuse(resources, {"more than 64 deep", "object 66"}, R"(<item objectid="99"/>)");
}

TEST_F(ThreeMfMesh, OtherPackagesAndBombsAreRefused)
{
    auto const refuse_archive = [&](std::string const& content, std::initializer_list<std::string_view> parts) {
        expect_error(ExitStatus::input, parts, [&] { read_archive(content); });
    };
    refuse_archive(make_zip({{"a.txt", "a"}}), {"mesh.3mf", "no part _rels/.rels"});
    refuse_archive(make_zip({{"_rels/.rels", "<Relationships/>"}}), {"names no 3D model"});
    std::string const good = make_plain_3mf();
    refuse_archive(make_3mf("<model/>"), {"is no 3MF model"});
    refuse_archive(make_3mf("<model"), {"is no XML"});
    // Entities of a document type are not expanded.
    std::string bomb = make_3mf_model(object(make_3mf_mesh()), R"(<item objectid="1"/>)");
    bomb.insert(bomb.find("<model"), R"(<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;">]>)");
    EXPECT_EQ(read_archive(make_3mf(bomb)).mesh.triangles.size(), 4u);
    // An entry whose announced size is beyond what deflate can reach.
    std::string large = good;
    std::size_t const entry = large.rfind("PK\1\2");
    large.replace(entry + 24, 4, le(0x7fffffff, 4));
    refuse_archive(large, {"mesh.3mf"});
}

} // namespace
} // namespace volpt
