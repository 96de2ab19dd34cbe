// Emitters of Mitsuba scenes: where they are, which side is their front, what they send out.
#include "libvolpt/volume/emitters/check_emitter.h"
#include "libvolpt/volume/volume.h"
#include "tests/formats/mitsuba_scene.h"

#include <numbers>

namespace volpt {
namespace {

using test::expect_contains;

class MitsubaEmitters : public test::MitsubaSurroundingsTest {
protected:
    /// Of a scene with this alone beside the medium; it can be packed.
    Emitter read_one(std::string const& body)
    {
        stream_ = open(body);
        EXPECT_EQ(stream_->emitters().size(), 1u) << body;
        EXPECT_EQ(find_emitters_problem(stream_->emitters(), stream_->meta().bands(), stream_->surroundings()), "");
        return stream_->emitters().empty() ? Emitter{} : stream_->emitters()[0];
    }
    static void expect_triple(std::array<double, 3> const& got, std::array<double, 3> const& due)
    {
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(got[i], due[i], 1e-9) << i;
    }
};

constexpr char const* kLamp = "<emitter type='area'><rgb name='radiance' value='3'/></emitter>";

TEST_F(MitsubaEmitters, PointIsWhereItsPositionOrTransformPutsIt)
{
    for (char const* place :
         {"<point name='position' x='1' y='2' z='5'/>",
          "<transform name='to_world'><translate x='1' y='2' z='5'/></transform>",
          "<transform name='toWorld'><rotate z='1' angle='90'/><translate x='1' y='2' z='5'/></transform>"}) {
        Emitter const point =
            read_one(std::string("<emitter type='point'><rgb name='intensity' value='4,5,6'/>") + place + "</emitter>");
        EXPECT_EQ(point.kind, EmitterKind::point);
        EXPECT_EQ(point.unit, EmitterUnit::intensity);
        EXPECT_EQ(point.amount, (std::vector<float>{4, 5, 6}));
        EXPECT_EQ(stream_->meta().bands(), 3u);
        expect_triple(point.origin_world, {1, 2, 5});
    }
}

TEST_F(MitsubaEmitters, SpotLooksWhereItsTransformDoesWithMitsubasAngles)
{
    Emitter const spot = read_one("<emitter type='spot'><transform name='to_world'><lookat origin='0,0,9' "
                                  "target='0,3,5' up='1,0,0'/></transform><float name='cutoff_angle' value='40'/>"
                                  "</emitter>");
    EXPECT_EQ(spot.kind, EmitterKind::spot);
    expect_triple(spot.origin_world, {0, 0, 9});
    expect_triple(spot.direction_world, {0, 0.6, -0.8});
    EXPECT_EQ(spot.angle_deg, 40);
    EXPECT_EQ(spot.inner_angle_deg, 30);
    EXPECT_EQ(spot.amount, std::vector<float>{1});
    EXPECT_EQ(stream_->meta().bands(), 1u);
    expect_contains(notices(*stream_), {"fades smoothly in the cosine"});
}

TEST_F(MitsubaEmitters, DirectionalIsAParallelSun)
{
    Emitter const sun = read_one("<emitter type='directional'><vector name='direction' x='1' y='0' z='-2'/>"
                                 "<float name='irradiance' value='7'/></emitter>");
    EXPECT_EQ(sun.kind, EmitterKind::sun);
    EXPECT_EQ(sun.unit, EmitterUnit::irradiance);
    EXPECT_EQ(sun.angle_deg, 0);
    EXPECT_EQ(sun.amount, std::vector<float>{7});
    expect_triple(sun.direction_world, {1, 0, -2});
    Emitter const turned = read_one("<emitter type='directional'><transform name='to_world'><rotate x='1' angle='180'/>"
                                    "</transform></emitter>");
    expect_triple(turned.direction_world, {0, 0, -1});
}

TEST_F(MitsubaEmitters, CollimatedIsAPencil)
{
    Emitter const beam = read_one("<emitter type='collimated'><float name='power' value='2'/><transform "
                                  "name='to_world'><lookat origin='0,0,9' target='0,0,0' up='1,0,0'/></transform>"
                                  "</emitter>");
    EXPECT_EQ(beam.kind, EmitterKind::beam);
    EXPECT_EQ(beam.profile, BeamProfile::pencil);
    EXPECT_EQ(beam.amount, std::vector<float>{2});
    expect_triple(beam.origin_world, {0, 0, 9});
    expect_triple(beam.direction_world, {0, 0, -1});
}

TEST_F(MitsubaEmitters, ShapeThatEmitsKeepsItsSurfaceAndLightsFromItsFront)
{
    auto const stream = open("<shape type='cube'><transform name='to_world'><translate x='9'/></transform></shape>"
                             "<shape type='rectangle'>" +
                             std::string(kLamp) +
                             "<bsdf type='diffuse'><rgb name='reflectance' value='.25'/></bsdf><transform "
                             "name='to_world'><rotate x='1' angle='180'/><translate z='4'/></transform></shape>");
    ASSERT_EQ(stream->emitters().size(), 1u);
    Emitter const& lamp = stream->emitters()[0];
    EXPECT_EQ(lamp.kind, EmitterKind::mesh);
    EXPECT_EQ(lamp.unit, EmitterUnit::radiance);
    EXPECT_EQ(lamp.amount, std::vector<float>{3});
    auto const& shapes = stream->surroundings();
    ASSERT_EQ(shapes.mesh_mm.triangles.size(), 14u);
    EXPECT_EQ(lamp.first_triangle, 12u);
    EXPECT_EQ(lamp.triangle_count, 2u);
    for (std::size_t t = 12; t < 14; ++t) {
        auto const& [a, b, c] = shapes.mesh_mm.triangles[t];
        auto const& p = shapes.mesh_mm.positions_mm;
        EXPECT_LT(cross(p[b] - p[a], p[c] - p[a]).z, 0) << "towards the box";
        EXPECT_FLOAT_EQ(p[a].z, 5);
        EXPECT_EQ(shapes.bsdfs[shapes.bsdf_of_triangle[t]].diffuse.colour[0][0], 0.25f);
    }
}

TEST_F(MitsubaEmitters, SphereEmitsExactlyAndIsNoOtherSurface)
{
    Emitter const ball = read_one("<shape type='sphere' id='ball'>" + std::string(kLamp) +
                                  "<point name='center' x='1' y='0' z='0'/><transform name='to_world'><scale "
                                  "value='2'/><translate z='9'/></transform></shape>");
    EXPECT_EQ(ball.kind, EmitterKind::sphere);
    expect_triple(ball.origin_world, {2, 0, 9});
    EXPECT_DOUBLE_EQ(ball.radius_mm, 2);
    EXPECT_TRUE(stream_->surroundings().is_empty());
    expect_contains(notices(*stream_), {"absorb what falls on them", "'ball'"});
}

TEST_F(MitsubaEmitters, SphereThatEmitsInwardsIsMadeOfTriangles)
{
    Emitter const sky = read_one("<shape type='sphere'>" + std::string(kLamp) +
                                 "<boolean name='flip_normals' value='true'/><bsdf type='twosided'><bsdf "
                                 "type='diffuse'/></bsdf><float name='radius' value='9'/></shape>");
    EXPECT_EQ(sky.kind, EmitterKind::mesh);
    EXPECT_EQ(sky.triangle_count, stream_->surroundings().mesh_mm.triangles.size());
}

TEST_F(MitsubaEmitters, DiskEmitsFromAllOfItsTriangles)
{
    Emitter const disk =
        read_one("<shape type='disk'>" + std::string(kLamp) +
                 "<transform name='to_world'><scale value='2'/><translate z='-3'/></transform></shape>");
    auto const& mesh = stream_->surroundings().mesh_mm;
    ASSERT_EQ(disk.triangle_count, mesh.triangles.size());
    double area_mm2 = 0;
    for (auto const& [a, b, c] : mesh.triangles)
        area_mm2 +=
            0.5 *
            static_cast<double>(
                cross(mesh.positions_mm[b] - mesh.positions_mm[a], mesh.positions_mm[c] - mesh.positions_mm[a]).z);
    EXPECT_NEAR(area_mm2 / (4 * std::numbers::pi), 1, 2e-4);
}

TEST_F(MitsubaEmitters, LightInTheMediumIsLeftOutByName)
{
    auto const stream =
        open("<shape type='sphere' id='core'>" + std::string(kLamp) + "<float name='radius' value='.2'/></shape>");
    EXPECT_TRUE(stream->emitters().empty());
    expect_contains(notices(*stream), {"'core' with its light", "box of the medium"});
}

TEST_F(MitsubaEmitters, DarkAndUnknownOnesAreNamed)
{
    auto const stream = open("<emitter type='projector' id='slide'/><emitter type='point' id='off'><rgb "
                             "name='intensity' value='0'/></emitter><shape type='rectangle' id='screen'><emitter "
                             "type='directionalarea'/></shape>");
    EXPECT_TRUE(stream->emitters().empty());
    expect_contains(notices(*stream), {"'slide'", "'off' sends out nothing", "'screen' with its light"});
}

TEST_F(MitsubaEmitters, AbsurdOnesAreRefusedByPlace)
{
    expect_refused("<emitter type='spot'><float name='cutoff_angle' value='0'/></emitter>",
                   {"emitter spot", "angle", "scene.xml at offset"});
    expect_refused("<emitter type='point'><float name='intensity' value='-1'/></emitter>",
                   {"intensity is -1", "at offset"});
    expect_refused("<emitter type='directional'><vector name='direction' x='0' y='0' z='0'/></emitter>",
                   {"no direction"});
}

TEST_F(MitsubaEmitters, GoIntoThePackedVolume)
{
    auto const stream = open("<emitter type='point'><point name='position' x='0' y='0' z='5'/></emitter>"
                             "<shape type='rectangle'>" +
                             std::string(kLamp) + "<transform name='to_world'><translate z='-3'/></transform></shape>");
    pack_volume(*stream, folder_ / "s.vpk", {}, {});
    auto const volume = PackedVolume::open(folder_ / "s.vpk", VerifyLevel::full);
    EXPECT_EQ(volume.emitters(), stream->emitters());
    EXPECT_EQ(volume.emitters().size(), 2u);
}

} // namespace
} // namespace volpt
