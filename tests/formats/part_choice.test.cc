// Files of several volumes or numbers per voxel, of every format that has them: one is chosen, others are refused.
#include "formats/common/part_choice.h"
#include "formats/reader.h"
#include "libvolpt/sys/error.h"
#include "tests/formats/metaimage_text.h"
#include "tests/formats/nifti_bytes.h"
#include "tests/formats/read_all.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace volpt {
namespace {

using test::expect_contains;
using test::expect_error;
using test::TempFolder;

/// 2 x 1 x 2 voxels at three times: voxel v at time t is 10 t + v.
constexpr int kVoxels = 4, kTimes = 3;

std::string make_bytes()
{
    std::string bytes;
    for (int t = 0; t < kTimes; ++t)
        for (int v = 0; v < kVoxels; ++v) bytes += static_cast<char>(10 * t + v);
    return bytes;
}

/// The times of a voxel side by side.
std::string make_interleaved()
{
    std::string bytes;
    for (int v = 0; v < kVoxels; ++v)
        for (int t = 0; t < kTimes; ++t) bytes += static_cast<char>(10 * t + v);
    return bytes;
}

std::string zip_text(std::string const& bytes)
{
    std::string packed(compressBound(static_cast<uLong>(bytes.size())), '\0');
    auto size = static_cast<uLongf>(packed.size());
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<Bytef const*>(bytes.data()),
             static_cast<uLong>(bytes.size()));
    packed.resize(size);
    return packed;
}

std::string make_text(std::string const& bytes)
{
    std::string text;
    for (char const byte : bytes) text += std::to_string(static_cast<int>(byte)) + " ";
    return text;
}

class PartChoices : public testing::Test {
protected:
    std::unique_ptr<VolumeSource> open(std::filesystem::path const& path, PartChoice part)
    {
        ReadOptions options;
        options.part = std::move(part);
        return open_volume_source(path, options);
    }

    static std::vector<float> expect_time(int time)
    {
        std::vector<float> values;
        for (int v = 0; v < kVoxels; ++v) values.push_back(static_cast<float>(10 * time + v));
        return values;
    }

    TempFolder folder_;
};

TEST_F(PartChoices, VolumesOfEveryFormatAreChosenByNumber)
{
    std::string nifti = make_nifti1({2, 1, 2}, 2, 8);
    put<std::int16_t>(nifti, 40, 5);
    put<std::int16_t>(nifti, 48, 1);
    put<std::int16_t>(nifti, 50, 3);
    std::string nifti2 = make_nifti2({2, 1, 2}, 2, 8);
    put<std::int64_t>(nifti2, 16, 4);
    put<std::int64_t>(nifti2, 48, 3);
    std::string const nrrd = "NRRD0005\ntype: uchar\ndimension: 4\n", last = nrrd + "sizes: 2 1 2 3\n",
                      first = nrrd + "sizes: 3 2 1 2\n";
    std::string const met = "NDims = 4\nDimSize = 2 1 2 3\nElementSpacing = 1 2 3 4\nElementType = MET_UCHAR\n";
    for (int i = 0; i < 6; ++i)
        folder_.write("p" + std::to_string(i) + ".raw", make_bytes().substr(static_cast<std::size_t>(2 * i), 2));
    std::string pieces;
    for (int i = 0; i < 6; ++i) pieces += "p" + std::to_string(i) + ".raw\n";
    for (auto const& path :
         {folder_.write("a.nii", nifti + make_bytes()), folder_.write("b.nii", nifti2 + make_bytes()),
          folder_.write("c.nii.gz", gzip_text(nifti + make_bytes())),
          folder_.write("d.nrrd", last + "encoding: raw\n\n" + make_bytes()),
          folder_.write("e.nrrd", last + "encoding: gzip\nspacings: 1 2 3 nan\n\n" + gzip_text(make_bytes())),
          folder_.write("f.nrrd", last + "encoding: text\n\n" + make_text(make_bytes())),
          folder_.write("g.nrrd", last +
                                      "kinds: domain domain domain list\nspace: LPS\nspace directions: (1,0,0) (0,1,0) "
                                      "(0,0,1) none\nencoding: raw\n\n" +
                                      make_bytes()),
          folder_.write("h.nrrd", first + "kinds: list domain domain domain\nencoding: raw\n\n" + make_interleaved()),
          folder_.write("i.mha", met + "ElementDataFile = LOCAL\n" + make_bytes()),
          folder_.write("j.mha", met + "CompressedData = True\nElementDataFile = LOCAL\n" + zip_text(make_bytes())),
          folder_.write("k.mha", met + "BinaryData = False\nElementDataFile = LOCAL\n" + make_text(make_bytes())),
          folder_.write("l.mhd", met + "ElementDataFile = LIST\n" + pieces),
          folder_.write("m.jnii",
                        R"({"NIFTIHeader": {}, "NIFTIData": {"_ArrayType_": "uint8", "_ArraySize_": [2, 1, 2, 1, 3],
              "_ArrayOrder_": "c", "_ArrayData_": [0,1,2,3,10,11,12,13,20,21,22,23]}})")}) {
        if (path.extension() != ".jnii") {
            for (int time = 0; time < kTimes; ++time)
                EXPECT_EQ(read_all(*open(path, {time, {}, MissingChoice::refused})), expect_time(time)) << path;
            expect_error(ExitStatus::input, {"3 volumes", "--volume"}, [&] { open(path, {}); });
        }
        auto const source = open(path, {{}, {}, MissingChoice::first});
        EXPECT_EQ(source->meta().volume_count, 3u) << path;
        expect_contains(source->meta().notices.back(), {"3 volumes", "first"});
        expect_error(ExitStatus::input, {"no volume 3"}, [&] { open(path, {3, {}, MissingChoice::refused}); });
    }
    EXPECT_EQ(read_all(*open(folder_ / "m.jnii", {1, {}, MissingChoice::refused})), expect_time(1));
}

TEST_F(PartChoices, NumbersOfAVoxelAreChosenByNameOrNumber)
{
    std::string const met = "NDims = 3\nDimSize = 2 1 2\nElementType = MET_UCHAR\nElementNumberOfChannels = ";
    auto const rgb = folder_.write("rgb.mha", met + "3\nElementDataFile = LOCAL\n" + make_interleaved());
    EXPECT_EQ(read_all(*open(rgb, {{}, "G", MissingChoice::refused})), expect_time(1));
    EXPECT_EQ(read_all(*open(rgb, {{}, "2", MissingChoice::refused})), expect_time(2));
    EXPECT_EQ(open(rgb, {})->meta().channels, 3);
    auto const two = folder_.write("two.mha", met + "2\nElementDataFile = LOCAL\n" + "a0b1c2d3");
    EXPECT_EQ(read_all(*open(two, {{}, "1", MissingChoice::refused})), (std::vector<float>{'0', '1', '2', '3'}));
    expect_error(ExitStatus::input, {"2 channels", "--channel"}, [&] { open(two, {}); });
    expect_error(ExitStatus::input, {"no channel \"2\""}, [&] { open(two, {{}, "2", MissingChoice::refused}); });
    auto const nrrd =
        folder_.write("v.nrrd", "NRRD0005\ntype: uchar\ndimension: 5\nsizes: 2 2 1 1 2\nkinds: vector domain "
                                "domain domain time\nencoding: raw\n\nabcdefgh");
    EXPECT_EQ(read_all(*open(nrrd, {1, "1", MissingChoice::refused})), (std::vector<float>{'f', 'h'}));
    auto const one = folder_.write("one.mha", met + "1\nElementDataFile = LOCAL\nabcd");
    EXPECT_EQ(read_all(*open(one, {0, "0", MissingChoice::refused})).size(), 4u);
    expect_error(ExitStatus::input, {"one volume"}, [&] { open(one, {1, {}, MissingChoice::refused}); });
    expect_error(ExitStatus::input, {"one channel"}, [&] { open(one, {{}, "R", MissingChoice::refused}); });
}

} // namespace
} // namespace volpt
