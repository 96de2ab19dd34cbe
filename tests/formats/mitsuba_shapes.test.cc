// Shapes of Mitsuba scenes that bound no medium: where they are, which side is their front, and their u and v.
#include "formats/mesh/reader.h"
#include "libvolpt/scene/surfaces/surroundings.h"
#include "tests/formats/mitsuba_scene.h"

#include <algorithm>
#include <array>

namespace volpt {
namespace {

using test::expect_contains;

class MitsubaShapes : public test::MitsubaSurroundingsTest {};

constexpr char const* kBelow = "<transform name='to_world'><translate z='-3'/></transform>";
constexpr char const* kChecks = "<bsdf type='diffuse'><texture type='checkerboard' name='reflectance'/></bsdf>";

struct Corner {
    Vec3 position;
    Vec3 normal; ///< for shading
    TextureCoordinates uv;
};

Corner corner_at(SurroundingShapes const& shapes, std::size_t triangle, std::size_t corner)
{
    TriangleMesh const& mesh = shapes.mesh_mm;
    Corner found;
    found.position = mesh.positions_mm[mesh.triangles[triangle][corner]];
    if (!mesh.normals.empty()) found.normal = mesh.normals[triangle][corner];
    if (!mesh.texture_coordinates.empty()) found.uv = mesh.texture_coordinates[triangle][corner];
    return found;
}

Vec3 front_of(SurroundingShapes const& shapes, std::size_t triangle)
{
    Vec3 const a = corner_at(shapes, triangle, 0).position;
    Vec3 const n = cross(corner_at(shapes, triangle, 1).position - a, corner_at(shapes, triangle, 2).position - a);
    return (1 / std::sqrt(dot(n, n))) * n;
}

bool is_near(Vec3 a, Vec3 b, float tolerance = 1e-5f)
{
    Vec3 const d = a - b;
    return std::abs(d.x) < tolerance && std::abs(d.y) < tolerance && std::abs(d.z) < tolerance;
}

/// u and v at a vertex that lies at `position`.
TextureCoordinates find_uv(SurroundingShapes const& shapes, Vec3 position)
{
    for (std::size_t t = 0; t < shapes.mesh_mm.triangles.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i)
            if (is_near(corner_at(shapes, t, i).position, position)) return corner_at(shapes, t, i).uv;
    ADD_FAILURE() << "no vertex there";
    return {};
}

/// How far the surface's point of these u and v is from `position`.
float find_distance_to_uv(SurroundingShapes const& shapes, Vec3 position, TextureCoordinates uv)
{
    float nearest = 1e9f;
    for (std::size_t t = 0; t < shapes.mesh_mm.triangles.size(); ++t) {
        auto const [a, na, uv_a] = corner_at(shapes, t, 0);
        auto const [b, nb, uv_b] = corner_at(shapes, t, 1);
        auto const [c, nc, uv_c] = corner_at(shapes, t, 2);
        auto const area = [](TextureCoordinates p, TextureCoordinates q, TextureCoordinates r) {
            return (q.u - p.u) * (r.v - p.v) - (q.v - p.v) * (r.u - p.u);
        };
        float const all = area(uv_a, uv_b, uv_c);
        float const wa = area(uv, uv_b, uv_c) / all, wb = area(uv_a, uv, uv_c) / all;
        if (!(wa >= 0 && wb >= 0 && wa + wb <= 1)) continue;
        Vec3 const from = wa * a + wb * b + (1 - wa - wb) * c - position;
        nearest = std::min(nearest, std::sqrt(dot(from, from)));
    }
    return nearest;
}

/// That all triangles of a convex shape about `centre` have their fronts outside (sign 1) or inside (-1), and shading
/// normals on the same side.
void expect_fronts(SurroundingShapes const& shapes, Vec3 centre, float sign)
{
    for (std::size_t t = 0; t < shapes.mesh_mm.triangles.size(); ++t) {
        Vec3 const front = front_of(shapes, t);
        EXPECT_GT(sign * dot(front, corner_at(shapes, t, 0).position - centre), 0) << t;
        if (shapes.mesh_mm.normals.empty()) continue;
        EXPECT_GT(dot(front, corner_at(shapes, t, 0).normal), 0.9f) << t;
    }
}

TEST_F(MitsubaShapes, RectangleLiesWhereItsTransformPutsItFromTheCornerOfTheBox)
{
    auto const stream = open(std::string("<shape type='rectangle'>") + kChecks +
                             "<transform name='to_world'><scale x='3' y='2'/><translate z='-4'/></transform></shape>");
    auto const& shapes = stream->surroundings();
    ASSERT_EQ(shapes.mesh_mm.triangles.size(), 2u);
    EXPECT_TRUE(is_near(front_of(shapes, 0), {0, 0, 1}));
    // The world's -3, -2, -4; the box's corner is -1, -1, -1.
    TextureCoordinates const first = find_uv(shapes, {-2, -1, -3});
    EXPECT_EQ(first.u, 0);
    EXPECT_EQ(first.v, 0);
    TextureCoordinates const along_x = find_uv(shapes, {4, -1, -3});
    EXPECT_EQ(along_x.u, 1);
    EXPECT_EQ(along_x.v, 0);
    EXPECT_TRUE(shapes.mesh_mm.normals.empty());
}

TEST_F(MitsubaShapes, AxesAreThoseOfATurnedBox)
{
    // The box's x axis is the world's y, its y axis the world's -x, its corner 1, -1, -1.
    auto const stream = open_in_box("<rotate z='1' angle='90'/>",
                                    "<shape type='sphere'><point name='center' x='0' y='7' z='0'/><float name='radius' "
                                    "value='.5'/></shape><shape type='rectangle'><transform name='to_world'>"
                                    "<rotate y='1' angle='90'/><translate x='5'/></transform></shape>");
    auto const& shapes = stream->surroundings();
    ASSERT_EQ(shapes.spheres.size(), 1u);
    EXPECT_TRUE(is_near(shapes.spheres[0].centre_mm, {8, 1, 1}));
    EXPECT_EQ(shapes.spheres[0].radius_mm, 0.5f);
    EXPECT_TRUE(is_near(front_of(shapes, 0), {0, -1, 0})); // the world's x
    EXPECT_FLOAT_EQ(corner_at(shapes, 0, 0).position.y, -4);
}

TEST_F(MitsubaShapes, RotationsAboutAxesOfOtherLengthsAreTold)
{
    std::string const shape = "<shape type='rectangle'><transform name='to_world'><rotate value='{}' angle='40'/>"
                              "<translate x='5'/></transform></shape>";
    auto const stretched = open(fmt::format(fmt::runtime(shape), "0 3 4"));
    expect_contains(notices(*stretched), {"scene.xml at offset", "axis of a rotation has length 5"});
    auto const unit = open(fmt::format(fmt::runtime(shape), "0 .6 .8"));
    EXPECT_EQ(notices(*unit).find("axis"), std::string::npos);
    EXPECT_TRUE(is_near(front_of(stretched->surroundings(), 0), front_of(unit->surroundings(), 0)));
    auto const legacy = open(fmt::format(fmt::runtime(shape), "0 3 4"), "0.6.0");
    EXPECT_EQ(notices(*legacy).find("axis"), std::string::npos);
}

TEST_F(MitsubaShapes, MeshesThatAreNotThereAreAnError)
{
    expect_refused("<shape type='ply'><string name='filename' value='gone.ply'/></shape>",
                   {"gone.ply, the file of the shape ply, is not there"});
}

TEST_F(MitsubaShapes, FrontsStayInAMirroredBox)
{
    auto const stream = open_in_box("<scale x='-1'/>", "<shape type='cube'><transform name='to_world'>"
                                                       "<translate x='5'/></transform></shape>");
    auto const& shapes = stream->surroundings();
    ASSERT_EQ(shapes.mesh_mm.triangles.size(), 12u);
    expect_fronts(shapes, {-4, 1, 1}, 1);
}

TEST_F(MitsubaShapes, CubeHasItsFrontOutsideUnlessFlippedAndAWholeTextureOnEachFace)
{
    std::string const cube = std::string("<shape type='cube'>{}") + kChecks +
                             "<transform name='to_world'><scale x='-2'/><translate z='-5'/></transform></shape>";
    auto const stream = open(fmt::format(fmt::runtime(cube), ""));
    auto const& shapes = stream->surroundings();
    ASSERT_EQ(shapes.mesh_mm.triangles.size(), 12u);
    expect_fronts(shapes, {1, 1, -4}, 1);
    for (std::size_t face = 0; face < 6; ++face) {
        std::array<int, 4> seen{};
        for (std::size_t i = 0; i < 6; ++i) {
            TextureCoordinates const uv = corner_at(shapes, 2 * face + i / 3, i % 3).uv;
            ++seen.at(static_cast<std::size_t>(uv.u + 2 * uv.v));
        }
        std::sort(seen.begin(), seen.end());
        EXPECT_EQ(seen, (std::array<int, 4>{1, 1, 2, 2})) << "face " << face;
    }
    auto const flipped = open(fmt::format(fmt::runtime(cube), "<boolean name='flip_normals' value='true'/>"));
    expect_fronts(flipped->surroundings(), {1, 1, -4}, -1);
}

TEST_F(MitsubaShapes, CubeHasTheTexturePlacesOfMitsuba)
{
    auto const stream = open(std::string("<shape type='cube'>") + kChecks +
                             "<transform name='to_world'><translate "
                             "z='-4'/></transform></shape>");
    struct Place {
        Vec3 position; ///< on the cube from -1 to 1
        TextureCoordinates uv;
    };
    // As Mitsuba 3.9.1 has them.
    for (auto const& [p, uv] : {Place{{1, 0.2f, 0.6f}, {0.6f, 0.2f}}, Place{{-1, 0.2f, 0.6f}, {0.6f, 0.8f}},
                                Place{{0.2f, 1, 0.6f}, {0.4f, 0.2f}}, Place{{0.2f, -1, 0.6f}, {0.8f, 0.6f}},
                                Place{{0.2f, 0.6f, 1}, {0.8f, 0.6f}}, Place{{0.2f, 0.6f, -1}, {0.2f, 0.6f}}})
        EXPECT_LT(find_distance_to_uv(stream->surroundings(), p + Vec3{1, 1, -3}, uv), 1e-4f)
            << p.x << " " << p.y << " " << p.z;
}

TEST_F(MitsubaShapes, SphereIsAnalyticWithRadiusTimesScale)
{
    auto const stream = open("<shape type='sphere'><float name='radius' value='2'/><point name='center' x='1' y='0' "
                             "z='0'/><transform name='to_world'><scale value='3'/><rotate z='1' angle='90'/>"
                             "<translate x='20'/></transform></shape>");
    auto const& shapes = stream->surroundings();
    ASSERT_EQ(shapes.spheres.size(), 1u);
    EXPECT_TRUE(is_near(shapes.spheres[0].centre_mm, {21, 4, 1}));
    EXPECT_FLOAT_EQ(shapes.spheres[0].radius_mm, 6);
    EXPECT_EQ(shapes.bsdfs[shapes.bsdf_of_sphere[0]].diffuse.colour[0][0], 0.5f) << "Mitsuba's default";
    EXPECT_TRUE(shapes.mesh_mm.triangles.empty());
}

TEST_F(MitsubaShapes, StretchedSphereIsRefusedByName)
{
    expect_refused("<shape type='sphere' id='egg'><transform name='to_world'><scale x='2'/><translate x='9'/>"
                   "</transform></shape>",
                   {"'egg'", "stretched", "scene.xml at offset", "as a mesh"});
    expect_refused("<shape type='sphere'><float name='radius' value='0'/></shape>", {"radius is 0", "at offset"});
}

TEST_F(MitsubaShapes, SphereSeenFromInsideOrWithTextureIsMadeOfTriangles)
{
    std::string const sphere = "<shape type='sphere' id='sky'>{}<float name='radius' value='10'/></shape>";
    auto const inside = open(fmt::format(fmt::runtime(sphere), "<boolean name='flip_normals' value='true'/>"));
    EXPECT_TRUE(inside->surroundings().spheres.empty());
    expect_fronts(inside->surroundings(), {1, 1, 1}, -1);
    expect_contains(notices(*inside), {"made of triangles", "'sky'", "0.0015 mm"});
    auto const textured = open(fmt::format(fmt::runtime(sphere), kChecks));
    auto const& shapes = textured->surroundings();
    expect_fronts(shapes, {1, 1, 1}, 1);
    // A quarter of the way round, in the middle between the poles.
    TextureCoordinates const uv = find_uv(shapes, {1, 11, 1});
    EXPECT_FLOAT_EQ(uv.u, 0.25f);
    EXPECT_FLOAT_EQ(uv.v, 0.5f);
    auto const both = open(fmt::format(fmt::runtime(sphere), "<boolean name='flip_normals' value='true'/>"
                                                             "<bsdf type='twosided'><bsdf type='diffuse'/></bsdf>"));
    EXPECT_EQ(both->surroundings().spheres.size(), 1u) << "alike from both sides";
}

TEST_F(MitsubaShapes, FlippedSphereOfGlassIsABubble)
{
    auto const stream = open("<bsdf type='dielectric' id='glass'/><shape type='sphere'><ref id='glass'/><boolean "
                             "name='flip_normals' value='true'/><point name='center' x='9' y='0' z='0'/></shape>"
                             "<shape type='sphere'><ref id='glass'/><point name='center' x='19' y='0' z='0'/></shape>");
    auto const& shapes = stream->surroundings();
    ASSERT_EQ(shapes.spheres.size(), 2u);
    BsdfView const& bubble = shapes.bsdfs[shapes.bsdf_of_sphere[0]];
    BsdfView const& ball = shapes.bsdfs[shapes.bsdf_of_sphere[1]];
    EXPECT_EQ(bubble.boundary.int_over_ext, ball.boundary.ext_over_int);
    EXPECT_GT(ball.boundary.int_over_ext, 1.5f);
}

TEST_F(MitsubaShapes, DiskIsAPolygonAndItsDeviationIsTold)
{
    auto const stream = open(std::string("<shape type='disk'>") + kChecks +
                             "<transform name='to_world'><scale value='4'/><translate z='-3'/></transform></shape>");
    auto const& shapes = stream->surroundings();
    double area = 0;
    for (std::size_t t = 0; t < shapes.mesh_mm.triangles.size(); ++t) {
        Vec3 const a = corner_at(shapes, t, 0).position;
        Vec3 const n = cross(corner_at(shapes, t, 1).position - a, corner_at(shapes, t, 2).position - a);
        EXPECT_GT(n.z, 0);
        area += 0.5 * static_cast<double>(n.z);
    }
    EXPECT_NEAR(area / (16 * 3.14159265358979), 1, 2e-4);
    expect_contains(notices(*stream), {"made of triangles", "shape disk", "0.0003 mm"});
    TextureCoordinates const uv = find_uv(shapes, {1, 5, -2}); // a quarter of the way round the edge
    EXPECT_FLOAT_EQ(uv.u, 1);
    EXPECT_FLOAT_EQ(uv.v, 0.25f);
}

TEST_F(MitsubaShapes, CylinderStandsBetweenItsPointsWithNormalsOutside)
{
    std::string const cylinder = "<shape type='cylinder'>{}<point name='p0' x='5' y='0' z='0'/><point name='p1' x='5' "
                                 "y='0' z='3'/><float name='radius' value='2'/><transform name='to_world'><translate "
                                 "y='20'/></transform></shape>";
    auto const stream = open(fmt::format(fmt::runtime(cylinder), kChecks));
    auto const& shapes = stream->surroundings();
    ASSERT_EQ(shapes.mesh_mm.triangles.size(), 512u);
    for (std::size_t t = 0; t < 512; ++t)
        for (std::size_t i = 0; i < 3; ++i) {
            auto const [p, normal, uv] = corner_at(shapes, t, i);
            EXPECT_TRUE(is_near(normal, {0.5f * (p.x - 6), 0.5f * (p.y - 21), 0}));
            EXPECT_FLOAT_EQ(uv.v, (p.z - 1) / 3);
            EXPECT_GT(dot(front_of(shapes, t), normal), 0.99f);
        }
    EXPECT_FLOAT_EQ(find_uv(shapes, {6, 23, 1}).u, 0.25f);
    auto const flipped = open(fmt::format(fmt::runtime(cylinder), "<boolean name='flip_normals' value='true'/>"));
    EXPECT_TRUE(is_near(corner_at(flipped->surroundings(), 0, 0).normal, {-1, 0, 0}));
    // Where u begins about a tilted axis, as in Mitsuba 3.9.1.
    auto const tilted = open(std::string("<shape type='cylinder'><point name='p1' x='3' y='2' z='-1'/><float "
                                         "name='radius' value='2'/>") +
                             kChecks + "</shape>");
    EXPECT_LT(find_distance_to_uv(tilted->surroundings(), {2.5f, 4.0294f, 1.3f}, {0.7464f, 0.7328f}), 1e-3f);
    expect_refused("<shape type='cylinder'><point name='p1' x='0' y='0' z='0'/></shape>", {"one point", "at offset"});
}

/// An octahedron of radius 1 without normals.
std::string make_octahedron_ply()
{
    return "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\n"
           "element face 8\nproperty list uchar int vertex_indices\nend_header\n1 0 0\n-1 0 0\n0 1 0\n0 -1 0\n0 0 1\n"
           "0 0 -1\n3 0 2 4\n3 2 1 4\n3 1 3 4\n3 3 0 4\n3 2 0 5\n3 1 2 5\n3 3 1 5\n3 0 3 5\n";
}

TEST_F(MitsubaShapes, PlyIsSmoothedAsInMitsubaUnlessItsFacesHaveNormals)
{
    folder_.write("o.ply", make_octahedron_ply());
    std::string const shape = "<shape type='ply'><string name='filename' value='o.ply'/>{}<transform name='to_world'>"
                              "<scale x='{}' y='2' z='2'/><translate y='6'/></transform></shape>";
    auto const smooth = open(fmt::format(fmt::runtime(shape), "", 2));
    ASSERT_EQ(smooth->surroundings().mesh_mm.triangles.size(), 8u);
    Corner const top = corner_at(smooth->surroundings(), 0, 2);
    EXPECT_TRUE(is_near(top.position, {1, 7, 3}));
    EXPECT_TRUE(is_near(top.normal, {0, 0, 1}));
    auto const faceted = open(fmt::format(fmt::runtime(shape), "<boolean name='face_normals' value='true'/>", 2));
    EXPECT_TRUE(faceted->surroundings().mesh_mm.normals.empty());
    auto const mirrored = open(fmt::format(fmt::runtime(shape), "", -2));
    expect_contains(notices(*mirrored), {"mirrored", "shape ply"});
    for (std::size_t t = 0; t < 8; ++t) {
        EXPECT_LT(dot(front_of(mirrored->surroundings(), t),
                      corner_at(mirrored->surroundings(), t, 0).position - Vec3{1, 7, 1}),
                  0)
            << "as in Mitsuba";
        EXPECT_GT(dot(front_of(mirrored->surroundings(), t), corner_at(mirrored->surroundings(), t, 0).normal), 0);
    }
}

TEST_F(MitsubaShapes, ObjKeepsNormalsAndItsTextureCoordinatesPointUpwards)
{
    auto const readers = list_mesh_readers();
    if (std::none_of(readers.begin(), readers.end(),
                     [](MeshReaderEntry const& entry) { return entry.name == "obj" && entry.reader != nullptr; }))
        GTEST_SKIP() << "built without assimp";
    folder_.write("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0.25\nvt 1 0.25\nvt 0 0.75\nvn 0 0.6 0.8\n"
                           "f 1/1/1 2/2/1 3/3/1\n");
    // A normal keeps its right angle with a surface that is stretched.
    std::string const shape = "<shape type='obj'><string name='filename' value='t.obj'/>{}<transform name='to_world'>"
                              "<scale x='1' y='1' z='2'/><translate z='-6'/></transform></shape>";
    auto const checks = open(fmt::format(fmt::runtime(shape), kChecks));
    Corner const corner = corner_at(checks->surroundings(), 0, 2);
    EXPECT_TRUE(is_near(corner.position, {1, 2, -5}));
    EXPECT_TRUE(is_near(corner.normal, {0, 0.6f / std::hypot(0.6f, 0.4f), 0.4f / std::hypot(0.6f, 0.4f)}));
    EXPECT_FLOAT_EQ(corner.uv.v, 0.25f) << "Mitsuba's v of .obj runs downwards";
    auto const kept = open(
        fmt::format(fmt::runtime(shape), std::string(kChecks) + "<boolean name='flip_tex_coords' value='false'/>"));
    EXPECT_FLOAT_EQ(corner_at(kept->surroundings(), 0, 2).uv.v, 0.75f);
}

TEST_F(MitsubaShapes, ShapesWithAndWithoutNormalsAndTexturesGoTogether)
{
    auto const stream = open(std::string("<shape type='rectangle'>") + kBelow + "</shape><shape type='cylinder'>" +
                             "<transform name='to_world'><translate z='4'/></transform></shape><shape type='disk'>" +
                             kChecks + kBelow + "</shape><shape type='cube'>" + kBelow + "</shape>");
    auto const& shapes = stream->surroundings();
    std::size_t const count = shapes.mesh_mm.triangles.size();
    EXPECT_EQ(count, 2u + 512 + 256 + 12);
    ASSERT_EQ(shapes.mesh_mm.normals.size(), count);
    ASSERT_EQ(shapes.mesh_mm.texture_coordinates.size(), count);
    ASSERT_EQ(shapes.bsdf_of_triangle.size(), count);
    EXPECT_EQ(dot(shapes.mesh_mm.normals[0][0], shapes.mesh_mm.normals[0][0]), 0) << "the triangle's own";
    EXPECT_EQ(shapes.bsdf_of_triangle[0], shapes.bsdf_of_triangle[2]) << "both have Mitsuba's default";
    EXPECT_NE(shapes.bsdf_of_triangle[0], shapes.bsdf_of_triangle[514]);
    EXPECT_EQ(shapes.bsdfs.size(), shapes.texels.size());
    Surroundings const ready({}, shapes, stream->meta(), {});
    EXPECT_EQ(ready.view().on, 1u);
    EXPECT_EQ(ready.view().triangle_count, count);
}

TEST_F(MitsubaShapes, UnknownLightsAndOtherMediaAreLeftOutByName)
{
    auto const stream =
        open("<shape type='rectangle' id='lamp'><emitter type='directionalarea'/></shape><shape type='hair' id='fur'/>"
             "<shape type='sphere' id='fog'><medium name='interior' type='heterogeneous'><float name='density' "
             "value='1'/></medium></shape>");
    EXPECT_TRUE(stream->surroundings().is_empty());
    expect_contains(notices(*stream),
                    {"shape rectangle 'lamp' with its light", "'fur'", "'fog'", "the first one alone"});
}

TEST_F(MitsubaShapes, WhatReachesIntoTheMediumIsTold)
{
    auto const rectangle = [](char const* id, double z) {
        return fmt::format("<shape type='rectangle' id='{}'><transform name='to_world'><scale value='5'/><translate "
                           "z='{}'/></transform></shape>",
                           id, z);
    };
    auto const ball = [](char const* id, double radius) {
        return fmt::format("<shape type='sphere' id='{}'><float name='radius' value='{}'/></shape>", id, radius);
    };
    auto const stream =
        open(rectangle("floor", -1) + rectangle("shelf", 0.5) + ball("core", 0.9) + ball("hull", 1.2) + ball("sky", 2) +
             "<shape type='cube' id='room'><transform name='to_world'><scale value='9'/></transform>"
             "</shape>");
    std::string const told = notices(*stream);
    expect_contains(told, {"left out: shape sphere 'core'", "not seen: shape rectangle 'shelf', shape sphere 'hull'"});
    for (char const* name : {"floor", "sky", "room"}) EXPECT_EQ(told.find(name), std::string::npos) << name;
    EXPECT_EQ(stream->surroundings().spheres.size(), 2u);
}

TEST_F(MitsubaShapes, BadShapesAreRefusedWithPlace)
{
    expect_refused("<shape type='ply'/>", {"no filename", "at offset"});
    folder_.write("bad.ply", "ply\nformat ascii 1.0\n");
    expect_refused("<shape type='ply'><string name='filename' value='bad.ply'/></shape>", {"bad.ply", "header"});
    expect_refused("<shape type='cube'><boolean name='flip_normals' value='yes'/></shape>",
                   {"flip_normals is neither true nor false", "at offset"});
    expect_refused("<shape type='sphere'><point name='center' value='1 2'/></shape>", {"3", "at offset"});
    expect_refused("<shape type='cube'><ref id='gone'/></shape>", {"'gone'", "at offset"});
    expect_refused("<shape type='cube'><transform name='to_world'><translate x='1e11'/></transform></shape>",
                   {"mm from the volume"});
}

} // namespace
} // namespace volpt
