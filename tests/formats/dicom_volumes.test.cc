// What DICOM files say their volumes are: mosaics of Siemens, several volumes at the same places, files without
// preamble, and announced lengths that the file cannot hold.
#include "formats/dicom/csa.h"
#include "formats/dicom/reader.h"
#include "formats/open_source.h"
#include "formats/slices/dicom_files.h"
#include "tests/formats/dicom_bytes.h"
#include "tests/formats/read_all.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <cmath>

namespace volpt {
namespace {

using test::expect_contains;
using test::expect_error;
using test::TempFolder;

std::string little4(std::uint64_t value)
{
    return DicomBytes::little(value, 4);
}

std::string pad(std::string text, std::size_t size)
{
    text.resize(size, '\0');
    return text;
}

/// A CSA header; `version` 2 begins with SV10, 1 tells lengths relative to the number of items.
std::string make_csa(std::vector<std::pair<std::string, std::vector<std::string>>> const& elements, int version)
{
    constexpr std::size_t kItems = 6;
    std::string bytes = version == 2 ? "SV10" + little4(0x01020304) : "";
    bytes += little4(elements.size()) + little4(77);
    for (auto const& [name, values] : elements) {
        bytes += pad(name, 64) + little4(values.size()) + pad("IS", 4) + little4(6) + little4(kItems) + little4(77);
        for (std::size_t i = 0; i < kItems; ++i) {
            std::string const value = i < values.size() ? values[i] + '\0' : "";
            std::size_t const length = value.size();
            bytes += version == 2 ? little4(length) + little4(length) : little4(length + kItems) + little4(0);
            bytes += little4(77) + little4(0) + pad(value, (length + 3) / 4 * 4);
        }
    }
    return bytes;
}

class DicomVolumes : public testing::Test {
protected:
    /// Three slices of 2 x 2 pixels in a picture of 4 x 4, pixel p of slice s being 10 s + p.
    static DicomBytes make_mosaic()
    {
        DicomBytes file = make_dicom_slice(0);
        file.set(0x00080008, "CS", "ORIGINAL\\PRIMARY\\M\\ND\\MOSAIC");
        file.set_word(0x00280010, 4).set_word(0x00280011, 4).set_numbers(0x00180088, {3});
        std::string pixels;
        for (std::size_t y = 0; y < 4; ++y)
            for (std::size_t x = 0; x < 4; ++x) {
                std::size_t const slice = y / 2 * 2 + x / 2;
                pixels += DicomBytes::little(slice < 3 ? 10 * slice + y % 2 * 2 + x % 2 : 99, 2);
            }
        file.erase(0x00281052).erase(0x00281053).set(0x7fe00010, "OW", pixels);
        return file;
    }
    static DicomBytes make_mosaic(unsigned slices)
    {
        DicomBytes file = make_mosaic();
        file.set(0x00190010, "LO", "SIEMENS MR HEADER").set_word(0x0019100a, slices);
        return file;
    }

    std::unique_ptr<VolumeSource> open(DicomBytes const& file, PartChoice const& part = {})
    {
        DicomOptions options;
        options.part = part;
        return open_dicom(folder_.write("IM1", file.write()).string(), options);
    }

    void expect_refused(DicomBytes const& file, std::initializer_list<std::string_view> parts)
    {
        expect_error(ExitStatus::input, parts, [&] { open(file); });
    }

    std::vector<float> const split_{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23};
    TempFolder folder_;
};

TEST_F(DicomVolumes, MosaicIsSplitAndPlaced)
{
    auto const source = open(make_mosaic(3));
    EXPECT_EQ(source->meta().dims, (std::array{2, 2, 3}));
    EXPECT_EQ(source->meta().pitch_mm, (std::array{0.25, 0.5, 3.0}));
    // Half of the difference of sizes: (4 - 2) / 2 columns of .25 mm, rows of .5 mm.
    EXPECT_EQ(source->meta().first_voxel_world_mm, (std::array{-10 + 0.25, -20 + 0.5, 5.0}));
    EXPECT_EQ(read_all(*source), split_);
    EXPECT_NE(source->describe_voxel(0, 0, 2).find("3"), std::string::npos);
}

TEST_F(DicomVolumes, CsaHeaderHasNumberAndDirectionOfSlices)
{
    for (int const version : {1, 2})
        for (bool const is_down : {false, true}) {
            DicomBytes file = make_mosaic();
            file.set(0x00290010, "LO", "SIEMENS CSA HEADER");
            file.set(
                0x00291010, "OB",
                make_csa({{"NumberOfImagesInMosaic", {"3"}}, {"SliceNormalVector", {"0", "0", is_down ? "-1" : "1"}}},
                         version));
            auto const source = open(file);
            auto const values = read_all(*source);
            // Slices are given along the cross product of rows and columns, +z.
            EXPECT_EQ(values[0], is_down ? 20 : 0) << version;
            EXPECT_EQ((*source->meta().first_voxel_world_mm)[2], is_down ? -1 : 5) << version;
        }
    // Damaged headers are read as far as they go.
    std::string const whole = make_csa({{"NumberOfImagesInMosaic", {"3"}}, {"SliceNormalVector", {"0", "0", "1"}}}, 2);
    EXPECT_EQ(read_csa_header(std::as_bytes(std::span(whole))).size(), 2u);
    for (std::size_t size = 0; size < whole.size(); size += 7)
        EXPECT_LE(read_csa_header(std::as_bytes(std::span(whole).first(size))).size(), 2u);
}

TEST_F(DicomVolumes, PictureThatIsOnlyCalledMosaicIsOneSlice)
{
    expect_refused(make_mosaic(), {"mosaic", "NumberOfImagesInMosaic"});
    for (bool const is_new : {false, true}) {
        DicomBytes file = make_mosaic();
        if (is_new)
            file.set(0x00181020, "LO", "syngo MR XA30");
        else
            file.set(0x00181310, "US", DicomBytes::little(0x0004000000000004, 8));
        auto const source = open(file);
        EXPECT_EQ(source->meta().dims, (std::array{4, 4, 1}));
        EXPECT_NE(source->meta().notices.at(0).find("MOSAIC"), std::string::npos);
    }
    EXPECT_EQ(open(make_mosaic(1))->meta().dims, (std::array{4, 4, 1}));
    expect_refused(make_mosaic(5), {"NumberOfImagesInMosaic is 5", "3 x 3 tiles"});
    DicomBytes both = make_mosaic(3);
    both.set(0x00290010, "LO", "SIEMENS CSA HEADER");
    both.set(0x00291010, "OB", make_csa({{"NumberOfImagesInMosaic", {"4"}}}, 2));
    expect_refused(both, {"3 in (0019,100A)", "4 in its CSA header"});
    DicomBytes grid = make_dicom_slice(0);
    grid.set(0x00650010, "LO", "Image Private Header").set(0x00651050, "DS", "4");
    expect_refused(grid, {"grid of 4 slices", "United Imaging"});
}

TEST_F(DicomVolumes, SlicesAtOnePlaceAreVolumesByTheFieldThatTellsThemApart)
{
    int number = 0;
    for (int const echo : {10, 9})
        for (int slice = 0; slice < 3; ++slice) {
            DicomBytes file = make_dicom_slice(slice);
            file.set(0x00080018, "UI", fmt::format("1.2.3.{}", ++number));
            file.set(0x00180081, "DS", fmt::format("{}", echo)).set(0x00181060, "DS", fmt::format("{}", number));
            file.set(0x7fe00010, "OW", dicom_pixels(10 * echo + slice));
            folder_.write(fmt::format("IM{}", number), file.write());
        }
    auto const open_volume = [&](std::optional<std::uint64_t> volume, MissingChoice missing) {
        SourceFileOptions options;
        options.read.part = {volume, {}, missing};
        return open_source_file(folder_.path().string(), options);
    };
    for (std::uint64_t const volume : {0u, 1u}) {
        auto const source = open_volume(volume, MissingChoice::refused);
        EXPECT_EQ(source->meta().dims[2], 3);
        EXPECT_EQ(source->meta().volume_count, 2u);
        // By number: 9 before 10.
        EXPECT_EQ(read_all(*source)[0], static_cast<float>(dicom_code(volume == 0 ? 90 : 100, 0)) - 1024);
    }
    expect_error(ExitStatus::input, {"2 volumes", "EchoTime 9", "EchoTime 10", "--volume"},
                 [&] { open_volume({}, MissingChoice::refused); });
    EXPECT_EQ(open_volume({}, MissingChoice::first)->meta().notices.size(), 1u);
    expect_error(ExitStatus::input, {"no volume 2"}, [&] { open_volume(2, MissingChoice::refused); });
}

TEST_F(DicomVolumes, FilesWithoutPreambleAreRead)
{
    std::string const whole = make_dicom_slice(0).write();
    std::string const with_meta = whole.substr(132), bare = make_dicom_slice(0).encode();
    for (std::string const& bytes : {with_meta, bare}) {
        auto const path = folder_.write("plan", bytes).string();
        EXPECT_TRUE(is_dicom(path));
        EXPECT_EQ(read_all(*open_dicom(path))[1], static_cast<float>(dicom_code(0, 1)) - 1024);
        EXPECT_TRUE(is_dicom(folder_.path().string()));
    }
    // Other files whose first bytes could be a group.
    for (std::string const& other : {std::string("\x08\0\x08\0\x04\0\0\0abcdefgh", 16), std::string(600, '\x08'),
                                     bare.substr(0, 20), std::string("\x02\0\0\0UL\x04\0\1\0\0\0", 12)})
        EXPECT_FALSE(is_dicom(folder_.write("other", other).string()));
}

TEST_F(DicomVolumes, LengthsThatTheFileCannotHoldAreRefusedByTag)
{
    std::string const good = make_dicom_slice(0).write();
    std::string const head = good.substr(0, good.find("\x08\0\x08\0CS"));
    ASSERT_LT(head.size(), good.size());
    std::string const huge = little4(800'000'000), rest(600, 'x');
    std::string const element = std::string("\x29\0\x10\x10OB\0\0", 8) + huge + rest;
    std::string const open_item = little4(0xe000fffe) + little4(0xffffffff);
    for (std::string const& bytes :
         {head + element, head + std::string("\x08\0\x40\x11SQ\0\0", 8) + little4(0xffffffff) + open_item + element,
          head + std::string("\x08\0\x40\x11SQ\0\0", 8) + little4(20) + little4(0xe000fffe) + little4(12) + element,
          good.substr(0, 132) + std::string("\x02\0\1\0OB\0\0", 8) + huge + rest}) {
        auto const path = folder_.write("IM1", bytes).string();
        expect_error(ExitStatus::input, {"IM1 at offset", "announces 800000000 bytes"}, [&] { open_dicom(path); });
    }
    // Without VR, by its transfer syntax.
    DicomBytes implicit = make_dicom_slice(0);
    std::string bytes = implicit.write("1.2.840.10008.1.2");
    bytes = bytes.substr(0, bytes.find("\x08\0\x08\0CS")) + std::string("\x08\0\x08\0", 4) + huge + rest;
    auto const path = folder_.write("IM1", bytes).string();
    expect_error(ExitStatus::input, {"(0008,0008)", "announces 800000000 bytes"}, [&] { open_dicom(path); });
}

} // namespace
} // namespace volpt
