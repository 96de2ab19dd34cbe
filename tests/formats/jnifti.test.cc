// JNIfTI volumes, and the annotated arrays of JData that they are made of.
#include "formats/common/jdata.h"
#include "formats/reader.h"
#include "formats/tally/tally_file.h"
#include "libvolpt/sys/text/base64.h"
#include "tests/formats/metaimage_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <numeric>

namespace volpt::test {
namespace {

using Json = nlohmann::json;

Json make_array(std::vector<int> const& dims)
{
    Json array{{"_ArrayType_", "int16"}, {"_ArraySize_", dims}};
    std::vector<int> numbers(
        static_cast<std::size_t>(std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<>())));
    std::iota(numbers.begin(), numbers.end(), 0);
    array["_ArrayData_"] = numbers;
    return array;
}

class Jnifti : public testing::Test {
protected:
    std::unique_ptr<VolumeSource> open(Json const& header, Json const& data)
    {
        Json const file{{"NIFTIHeader", header}, {"NIFTIData", data}};
        return open_volume_source(folder_.write("v.jnii", file.dump()));
    }
    static std::vector<float> read(VolumeSource& source)
    {
        auto const [nx, ny, nz] = source.meta().dims;
        std::vector<float> values(static_cast<std::size_t>(nx * ny * nz));
        source.read_slab(0, nz, values);
        return values;
    }
    TempFolder folder_;
};

TEST(Base64, SurvivesEveryLength)
{
    std::vector<std::byte> bytes;
    for (int length = 0; length < 20; ++length) {
        std::string const text = encode_base64(bytes);
        EXPECT_EQ(text.size() % 4, 0u);
        EXPECT_EQ(decode_base64(text, "test"), bytes) << length;
        bytes.push_back(static_cast<std::byte>(length * 37 + 200));
    }
    EXPECT_EQ(decode_base64(" TW\n Fu", "test").size(), 3u);
    expect_error(ExitStatus::input, {"test", "base64"}, [] { decode_base64("TW-u", "test"); });
    expect_error(ExitStatus::input, {"cut short"}, [] { decode_base64("TWFuT", "test"); });
}

TEST_F(Jnifti, RowsAreOrderedAsTheArraySays)
{
    auto const by_row = open(Json::object(), make_array({2, 3, 4}));
    auto const values = read(*by_row);
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::size_t const x = i % 2, y = i / 2 % 3, z = i / 6;
        EXPECT_EQ(values[i], static_cast<float>((x * 3 + y) * 4 + z));
    }
    Json array = make_array({2, 3, 4});
    array["_ArrayOrder_"] = "c";
    auto const by_column = read(*open(Json::object(), array));
    for (std::size_t i = 0; i < by_column.size(); ++i) EXPECT_EQ(by_column[i], static_cast<float>(i));
}

TEST_F(Jnifti, TheFirstOfSeveralVolumesIsRead)
{
    auto const source = open(Json::object(), make_array({2, 3, 4, 5}));
    EXPECT_EQ(source->meta().dims, (std::array<int, 3>{2, 3, 4}));
    EXPECT_EQ(read(*source)[1], 60) << "x is slowest";
    ASSERT_EQ(source->meta().notices.size(), 1u);
    expect_contains(source->meta().notices[0], {"5 volumes"});
}

TEST_F(Jnifti, TheHeaderPlacesAndScales)
{
    Json const header{{"SForm", 1},
                      {"Affine", Json::parse("[[-500, 0, 0, 7], [0, -500, 0, 8], [0, 0, 250, 9]]")},
                      {"Unit", {{"L", "um"}}},
                      {"ScaleSlope", 2},
                      {"ScaleOffset", -1}};
    auto const source = open(header, make_array({2, 1, 1}));
    EXPECT_EQ(*source->meta().pitch_mm, (std::array<double, 3>{0.5, 0.5, 0.25}));
    EXPECT_NEAR((*source->meta().first_voxel_world_mm)[0], -0.007, 1e-12) << "RAS to LPS";
    EXPECT_NEAR((*source->meta().first_voxel_world_mm)[2], 0.009, 1e-12);
    EXPECT_EQ(read(*source), (std::vector<float>{-1, 1}));
    auto const of_mcx = open({{"ScaleSlope", 1}, {"ScaleOffset", 1}, {"VoxelSize", {2, 2, 2}}}, make_array({2, 1, 1}));
    EXPECT_EQ(read(*of_mcx), (std::vector<float>{0, 1}));
    EXPECT_EQ(*of_mcx->meta().pitch_mm, (std::array<double, 3>{2, 2, 2}));
    EXPECT_EQ(of_mcx->meta().notices.size(), 1u);
}

TEST_F(Jnifti, CodesAreNumbersOrTexts)
{
    Json header{{"Affine", Json::parse("[[1, 0, 0, 5], [0, 1, 0, 6], [0, 0, 1, 7]]")}, {"VoxelSize", {2, 2, 2, 1}}};
    auto const is_placed = [&](Json const& code) {
        header["SForm"] = code;
        return open(header, make_array({2, 2, 2}))->meta().first_voxel_world_mm.has_value();
    };
    for (char const* const name : {"scanner_anat", "aligned_anat", "talairach", "mni_152", "template_other"})
        EXPECT_TRUE(is_placed(name)) << name;
    for (Json const& none : {Json(""), Json(0), Json()}) EXPECT_FALSE(is_placed(none)) << none;
    for (int code = 1; code <= 5; ++code) EXPECT_TRUE(is_placed(code)) << code;
    header["SForm"] = "own";
    auto const own = open(header, make_array({2, 2, 2}));
    EXPECT_EQ(*own->meta().first_voxel_world_mm, (std::array<double, 3>{-5, -6, 7}));
    expect_contains(own->meta().notices.at(0), {"SForm 'own' is no name"});
    header = {{"VoxelSize", {2, 2, 2}}, {"QForm", "scanner_anat"}};
    expect_contains(open(header, make_array({2, 2, 2}))->meta().notices.at(0), {"QForm is not read"});
    header["QForm"] = "";
    EXPECT_TRUE(open(header, make_array({2, 2, 2}))->meta().notices.empty());

    auto const pitch = [&](Json const& unit) {
        header["Unit"] = unit;
        return (*open(header, make_array({2, 2, 2}))->meta().pitch_mm)[0];
    };
    for (auto const& [name, code, mm] : {std::tuple{"m", 1, 2000.0}, {"mm", 2, 2.0}, {"um", 3, 0.002}, {"", 0, 2.0}}) {
        EXPECT_EQ(pitch({{"L", name}, {"T", "s"}}), mm) << name;
        EXPECT_EQ(pitch({{"L", code}, {"T", 8}}), mm) << name;
        EXPECT_EQ(pitch({{"L", code + 8}}), mm) << "with the bits of the time";
        EXPECT_EQ(pitch(name), mm) << "without an object";
    }
    EXPECT_EQ(pitch({{"T", "s"}}), 2);
    for (Json const& wrong : {Json("inch"), Json(4), Json(-1), Json(1.5), Json(true)})
        expect_error(ExitStatus::input, {"Unit.L"}, [&] { pitch({{"L", wrong}}); });
    header = {{"ScaleSlope", ""}, {"ScaleOffset", ""}, {"Unit", {{"L", ""}, {"T", ""}}}};
    EXPECT_EQ(read(*open(header, make_array({2, 1, 1}))), (std::vector<float>{0, 1}));
}

TEST_F(Jnifti, StringsOverSeveralLinesAreRead)
{
    auto const path = folder_.write("v.jnii", R"({"NIFTIHeader": {"Description": "one
two"}, "NIFTIData": {"_ArrayType_": "uint8", "_ArraySize_": [2, 1, 2], "_ArrayZipType_": "base64", "_ArrayZipData_": "AQ
ID
BA=="}})");
    EXPECT_EQ(read(*open_volume_source(path)), (std::vector<float>{1, 3, 2, 4}));
}

TEST_F(Jnifti, DamageIsToldWithItsMember)
{
    auto const refuse = [&](char const* key, Json const& value, std::initializer_list<std::string_view> parts) {
        SCOPED_TRACE(key);
        Json array = make_array({2, 3, 4});
        array[key] = value;
        expect_error(ExitStatus::input, parts, [&] { open(Json::object(), array); });
    };
    refuse("_ArrayType_", "text", {"v.jnii: NIFTIData", "_ArrayType_ is 'text'"});
    refuse("_ArraySize_", {2, 3}, {"24 elements", "asks for 6"});
    refuse("_ArraySize_", {2, 3, -4}, {"_ArraySize_"});
    refuse("_ArraySize_", {1e9, 1e9, 1e9}, {"_ArraySize_"});
    refuse("_ArrayData_", 3, {"_ArrayData_"});
    refuse("_ArrayIsComplex_", true, {"_ArrayIsComplex_"});
    refuse("_ArrayOrder_", "z", {"_ArrayOrder_"});
    std::string const packed = deflate_text(std::string(48, 'x'));
    Json zipped{{"_ArrayType_", "int16"},
                {"_ArraySize_", {2, 3, 4}},
                {"_ArrayZipType_", "zlib"},
                {"_ArrayZipData_", encode_base64(std::as_bytes(std::span(packed)))}};
    EXPECT_EQ(read(*open(Json::object(), zipped))[0], 0x7878);
    zipped["_ArraySize_"] = {2, 3, 5};
    expect_error(ExitStatus::input, {"damaged, or hold other than 60 bytes"}, [&] { open(Json::object(), zipped); });
    zipped["_ArraySize_"] = {60000, 60000, 100};
    expect_error(ExitStatus::input, {"720000000000 bytes"}, [&] { open(Json::object(), zipped); });
    zipped["_ArraySize_"] = {30000, 30000, 1};
    expect_error(ExitStatus::input, {"cannot hold 1800000000"}, [&] { open(Json::object(), zipped); });
    zipped["_ArraySize_"] = {2, 3, 4};
    zipped["_ArrayZipType_"] = "lzma";
    expect_error(ExitStatus::input, {"'lzma'", "zlib"}, [&] { open(Json::object(), zipped); });
    expect_error(ExitStatus::input, {"v.jnii", "JSON"},
                 [&] { open_volume_source(folder_.write("v.jnii", "{\"NIFTIData\": {")); });
    expect_error(ExitStatus::input, {"NIFTIHeader"},
                 [&] { open_volume_source(folder_.write("v.jnii", "{\"NIFTIData\": {}}")); });
}

TEST_F(Jnifti, BinaryFilesAreNamedWithTheLineThatConvertsThem)
{
    // BJData: an object, or an array of it, whose names stand behind their lengths.
    std::string const object = "{U\vNIFTIHeader{U\3Dim[U\2U\2U\2]}U\tNIFTIData[$U#[U\2U\2U\2]abcdefgh}";
    for (std::string const name : {"v.bnii", "v.jnii", "v.dat"})
        for (std::string const& content : {object, "[" + object + "]"})
            expect_error(ExitStatus::input, {name, "binary JNIfTI", "jdata.save", ".jnii"},
                         [&] { open_volume_source(folder_.write(name, content)); });
}

TEST_F(Jnifti, ATallySurvivesItsFile)
{
    TallyVolume tally;
    tally.kind = TallyKind::fluence;
    tally.dims = {3, 2, 2};
    tally.gates = 2;
    tally.gate_ns = 0.5;
    for (int i = 0; i < 24; ++i) {
        tally.values.push_back(static_cast<float>(i) / 3);
        tally.standard_errors.push_back(static_cast<float>(-i));
    }
    VolumeMeta voxels;
    voxels.dims = {3, 2, 2};
    voxels.pitch_mm = {0.5f, 1, 2};
    voxels.placement.origin_world_mm = {10, 20, 30};
    auto const path = folder_.path() / "t.jnii";
    write_tally(tally, voxels, path, {});
    auto const source = open_volume_source(path);
    EXPECT_EQ(read(*source), (std::vector<float>(tally.values.begin(), tally.values.begin() + 12))) << "the first gate";
    EXPECT_EQ(*source->meta().pitch_mm, (std::array<double, 3>{0.5, 1, 2}));
    EXPECT_EQ(*source->meta().first_voxel_world_mm, (std::array<double, 3>{10.25, 20.5, 31}));
    expect_contains(source->meta().metadata_json, {"fluence, 1/mm^2"});
    write_tally(tally, voxels, folder_.path() / "again.jnii", {});
    EXPECT_EQ(std::filesystem::file_size(path), std::filesystem::file_size(folder_.path() / "again.jnii"));
}

} // namespace
} // namespace volpt::test
