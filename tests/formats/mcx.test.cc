// Inputs of MCX: media, labels, sources and hints. The shapes have tests of their own.
#include "formats/mcx/reader.h"
#include "libvolpt/scene/scene_hints.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace volpt::test {
namespace {

using Json = nlohmann::json;

/// cube60 of MCX's own benchmarks, made smaller.
Json make_cube()
{
    return Json::parse(R"({"Session": {"ID": "cube", "Photons": 1e6, "RNGSeed": 1, "DoMismatch": 0, "DoAutoThread": 1},
        "Domain": {"Dim": [6, 5, 4], "OriginType": 1,
                   "Media": [{"mua": 0, "mus": 0, "g": 1, "n": 1}, {"mua": 0.005, "mus": 1, "g": 0.01, "n": 1.37},
                             {"mua": 0.002, "mus": 5, "g": 0.9, "n": 1.5}]},
        "Shapes": [{"Grid": {"Tag": 1, "Size": [6, 5, 4]}}],
        "Forward": {"T0": 0, "T1": 5e-9, "Dt": 5e-10},
        "Optode": {"Source": {"Type": "pencil", "Pos": [3, 2, 0], "Dir": [0, 0, 1]}}})");
}

class Mcx : public testing::Test {
protected:
    std::unique_ptr<VoxelStream> open(Json const& input, McxLabelOptions const& options = {})
    {
        return open_mcx_input(folder_.write("cube.json", input.dump()), options);
    }
    SceneHints read_hints(VoxelStream const& stream) { return parse_scene_hints(stream.scene_hints_json(), "hints"); }
    static std::string notices(VoxelStream const& stream)
    {
        return fmt::format("{}", fmt::join(stream.list_notices(), "\n"));
    }
    static std::vector<int> read_labels(VoxelStream& stream)
    {
        auto const slab = stream.read_slab(0, stream.meta().dims[2]);
        return {slab.label.begin(), slab.label.end()};
    }
    Emitter read_source(Json const& source, bool is_mismatched = false)
    {
        Json input = make_cube();
        input["Session"]["DoMismatch"] = is_mismatched;
        input["Optode"]["Source"] = source;
        stream_ = open(input);
        return stream_->emitters().at(0);
    }
    /// The cube with `value` at a JSON pointer.
    void expect_refused(std::string const& pointer, Json const& value, std::initializer_list<std::string_view> parts)
    {
        SCOPED_TRACE(pointer);
        Json input = make_cube();
        input[Json::json_pointer(pointer)] = value;
        std::string const message = expect_error(ExitStatus::input, parts, [&] { open(input); });
        expect_contains(message, {"cube.json"});
    }

    TempFolder folder_;
    std::unique_ptr<VoxelStream> stream_; ///< of read_source
};

TEST_F(Mcx, OneMediumIsAHomogeneousVolume)
{
    auto const stream = open(make_cube());
    VolumeMeta const& meta = stream->meta();
    EXPECT_EQ(meta.dims, (std::array<int, 3>{6, 5, 4}));
    EXPECT_EQ(meta.extinction, Source::constant);
    EXPECT_FLOAT_EQ(meta.constant_extinction.at(0), 1.005f);
    EXPECT_FLOAT_EQ(meta.constant_one_minus_albedo.at(0), 0.005f / 1.005f);
    EXPECT_FLOAT_EQ(meta.g, 0.01f);
    EXPECT_EQ(meta.pitch_mm, (std::array<float, 3>{1, 1, 1}));
    EXPECT_EQ(meta.placement.origin_world_mm, (std::array<double, 3>{0, 0, 0}));
    EXPECT_TRUE(stream->materials().empty());
    EXPECT_EQ(notices(*stream), "without effect here: Session.DoAutoThread, Session.ID, Session.RNGSeed");
}

TEST_F(Mcx, TheSceneBecomesHints)
{
    auto const stream = open(make_cube());
    SceneHints const hints = read_hints(*stream);
    EXPECT_EQ(hints.integrator, Integrator::light);
    EXPECT_EQ(hints.resolution, (std::array<std::uint32_t, 2>{1, 1}));
    EXPECT_EQ(hints.samples, 1000000u);
    ASSERT_TRUE(hints.boundary && hints.gates);
    EXPECT_EQ(hints.boundary->kind, BoundaryKind::none);
    EXPECT_EQ(hints.gates->count, 10u);
    EXPECT_NEAR(hints.gates->width_ns, 0.5, 1e-12);
    EXPECT_EQ(hints.gates->index, 1.37) << "time counts it without a boundary too";
    EXPECT_EQ(stream->emitters().at(0).origin_world, (std::array<double, 3>{3, 2, 0}));
}

TEST_F(Mcx, MismatchIsASmoothBoundaryAndTheDefault)
{
    Json input = make_cube();
    input["Session"].erase("DoMismatch");
    auto const stream = open(input);
    SceneHints const hints = read_hints(*stream);
    ASSERT_TRUE(hints.boundary);
    EXPECT_EQ(hints.boundary->kind, BoundaryKind::smooth);
    EXPECT_EQ(hints.boundary->int_ior, 1.37);
    EXPECT_EQ(hints.boundary->ext_ior, 1);
    // MCX launches it in the first voxel, where no face reflects it.
    double const z = stream->emitters().at(0).origin_world[2];
    EXPECT_GT(z, 0);
    EXPECT_LT(z, 1e-5);
    input["Domain"]["Media"][0]["n"] = 1.37;
    EXPECT_EQ(read_hints(*open(input)).boundary->kind, BoundaryKind::none);
    input["Domain"]["Media"][0]["n"] = 1;
    input["Session"]["BCFlags"] = "aaaaaa000000";
    EXPECT_EQ(read_hints(*open(input)).boundary->kind, BoundaryKind::none);
}

TEST_F(Mcx, PositionsCountFromOneUnlessOriginTypeSaysZero)
{
    Json input = make_cube();
    input["Domain"].erase("OriginType");
    input["Domain"]["LengthUnit"] = 0.5;
    input["Optode"]["Source"]["Pos"] = {3, 2, 1};
    auto const stream = open(input);
    EXPECT_EQ(stream->emitters().at(0).origin_world, (std::array<double, 3>{1, 0.5, 0}));
    EXPECT_EQ(stream->meta().pitch_mm, (std::array<float, 3>{0.5f, 0.5f, 0.5f}));
    EXPECT_FLOAT_EQ(stream->meta().constant_extinction.at(0), 1.005f) << "per mm, whatever the voxels";
}

TEST_F(Mcx, SeveralMediaAreLabels)
{
    Json input = make_cube();
    input["Shapes"].push_back(Json::parse(R"({"ZLayers": [[2, 2, 2], [3, 3, 0]]})"));
    auto const stream = open(input);
    EXPECT_EQ(stream->meta().extinction, Source::material);
    EXPECT_EQ(stream->meta().filter, Filter::nearest);
    ASSERT_EQ(stream->materials().size(), 3u);
    EXPECT_FLOAT_EQ(stream->materials()[2].sigma_t.at(0), 5.002f);
    EXPECT_FLOAT_EQ(stream->materials()[2].g, 0.9f);
    EXPECT_EQ(stream->materials()[0].sigma_t.at(0), 0.0f);
    std::vector<int> const labels = read_labels(*stream);
    for (std::size_t i = 0; i < labels.size(); ++i) EXPECT_EQ(labels[i], (std::array{1, 2, 0, 1}[i / 30]));
    expect_contains(notices(*stream), {"medium 0 are air", "time counts with 1.37"});
    input["Session"]["DoMismatch"] = true;
    SceneHints const hints = read_hints(*open(input));
    EXPECT_EQ(hints.material_ior.size(), 3u);
    EXPECT_EQ(hints.material_ior.at(1), 1.37f);
    EXPECT_EQ(hints.material_ior.at(2), 1.5f);
    EXPECT_EQ(hints.boundary->kind, BoundaryKind::smooth) << "at the faces, of each voxel's own index";
}

TEST_F(Mcx, ScatteringStraightOnIsNone)
{
    Json input = make_cube();
    input["Domain"]["Media"][1]["g"] = 1;
    auto const stream = open(input);
    EXPECT_FLOAT_EQ(stream->meta().constant_extinction.at(0), 0.005f);
    EXPECT_FLOAT_EQ(stream->meta().constant_one_minus_albedo.at(0), 1);
}

TEST_F(Mcx, LabelsComeFromAFileBesideOrAnArray)
{
    std::string labels;
    for (int i = 0; i < 120; ++i) labels += static_cast<char>(1 + i % 2);
    folder_.write("labels.bin", labels);
    Json input = make_cube();
    input.erase("Shapes");
    input["Domain"]["VolumeFile"] = "labels.bin";
    auto const from_file = read_labels(*open(input));
    for (std::size_t i = 0; i < from_file.size(); ++i) ASSERT_EQ(from_file[i], 1 + static_cast<int>(i % 2));

    input["Domain"]["VolumeFile"] = "shapes.json";
    folder_.write("shapes.json", R"({"Shapes": [{"Grid": {"Tag": 2, "Size": [6, 5, 4]}}]})");
    EXPECT_FLOAT_EQ(open(input)->meta().constant_extinction.at(0), 5.002f);

    // Row-major: x is slowest.
    input["Domain"].erase("VolumeFile");
    std::vector<int> rows;
    for (int i = 0; i < 120; ++i) rows.push_back(i / 20 == 3 ? 2 : 1);
    input["Shapes"] = {{"_ArrayType_", "uint8"}, {"_ArraySize_", {6, 5, 4}}, {"_ArrayData_", rows}};
    auto const from_array = read_labels(*open(input));
    for (std::size_t i = 0; i < from_array.size(); ++i) ASSERT_EQ(from_array[i], i % 6 == 3 ? 2 : 1);
}

TEST_F(Mcx, SourcesAreEmitters)
{
    Json const at{{"Pos", {3, 2, -1}}, {"Dir", {0, 0, 2, 0}}, {"Weight", 3}};
    auto const make = [&](char const* type, Json const& first, Json const& second = {0, 0, 0, 0}) {
        Json source = at;
        source["Type"] = type;
        source["Param1"] = first;
        source["Param2"] = second;
        return read_source(source);
    };
    Emitter const disk = make("disk", {1, 0, 0, 0});
    EXPECT_EQ(disk.profile, BeamProfile::disc);
    EXPECT_EQ(disk.radius_mm, 1);
    EXPECT_EQ(disk.direction_world, (std::array<double, 3>{0, 0, 1}));
    EXPECT_EQ(disk.amount, (std::vector<float>{3}));
    EXPECT_EQ(make("gaussian", {0.5}).profile, BeamProfile::gaussian);
    Emitter const slit = make("slit", {0, 2, 0, 0});
    EXPECT_EQ(slit.profile, BeamProfile::slit);
    EXPECT_EQ(slit.origin_world, (std::array<double, 3>{3, 3, -1})) << "Pos is one end";
    EXPECT_EQ(slit.u_axis_mm, (std::array<double, 3>{0, 1, 0}));
    Emitter const planar = make("planar", {2, 0, 0, 0}, {0, 1, 0, 0});
    EXPECT_EQ(planar.profile, BeamProfile::rectangle);
    EXPECT_EQ(planar.origin_world, (std::array<double, 3>{4, 2.5, -1})) << "Pos is a corner";
    EXPECT_EQ(planar.v_axis_mm, (std::array<double, 3>{0, 0.5, 0}));
    EXPECT_EQ(make("isotropic", {0}).kind, EmitterKind::point);
    Emitter const cone = make("cone", {0.5, 0, 0, 0});
    EXPECT_EQ(cone.kind, EmitterKind::spot);
    EXPECT_NEAR(cone.angle_deg, 28.6479, 1e-4);
    EXPECT_EQ(cone.inner_angle_deg, cone.angle_deg) << "even in solid angle";
    expect_refused("/Optode/Source/Type", "fourier", {"Optode.Source.Type", "'fourier'", "planar"});
    expect_refused("/Optode/Source", {{"Pos", {1, 1, 0}}, {"Dir", {0, 0, 1, 5}}, {"Type", "disk"}, {"Param1", {1}}},
                   {"Optode.Source.Dir[3]", "focus"});
    expect_refused("/Optode/Source", {{"Pos", {1, 1, 0}}, {"Dir", {0, 0, 1}}, {"Type", "disk"}, {"Param1", {2, 1}}},
                   {"Optode.Source.Param1", "ring"});
}

TEST_F(Mcx, LightEntersWithoutReflectionUnlessDoSpecularSaysSo)
{
    Json input = make_cube();
    input["Session"]["DoMismatch"] = true;
    input["Optode"]["Source"] = Json::parse(
        R"({"Type": "planar", "Pos": [1, 1, 9], "Dir": [0, 0, -1], "Param1": [2, 0, 0], "Param2": [0, 2, 0]})");
    auto const stream = open(input);
    double const z = stream->emitters().at(0).origin_world[2];
    EXPECT_LT(z, 4);
    EXPECT_GT(z, 4 - 1e-5);
    expect_contains(notices(*stream), {"5 mm on the way"});
    input["Session"]["DoSpecular"] = 1;
    EXPECT_EQ(open(input)->emitters().at(0).origin_world[2], 9);
    // A pencil may come in at any angle, a wide beam along an axis alone.
    Json const oblique{{"Type", "pencil"}, {"Pos", {0, 2, -3}}, {"Dir", {0.6, 0, 0.8}}};
    EXPECT_NEAR(read_source(oblique, true).origin_world[0], 2.25, 1e-5);
    Json wide = oblique;
    wide["Type"] = "disk";
    wide["Param1"] = {0.5};
    EXPECT_EQ(read_source(wide, true).origin_world[2], -3);
    expect_contains(notices(*stream_), {"reflected and refracted where it enters"});
}

TEST_F(Mcx, WhatIsLeftOutIsTold)
{
    Json input = make_cube();
    input["Session"]["Odd"] = 1;
    input["Optode"]["Detector"] = Json::parse(R"([{"Pos": [2, 2, 2], "R": 1.5}, {"Pos": [2, 1, 0], "R": 1}])");
    input["Optode"]["Source"]["Frequency"] = 1e8;
    input["Forward"]["T0"] = 1e-9;
    input["Shapes"].push_back(Json::parse(R"({"Sphere": {"Tag": 2, "O": [50, 50, 50], "R": 1}})"));
    auto const stream = open(input);
    expect_contains(notices(*stream), {"Session.Odd, Session.RNGSeed", "1 of 2 detectors do not reach the faces",
                                       "Frequency is left out", "Forward.T0", "Shapes[1].Sphere covers no voxel"});
    EXPECT_EQ(read_hints(*stream).gates->count, 10u) << "from 0 on";
    input["Optode"]["Source"] = Json::parse(R"({"Type": "disk", "Pos": [3, 2, 0], "Dir": [0, 0, 1], "Param1": [4]})");
    expect_contains(notices(*open(input)), {"misses the volume: it counts as launched"});
}

TEST_F(Mcx, MembersWithoutEffectAreToldWhereverTheyAre)
{
    Json input = make_cube();
    auto const all = [&] { return "\n" + notices(*open(input)); };
    EXPECT_EQ(all(), "\nwithout effect here: Session.DoAutoThread, Session.ID, Session.RNGSeed");
    input["Session"] = {{"OutputType", "J"}, {"SaveDataMask", "DSP"}, {"DebugFlag", "M"}, {"Photons", 1}};
    expect_contains(all(), {"Session.OutputType 'J' is not computed: --tally of volrender", "no Jacobians",
                            "Session.SaveDataMask has no effect: detected photons are counted",
                            "Session.DebugFlag has no effect"});
    input["Session"]["OutputType"] = "E";
    expect_contains(all(), {"Session.OutputType 'E' has no effect: give --tally fluence or energy"});
    input["Session"] = {{"Photons", 1}};
    EXPECT_EQ(all(), "\n");
    input["Own"] = 1;
    input["Help"] = "comment";
    input["_DataInfo_"] = {{"a", 1}};
    input["Domain"]["CacheBoxP0"] = {1, 1, 1};
    input["Domain"]["Media"][1]["name"] = "skin";
    input["Shapes"][0]["Grid"]["Colour"] = "red";
    input["Optode"]["Source"]["SrcNum"] = 1;
    input["Optode"]["Detector"] = Json::parse(R"([{"Pos": [2, 1, 0], "R": 1, "Id": 3}])");
    input["Forward"]["N0"] = 1;
    EXPECT_EQ(all(),
              "\nwithout effect here: Domain.CacheBoxP0, Domain.Media[1].name, Forward.N0, Optode.Detector[0].Id, "
              "Optode.Source.SrcNum, Own, Shapes[0].Grid.Colour");
}

TEST_F(Mcx, StringsOverSeveralLinesAreRead)
{
    // As the examples of MCX have it; base64 may be broken over lines.
    std::string const text = R"({"Help": {"[en]": {"Domain::CacheBoxP0": "this specifies a 3D index for
                               a corner of the cache region, in grid unit"}},
        "Domain": {"OriginType": 1, "Media": [[0, 0, 1, 1], [0.1, 1, 0, 1]]},
        "Shapes": {"_ArrayType_": "uint8", "_ArraySize_": [2, 2, 2], "_ArrayZipType_": "base64", "_ArrayZipData_": "AQEB
AQEA
AQE="}})";
    auto const stream = open_mcx_input(folder_.write("lines.json", text), {});
    EXPECT_EQ(read_labels(*stream), (std::vector<int>{1, 1, 1, 1, 1, 0, 1, 1})) << "row-major";
    folder_.write("shapes.json",
                  "{\"Help\": \"one\ntwo\", \"Odd\": 1,\n\"Shapes\": [{\"Grid\": {\"Tag\": 1, \"Size\": [2, 2, 2]}}]}");
    auto const of_file = open_mcx_input(
        folder_.write("file.json",
                      R"({"Domain": {"VolumeFile": "shapes.json", "Media": [[0, 0, 1, 1], [0.1, 1, 0, 1]]}})"),
        {});
    EXPECT_EQ(of_file->meta().dims, (std::array<int, 3>{2, 2, 2}));
    expect_contains(notices(*of_file), {"without effect here: Odd"});
    expect_error(ExitStatus::input, {"damaged.json", "line 2, column 5"},
                 [&] { open_mcx_input(folder_.write("damaged.json", "{\"Help\": \"a\nb\", }"), {}); });
}

TEST_F(Mcx, DetectorsOnTheFacesAreHints)
{
    Json input = make_cube();
    input["Domain"]["LengthUnit"] = 0.5;
    input["Domain"]["OriginType"] = 1;
    // On a face, hovering above one, too deep, and off an edge by more than its radius.
    input["Optode"]["Detector"] = Json::parse(R"([{"Pos": [1, 2, 0], "R": 0.5}, {"Pos": [1, 2, -0.4], "R": 0.5},
        {"Pos": [2, 2, 2], "R": 1}, {"Pos": [-0.4, -0.4, 2], "R": 0.5}])");
    std::vector<DetectorSpec> const detectors = read_hints(*open(input)).detectors;
    ASSERT_EQ(detectors.size(), 2u);
    EXPECT_EQ(detectors[0].center_world, (std::array<double, 3>{0.5, 1, 0}));
    EXPECT_EQ(detectors[0].radius_mm, 0.25);
    EXPECT_EQ(detectors[1].center_world, (std::array<double, 3>{0.5, 1, -0.2}));
}

TEST_F(Mcx, BadInputIsToldWithItsField)
{
    expect_refused("/Domain", 3, {"no input of MCX"});
    expect_refused("/Domain/Media", Json::array(), {"Domain.Media", "1 to 256"});
    expect_refused("/Domain/Media/1", {{"mua", 1}, {"mus", 2}, {"g", 0}}, {"Domain.Media[1]", "'n'"});
    expect_refused("/Domain/Media/1/mua", "much", {"Domain.Media[1].mua", "\"much\"", "number"});
    expect_refused("/Domain/Media/1/mus", -1, {"Domain.Media[1].mus", "-1"});
    expect_refused("/Domain/LengthUnit", 0, {"Domain.LengthUnit"});
    expect_refused("/Domain/InverseCDF", {0.1, 0.2}, {"Domain.InverseCDF"});
    expect_refused("/Domain/VolumeFile", "a.bin", {"both Domain.VolumeFile and Shapes"});
    expect_refused("/Shapes/0/Grid/Size", {100000, 1, 1}, {"Shapes[0].Grid.Size[0]", "100000"});
    expect_refused("/Shapes/0/Grid/Size", {60000, 60000, 60000}, {"60000", "voxels"});
    expect_refused("/Shapes/0/Grid/Tag", 3, {"Shapes[0].Grid.Tag", "no medium 3"});
    expect_refused("/Shapes/0/Grid/Tag", 0, {"all voxels are of medium 0"});
    expect_refused("/Shapes/1", {{"Cone", 1}}, {"Shapes[1].Cone", "no shape"});
    expect_refused("/Shapes/1", {{"Name", "a"}, {"Sphere", 1}}, {"Shapes[1]", "one shape"});
    expect_refused("/Forward", {{"T0", 0}, {"T1", 1e-9}, {"Dt", 0}}, {"Forward", "gates"});
    expect_refused("/Forward/Dt", 1e-15, {"Forward", "gates"});
    expect_refused("/Session/BCFlags", "mmmmmm", {"Session.BCFlags", "mirrors"});
    expect_refused("/Session/DoMismatch", "yes", {"Session.DoMismatch"});
    expect_refused("/Optode/Source/Pos", {9, 9, 0}, {"Optode.Source", "misses the volume"});
    expect_refused("/Optode/Source/Dir", {0, 0, 0}, {"Optode.Source.Dir", "length"});
    expect_refused("/Optode/Detector", {{{"Pos", {1, 2}}, {"R", 1}}}, {"Optode.Detector[0].Pos", "3 numbers"});
    expect_error(ExitStatus::input, {"cube.json", "line 1"},
                 [&] { open_mcx_input(folder_.write("cube.json", "{\"Domain\": ")); });
}

TEST_F(Mcx, LabelsWithoutAMediumAreToldWithTheirVoxel)
{
    Json input = make_cube();
    input.erase("Shapes");
    input["Domain"]["VolumeFile"] = "labels.bin";
    std::string labels(120, '\1');
    labels[32] = '\7';
    folder_.write("labels.bin", labels);
    expect_error(ExitStatus::input, {"labels.bin: voxel 2,0,1", "no medium 7"}, [&] { open(input); });
    folder_.write("labels.bin", labels.substr(1));
    expect_error(ExitStatus::input, {"labels.bin", "119 bytes", "120"}, [&] { open(input); });
    input["Domain"]["VolumeFile"] = "../labels.bin";
    expect_error(ExitStatus::input, {"Domain.VolumeFile", "--allow-outside"}, [&] { open(input); });
    input["Domain"]["MediaFormat"] = "muamus_float";
    input["Domain"]["VolumeFile"] = "labels.bin";
    expect_error(ExitStatus::input, {"Domain.MediaFormat", "muamus_float"}, [&] { open(input); });
}

} // namespace
} // namespace volpt::test
