// Print jobs out and in again: the same labels, the same way round, and a file that is whole or as it was.
#include "formats/reader.h"
#include "formats/slices/job_layers.h"
#include "formats/slices/stack.h"
#include "formats/writer.h"
#include "libvolpt/medium/job_materials.h"
#include "libvolpt/medium/labelled_volume.h"
#include "libvolpt/scene/layer_image.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/packed_layers.h"
#include "libvolpt/volume/voxel_stream.h"
#include "tests/formats/read_all.h"
#include "tests/formats/slice_samples.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>
#include <random>

namespace volpt {
namespace {

using test::expect_contains;
using test::expect_error;
using Labels = std::vector<std::uint8_t>;

constexpr std::array<double, 3> kPitch{25.4 / 600, 25.4 / 300, 0.027};
char const* const kTable = R"({"materials": [
    {"name": "air", "air": true},
    {"name": "C & <clear>", "colour": "#00ffff", "sigma_t": [1], "albedo": [0.5]},
    {"name": "W", "colour": "#ffffff", "sigma_t": [2], "albedo": [0.5]},
    {"name": "support", "colour": "#808000", "support": true},
    {"name": "glass", "colour": "#c0c0ff", "clear": true},
    {"name": "K", "colour": "#000000", "sigma_t": [2], "albedo": [0.5]}]})";

/// Ids of the table in a box whose axes may point against the world's.
class LabelSource final : public VolumeSource {
public:
    LabelSource(std::array<int, 3> dims, std::array<int, 3> signs, Labels labels)
        : VolumeSource(describe(dims, signs)), labels_(std::move(labels))
    {
    }
    void read_slab(int z_first, int, std::span<float> values) override
    {
        auto const layer = static_cast<std::size_t>(meta().dims[0]) * static_cast<std::size_t>(meta().dims[1]);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = labels_[static_cast<std::size_t>(z_first) * layer + i];
    }

private:
    static SourceMeta describe(std::array<int, 3> dims, std::array<int, 3> signs)
    {
        SourceMeta meta;
        meta.dims = dims;
        meta.pitch_mm = kPitch;
        for (std::size_t i = 0; i < 3; ++i) meta.rotation[4 * i] = signs[i];
        return meta;
    }
    Labels labels_;
};

class Gcvf : public testing::Test {
protected:
    void SetUp() override
    {
        for (auto const& entry : list_readers())
            if (entry.name == "zip" && entry.reader == nullptr) GTEST_SKIP() << "built without libzip";
        folder_.write("t.json", kTable);
    }

    MaterialTable read_table() const { return read_material_table(folder_ / "t.json"); }

    PackedVolume pack(VoxelStream& stream, char const* name)
    {
        pack_volume(stream, folder_ / name, {}, {});
        return PackedVolume::open(folder_ / name);
    }

    PackedVolume pack(std::array<int, 3> dims, std::array<int, 3> signs, Labels const& labels)
    {
        auto const stream =
            make_labelled_volume(std::make_unique<LabelSource>(dims, signs, labels), read_table(), "t.json", {});
        return pack(*stream, "in.vpk");
    }

    PackedVolume read_again(std::unique_ptr<VolumeSource> source)
    {
        JobColours colours;
        MaterialTable table = read_table();
        if (source->meta().job) apply_print_job(table, *source->meta().job, "t.json", colours);
        LabelledOptions options;
        if (!source->meta().job) options.pitch_mm = kPitch;
        options.labels = colours.labels;
        auto const stream = make_labelled_volume(std::move(source), table, "t.json", options);
        return pack(*stream, "again.vpk");
    }

    std::unique_ptr<VolumeSource> open_job(std::filesystem::path const& path) const
    {
        return open_volume_source(path, {.alpha = SliceAlpha::kept});
    }

    static Labels list_labels(PackedVolume const& volume)
    {
        auto const [x, y, z] = volume.meta().dims;
        auto const layer = static_cast<std::size_t>(x) * static_cast<std::size_t>(y);
        Labels labels(layer * static_cast<std::size_t>(z));
        for (int slice = 0; slice < z; ++slice)
            read_label_layer(volume.view(), slice,
                             std::span(labels).subspan(static_cast<std::size_t>(slice) * layer, layer));
        return labels;
    }

    test::TempFolder folder_;
};

Labels make_noise(std::size_t count)
{
    std::mt19937 random(7);
    Labels labels(count);
    for (auto& label : labels) label = static_cast<std::uint8_t>(random() % 6);
    return labels;
}

TEST_F(Gcvf, JobThatIsExportedAndReadAgainHasTheSameLabelsAndSize)
{
    Labels const labels = make_noise(std::size_t{21} * 10 * 11);
    auto const volume = pack({21, 10, 11}, {1, -1, 1}, labels);
    auto const exported = export_volume(volume, folder_ / "job.gcvf", {});
    EXPECT_EQ(exported.dims, (std::array{21, 10, 11}));
    auto const again = read_again(open_job(folder_ / "job.gcvf"));
    EXPECT_EQ(list_labels(again), labels);
    EXPECT_EQ(again.meta().pitch_mm, volume.meta().pitch_mm);
    EXPECT_EQ(again.meta().placement.rotation, volume.meta().placement.rotation);
    ASSERT_EQ(again.materials().size(), volume.materials().size());
    for (std::size_t i = 0; i < again.materials().size(); ++i)
        EXPECT_EQ(again.materials()[i].name, volume.materials()[i].name);

    export_volume(again, folder_ / "twice.gcvf", {});
    EXPECT_EQ(test::read_text(folder_ / "twice.gcvf"), test::read_text(folder_ / "job.gcvf"));
}

TEST_F(Gcvf, SlicesThatAreExportedAndReadAgainHaveTheSameLabels)
{
    Labels const labels = make_noise(std::size_t{9} * 8 * 3);
    std::filesystem::create_directory(folder_ / "s");
    export_volume(pack({9, 8, 3}, {1, -1, 1}, labels), folder_ / "s/slice%04d.png", {});
    std::string const png = test::read_text(folder_ / "s/slice0000.png");
    EXPECT_EQ(png.substr(24, 2), std::string("\x08\x06", 2)) << "32 bits, which GrabCAD asks for";
    EXPECT_NE(png.find("pHYs" + be32(23622) + be32(11811)), std::string::npos) << "600 and 300 dots per inch";
    EXPECT_EQ(list_labels(read_again(open_slice_stack((folder_ / "s").string(), SliceAlpha::kept))), labels);
}

/// An F as it is read from above (+z), its first slice; the second one has its foot alone. 1 ink, 0 air.
constexpr std::array<std::string_view, 2> kLetter{"111"
                                                  "100"
                                                  "110"
                                                  "100"
                                                  "100",
                                                  "000"
                                                  "000"
                                                  "000"
                                                  "000"
                                                  "100"};
constexpr std::array<int, 3> kLetterDims{3, 5, 2};

std::size_t find_letter_pixel(int column, int row)
{
    return static_cast<std::size_t>(row * kLetterDims[0] + column);
}

/// Voxels of the letter standing at +y, its first slice lowest, in the order of axes that point along `signs`.
Labels place_letter(std::array<int, 3> signs)
{
    Labels labels;
    for (int z = 0; z < kLetterDims[2]; ++z)
        for (int y = 0; y < kLetterDims[1]; ++y)
            for (int x = 0; x < kLetterDims[0]; ++x) {
                int const column = signs[0] > 0 ? x : kLetterDims[0] - 1 - x;
                int const row = signs[1] > 0 ? kLetterDims[1] - 1 - y : y;
                int const slice = signs[2] > 0 ? z : kLetterDims[2] - 1 - z;
                bool const is_ink = kLetter[static_cast<std::size_t>(slice)][find_letter_pixel(column, row)] == '1';
                labels.push_back(is_ink ? 1 : 0);
            }
    return labels;
}

TEST_F(Gcvf, LetterIsTheRightWayRoundInTheSlicesWhateverTheAxesOfTheVolume)
{
    for (int bits = 0; bits < 8; ++bits) {
        std::array const signs{bits & 1 ? -1 : 1, bits & 2 ? -1 : 1, bits & 4 ? -1 : 1};
        export_volume(pack(kLetterDims, signs, place_letter(signs)), folder_ / "f.gcvf", {});
        auto const values = read_all(*open_job(folder_ / "f.gcvf")); // R G B A, in the order of the files
        for (std::size_t slice = 0; slice < 2; ++slice)
            for (std::size_t pixel = 0; pixel < kLetter[slice].size(); ++pixel)
                EXPECT_EQ(values[4 * (slice * 15 + pixel) + 2] == 255, kLetter[slice][pixel] == '1')
                    << "axes " << bits << ", slice " << slice << ", pixel " << pixel;
    }
}

TEST_F(Gcvf, DrawnLayersAreTheSlicesOfTheJob)
{
    for (int bits = 0; bits < 8; ++bits) {
        std::array const signs{bits & 1 ? -1 : 1, bits & 2 ? -1 : 1, bits & 4 ? -1 : 1};
        auto const volume = pack(kLetterDims, signs, place_letter(signs));
        for (std::size_t slice = 0; slice < 2; ++slice) {
            Image const drawn = draw_layer(volume, static_cast<int>(slice), LayerLook::shown);
            auto const& green = drawn.find("G")->values;
            for (std::size_t pixel = 0; pixel < kLetter[slice].size(); ++pixel)
                EXPECT_EQ(green[pixel], kLetter[slice][pixel] == '1' ? 1.0f : 0.5f)
                    << "axes " << bits << ", slice " << slice << ", pixel " << pixel;
        }
    }
}

TEST_F(Gcvf, LetterIsTheRightWayRoundInTheWorld)
{
    auto const draw = [](std::string_view letter) {
        std::string pixels;
        for (char const ink : letter) pixels += ink == '1' ? std::string("\0\xff\xff\xff", 4) : std::string(4, '\0');
        return make_png(3, 5, 6, pixels);
    };
    folder_.write("f0.png", draw(kLetter[0]));
    folder_.write("f1.png", draw(kLetter[1]));
    auto const volume = read_again(open_slice_stack((folder_ / "f*.png").string(), SliceAlpha::kept));
    Labels const labels = list_labels(volume);
    auto const& meta = volume.meta();
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 5; ++y)
            for (int x = 0; x < 3; ++x) {
                std::array<double, 3> place = meta.placement.origin_world_mm;
                std::array const steps{x + 0.5, y + 0.5, z + 0.5};
                for (std::size_t i = 0; i < 3; ++i)
                    for (std::size_t j = 0; j < 3; ++j)
                        place[i] +=
                            meta.placement.rotation[3 * i + j] * steps[j] * static_cast<double>(meta.pitch_mm[j]);
                auto const column = static_cast<int>(std::floor(place[0] / kPitch[0] + 1.5));
                auto const row = static_cast<int>(std::floor(2.5 - place[1] / kPitch[1]));
                auto const slice = static_cast<std::size_t>(place[2] > 0);
                EXPECT_EQ(labels[static_cast<std::size_t>(x + 3 * (y + 5 * z))] == 1,
                          kLetter[slice][find_letter_pixel(column, row)] == '1')
                    << x << " " << y << " " << z;
            }
}

TEST_F(Gcvf, InterruptedExportLeavesTheFileThatWasThere)
{
    auto const volume = pack(kLetterDims, {1, 1, 1}, place_letter({1, 1, 1}));
    folder_.write("job.gcvf", "before");
    EXPECT_THROW(export_volume(volume, folder_ / "job.gcvf", [](Progress const& p) { return p.done < 2; }), Error);
    EXPECT_EQ(test::read_text(folder_ / "job.gcvf"), "before");
    std::size_t files = 0;
    for ([[maybe_unused]] auto const& entry : std::filesystem::directory_iterator(folder_ / "")) ++files;
    EXPECT_EQ(files, 3u) << "t.json, in.vpk and job.gcvf";
    export_volume(volume, folder_ / "job.gcvf", {});
    EXPECT_EQ(open_job(folder_ / "job.gcvf")->meta().dims, kLetterDims);
}

TEST_F(Gcvf, BackgroundIsAColourThatNoMaterialHas)
{
    auto const background = [&](std::uint8_t ink) {
        Labels labels(12, 0);
        labels[0] = ink;
        export_volume(pack({3, 2, 2}, {1, 1, 1}, labels), folder_ / "b.gcvf", {});
        auto const source = open_job(folder_ / "b.gcvf");
        EXPECT_EQ(source->meta().job->materials.size(), 1u);
        return *source->meta().job->background;
    };
    EXPECT_EQ(background(2), 0x000000ffu);
    EXPECT_EQ(background(5), 0u) << "K is black";
}

TEST_F(Gcvf, VolumesThatAreNoJobAreRefused)
{
    folder_.write("t.json", R"({"materials": [{"name": "A", "sigma_t": [1], "albedo": [0.5]},
                                              {"name": "B", "sigma_t": [1], "albedo": [0.5]}]})");
    auto const volume = pack({2, 1, 1}, {1, 1, 1}, {0, 1});
    expect_error(ExitStatus::usage, {"'A' has no colour"}, [&] { export_volume(volume, folder_ / "a.gcvf", {}); });
    EXPECT_FALSE(std::filesystem::exists(folder_ / "a.gcvf"));
}

TEST_F(Gcvf, ManifestHasTheNamesOfPrintersOrThoseOfTheJobThatWasPacked)
{
    auto const names_of = [](PackedVolume const& volume) {
        auto const palette =
            choose_job_palette({volume.meta(), volume.materials(), volume.source_metadata_json()},
                               std::vector<std::uint64_t>(volume.materials().size(), 1), JobBackground::black);
        std::string names;
        for (JobMaterialUse const& material : palette.materials) names += material.job_name + ", ";
        return names;
    };
    auto const volume = pack({6, 1, 1}, {1, -1, 1}, {0, 1, 2, 3, 4, 5});
    EXPECT_EQ(names_of(volume), "C & <clear>, VeroPureWht, support, glass, VeroBlack, ");
    std::string const manifest = R"(<GCVF>
        <Resolution><XDpi>600</XDpi><YDpi>300</YDpi><SliceThicknessNanoMeter>27000</SliceThicknessNanoMeter></Resolution>
        <SliceDimensions><SliceWidth>2</SliceWidth><SliceHeight>1</SliceHeight></SliceDimensions>
        <SliceRange><NumberOfSlices>1</NumberOfSlices></SliceRange><ImageFilePrefix>l</ImageFilePrefix>
        <MaterialList><Material><Name>VUltraWhite</Name><RGBA>1 2 3 255</RGBA></Material>
        <Material><Name>VeroPureWht</Name><RGBA>0 0 0 255</RGBA></Material></MaterialList></GCVF>)";
    std::string const png = make_png(2, 1, 6, std::string("\1\2\3\xff\1\2\3\xff", 8));
    auto const path = folder_.write("own.gcvf", make_zip({{"ConfigFile.xml", manifest}, {"l0.png", png}}));
    EXPECT_EQ(names_of(read_again(open_job(path))), "C & <clear>, VUltraWhite, support, glass, VeroPureWht, ");
}

} // namespace
} // namespace volpt
