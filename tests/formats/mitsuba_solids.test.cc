// Shapes of Mitsuba scenes that bound media and are no boxes, alone and several in one scene.
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/surface/make_mesh.h"
#include "tests/formats/mitsuba_scene.h"

#include <numbers>

namespace volpt {
namespace {

using test::expect_contains;
using test::expect_error;

/// A shape with a medium of its own; `inside` is what else it has.
std::string make_solid(std::string const& type, std::string const& id, std::string const& inside,
                       std::string const& sigma_t = "2")
{
    return fmt::format("<shape type='{}' id='{}'>{}<medium name='interior' type='homogeneous'><float name='sigma_t' "
                       "value='{}'/><float name='albedo' value='.5'/></medium></shape>",
                       type, id, inside, sigma_t);
}

std::string place_at(double x)
{
    return fmt::format("<transform name='to_world'><translate x='{}'/></transform>", x);
}

std::string make_glass(double ior)
{
    return fmt::format("<bsdf type='dielectric'><float name='int_ior' value='{}'/><float name='ext_ior' value='1'/>"
                       "</bsdf>",
                       ior);
}

constexpr char const* kNull = "<bsdf type='null'/>";

class MitsubaSolids : public testing::Test {
protected:
    MitsubaSolids() { options_.mesh_bricks = 8; }

    std::unique_ptr<VoxelStream> open(std::string const& body)
    {
        auto const path = folder_.write("scene.xml", "<scene version='3.0.0'>" + body + "</scene>");
        return open_mitsuba_scene(path, options_);
    }

    void expect_refused(std::string const& body, std::initializer_list<std::string_view> parts)
    {
        expect_error(ExitStatus::input, parts, [&] { open(body); });
    }

    static std::string notices(VoxelStream const& stream)
    {
        return fmt::format("{}", fmt::join(stream.list_notices(), "\n"));
    }

    test::TempFolder folder_;
    MitsubaOptions options_;
};

TEST_F(MitsubaSolids, SphereIsAnIcosphereOfItsVolumeAndToldWithItsDeviation)
{
    auto const stream =
        open(make_solid("sphere", "ball",
                        "<float name='radius' value='2'/><point name='center' x='7' y='0' z='0'/>" + make_glass(1.5)));
    SurfaceMeshView const& mesh = stream->surface();
    EXPECT_EQ(mesh.triangles.size(), 81920u);
    EXPECT_NEAR(mesh.volume_mm3 / (4 * std::numbers::pi / 3 * 8), 1, 1e-4);
    EXPECT_EQ(mesh.normals.size(), 81920u);
    EXPECT_NEAR(stream->meta().placement.origin_world_mm[0], 5, 0.1);
    EXPECT_EQ(stream->meta().constant_extinction, std::vector<float>{2});
    expect_contains(notices(*stream), {"sphere 'ball'", "81920 triangles", "mm outside", "mm inside"});
    SceneHints const hints = parse_scene_hints(stream->scene_hints_json(), "test");
    ASSERT_TRUE(hints.boundary);
    EXPECT_EQ(hints.boundary->int_ior, 1.5);
}

TEST_F(MitsubaSolids, MeshesKeepTheirPlace)
{
    folder_.write("o.ply",
                  "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\n"
                  "element face 8\nproperty list uchar int vertex_indices\nend_header\n1 0 0\n-1 0 0\n0 1 0\n0 -1 0\n"
                  "0 0 1\n0 0 -1\n3 0 2 4\n3 2 1 4\n3 1 3 4\n3 3 0 4\n3 2 0 5\n3 1 2 5\n3 3 1 5\n3 0 3 5\n");
    auto const stream = open(make_solid("ply", "o",
                                        "<string name='filename' value='o.ply'/><transform name='to_world'><scale "
                                        "x='-3'/><translate y='5'/></transform>" +
                                            std::string(kNull)));
    EXPECT_NEAR(stream->surface().volume_mm3, 4, 1e-3);
    EXPECT_TRUE(stream->surface().normals.empty()) << "without an interface";
    EXPECT_NEAR(stream->meta().placement.origin_world_mm[1], 4, 0.1);
    expect_contains(notices(*stream), {"mirrored"});
}

TEST_F(MitsubaSolids, EqualMediaAndBoundariesAreOne)
{
    auto const stream = open(make_solid("cube", "a", kNull) + make_solid("cube", "b", place_at(2.001) + kNull));
    EXPECT_EQ(stream->surface().triangles.size(), 24u);
    EXPECT_EQ(stream->meta().extinction, Source::constant);
    EXPECT_TRUE(stream->materials().empty());
    EXPECT_TRUE(stream->surface().solids.empty());
}

TEST_F(MitsubaSolids, DifferentMediaAreLabelsAndDifferentBoundariesGoWithTheirSolids)
{
    auto const stream = open(make_solid("cube", "a", make_glass(1.5), "2") +
                             make_solid("cube", "b", place_at(4) + make_glass(1.2), "3") +
                             make_solid("cube", "c", place_at(8) + kNull, "2"));
    ASSERT_EQ(stream->materials().size(), 2u);
    EXPECT_EQ(stream->materials()[1].sigma_t, std::vector<float>{3});
    EXPECT_EQ(stream->meta().filter, Filter::nearest);
    auto const solids = stream->surface().solids;
    ASSERT_EQ(solids.size(), 3u);
    EXPECT_EQ(solids[1].first_triangle, 12u);
    EXPECT_EQ(solids[1].int_ior, 1.2);
    EXPECT_EQ(solids[2].kind, BoundaryKindView::none);
    EXPECT_FALSE(parse_scene_hints(stream->scene_hints_json(), "test").boundary);
    auto const dims = stream->meta().dims;
    auto const slab = stream->read_slab(dims[2] / 2, 1);
    auto const label_at = [&](double x_mm) {
        double const voxels = (x_mm + 1) / static_cast<double>(stream->meta().pitch_mm[0]);
        return slab.label[static_cast<std::size_t>(dims[0] * (dims[1] / 2) + static_cast<int>(voxels))];
    };
    EXPECT_EQ(label_at(0), 0);
    EXPECT_EQ(label_at(3.1), 1);
    EXPECT_EQ(label_at(4.9), 1);
    EXPECT_EQ(label_at(8.5), 0);
}

TEST_F(MitsubaSolids, SolidsThatOverlapAreRefusedWithBothNamed)
{
    std::string const far = make_solid("cube", "far", place_at(-9) + kNull);
    for (char const* const inside : {"<transform name='to_world'><translate x='1.5' y='.2'/></transform>",
                                     "<transform name='to_world'><scale value='.3'/><translate x='.7'/></transform>",
                                     "<transform name='to_world'><translate x='2'/></transform>"})
        expect_refused(make_solid("cube", "one", kNull) + far + make_solid("cube", "two", inside + std::string(kNull)),
                       {"cube 'one'", "cube 'two'", "overlap", "scene.xml at offset"});
}

/// Media by name, for shapes that refer to them.
constexpr char const* kMedia =
    "<medium id='resin' type='homogeneous'><float name='sigma_t' value='2'/><float name='albedo' value='.5'/></medium>"
    "<medium id='milk' type='homogeneous'><float name='sigma_t' value='9'/><float name='albedo' value='.9'/></medium>";

/// A cube of half edge `scale` with media by name; none where empty.
std::string make_cube_of(char const* id, double scale, std::string const& interior, std::string const& exterior,
                         std::string const& inside)
{
    auto const refer = [](char const* side, std::string const& medium) {
        return medium.empty() ? "" : fmt::format("<ref name='{}' id='{}'/>", side, medium);
    };
    return fmt::format("<shape type='cube' id='{}'><transform name='to_world'><scale value='{}'/></transform>{}{}{}"
                       "</shape>",
                       id, scale, refer("interior", interior), refer("exterior", exterior), inside);
}

std::string make_interface(double int_ior, double ext_ior)
{
    return fmt::format("<bsdf type='dielectric'><float name='int_ior' value='{}'/><float name='ext_ior' value='{}'/>"
                       "</bsdf>",
                       int_ior, ext_ior);
}

TEST_F(MitsubaSolids, ShapesThatLieInOthersGoWithTheirMedia)
{
    // The hollow comes first: it is told by its exterior.
    auto const stream = open(kMedia + make_cube_of("hollow", 0.2, "", "milk", make_interface(1, 1.7)) +
                             make_cube_of("outer", 1, "resin", "", make_interface(1.5, 1)) +
                             make_cube_of("inner", 0.5, "milk", "resin", make_interface(1.7, 1.5)) +
                             make_solid("cube", "apart", place_at(4) + kNull, "2"));
    SurfaceMeshView const& mesh = stream->surface();
    ASSERT_EQ(mesh.nesting.size(), 4u);
    ASSERT_EQ(mesh.solids.size(), 4u);
    EXPECT_EQ(mesh.nesting[0].around, 3u);
    EXPECT_EQ(mesh.nesting[1].around, 0u);
    EXPECT_EQ(mesh.nesting[2].around, 2u);
    EXPECT_EQ(mesh.nesting[3].around, 0u);
    EXPECT_EQ(mesh.solids[0].int_ior, 1);
    EXPECT_EQ(mesh.solids[0].ext_ior, 1.7);
    ASSERT_EQ(stream->materials().size(), 3u);
    EXPECT_EQ(stream->materials()[mesh.nesting[0].label].sigma_t, std::vector<float>{0});
    EXPECT_EQ(stream->materials()[mesh.nesting[2].label].sigma_t, std::vector<float>{9});
    EXPECT_EQ(mesh.nesting[3].label, mesh.nesting[1].label) << "equal media";
    EXPECT_NEAR(mesh.volume_mm3, 16, 1e-3);
    EXPECT_FALSE(parse_scene_hints(stream->scene_hints_json(), "test").boundary);
    EXPECT_EQ(notices(*stream).find("exterior"), std::string::npos);
    auto const dims = stream->meta().dims;
    auto const slab = stream->read_slab(dims[2] / 2, 1);
    auto const middle =
        static_cast<std::size_t>(dims[0] * (dims[1] / 2) + static_cast<int>(0.9f / stream->meta().pitch_mm[0]));
    EXPECT_EQ(slab.label[middle], mesh.nesting[0].label) << "voxels have labels, too";
}

TEST_F(MitsubaSolids, ShapesThatLieInOthersAgreeAboutWhatIsBetween)
{
    std::string const outer = kMedia + make_cube_of("outer", 1, "resin", "", make_interface(1.5, 1));
    expect_refused(outer + make_cube_of("inner", 0.5, "milk", "resin", make_interface(1.7, 1)),
                   {"'inner'", "is 1, but 1.5", "'outer'", "ext_ior 1.5"});
    expect_refused(outer + make_cube_of("inner", 0.5, "resin", "", kNull) +
                       make_cube_of("core", 0.2, "milk", "milk", kNull),
                   {"'core'", "'inner'", "exterior"});
    expect_refused(outer + "<shape type='cube' id='beside'>" + place_at(4) + "<ref name='exterior' id='resin'/>" +
                       make_interface(1, 1.5) + "</shape>",
                   {"'beside'", "lies in none"});
    // Without an exterior it is told; without an interface there is no index.
    auto const stream = open(outer + make_cube_of("inner", 0.5, "milk", "", kNull));
    expect_contains(notices(*stream), {"'inner'", "'outer'", "exterior"});
    EXPECT_EQ(stream->surface().nesting[1].around, 1u);
}

TEST_F(MitsubaSolids, SolidsNearerThanAVoxelAreRefusedUnlessVoxelsAreSmaller)
{
    std::string const body =
        make_solid("cube", "one", kNull, "2") + make_solid("cube", "two", place_at(2.01) + kNull, "3") +
        make_solid("cube", "long",
                   "<transform name='to_world'><scale x='.2'/><translate x='-5'/></transform>" + std::string(kNull));
    expect_refused(body, {"'one'", "'two'", "too near", "--mesh-bricks"});
    options_.mesh_bricks = 256;
    EXPECT_EQ(open(body)->materials().size(), 2u);
}

TEST_F(MitsubaSolids, WhatBoundsNoSolidIsRefusedByName)
{
    folder_.write("open.ply",
                  "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
                  "element face 3\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
                  "3 0 2 1\n3 0 1 3\n3 0 3 2\n");
    std::string const file = "<string name='filename' value='open.ply'/>";
    expect_refused(make_solid("ply", "leaky", file), {"ply 'leaky'", "bounds no solid", "open edges: 3", "at offset"});
    expect_refused(make_solid("cube", "fine", place_at(5)) + make_solid("ply", "leaky", file), {"ply 'leaky'"});
    expect_refused(make_solid("sphere", "out", "<boolean name='flip_normals' value='true'/>"),
                   {"sphere 'out'", "inside out"});
    expect_refused(make_solid("sphere", "egg", "<transform name='to_world'><scale x='2'/></transform>"),
                   {"'egg'", "stretched"});
    expect_refused(make_solid("cylinder", "can", ""), {"cylinder 'can'", "open", "no caps"});
    expect_refused(make_solid("rectangle", "sheet", ""), {"rectangle 'sheet'", "open"});
    expect_refused(make_solid("hair", "fur", ""), {"hair 'fur'", "not known"});
    expect_refused(make_solid("ply", "none", "<string name='filename' value='gone.ply'/>"), {"gone.ply"});
}

TEST_F(MitsubaSolids, SurroundingsStandInTheBoxButNotInTheSolid)
{
    auto const ball = [](char const* id, double x, double radius) {
        return fmt::format("<shape type='sphere' id='{}'><point name='center' x='{}' y='.7' z='.7'/><float "
                           "name='radius' value='{}'/></shape>",
                           id, x, radius);
    };
    auto const stream = open(make_solid("sphere", "solid", kNull) + ball("corner", 0.7, 0.1) + ball("core", 0, 0.001) +
                             ball("seam", 0, 0.1) +
                             "<shape type='rectangle' id='floor'><transform name='to_world'><scale value='4'/>"
                             "<translate z='-1'/></transform></shape>"
                             "<shape type='rectangle' id='cut'><transform name='to_world'><scale value='4'/>"
                             "</transform></shape>");
    std::string const told = notices(*stream);
    expect_contains(told, {"left out: shape sphere 'core'", "not seen: shape sphere 'seam', shape rectangle 'cut'"});
    for (char const* name : {"'corner'", "'floor'"}) EXPECT_EQ(told.find(name), std::string::npos) << name;
    EXPECT_EQ(stream->surroundings().spheres.size(), 2u);
    EXPECT_EQ(stream->surroundings().mesh_mm.triangles.size(), 4u);
}

TEST_F(MitsubaSolids, BandsAreThoseOfAnyMedium)
{
    std::string coloured = make_solid("cube", "b", place_at(4) + kNull);
    coloured.replace(coloured.find("<float name='albedo' value='.5'/>"), 33, "<rgb name='albedo' value='.1 .2 .3'/>");
    auto const stream = open(make_solid("cube", "a", kNull) + coloured);
    ASSERT_EQ(stream->meta().bands(), 3u);
    EXPECT_FLOAT_EQ(stream->materials()[0].one_minus_albedo[2], 0.5f);
    EXPECT_FLOAT_EQ(stream->materials()[1].one_minus_albedo[2], 0.7f);
}

} // namespace
} // namespace volpt
