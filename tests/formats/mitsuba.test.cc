// Mitsuba scenes of both syntaxes: media, placement, cameras, lights, boundaries, and that nothing is dropped silently.
#include "formats/mitsuba/boundary.h"
#include "formats/mitsuba/hints.h"
#include "formats/mitsuba/reader.h"
#include "formats/mitsuba/shape.h"
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/sys/error.h"
#include "tests/formats/vol_bytes.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {
namespace {

using test::expect_error;
using test::TempFolder;

constexpr char const* kCube = "<shape type='cube'><ref name='interior' id='m'/><bsdf type='null'/></shape>";
constexpr char const* kHomogeneous =
    "<medium id='m' type='homogeneous'><rgb name='sigma_t' value='2'/><rgb name='albedo' value='.5'/></medium>";

class Mitsuba : public testing::Test {
protected:
    std::unique_ptr<VoxelStream> open(std::string const& body, std::string const& version = "3.0.0",
                                      MitsubaOptions const& options = {})
    {
        return open_mitsuba_scene(
            folder_.write("scene.xml", fmt::format("<scene version='{}'>{}</scene>", version, body)), options);
    }
    void expect_refused(std::string const& body, std::initializer_list<std::string_view> parts)
    {
        expect_error(ExitStatus::input, parts, [&] { open(body); });
    }
    SceneHints hints(std::string const& body, std::string const& version = "3.0.0")
    {
        return parse_scene_hints(open(body, version)->scene_hints_json(), "test");
    }
    static std::string notices(VoxelStream const& stream)
    {
        return fmt::format("{}", fmt::join(stream.list_notices(), "\n"));
    }

    /// A 4x2x2 float volume of the numbers 0, 1, ..
    void write_grid(char const* name = "d.vol", std::array<float, 6> box = {0, 0, 0, 1, 1, 1})
    {
        std::string bytes = vol_header({4, 2, 2}, 1, 1, box);
        for (int i = 0; i < 16; ++i) append_value(bytes, static_cast<float>(i));
        folder_.write(name, bytes);
    }
    TempFolder folder_;
};

TEST_F(Mitsuba, HomogeneousCubeTakesPlaceAndConstants)
{
    auto const stream =
        open("<medium id='m' type='homogeneous'><float name='scale' value='3'/><rgb name='sigma_t' value='1 2 4'/>"
             "<rgb name='albedo' value='.9, .5, .1'/><phase type='hg'><float name='g' value='.4'/></phase></medium>"
             "<shape type='cube'><ref name='interior' id='m'/><bsdf type='null'/><transform name='to_world'>"
             "<scale x='2' y='1' z='.5'/><translate x='10'/></transform></shape>");
    VolumeMeta const& meta = stream->meta();
    EXPECT_EQ(meta.dims, (std::array<int, 3>{1, 1, 1}));
    EXPECT_EQ(meta.pitch_mm, (std::array<float, 3>{4, 2, 1}));
    EXPECT_EQ(meta.placement.origin_world_mm, (std::array<double, 3>{8, -1, -0.5}));
    EXPECT_EQ(meta.constant_extinction, (std::vector<float>{1, 2, 4}));
    EXPECT_EQ(meta.scale, 3.0f);
    EXPECT_FLOAT_EQ(meta.constant_one_minus_albedo[2], 0.9f);
    EXPECT_FLOAT_EQ(meta.g, 0.4f);
}

TEST_F(Mitsuba, OldNamesMeanTheSame)
{
    auto const stream =
        open("<medium id='m' type='homogeneous'><spectrum name='sigmaS' value='3'/><spectrum name='sigmaA' "
             "value='1'/></medium>" +
                 std::string(kCube),
             "0.6.0");
    EXPECT_EQ(stream->meta().constant_extinction, (std::vector<float>{4}));
    EXPECT_EQ(stream->meta().constant_one_minus_albedo, (std::vector<float>{0.25f}));
    EXPECT_EQ(open(kHomogeneous + std::string(kCube))->meta().bands(), 1u);
}

TEST_F(Mitsuba, NewGridsFillTheUnitCubeAndOldOnesPutSamplesOnTheFaces)
{
    write_grid("d.vol", {0, 0, 0, 3, 1, 1});
    std::string const medium =
        "<medium id='m' type='heterogeneous'><volume name='{}' type='gridvolume'><string name='filename' "
        "value='d.vol'/></volume><float name='albedo' value='.5'/></medium>";
    std::string const shape = "<shape type='cube'><ref name='interior' id='m'/><bsdf type='null'/><transform name='{}'>"
                              "<scale value='10'/></transform></shape>";
    auto const modern =
        open(fmt::format(fmt::runtime(medium), "sigma_t") + fmt::format(fmt::runtime(shape), "to_world"));
    EXPECT_EQ(modern->meta().pitch_mm, (std::array<float, 3>{0.25f, 0.5f, 0.5f}));
    EXPECT_EQ(modern->meta().placement.origin_world_mm, (std::array<double, 3>{0, 0, 0}));
    EXPECT_EQ(modern->read_slab(1, 1).density[7], 15.0f);
    auto const old =
        open(fmt::format(fmt::runtime(medium), "density") + fmt::format(fmt::runtime(shape), "toWorld"), "0.5.0");
    EXPECT_EQ(old->meta().pitch_mm, (std::array<float, 3>{1, 1, 1}));
    EXPECT_EQ(old->meta().placement.origin_world_mm, (std::array<double, 3>{-0.5, -0.5, -0.5}));
    EXPECT_NE(notices(*old).find("half a voxel"), std::string::npos);
}

/// A medium in the grid d.vol, and in a cube of -1..1 with `steps` of a transform.
std::string make_cut_grid(char const* filter, char const* bsdf, std::string const& steps)
{
    return fmt::format("<medium id='m' type='heterogeneous'><volume name='sigma_t' type='gridvolume'><string "
                       "name='filename' value='d.vol'/><string name='filter_type' value='{}'/></volume><float "
                       "name='albedo' value='.5'/></medium><shape type='cube'><ref name='interior' id='m'/><bsdf "
                       "type='{}'/><transform name='to_world'>{}</transform></shape><emitter type='constant'/>",
                       filter, bsdf, steps);
}

/// Moved to 0.5..2.5 along x: the right half of the grid, which ends with its voxels.
constexpr char kRightHalf[] = "<translate x='1.5'/>";

TEST_F(Mitsuba, ShapeCutsTheGridAndBoundaryWidensItWithEmptyVoxels)
{
    write_grid();
    auto const cut = open(make_cut_grid("nearest", "null", kRightHalf));
    EXPECT_EQ(cut->meta().dims, (std::array<int, 3>{2, 2, 2}));
    EXPECT_EQ(cut->meta().placement.origin_world_mm[0], 0.5);
    EXPECT_TRUE(cut->surface().is_empty());
    auto const slab = cut->read_slab(0, 1);
    EXPECT_EQ((std::vector<float>(slab.density.begin(), slab.density.end())), (std::vector<float>{2, 3, 6, 7}));
    auto const widened = open(make_cut_grid("nearest", "dielectric", kRightHalf));
    EXPECT_EQ(widened->meta().dims, (std::array<int, 3>{8, 4, 4}));
    auto const all = widened->read_slab(2, 1);
    EXPECT_EQ((std::vector<float>(all.density.begin() + 16, all.density.begin() + 20)),
              (std::vector<float>{2, 3, 0, 0}));
}

TEST_F(Mitsuba, LookupsNextToTheShapesFacesReachTheVoxelsBeyond)
{
    write_grid();
    auto const cut = open(make_cut_grid("trilinear", "null", kRightHalf));
    EXPECT_EQ(cut->meta().dims, (std::array<int, 3>{3, 2, 2}));
    EXPECT_EQ(cut->meta().placement.origin_world_mm[0], 0.25);
    EXPECT_EQ(cut->surface().triangles.size(), 12u);
    EXPECT_EQ(cut->surface().bounds_voxels.lower.x, 1.0f);
    EXPECT_NEAR(cut->surface().volume_mm3, 0.5, 1e-6);
    EXPECT_EQ(notices(*cut), "");
}

TEST_F(Mitsuba, AShapeThatEndsBetweenVoxelsEndsThere)
{
    write_grid();
    for (char const* const filter : {"nearest", "trilinear"}) {
        // 0.3..2.3 along x, of voxels of 0.25.
        auto const cut = open(make_cut_grid(filter, "null", "<translate x='1.3'/>"));
        EXPECT_EQ(cut->surface().triangles.size(), 12u) << filter;
        EXPECT_NEAR(cut->surface().volume_mm3, 0.7, 1e-6) << filter;
        EXPECT_EQ(notices(*cut), "") << filter;
        EXPECT_NE(fmt::format("{}", fmt::join(cut->list_facts(), "\n")).find("does not end with the voxels"),
                  std::string::npos);
    }
    auto const dielectric = open(make_cut_grid("nearest", "dielectric", "<translate x='1.3'/>"));
    EXPECT_NEAR(dielectric->surface().volume_mm3, 8, 1e-5);
    EXPECT_EQ(dielectric->meta().dims, (std::array<int, 3>{9, 4, 4}));
}

TEST_F(Mitsuba, AShapeThatIsTurnedAgainstItsGridIsBoundedExactlyOrRefused)
{
    write_grid();
    std::string const small = "<scale value='.2'/><rotate z='1' angle='30'/><translate x='.5' y='.5' z='.5'/>";
    auto const turned = open(make_cut_grid("trilinear", "null", small));
    EXPECT_NEAR(turned->surface().volume_mm3, 0.064, 1e-6);
    EXPECT_EQ(notices(*turned), "");
    auto const mirrored = open(make_cut_grid("trilinear", "null", "<scale x='-1' y='1' z='1'/>" + small));
    EXPECT_NEAR(mirrored->surface().volume_mm3, 0.064, 1e-6);
    expect_refused(make_cut_grid("trilinear", "null", "<rotate z='1' angle='30'/>"), {"turned against the grid"});
}

TEST_F(Mitsuba, AnApproximateShapeIsWidenedToVoxelsWithTheSizeOfTheDifference)
{
    write_grid();
    MitsubaOptions options;
    options.approximate_shape = true;
    auto const cut = open(make_cut_grid("trilinear", "null", "<translate x='1.3'/>"), "3.0.0", options);
    EXPECT_TRUE(cut->surface().is_empty());
    EXPECT_EQ(cut->meta().dims, (std::array<int, 3>{3, 2, 2}));
    // 0.75 long instead of 0.7.
    EXPECT_NE(notices(*cut).find("0.20 voxels larger"), std::string::npos) << notices(*cut);
    EXPECT_NE(notices(*cut).find("its volume by 7.1 %"), std::string::npos) << notices(*cut);
}

TEST_F(Mitsuba, GridsOfExtinctionAndAlbedoKeepTheirFilters)
{
    write_grid();
    std::string bytes = vol_header({4, 2, 2}, 1, 3);
    folder_.write("a.vol", bytes + std::string(16, 'x'));
    auto const scene = [](std::string const& extinction, std::string const& albedo) {
        auto const volume = [](char const* name, char const* file, std::string const& filter) {
            std::string const type =
                filter.empty() ? "" : fmt::format("<string name='filter_type' value='{}'/>", filter);
            return fmt::format("<volume name='{}' type='gridvolume'><string name='filename' value='{}'/>{}</volume>",
                               name, file, type);
        };
        return "<medium id='m' type='heterogeneous'>" + volume("sigma_t", "d.vol", extinction) +
               volume("albedo", "a.vol", albedo) + "</medium>" + kCube;
    };
    auto const filters = [&](std::string const& extinction, std::string const& albedo,
                             std::optional<Filter> replacement = {}) {
        MitsubaOptions options;
        options.filter = replacement;
        VolumeMeta const meta = open(scene(extinction, albedo), "3.0.0", options)->meta();
        return std::pair(meta.filter, meta.albedo_filter);
    };
    EXPECT_EQ(filters("", ""), std::pair(Filter::trilinear, AlbedoFilter::trilinear)) << "Mitsuba's default";
    EXPECT_EQ(filters("trilinear", "nearest"), std::pair(Filter::trilinear, AlbedoFilter::nearest));
    EXPECT_EQ(filters("nearest", "trilinear"), std::pair(Filter::nearest, AlbedoFilter::trilinear));
    EXPECT_EQ(filters("nearest", ""), std::pair(Filter::nearest, AlbedoFilter::trilinear));
    EXPECT_EQ(filters("nearest", "nearest"), std::pair(Filter::nearest, AlbedoFilter::of_scattering));
    EXPECT_EQ(filters("", "", Filter::nearest), std::pair(Filter::nearest, AlbedoFilter::of_scattering));
    EXPECT_EQ(filters("nearest", "nearest", Filter::trilinear), std::pair(Filter::trilinear, AlbedoFilter::trilinear));
    auto const alone =
        open("<medium id='m' type='heterogeneous'><float name='sigma_t' value='2'/><volume name='albedo' "
             "type='gridvolume'><string name='filename' value='a.vol'/></volume></medium>" +
             std::string(kCube));
    EXPECT_EQ(alone->meta().albedo_filter, AlbedoFilter::of_scattering) << "one voxel serves where extinction is even";
}

TEST_F(Mitsuba, AlbedoGridsAreOneMinusAlbedoByBand)
{
    write_grid();
    std::string bytes = vol_header({4, 2, 2}, 3, 3);
    for (int i = 0; i < 48; ++i) bytes += static_cast<char>(i * 5);
    folder_.write("a.vol", bytes);
    auto const stream =
        open("<medium id='m' type='heterogeneous'><volume name='sigma_t' type='gridvolume'><string name='filename' "
             "value='d.vol'/></volume><volume name='albedo' type='gridvolume'><string name='filename' value='a.vol'/>"
             "</volume></medium><shape type='cube'><ref name='interior' id='m'/><bsdf type='null'/></shape>");
    EXPECT_EQ(stream->meta().bands(), 3u);
    auto const slab = stream->read_slab(0, 2);
    EXPECT_NEAR(static_cast<double>(slab.one_minus_albedo[47]), 1 - 235.0 / 255, 1e-6);
}

TEST_F(Mitsuba, RotationIsKeptAndAShearedBoxIsAMesh)
{
    std::string const shape =
        "<shape type='cube'><ref name='interior' id='m'/><bsdf type='null'/><transform name='to_world'>{}"
        "</transform></shape>";
    auto const turned = open(kHomogeneous + fmt::format(fmt::runtime(shape), "<rotate z='1' angle='90'/>"));
    EXPECT_NEAR(turned->meta().placement.rotation[3], 1, 1e-12); // x axis of the box is +y of the world
    EXPECT_NEAR(turned->meta().placement.origin_world_mm[0], 1, 1e-12);
    auto const sheared =
        open(kHomogeneous + fmt::format(fmt::runtime(shape), "<matrix value='1 1 0 0 0 1 0 0 0 0 1 0 0 0 0 1'/>"));
    EXPECT_EQ(sheared->surface().triangles.size(), 12u);
    EXPECT_NEAR(sheared->surface().volume_mm3, 8, 1e-4);
}

TEST_F(Mitsuba, CameraLooksWhereMitsubaLooks)
{
    auto const found =
        hints(kHomogeneous + std::string(kCube) +
              "<sensor type='perspective'><float name='fov' value='90'/><string name='fov_axis' value='y'/>"
              "<transform name='to_world'><lookat origin='0,0,5' target='0,0,0' up='0,2,0'/></transform>"
              "<film type='hdrfilm'><integer name='width' value='200'/><integer name='height' value='100'/></film>"
              "<sampler type='independent'><integer name='sample_count' value='17'/></sampler></sensor>");
    ASSERT_TRUE(found.camera);
    EXPECT_EQ(found.camera->origin_world, (Vec3d{0, 0, 5}));
    EXPECT_EQ(found.camera->target_world, (Vec3d{0, 0, 4}));
    EXPECT_EQ(found.camera->up_world, (Vec3d{0, 1, 0}));
    EXPECT_NEAR(found.camera->fov_x_deg, 2 * std::atan(2.0) * 180 / 3.14159265358979, 1e-9);
    EXPECT_EQ(found.resolution, (std::array<std::uint32_t, 2>{200, 100}));
    EXPECT_EQ(found.samples, 17u);
}

TEST_F(Mitsuba, OrthographicWidthIsTheScale)
{
    auto const stream =
        open(kHomogeneous + std::string(kCube) +
             "<sensor type='orthographic'><transform name='to_world'><scale x='3' y='3'/><lookat origin='0,0,5' "
             "target='0,0,0' up='0,1,0'/></transform></sensor>");
    auto const found = parse_scene_hints(stream->scene_hints_json(), "test");
    EXPECT_EQ(found.camera->kind, CameraKind::orthographic);
    EXPECT_DOUBLE_EQ(found.camera->ortho_width_mm, 6);
    EXPECT_EQ(notices(*stream).find("mirrors"), std::string::npos);
}

TEST_F(Mitsuba, AThinLensHasItsRadiusAndItsFocus)
{
    std::string const scene = kHomogeneous + std::string(kCube) + "<sensor type='thinlens'>{}</sensor>";
    auto const read = [&](std::string const& lens) {
        return hints(fmt::format(fmt::runtime(scene), lens)).camera.value();
    };
    CameraSpec const camera =
        read("<float name='aperture_radius' value='0.25'/><float name='focus_distance' value='7'/>");
    EXPECT_EQ(camera.kind, CameraKind::perspective);
    EXPECT_EQ(camera.lens_radius_mm, 0.25);
    EXPECT_EQ(camera.focus_distance_mm, 7);
    EXPECT_EQ(read("<float name='aperture_radius' value='0.25'/>").focus_distance_mm, 10000) << "Mitsuba's far_clip";
    expect_error(ExitStatus::input, {"aperture_radius is -1"},
                 [&] { read("<float name='aperture_radius' value='-1'/>"); });
}

TEST_F(Mitsuba, FieldsOfViewAreMadeHorizontal)
{
    EXPECT_DOUBLE_EQ(*find_fov_x_deg(40, "x", 200, 100), 40);
    EXPECT_DOUBLE_EQ(*find_fov_x_deg(40, "larger", 200, 100), 40);
    EXPECT_DOUBLE_EQ(*find_fov_x_deg(40, "smaller", 200, 100), *find_fov_x_deg(40, "y", 200, 100));
    EXPECT_NEAR(std::tan(*find_fov_x_deg(40, "diagonal", 300, 400) * 3.14159265358979 / 360),
                0.6 * std::tan(40 * 3.14159265358979 / 360), 1e-12);
    EXPECT_FALSE(find_fov_x_deg(40, "z", 1, 1));
}

TEST_F(Mitsuba, DielectricsByNumberAndByName)
{
    std::string const shape = "<shape type='cube'><ref name='interior' id='m'/>{}</shape>";
    auto const smooth = hints(
        kHomogeneous + fmt::format(fmt::runtime(shape), "<bsdf type='dielectric'><string name='int_ior' "
                                                        "value='Diamond'/><float name='ext_ior' value='1.5'/></bsdf>"));
    EXPECT_EQ(smooth.boundary->kind, BoundaryKind::smooth);
    EXPECT_EQ(smooth.boundary->int_ior, 2.419);
    EXPECT_EQ(smooth.boundary->ext_ior, 1.5);
    auto const rough = open("<bsdf type='roughdielectric' id='b'><float name='alpha' value='.3'/></bsdf>" +
                            std::string(kHomogeneous) + fmt::format(fmt::runtime(shape), "<ref id='b'/>"));
    auto const boundary = *parse_scene_hints(rough->scene_hints_json(), "test").boundary;
    EXPECT_EQ(boundary.kind, BoundaryKind::rough);
    EXPECT_EQ(boundary.alpha, 0.3);
    EXPECT_EQ(boundary.microfacets, Microfacets::single) << "as in Mitsuba";
    EXPECT_EQ(boundary.int_ior, *find_ior("bk7"));
    EXPECT_NE(notices(*rough).find("beckmann"), std::string::npos);
    expect_refused(kHomogeneous + fmt::format(fmt::runtime(shape), "<bsdf type='dielectric'><string name='int_ior' "
                                                                   "value='cheese'/></bsdf>"),
                   {"water ice"});
}

TEST_F(Mitsuba, LightsKeepColourImageAndTurn)
{
    auto const constant = hints(kHomogeneous + std::string(kCube) +
                                "<emitter type='constant'><rgb name='radiance' value='1,2,3'/></emitter>");
    EXPECT_EQ(constant.environment->radiance, (std::vector<float>{1, 2, 3}));
    auto const image =
        hints(kHomogeneous + std::string(kCube) +
              "<emitter type='envmap'><string name='filename' value='sky.exr'/><float name='scale' value='2'/>"
              "<transform name='to_world'><rotate x='1' angle='90'/><rotate z='1' angle='30'/></transform></emitter>");
    EXPECT_EQ(image.environment->image_file, "sky.exr");
    EXPECT_EQ(image.environment->up_axis, 4u); // a turn by 90 degrees about x puts +y on +z
    EXPECT_NEAR(image.environment->rotate_deg, 30, 1e-9);
}

TEST_F(Mitsuba, WhatIsLeftOutIsNamed)
{
    auto const stream =
        open(kHomogeneous + std::string(kCube) +
             "<integrator type='direct'/><shape type='sphere' id='ball'><emitter type='projector'/></shape>"
             "<sensor type='perspective'><float name='fov' value='9'/><float name='near_clip' value='1'/></sensor>"
             "<emitter type='sky'/>");
    for (char const* word : {"integrator direct", "shape sphere 'ball' with its light", "near_clip", "emitter sky",
                             "no emitter that is read"})
        EXPECT_NE(notices(*stream).find(word), std::string::npos) << word << "\n" << notices(*stream);
}

TEST_F(Mitsuba, WhatChangesNoExpectationIsNoLoss)
{
    auto const scene = [](char const* integrator, char const* film) {
        return fmt::format("{}{}{}<emitter type='constant'/><sensor type='perspective'><float name='fov' value='40'/>"
                           "<film type='hdrfilm'>{}</film></sensor>",
                           kHomogeneous, kCube, integrator, film);
    };
    char const* const box = "<rfilter type='box'/><string name='pixel_format' value='rgb'/>";
    EXPECT_EQ(notices(*open(scene("<integrator type='volpath'><integer name='max_depth' value='-1'/><integer "
                                  "name='rr_depth' value='5'/></integrator>",
                                  box))),
              "");
    for (char const* const format :
         {"<integrator type='volpath'>{}</integrator>",
          "<integrator type='moment'><integrator type='volpath'>{}</integrator></integrator>"}) {
        std::string const limited = fmt::format(fmt::runtime(format), "<integer name='max_depth' value='16'/>");
        EXPECT_NE(notices(*open(scene(limited.c_str(), box))).find("--depth-limit 16"), std::string::npos) << format;
    }
    EXPECT_NE(notices(*open(scene("", ""))).find("no rfilter"), std::string::npos);
    EXPECT_NE(notices(*open(scene("", "<rfilter type='tent'/>"))).find("rfilter tent"), std::string::npos);
    EXPECT_NE(notices(*open(scene(
                          "<integrator type='volpath'><boolean name='hide_emitters' value='true'/></integrator>", box)))
                  .find("hide_emitters"),
              std::string::npos);
}

TEST_F(Mitsuba, ParametersHaveDefaultsAndDefinitions)
{
    std::string const body =
        "<default name='s' value='2'/><medium id='m' type='homogeneous'><float name='sigma_t' value='$s'/>"
        "<float name='albedo' value='${s}e-1'/></medium>" +
        std::string(kCube);
    EXPECT_EQ(open(body)->meta().constant_extinction[0], 2.0f);
    MitsubaOptions options;
    options.definitions["s"] = "7";
    EXPECT_EQ(open(body, "3.0.0", options)->meta().constant_extinction[0], 7.0f);
    expect_refused("<medium type='homogeneous'><float name='sigma_t' value='$gone'/></medium>", {"-D gone=VALUE"});
}

TEST_F(Mitsuba, IncludesAreReadAndCirclesRefused)
{
    folder_.write("part.xml", "<scene version='3.0.0'>" + std::string(kHomogeneous) + "</scene>");
    EXPECT_EQ(open("<include filename='part.xml'/>" + std::string(kCube))->meta().constant_extinction[0], 2.0f);
    expect_refused("<include filename='scene.xml'/>", {"64"});
}

TEST_F(Mitsuba, MeshesThatAreBoxesAreBoxesAndOthersNeedLeave)
{
    std::string box;
    for (int i = 0; i < 8; ++i) box += fmt::format("v {} {} {}\n", i & 1, (i >> 1 & 1) * 2, (i >> 2) * 3);
    folder_.write("box.obj", box + "f 1 2 3\n");
    folder_.write("roof.obj", box + "v 0.5 3 1\nf 1 2 9\n");
    folder_.write("box.ply",
                  "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n"
                  "element face 0\nend_header\n0 0 0\n1 0 0\n0 2 0\n1 2 0\n0 0 3\n1 0 3\n0 2 3\n1 2 3\n");
    auto const shape = [](char const* type, char const* file) {
        return fmt::format(
            "<shape type='{}'><string name='filename' value='{}'/><ref name='interior' id='m'/><bsdf type='null'/>"
            "</shape>",
            type, file);
    };
    for (auto const& [type, file] : {std::pair("obj", "box.obj"), std::pair("ply", "box.ply")})
        EXPECT_EQ(open(kHomogeneous + shape(type, file))->meta().pitch_mm, (std::array<float, 3>{1, 2, 3})) << file;
    EXPECT_TRUE(open(kHomogeneous + shape("obj", "box.obj"))->surface().is_empty());
    expect_refused(kHomogeneous + shape("obj", "roof.obj"), {"shape obj", "bounds no solid", "open edges"});
    MitsubaOptions options;
    options.approximate_shape = true;
    auto const stream = open(kHomogeneous + shape("obj", "roof.obj"), "3.0.0", options);
    EXPECT_EQ(stream->meta().pitch_mm, (std::array<float, 3>{1, 3, 3}));
    EXPECT_NE(notices(*stream).find("stands for it"), std::string::npos);
}

TEST_F(Mitsuba, BadScenesAreRefusedWithPlace)
{
    expect_refused("<medium", {"at offset"});
    expect_refused("<shape type='cube'/>", {"no medium"});
    expect_refused("<shape type='cube'><ref name='interior' id='gone'/></shape>", {"'gone'"});
    expect_refused("<medium id='m' type='homogeneous'><float name='sigma_t' value='-1'/></medium>" + std::string(kCube),
                   {"extinction is -1"});
    expect_refused("<medium id='m' type='homogeneous'><spectrum name='sigma_t' value='400:1, 700:2'/></medium>" +
                       std::string(kCube),
                   {"<rgb>"});
    std::string deep;
    for (int i = 0; i < 100; ++i) deep += "<a>";
    for (int i = 0; i < 100; ++i) deep += "</a>";
    expect_refused(deep, {"64 deep"});
}

} // namespace
} // namespace volpt
