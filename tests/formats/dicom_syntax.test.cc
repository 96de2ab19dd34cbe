// Transfer syntaxes of DICOM: what GDCM decodes holds the same numbers as the plain file. The compressed files are
// seeds of the fuzz target, written by gdcmconv; RLE is written here, too.
#include "formats/dicom/reader.h"
#include "tests/formats/dicom_bytes.h"
#include "tests/formats/read_all.h"
#include "tests/support/data_paths.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <algorithm>

namespace volpt {
namespace {

using test::expect_error;
using test::TempFolder;

constexpr char kRle[] = "1.2.840.10008.1.2.5";

std::vector<float> wanted_numbers(int slices)
{
    std::vector<float> numbers;
    for (int slice = 0; slice < slices; ++slice)
        for (int i = 0; i < kDicomSize[0] * kDicomSize[1]; ++i)
            numbers.push_back(static_cast<float>(dicom_code(slice, i)) - 1024);
    return numbers;
}

TEST(DicomSyntax, EverySyntaxGivesTheSameNumbers)
{
    for (char const* const name : {"plain", "implicit", "big_endian", "deflated", "rle", "jpeg_lossless", "jpeg_ls"}) {
        auto const path = test::tests_folder() / "fuzz" / "seeds" / "dicom" / (std::string(name) + ".dcm");
        auto const source = open_dicom(path.string());
        EXPECT_EQ(read_all(*source), wanted_numbers(3)) << name;
        EXPECT_EQ(source->meta().pitch_mm, (std::array{0.25, 0.5, 2.0})) << name;
    }
}

TEST(DicomSyntax, Jpeg2000WithoutLoss)
{
    auto const source = open_dicom((test::tests_folder() / "fuzz" / "seeds" / "dicom" / "jpeg2000.dcm").string());
    ASSERT_EQ(source->meta().dims, (std::array{64, 64, 1}));
    auto const values = read_all(*source);
    for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(values[i], static_cast<float>(i % 64 + 2 * (i / 64)) - 1024) << i;
}

TEST(DicomSyntax, RunLengthsOfOneFrameAndOfMany)
{
    TempFolder const folder;
    auto one = make_dicom_slice(1).set_fragments({encode_dicom_rle(dicom_pixels(1))});
    auto const path = folder.write("one.dcm", one.write(kRle)).string();
    auto const all = wanted_numbers(2);
    EXPECT_EQ(read_all(*open_dicom(path)),
              std::vector(all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end()));
    auto many = make_dicom_slice(0)
                    .set(0x00280008, "IS", "2")
                    .set_fragments({encode_dicom_rle(dicom_pixels(0)), encode_dicom_rle(dicom_pixels(1))});
    EXPECT_EQ(read_all(*open_dicom(folder.write("many.dcm", many.write(kRle)).string())), all);
}

TEST(DicomSyntax, PartsThatAreNoFramesAreRefused)
{
    TempFolder const folder;
    auto const part = encode_dicom_rle(dicom_pixels(0));
    auto file = make_dicom_slice(0).set(0x00280008, "IS", "2").set_fragments({part, part, part});
    auto const source = open_dicom(folder.write("three.dcm", file.write(kRle)).string());
    expect_error(ExitStatus::input, {"three.dcm", "3 compressed parts for 2 frames"}, [&] { read_all(*source); });
}

TEST(DicomSyntax, WhatGdcmDoesNotDecodeIsNamed)
{
    TempFolder const folder;
    for (auto const& [syntax, name] :
         {std::pair{"1.2.840.10008.1.2.4.100", "MPEG2"}, {"1.2.840.10008.1.2.4.201", "1.2.840"}}) {
        auto file = make_dicom_slice(0).set_fragments({std::string(64, 'x')});
        auto const path = folder.write("video.dcm", file.write(syntax)).string();
        expect_error(ExitStatus::input, {"video.dcm", name}, [&] { read_all(*open_dicom(path)); });
    }
}

} // namespace
} // namespace volpt
