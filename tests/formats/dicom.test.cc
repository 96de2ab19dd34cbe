// Series of DICOM slices: order, placement, numbers, and what is refused. What GDCM decodes is compared in
// dicom_syntax.test.cc.
#include "formats/dicom/reader.h"
#include "formats/open_source.h"
#include "formats/slices/dicom_files.h"
#include "tests/formats/dicom_bytes.h"
#include "tests/formats/read_all.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <cmath>
#include <numbers>

namespace volpt {
namespace {

using test::expect_contains;
using test::expect_error;
using test::TempFolder;

constexpr std::size_t kPixels = kDicomSize[0] * kDicomSize[1];

class Dicom : public testing::Test {
protected:
    void write(std::string_view name, DicomBytes const& file) { folder_.write(name, file.write()); }

    void write_series(int slices)
    {
        for (int i = 0; i < slices; ++i) write(fmt::format("IM{}", i * 7 % 10), make_dicom_slice(i));
    }

    std::unique_ptr<VolumeSource> open(DicomOptions const& options = {})
    {
        return open_dicom(folder_.path().string(), options);
    }

    void expect_refused(std::initializer_list<std::string_view> parts, char const* file = __builtin_FILE(),
                        int line = __builtin_LINE())
    {
        expect_error(
            ExitStatus::input, parts, [&] { open(); }, file, line);
    }

    void expect_notice(std::initializer_list<std::string_view> parts)
    {
        auto const source = open();
        std::string all;
        for (auto const& notice : source->meta().notices) all += notice + "\n";
        expect_contains(all, parts);
    }

    TempFolder folder_;
};

float hounsfield(int slice, std::size_t pixel)
{
    return static_cast<float>(dicom_code(slice, static_cast<int>(pixel))) - 1024;
}

TEST_F(Dicom, SlicesAreSortedAlongTheirNormalWhateverTheirNames)
{
    write_series(10);
    EXPECT_TRUE(is_dicom(folder_.path().string()));
    auto const source = open_source_file(folder_.path().string(), {});
    SourceMeta const& meta = source->meta();
    EXPECT_EQ(meta.dims, (std::array{kDicomSize[0], kDicomSize[1], 10}));
    EXPECT_EQ(meta.pitch_mm, (std::array{0.25, 0.5, 2.0}));
    EXPECT_EQ(meta.rotation, (std::array{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}));
    EXPECT_EQ(meta.first_voxel_world_mm, (std::array{-10.0, -20.0, 5.0}));
    EXPECT_EQ(meta.element, ElementType::i16);
    EXPECT_TRUE(meta.notices.empty());
    auto const values = read_all(*source);
    for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(values[i], hounsfield(static_cast<int>(i / kPixels), i % kPixels)) << i;
    expect_contains(source->describe_voxel(3, 2, 9), {"IM3: pixel 3,2"});
}

TEST_F(Dicom, LayersAreReadInAnyOrder)
{
    write_series(10);
    auto const source = open();
    std::vector<float> layer(kPixels);
    for (int const z : {9, 0, 1, 2, 7, 3}) {
        source->read_slab(z, 1, layer);
        EXPECT_EQ(layer[7], hounsfield(z, 7)) << z;
    }
}

TEST_F(Dicom, DirectionsOfRowsAndColumnsPlaceTheVolume)
{
    for (int i = 0; i < 3; ++i) // coronal, slices from front to back
        write(fmt::format("c{}", i), make_dicom_slice(i)
                                         .set_numbers(0x00200037, {1, 0, 0, 0, 0, -1})
                                         .set_numbers(0x00200032, {1, 10.0 - 3 * i, 7}));
    auto const meta = open()->meta();
    EXPECT_EQ(meta.rotation, (std::array{1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0}));
    EXPECT_EQ(meta.pitch_mm, (std::array{0.25, 0.5, 3.0}));
    EXPECT_EQ(meta.first_voxel_world_mm, (std::array{1.0, 4.0, 7.0}));
}

TEST_F(Dicom, ObliqueSlicesKeepTheirRotation)
{
    double const c = std::cos(0.3), s = std::sin(0.3);
    for (int i = 0; i < 3; ++i) // turned about x: the normal is 0, -s, c
        write(fmt::format("c{}", i), make_dicom_slice(i)
                                         .set_numbers(0x00200037, {1, 0, 0, 0, c, s})
                                         .set_numbers(0x00200032, {0, -s * 1.5 * i, c * 1.5 * i}));
    auto const meta = open()->meta();
    std::array const wanted{1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c};
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(meta.rotation[i], wanted[i], 1e-9) << i;
    EXPECT_NEAR((*meta.pitch_mm)[2], 1.5, 1e-9);
}

TEST_F(Dicom, EverySliceHasItsOwnRescaling)
{
    for (int i = 0; i < 3; ++i)
        write(fmt::format("p{}", i), make_dicom_slice(i)
                                         .set(0x00281053, "DS", fmt::format("{}", 0.5 + i))
                                         .set(0x00281052, "DS", fmt::format("{}", i)));
    auto const source = open();
    EXPECT_EQ(source->meta().element, ElementType::f32);
    auto const values = read_all(*source);
    for (std::size_t i = 0; i < values.size(); ++i) {
        int const slice = static_cast<int>(i / kPixels);
        EXPECT_EQ(values[i],
                  static_cast<float>((0.5 + slice) * dicom_code(slice, static_cast<int>(i % kPixels)) + slice));
    }
    expect_contains(source->meta().metadata_json, {R"("rescale_slope":"0.5 to 2.5, by slice")"});
}

TEST_F(Dicom, BitsAboveTheStoredOnesAreIgnoredAndSignsExtended)
{
    std::string pixels;
    for (unsigned i = 0; i < kPixels; ++i) pixels += DicomBytes::little(0xa000u | (i == 0 ? 0xfffu : i * 100), 2);
    write("signed", make_dicom_slice(0).set_word(0x00280103, 1).set(0x7fe00010, "OW", pixels));
    auto const values = read_all(*open());
    EXPECT_EQ(values[0], -1 - 1024);
    EXPECT_EQ(values[3], 300 - 1024);
}

TEST_F(Dicom, BytesAndWordsOf32BitsAreRead)
{
    std::string bytes, words;
    for (unsigned i = 0; i < kPixels; ++i) {
        bytes += static_cast<char>(200 + i);
        words += DicomBytes::little(70000 + i, 4);
    }
    auto file = make_dicom_slice(0).set(0x00281052, "DS", "0");
    write("a",
          file.set_word(0x00280100, 8).set_word(0x00280101, 8).set_word(0x00280102, 7).set(0x7fe00010, "OB", bytes));
    EXPECT_EQ(open()->meta().element, ElementType::u8);
    EXPECT_EQ(read_all(*open())[5], 205);
    write("a",
          file.set_word(0x00280100, 32).set_word(0x00280101, 32).set_word(0x00280102, 31).set(0x7fe00010, "OW", words));
    EXPECT_EQ(read_all(*open())[5], 70005);
    write("a", file.set_word(0x00280100, 12).set_word(0x00280101, 12).set_word(0x00280102, 11));
    expect_refused({"BitsAllocated = 12"});
}

TEST_F(Dicom, EnhancedFramesHaveTheirPlacesAndRescalingInFunctionalGroups)
{
    auto const path = folder_.write("enhanced.dcm", make_enhanced_dicom(4).write()).string();
    auto const source = open_source_file(path, {});
    EXPECT_EQ(source->meta().dims[2], 4);
    EXPECT_EQ(source->meta().pitch_mm, (std::array{0.25, 0.5, 2.0}));
    EXPECT_EQ(source->meta().first_voxel_world_mm, (std::array{-10.0, -20.0, -1.0}));
    auto const values = read_all(*source);
    for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(values[i], 0.5f * static_cast<float>(
                                        dicom_code(3 - static_cast<int>(i / kPixels), static_cast<int>(i % kPixels))) -
                                 1000)
            << i;
    expect_contains(source->describe_voxel(1, 2, 0), {"enhanced.dcm: frame 4: pixel 1,2"});
}

TEST_F(Dicom, FramesWithoutPlacesStayInTheirOrder)
{
    auto file = make_dicom_slice(0).set(0x00280008, "IS", "2").set(0x7fe00010, "OW", dicom_pixels(0) + dicom_pixels(1));
    write("f.dcm", file);
    EXPECT_EQ(open()->meta().first_voxel_world_mm, (std::array{-10.0, -20.0, 5.0}));
    write("f.dcm", file.erase(0x00200032));
    auto const source = open();
    EXPECT_FALSE(source->meta().first_voxel_world_mm.has_value());
    EXPECT_EQ(source->meta().pitch_mm, (std::array{0.25, 0.5, 2.0}));
    EXPECT_EQ(read_all(*source)[kPixels], hounsfield(1, 0));
    expect_notice({"in the order of the file"});
    write("f.dcm", file.erase(0x00180050));
    EXPECT_FALSE(open()->meta().pitch_mm.has_value());
    EXPECT_EQ(open()->meta().missing_pitch, MissingPitch::refused);
}

TEST_F(Dicom, DosesHaveOffsetsOfTheirFramesAndOneScale)
{
    write("dose", make_dicom_slice(0)
                      .set(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.481.2")
                      .set(0x00280008, "IS", "2")
                      .set(0x3004000c, "DS", "0\\-2.5")
                      .set(0x3004000e, "DS", "0.125")
                      .erase(0x00281052)
                      .erase(0x00281053)
                      .set(0x7fe00010, "OW", dicom_pixels(0) + dicom_pixels(1)));
    auto const source = open();
    EXPECT_EQ((*source->meta().pitch_mm)[2], 2.5);
    EXPECT_EQ((*source->meta().first_voxel_world_mm)[2], 2.5);
    EXPECT_EQ(read_all(*source)[kPixels + 3], 0.125f * static_cast<float>(dicom_code(0, 3)));
}

TEST_F(Dicom, ASingleSliceIsAsThickAsItSays)
{
    write("one", make_dicom_slice(0));
    EXPECT_EQ(open()->meta().pitch_mm, (std::array{0.25, 0.5, 2.0}));
    write("one", make_dicom_slice(0).erase(0x00180050));
    EXPECT_EQ(open()->meta().pitch_mm, (std::array{0.25, 0.5, 0.25}));
    expect_notice({"as thick as its pixels are wide"});
}

TEST_F(Dicom, SeriesAreChosenByUidNumberOrDescription)
{
    write_series(3);
    for (int i = 0; i < 2; ++i)
        write(fmt::format("other{}", i), make_dicom_slice(i)
                                             .set(0x0020000e, "UI", "1.2.3.77")
                                             .set(0x00080018, "UI", fmt::format("1.2.3.78.{}", i))
                                             .set(0x00200011, "IS", "12")
                                             .set(0x0008103e, "LO", "Lung B60"));
    expect_refused({"holds 2 series", R"(3 "Thorax 1.0" (CT, 3 files, 5 x 4, UID 1.2.826.0.1.3680043.10.1.6))",
                    R"(12 "Lung B60" (CT, 2 files)", "--series"});
    for (std::string const choice : {"1.2.3.77", "12", "lung", "LUNG b60"})
        EXPECT_EQ(open({choice, {}})->meta().dims[2], 2) << choice;
    EXPECT_EQ(open({"Thorax", {}})->meta().dims[2], 3);
    auto const first = open({"", {}, {{}, {}, MissingChoice::first}}); // of most slices
    EXPECT_EQ(first->meta().dims[2], 3);
    EXPECT_EQ(first->meta().series, "3") << "its number";
    expect_contains(first->meta().notices.at(0), {"holds 2 series", "the first one is read; --series chooses"});
    EXPECT_EQ(open({"lung", {}})->meta().series, "12");
    expect_error(ExitStatus::input, {"has no series"}, [&] { open({"heart", {}, {{}, {}, MissingChoice::first}}); });
    expect_error(ExitStatus::input, {"has no series \"heart\"", "Lung B60"}, [&] { open({"heart", {}}); });
    expect_error(ExitStatus::input, {"has 2 series \"lung\"", "Lung B10", "Lung B60"}, [&] {
        write("other0", make_dicom_slice(0).set(0x0020000e, "UI", "1.2.3.79").set(0x0008103e, "LO", "Lung B10"));
        open({"lung", {}});
    });
    // The third one has the number of the first.
    EXPECT_EQ(open({"thorax", {}})->meta().series, "Thorax 1.0");
    write("same", make_dicom_slice(0).set(0x0020000e, "UI", "1.2.3.80").set(0x00080018, "UI", "1.2.3.81"));
    EXPECT_EQ(open({"1.2.3.80", {}})->meta().series, "1.2.3.80");
}

TEST_F(Dicom, SlicesAtOnePlaceAreRefusedWithWhatTheyDifferIn)
{
    for (int i = 0; i < 6; ++i)
        write(fmt::format("e{}", i), make_dicom_slice(i)
                                         .set_numbers(0x00200032, {0, 0, 2.0 * (i / 2)})
                                         .set(0x00180086, "IS", std::to_string(i < 2 ? i + 1 : 1)));
    expect_refused({"2 slices are at one place", "e0", "e1", "EchoNumbers (1, 2)", "folder of their own"});
}

TEST_F(Dicom, MissingSlicesAreNamedAndUnevenOnesTold)
{
    write_series(6);
    std::filesystem::remove(folder_ / "IM1"); // slice 3
    expect_refused({"1 slice is missing between", "IM4", "IM8"});
    write("IM1", make_dicom_slice(3).set_numbers(0x00200032, {-10, -20, 11.1}));
    EXPECT_EQ((*open()->meta().pitch_mm)[2], 2.0);
    expect_notice({"from 1.9 to 2.1 mm apart"});
    write("IM1", make_dicom_slice(3).set_numbers(0x00200032, {-10, -20, 11.5}));
    expect_refused({"mm apart, most others 2 mm"});
    write("IM1", make_dicom_slice(3).set_numbers(0x00200032, {-10, -20, 11.01}));
    EXPECT_TRUE(open()->meta().notices.empty());
}

TEST_F(Dicom, TiltedGantriesAreRefusedWithTheirAngle)
{
    double const tilt = 15 * std::numbers::pi / 180;
    for (int i = 0; i < 4; ++i) // the table moves along z, the slices are turned about x
        write(fmt::format("t{}", i), make_dicom_slice(i)
                                         .set_numbers(0x00200037, {1, 0, 0, 0, std::cos(tilt), std::sin(tilt)})
                                         .set_numbers(0x00200032, {0, 0, 2.0 * i}));
    expect_refused({"sideways", "15 degrees", "resample"});
}

TEST_F(Dicom, LocalizersAreLeftOutAndOtherKindsRefused)
{
    write_series(5);
    write("scout", make_dicom_slice(50).set(0x00080008, "CS", "ORIGINAL\\PRIMARY\\LOCALIZER"));
    write("other", make_dicom_slice(60).set_numbers(0x00200037, {0, 1, 0, 0, 0, -1}));
    EXPECT_EQ(open()->meta().dims[2], 5);
    expect_notice({"localizers", "scout", "another size or orientation", "other"});
    for (int i = 0; i < 4; ++i)
        write(fmt::format("more{}", i), make_dicom_slice(70 + i).set_numbers(0x00200037, {0, 1, 0, 0, 0, -1}));
    expect_refused(
        {"slices of several kinds", "5 of 5 x 4 pixels in the directions 1,0,0 and 0,1,0", "0,1,0 and 0,0,-1"});
}

TEST_F(Dicom, CopiesAndOtherFilesAreLeftOut)
{
    write_series(3);
    write("copy.dcm", make_dicom_slice(1));
    folder_.write("notes.txt", "not DICOM");
    std::filesystem::create_directory(folder_ / "inside");
    EXPECT_EQ(open()->meta().dims[2], 3);
    expect_notice({"1 file is no DICOM: left out: notes.txt", "1 file is a copy of another", "copy.dcm"});
    EXPECT_EQ(open_source_file((folder_ / "IM*").string(), {})->meta().dims[2], 3);
}

TEST_F(Dicom, ObjectsWithoutSlicesAreNamed)
{
    DicomBytes structure;
    structure.set(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.481.3").set(0x00080018, "UI", "1.2.9");
    structure.set(0x0020000e, "UI", "1.2.10");
    write("rs", structure);
    expect_refused({"RT Structure Set Storage, no slices", "CT, MR, PET"});
    write("rgb", make_dicom_slice(0).set_word(0x00280002, 3).set(0x00280004, "CS", "RGB"));
    expect_refused({"CT Image Storage in colour (RGB)", "RT Structure Set"});
    write_series(3);
    EXPECT_EQ(open()->meta().dims[2], 3);
    expect_notice({"RT Structure Set Storage, no slices: left out: rs", "in colour (RGB): left out: rgb"});
    for (char const* const name : {"IM0", "IM7", "IM4", "rgb"}) std::filesystem::remove(folder_ / name);
    write("rs", structure.set(0x00080016, "UI", "1.2.840.10008.1.3.10"));
    expect_refused({"Media Storage Directory", "folder in which the medium has its images"});
}

TEST_F(Dicom, NothingOfThePatientIsKept)
{
    write_series(3);
    auto const meta = open()->meta();
    std::string all = meta.metadata_json;
    for (auto const& notice : meta.notices) all += notice;
    EXPECT_EQ(all.find("Doe"), std::string::npos);
    EXPECT_EQ(all.find("4711"), std::string::npos);
    EXPECT_EQ(all.find("1.2.826"), std::string::npos);
    expect_contains(all, {R"("modality":"CT")", R"("series_description":"Thorax 1.0")", R"("rescale_type":"HU")",
                          R"("sop_class":"CT Image Storage")", R"("bits_stored":"12")"});
}

TEST_F(Dicom, TheWindowToShowItWithIsKept)
{
    write_series(3);
    EXPECT_EQ(open()->meta().display_window, (std::array{-160.0, 239.0})); // C.11.2.1.2
    EXPECT_FALSE(open()->meta().natural_window.has_value());
    write("IM7", make_dicom_slice(1).set(0x00281056, "CS", "LINEAR_EXACT"));
    EXPECT_EQ(open()->meta().display_window, (std::array{-160.0, 240.0}));
}

TEST_F(Dicom, InvertedDisplaysAreTold)
{
    write("cr", make_dicom_slice(0).set(0x00280004, "CS", "MONOCHROME1"));
    expect_notice({"MONOCHROME1"});
    EXPECT_EQ(read_all(*open())[3], hounsfield(0, 3));
}

TEST_F(Dicom, DamagedFilesAreNamed)
{
    write_series(3);
    std::string const whole = make_dicom_slice(1).write();
    folder_.write("IM7", whole.substr(0, whole.size() - 10));
    expect_refused({"IM7", "cut short"});
    folder_.write("IM7", whole.substr(0, 300));
    expect_refused({"IM7"});
    write("IM7", make_dicom_slice(1).set(0x00200032, "DS", "1\\2"));
    expect_refused({"IM7", "ImagePositionPatient has 2 numbers"});
    write("IM7", make_dicom_slice(1).set(0x00281053, "DS", "one"));
    expect_refused({"IM7", "RescaleSlope = one"});
    expect_error(ExitStatus::input, {"word DICM"}, [&] { open_dicom(folder_.write("x.dcm", "x").string()); });
}

} // namespace
} // namespace volpt
