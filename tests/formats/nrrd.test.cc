// NRRD: encodings, types, byte orders, axes, detached data, colours, refusals.
#include "formats/reader.h"
#include "libvolpt/sys/error.h"
#include "tests/formats/metaimage_text.h"
#include "tests/formats/nifti_bytes.h"
#include "tests/formats/read_all.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace volpt {
namespace {

using test::expect_error;
using test::TempFolder;

std::vector<double> const kNumbers{0, 1, 2, 50, 100, 101, 102, 103, 104, 120, 126, 127};
std::string const kSizes = "dimension: 3\nsizes: 3 2 2\n";

std::string with_magic(std::string const& fields)
{
    return "NRRD0005\n# a comment\n" + fields + "\n";
}

class Nrrd : public testing::Test {
protected:
    std::unique_ptr<VolumeSource> open(std::string const& fields, std::string const& data)
    {
        return open_volume_source(folder_.write("v.nrrd", with_magic(fields) + data));
    }
    std::vector<float> const expected_{kNumbers.begin(), kNumbers.end()};
    TempFolder folder_;
};

TEST_F(Nrrd, FilesOutsideTheHeadersFolderNeedPermission)
{
    folder_.write("secret.raw", "abcdefghijkl");
    std::filesystem::create_directory(folder_ / "in");
    std::string const fields = "type: uchar\n" + kSizes + "encoding: raw\ndata file: ";
    for (auto const* name : {"../secret.raw", "LIST\n../secret.raw"}) {
        auto const header = folder_.write("in/h.nhdr", with_magic(fields + name + "\n"));
        expect_error(ExitStatus::input, {"h.nhdr", "data file", "--allow-outside"},
                     [&] { open_volume_source(header); });
        ReadOptions options;
        options.outside = OutsideFiles::allowed;
        EXPECT_EQ(read_all(*open_volume_source(header, options))[1], 'b');
    }
}

TEST_F(Nrrd, EveryTypeEncodingAndByteOrderReadsTheSame)
{
    struct Type {
        char const* name;
        std::string (*encode)(std::vector<double> const&, bool);
    };
    for (Type const& type : {Type{"signed char", to_binary<std::int8_t>},
                             {"uint8_t", to_binary<std::uint8_t>},
                             {"short", to_binary<std::int16_t>},
                             {"unsigned short int", to_binary<std::uint16_t>},
                             {"int32", to_binary<std::int32_t>},
                             {"uint", to_binary<std::uint32_t>},
                             {"long long", to_binary<std::int64_t>},
                             {"uint64_t", to_binary<std::uint64_t>},
                             {"float", to_binary<float>},
                             {"double", to_binary<double>}})
        for (bool const big : {false, true}) {
            std::string const bytes = type.encode(kNumbers, big);
            std::string const fields =
                kSizes + "type: " + type.name + (big ? "\nendian: big\n" : "\nendian: little\n") + "encoding: ";
            EXPECT_EQ(read_all(*open(fields + "raw\n", bytes)), expected_) << type.name << big;
            EXPECT_EQ(read_all(*open(fields + "gzip\n", gzip_text(bytes))), expected_) << type.name << big;
            EXPECT_EQ(read_all(*open(fields + "text\n", "0 1 2 50 100 101\n102 103 104 120 126 127\n")), expected_);
        }
}

TEST_F(Nrrd, SpaceDirectionsBecomePitchAndLpsPlacement)
{
    std::string const axes = "type: uchar\nencoding: raw\nspace directions: (0,2,0) (-3,0,0) (0,0,4)\n"
                             "space origin: (10,20,30)\nspace units: \"mm\" \"mm\" \"mm\"\n" +
                             kSizes;
    std::string const bytes = to_binary<std::uint8_t>(kNumbers, false);
    auto const lps = open("space: left-posterior-superior\n" + axes, bytes);
    EXPECT_EQ(*lps->meta().pitch_mm, (std::array{2.0, 3.0, 4.0}));
    EXPECT_EQ(lps->meta().rotation, (std::array<double, 9>{0, -1, 0, 1, 0, 0, 0, 0, 1}));
    EXPECT_EQ(*lps->meta().first_voxel_world_mm, (std::array{10.0, 20.0, 30.0}));
    auto const ras = open("space: RAS\n" + axes, bytes);
    EXPECT_EQ(*ras->meta().first_voxel_world_mm, (std::array{-10.0, -20.0, 30.0}));
    EXPECT_EQ(ras->meta().rotation[3], -1.0);
    EXPECT_EQ(ras->meta().rotation[1], 1.0);
    EXPECT_EQ(read_all(*ras), expected_);
}

TEST_F(Nrrd, SpacingsAndUnitsArePitchNanIsUnknown)
{
    std::string const bytes = to_binary<std::uint8_t>(kNumbers, false);
    std::string const fields = kSizes + "type: uchar\nencoding: raw\n";
    auto const source =
        open(fields + "spacings: 500 500 1.5\nunits: \"um\" \"um\" \"mm\"\nkey word:=my value\n", bytes);
    EXPECT_EQ(*source->meta().pitch_mm, (std::array{0.5, 0.5, 1.5}));
    EXPECT_NE(source->meta().metadata_json.find(R"("key word:=":"my value")"), std::string::npos);
    EXPECT_FALSE(open(fields + "spacings: nan nan nan\n", bytes)->meta().pitch_mm.has_value());
}

TEST_F(Nrrd, DetachedDataSkipsAndListsAreFollowed)
{
    std::string const bytes = to_binary<std::uint8_t>(kNumbers, false);
    std::string const fields = kSizes + "type: uchar\nencoding: raw\n";
    folder_.write("d.raw", "line one\nline two\nab" + bytes);
    auto const open_header = [&](std::string const& more) {
        return open_volume_source(folder_.write("v.nhdr", "NRRD0004\n" + fields + more));
    };
    EXPECT_EQ(read_all(*open_header("line skip: 2\nbyte skip: 2\ndata file: d.raw\n")), expected_);
    EXPECT_EQ(read_all(*open_header("byteskip: -1\ndatafile: d.raw\n")), expected_);
    folder_.write("a.raw", bytes.substr(0, 6));
    folder_.write("b.raw", bytes.substr(6));
    EXPECT_EQ(read_all(*open_header("data file: LIST\na.raw\nb.raw\n")), expected_);
    EXPECT_THROW(open_header("data file: LIST\na.raw\ngone.raw\n"), Error);
    EXPECT_THROW(open_header("data file: gone.raw\n"), Error);
}

TEST_F(Nrrd, FirstAxisOfThreeIsColour)
{
    auto const source = open("dimension: 4\nsizes: 3 2 2 1\nkinds: RGB-color domain domain domain\nspace: LPS\n"
                             "space directions: none (1,0,0) (0,1,0) (0,0,1)\ntype: uchar\nencoding: raw\n",
                             to_binary<std::uint8_t>(kNumbers, false));
    EXPECT_EQ(source->meta().channels, 3);
    EXPECT_EQ(source->meta().dims, (std::array{2, 2, 1}));
    EXPECT_EQ(read_all(*source), expected_);
}

TEST_F(Nrrd, OfSurplusValuesTheFirstAreUsed)
{
    auto const flat =
        open("dimension: 2\nsizes: 4 3 1\nspacings: 2 3 4\ntype: uchar\nencoding: raw\n", std::string(12, 'x'));
    EXPECT_EQ(flat->meta().dims, (std::array{4, 3, 1}));
    EXPECT_EQ(*flat->meta().pitch_mm, (std::array{2.0, 3.0, 2.0}));
    ASSERT_EQ(flat->meta().notices.size(), 2u);
    test::expect_contains(flat->meta().notices[1], {"v.nrrd", "spacings has 3 values, of which the first 2 are used"});
    auto const placed =
        open(kSizes + "space: LPS\nspace directions: (1,0,0) (0,1,0) (0,0,2) (0,0,1)\ntype: uchar\nencoding: raw\n",
             std::string(12, 'x'));
    EXPECT_EQ(*placed->meta().pitch_mm, (std::array{1.0, 1.0, 2.0}));
    EXPECT_EQ(placed->meta().notices.size(), 1u);
}

TEST_F(Nrrd, WrongHeadersAreRefusedWithTheField)
{
    auto const refused = [&](std::string const& fields, char const* expected) {
        SCOPED_TRACE(fields);
        expect_error(ExitStatus::input, {expected, "v.nrrd"}, [&] { open(fields, std::string(12, 'x')); });
    };
    std::string const raw = "type: uchar\nencoding: raw\n";
    refused("dimension: 5\nsizes: 3 2 2 1 1\n" + raw, "dimension: 5");
    refused("dimension: 3\nsizes: 3 2\n" + raw, "sizes");
    refused("dimension: 2\nsizes: 3 2 2\n" + raw, "sizes");
    refused("dimension: 0\nsizes: 1\n" + raw, "sizes");
    refused("dimension: 3\nsizes: 3 2 70000\n" + raw, "sizes");
    refused("dimension: 3\nsizes: 3 2 0\n" + raw, "sizes");
    refused("dimension: 3\n" + raw, "no sizes");
    refused("dimension: 3\nsizes: 65535 65535 65535\n" + raw, "ask for");
    refused(kSizes + "type: block\nencoding: raw\n", "type: block");
    refused(kSizes + "type: short\nencoding: raw\n", "no endian");
    refused(kSizes + "type: uchar\nencoding: bzip2\n", "encoding: bzip2");
    refused(kSizes + raw + "spacings: 1 0 1\n", "spacings");
    refused(kSizes + raw + "space directions: (1,0,0) (0.5,1,0) (0,0,1)\n", "perpendicular");
    refused(kSizes + raw + "space directions: (1,0,0) (0,1) (0,0,1)\n", "space directions");
    refused(kSizes + raw + "byte skip: -2\n", "byte skip");
    refused(kSizes + raw + "line skip: 5\n", "line skip");
    refused(kSizes + raw + "no field at all\n", "no field at all");
}

} // namespace
} // namespace volpt
