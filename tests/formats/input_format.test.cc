// An input is of the first kind of inputs.def whose question it answers.
#include "formats/input_format.h"
#include "libvolpt/volume/volume.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

struct NamedContent {
    std::string name;
    std::string content;
    InputFormat own;        ///< by its own header
    InputFormat in_options; ///< where options describe its numbers
};

std::string const kDicomHead = std::string(128, '\0') + "DICM";
std::string const kPackedHead(kVolumeFile.magic.data(), kVolumeFile.magic.size());

NamedContent const kFiles[] = {
    {"scan", kDicomHead, InputFormat::dicom_series, InputFormat::volume_file},
    {"scan.json", kDicomHead, InputFormat::dicom_series, InputFormat::volume_file},
    {"a.vpk", "anything", InputFormat::packed_volume, InputFormat::packed_volume},
    {"packed.raw", kPackedHead, InputFormat::packed_volume, InputFormat::packed_volume},
    {"packed.xml", kPackedHead, InputFormat::packed_volume, InputFormat::packed_volume},
    {"scene", "<scene version='3.0.0'/>", InputFormat::mitsuba_scene, InputFormat::volume_file},
    {"scene.xml", "damaged", InputFormat::mitsuba_scene, InputFormat::volume_file},
    {"input.json", "{", InputFormat::mcx_input, InputFormat::volume_file},
    {"smoke.vdb", "damaged", InputFormat::openvdb_file, InputFormat::volume_file},
    {"part.stl", "solid part", InputFormat::triangle_mesh, InputFormat::volume_file},
    {"part", "ply\nformat ascii 1.0\n", InputFormat::triangle_mesh, InputFormat::volume_file},
    {"head.mha", "ObjectType = Image\nNDims = 3\n", InputFormat::volume_file, InputFormat::volume_file},
    {"stack.tif", "II*", InputFormat::volume_file, InputFormat::volume_file},
    {"numbers.raw", "12345678", InputFormat::volume_file, InputFormat::volume_file},
    {"empty", "", InputFormat::volume_file, InputFormat::volume_file},
};

TEST(InputFormats, AreToldByContentAndName)
{
    TempFolder const folder;
    for (NamedContent const& file : kFiles) {
        SCOPED_TRACE(file.name);
        write_text(folder / file.name, file.content);
        std::string const path = (folder / file.name).string();
        EXPECT_EQ(find_input_format(path), file.own);
        EXPECT_EQ(find_input_format(path, FileHeader::in_options), file.in_options);
    }
}

TEST(InputFormats, FoldersAndPatternsAreSlicesUnlessTheyHaveDicom)
{
    TempFolder const folder;
    write_text(folder / "slice0.png", "damaged");
    for (FileHeader const header : {FileHeader::own, FileHeader::in_options}) {
        EXPECT_EQ(find_input_format(folder.path().string(), header), InputFormat::slices);
        EXPECT_EQ(find_input_format((folder / "slice*.png").string(), header), InputFormat::slices);
    }
    write_text(folder / "1", kDicomHead);
    EXPECT_EQ(find_input_format(folder.path().string()), InputFormat::dicom_series);
    EXPECT_EQ(find_input_format(folder.path().string(), FileHeader::in_options), InputFormat::slices);
}

TEST(InputFormats, OfFilesThatAreNotThereAreErrors)
{
    TempFolder const folder;
    for (char const* const name : {"none", "none.vpk", "none.json", "none.xml", "none.stl"})
        expect_error(ExitStatus::input, {name}, [&] { find_input_format((folder / name).string()); });
}

} // namespace
} // namespace volpt::test
