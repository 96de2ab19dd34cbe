// Print jobs (.gcvf): pitch, background and materials of the manifest; manifests that contradict their slices; archives
// made for harm.
#include "formats/reader.h"
#include "formats/slices/stack.h"
#include "libvolpt/medium/job_materials.h"
#include "libvolpt/medium/labelled_volume.h"
#include "libvolpt/sys/error.h"
#include "tests/formats/read_all.h"
#include "tests/formats/slice_samples.h"
#include "tests/support/data_paths.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace volpt {
namespace {

using test::expect_contains;
using test::expect_error;
using Parts = std::initializer_list<std::string_view>;
using Labels = std::vector<std::uint8_t>;
using Files = std::vector<std::pair<std::string, std::string>>;

std::string const kCyan("\0\xff\xff\xff", 4);
std::string const kWhite(4, '\xff');
std::string const kBlack("\0\0\0\xff", 4);
std::string const kNothing(4, '\0');

/// As users of GrabCAD Voxel Print write it: 2 x 1 pixels, 2 slices, 600 x 300 dpi, 27 um.
std::string make_manifest()
{
    return R"(<?xml version="1.0" encoding="UTF-8"?>
<!--  a job  -->
<GCVF><Version>2</Version>
 <Resolution><XDpi>600</XDpi><YDpi>300</YDpi><SliceThicknessNanoMeter>27000</SliceThicknessNanoMeter></Resolution>
 <SliceDimensions><SliceWidth>2</SliceWidth><SliceHeight>1</SliceHeight></SliceDimensions>
 <SliceRange><StartIndex>0</StartIndex><NumberOfSlices>2</NumberOfSlices></SliceRange>
 <ImageFilePrefix>layer_</ImageFilePrefix>
 <MaterialList><BackGroundMaterialRGBA>0 0 0 255</BackGroundMaterialRGBA>
  <Material><Name>VeroCY-V</Name><RGBA>0 255 255 255</RGBA><VoxelCount>2</VoxelCount></Material>
  <Material><Name>VUltraWhite</Name><RGBA>255 255 255 255</RGBA><VoxelCount>1</VoxelCount></Material>
 </MaterialList></GCVF>)";
}

std::string replaced(std::string text, std::string_view what, std::string_view by)
{
    text.replace(text.find(what), what.size(), by);
    return text;
}

class Jobs : public testing::Test {
protected:
    std::filesystem::path write_job(std::string const& manifest, Files const& more = {})
    {
        Files files{{"ConfigFile.xml", manifest},
                    {"layer_0.png", make_png(2, 1, 6, kCyan + kBlack)},
                    {"layer_1.png", make_png(2, 1, 6, kCyan + kWhite)}};
        files.insert(files.end(), more.begin(), more.end());
        return folder_.write("job.gcvf", make_zip(files));
    }

    void SetUp() override
    {
        for (auto const& entry : list_readers())
            if (entry.name == "zip" && entry.reader == nullptr) GTEST_SKIP() << "built without libzip";
        table_ = read_material_table(test::tests_folder() / "../pipelines/data/materials/elek2017.json");
    }

    std::unique_ptr<VoxelStream> open(std::unique_ptr<VolumeSource> source, int snap = 0,
                                      std::vector<LabelRequest> const& requests = {},
                                      std::optional<std::array<double, 3>> pitch_mm = {})
    {
        JobColours colours;
        MaterialTable table = table_;
        apply_labels(table, requests, "elek2017", colours);
        if (source->meta().job) apply_print_job(table, *source->meta().job, "elek2017", colours);
        if (!find_air(table) && has_transparent_pixels(*source)) apply_transparency(table, "elek2017", colours);
        LabelledOptions options{.pitch_mm = pitch_mm};
        options.notices = colours.notices;
        options.labels = colours.labels;
        options.snap = snap;
        return make_labelled_volume(std::move(source), table, "elek2017", options);
    }

    static Labels read_labels(VoxelStream& stream)
    {
        auto const slab = stream.read_slab(0, stream.meta().dims[2]);
        return {slab.label.begin(), slab.label.end()};
    }

    /// Labels of one slice of a stack without manifest.
    Labels label_slice(std::string const& png, int snap = 0, std::vector<LabelRequest> const& requests = {})
    {
        folder_.write("s0.png", png);
        auto const stream = open(open_slice_stack((folder_ / "s*.png").string(), SliceAlpha::kept), snap, requests,
                                 std::array{1.0, 1.0, 1.0});
        Labels const labels = read_labels(*stream);
        notices_ = stream->list_notices();
        names_.clear();
        for (auto const label : labels) names_ += stream->materials()[label].name + " ";
        return labels;
    }

    test::TempFolder folder_;
    MaterialTable table_;
    std::vector<std::string> notices_;
    std::string names_;
};

TEST_F(Jobs, ManifestGivesPitchBackgroundAndMaterials)
{
    auto source = open_volume_source(write_job(make_manifest()), {.alpha = SliceAlpha::kept});
    EXPECT_EQ(*source->meta().pitch_mm, (std::array{25.4 / 600, 25.4 / 300, 0.027}));
    auto const stream = open(std::move(source));
    auto const labels = read_labels(*stream);
    auto const& materials = stream->materials();
    EXPECT_EQ(labels, (Labels{0, 3, 0, 4}));
    EXPECT_EQ(materials[3].name, "air") << "black is the background, not K";
    EXPECT_EQ(materials.size(), 5u);
    auto const notices = stream->list_notices();
    ASSERT_EQ(notices.size(), 2u);
    expect_contains(notices[0], {"VeroCY-V is C", "VUltraWhite is W"});
    expect_contains(notices[1], {"background", "#000000", "not 'K'"});
    expect_contains(stream->source_metadata_json(), {R"("job.XDpi":"600")", R"("colour.air":"#000000")"});
}

TEST_F(Jobs, FolderWithTheManifestIsTheSameJob)
{
    folder_.write("ConfigFile.xml", make_manifest());
    folder_.write("layer_0.png", make_png(2, 1, 6, kCyan + kBlack));
    folder_.write("layer_1.png", make_png(2, 1, 6, kCyan + kWhite));
    folder_.write("preview.png", make_png(1, 1, 0, "a"));
    folder_.write("preview2.png", make_png(1, 1, 0, "a"));
    auto const stream = open(open_slice_stack((folder_ / "").string(), SliceAlpha::kept));
    EXPECT_EQ(read_labels(*stream), (Labels{0, 3, 0, 4}));
    EXPECT_FLOAT_EQ(stream->meta().pitch_mm[1], 0.0846666667f);
}

TEST_F(Jobs, PitchThatIsGivenWinsAndADifferenceOfOverOnePercentIsTold)
{
    auto const tell = [&](std::array<double, 3> pitch_mm) {
        auto const stream =
            open(open_volume_source(write_job(make_manifest()), {.alpha = SliceAlpha::kept}), 0, {}, pitch_mm);
        EXPECT_FLOAT_EQ(stream->meta().pitch_mm[0], static_cast<float>(pitch_mm[0]));
        std::string told;
        for (auto const& notice : stream->list_notices())
            if (notice.find("--pitch") != std::string::npos) told = notice;
        return told;
    };
    EXPECT_EQ(tell({0.0423, 0.0847, 0.027}), "");
    expect_contains(tell({0.0423, 0.0423, 0.027}), {"0.0423,0.0423,0.027 mm is used", "0.042333,0.084667,0.027 mm"});
}

TEST_F(Jobs, MaterialsOfANameOfTheTableHaveTheColourOfTheJob)
{
    std::string manifest = replaced(make_manifest(), "VeroCY-V", "W");
    manifest = replaced(manifest, "VUltraWhite", "C");
    auto const stream = open(open_volume_source(write_job(manifest), {.alpha = SliceAlpha::kept}));
    EXPECT_EQ(read_labels(*stream), (Labels{4, 3, 4, 0}));
    expect_contains(stream->source_metadata_json(), {R"("colour.C":"#ffffff")", R"("colour.W":"#00ffff")"});
}

TEST_F(Jobs, OrderOfTheManifestDoesNotMatter)
{
    PrintJob job;
    job.materials = {{"C", 0xff00ffff, {}}, {"Resin", 0x00ffffff, {}}};
    auto const apply = [&] {
        MaterialTable table = table_;
        JobColours colours;
        apply_print_job(table, job, "elek2017", colours);
        return std::pair(table.colours, colours.notices);
    };
    auto const forwards = apply();
    std::ranges::reverse(job.materials);
    EXPECT_EQ(apply(), forwards);
    ASSERT_EQ(forwards.second.size(), 1u);
    expect_contains(forwards.second[0], {"#ff00ff is 'C' in the job", "'M' has no colour now"});
}

TEST_F(Jobs, SearchForTransparentPixelsCanBeStopped)
{
    auto const source = open_volume_source(write_job(make_manifest()), {.alpha = SliceAlpha::kept});
    test::expect_error(ExitStatus::system, {"stopped", "job.gcvf"},
                       [&] { has_transparent_pixels(*source, [](Progress const&) { return false; }); });
}

TEST_F(Jobs, UnknownColoursAreToldAsLowerBoundsIfReadingOnIsStopped)
{
    Files files;
    for (int i = 0; i < 20; ++i)
        files.push_back({"s" + std::to_string(10 + i) + ".png", make_png(1, 1, 6, std::string("\1\2\3\xff", 4))});
    for (auto const& [name, bytes] : files) folder_.write(name, bytes);
    for (bool const goes_on : {true, false}) {
        auto const stream = make_labelled_volume(
            open_slice_stack((folder_ / "s*.png").string(), SliceAlpha::kept), table_, "elek2017",
            {.pitch_mm = std::array{1.0, 1.0, 1.0}, .progress = [&](Progress const&) { return goes_on; }});
        test::expect_error(ExitStatus::input, {goes_on ? "material: 20 pixels" : "at least 16 pixels"},
                           [&] { stream->read_slab(0, 8); });
    }
}

TEST_F(Jobs, OtherCountsOfVoxelsAreTold)
{
    auto const stream = open(open_volume_source(
        write_job(replaced(make_manifest(), "<VoxelCount>2<", "<VoxelCount>7<")), {.alpha = SliceAlpha::kept}));
    read_labels(*stream);
    expect_contains(stream->list_notices().back(), {"counts 7 voxels of C", "have 2"});
}

TEST_F(Jobs, ManifestsThatContradictTheSlicesAreRefused)
{
    auto const refused = [&](std::string_view what, std::string_view by, Parts parts) {
        auto const path = write_job(replaced(make_manifest(), what, by));
        expect_error(ExitStatus::input, parts, [&] { open_volume_source(path); });
    };
    refused("<SliceWidth>2", "<SliceWidth>3", {"job.gcvf: ConfigFile.xml", "2 x 1", "3 x 1"});
    refused("<NumberOfSlices>2", "<NumberOfSlices>3", {"ConfigFile.xml", "NumberOfSlices is 3", "2 slices"});
    refused("<NumberOfSlices>2", "<NumberOfSlices>1", {"NumberOfSlices is 1"});
    refused("<StartIndex>0", "<StartIndex>5", {"StartIndex is 5", "layer_0.png"});
    refused("layer_<", "slice_<", {"no slice named slice_NUMBER"});
    refused("layer_<", "../layer_<", {"ImageFilePrefix", "out of the job's folder"});
    refused("<XDpi>600", "<XDpi>0", {"Resolution/XDpi = '0'", "1 to"});
    refused("<YDpi>300", "<YDpi>", {"Resolution/YDpi = ''"});
    refused("27000", "27 um", {"SliceThicknessNanoMeter = '27 um'"});
    refused("0 255 255 255", "0 255 255", {"RGBA of 'VeroCY-V'"});
    refused("0 255 255 255", "0 255 256 255", {"RGBA of 'VeroCY-V'"});
    refused("0 255 255 255", "255 255 255 255", {"'VeroCY-V' and 'VUltraWhite'"});
    refused("0 0 0 255<", "0 255 255 255<", {"'VeroCY-V' has the colour of the background"});
    refused("</GCVF>", "", {"is no XML", "offset"});
    refused("GCVF>", "G>", {"is no XML"});
}

TEST_F(Jobs, ArchivesMadeForHarmAndTruncatedOnesAreRefused)
{
    auto const refuse = [&](std::filesystem::path const& path, Parts parts) {
        expect_error(ExitStatus::input, parts, [&] { read_all(*open_volume_source(path)); });
    };
    for (char const* const name : {"../layer_2.png", "a/../../b.png", "/etc/x.png", "..\\x.png", "C:x.png"})
        refuse(write_job(make_manifest(), {{name, "x"}}), {"leads out of the archive", name});
    refuse(write_job(make_manifest(), {{"b/ConfigFile.xml", "x"}}), {"two jobs"});
    std::string const whole = make_zip({{"ConfigFile.xml", make_manifest()}, {"layer_0.png", "x"}});
    for (std::size_t const size : {whole.size() - 1, whole.size() / 2, std::size_t{30}})
        refuse(folder_.write("cut.gcvf", whole.substr(0, size)), {"cut.gcvf"});
    std::string bomb = whole; // announces a manifest of 3 GiB
    bomb[bomb.find("PK\1\2") + 27] = '\xc0';
    refuse(folder_.write("bomb.gcvf", bomb), {"bomb.gcvf"});
}

TEST_F(Jobs, TransparentPixelsAreAirAndHalfTransparentOnesNeedSnap)
{
    EXPECT_EQ(label_slice(make_png(3, 1, 6, kCyan + kNothing + kBlack)), (Labels{0, 5, 3}));
    EXPECT_EQ(names_, "C air K ");
    std::string const half("\0\xff\xff\x80", 4), less("\0\xff\xff\x7f", 4);
    expect_error(ExitStatus::input, {"s0.png: pixel 1,0", "#00ffff80", "1 pixel", "--snap"},
                 [&] { label_slice(make_png(2, 1, 6, kCyan + half)); });
    label_slice(make_png(4, 1, 6, kCyan + half + less + kNothing), 1);
    EXPECT_EQ(names_, "C C air air ");
    expect_contains(notices_.back(), {"2 pixels", "C 1", "air 1"});
}

TEST_F(Jobs, PalettesMayHaveTransparentColours)
{
    std::string const palette("\0\xff\xff\7\7\7", 6);
    table_.materials[3].sigma_t.assign(3, 0.0f); // K is air
    EXPECT_EQ(
        label_slice(make_png(2, 1, 3, std::string("\0\1", 2), {{"PLTE", palette}, {"tRNS", std::string("\xff\0", 2)}})),
        (Labels{0, 3}));
}

TEST_F(Jobs, LabelsOfOneAndOfFewBitsAreGreyColours)
{
    folder_.write("s1.png", make_png(2, 1, 0, std::string("\xff\0", 2)));
    auto const stream =
        open(open_slice_stack((folder_ / "s*.png").string(), SliceAlpha::kept), 0, {}, std::array{1.0, 1.0, 1.0});
    EXPECT_EQ(read_labels(*stream), (Labels{4, 3}));
}

TEST_F(Jobs, LabelsNameColoursAndMayAddAirSupportAndClear)
{
    std::string const pixels = kCyan + std::string("\1\2\3\xff\4\5\6\xff\7\10\11\xff\12\13\14\xff", 16);
    label_slice(make_png(5, 1, 6, pixels), 0,
                {{0x010203ffu, "M"}, {0x040506ffu, "air"}, {0x070809ffu, "support"}, {0x0a0b0cffu, "clear"}});
    EXPECT_EQ(names_, "C M air support clear ");
    expect_error(ExitStatus::usage, {"'red'", "choose among C, M"}, [&] {
        label_slice(make_png(5, 1, 6, pixels), 0, {{1, "red"}});
    });
    EXPECT_EQ(parse_label_request("#010203=M").colour, 0x010203ffu);
    EXPECT_EQ(parse_label_request("#01020304=a=b").material, "a=b");
    for (char const* const wrong : {"#0102=M", "M", "#010203", "#010203=", "=M"})
        expect_error(ExitStatus::usage, {"--label", wrong}, [&] { parse_label_request(wrong); });
}

TEST_F(Jobs, NoInkOfAnotherHueIsAdvisedOrTaken)
{
    std::string const blue("\0\x5b\xa0", 3), white("\xff\xff\xff", 3); // 160 from K, 164 from C
    std::string const picture = make_png(2, 1, 2, blue + white);
    auto const read_message = [&](int snap) {
        try {
            label_slice(picture, snap);
        } catch (Error const& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    for (int const snap : {0, 30, 128, 160, 163}) {
        std::string const message = read_message(snap);
        expect_contains(message, {"#005ba0 is of no material: 1 pixel, nearest C", "--label '#005ba0=C'"});
        EXPECT_EQ(message.find("--snap"), std::string::npos) << message;
    }
    label_slice(picture, 164);
    EXPECT_EQ(names_, "C W ");
    label_slice(make_png(2, 1, 2, std::string("\0\x40\x40", 3) + white), 64); // of an edge between C and K
    EXPECT_EQ(names_, "K W ");
}

TEST_F(Jobs, OneLineOfLabelsAnswersForAllUnknownColours)
{
    std::string const cyan("\0\x5b\xa0", 3), magenta("\xa0\x20\x60", 3), white("\xff\xff\xff", 3);
    expect_error(
        ExitStatus::input,
        {"give --label '#005ba0=C' --label '#a02060=M' --label '#808080=NAME' --label '#e3e9fd=clear' with the"},
        [&] { label_slice(make_png(5, 1, 2, cyan + magenta + std::string("\x80\x80\x80\xe3\xe9\xfd", 6) + white)); });
}

TEST_F(Jobs, ClearVeroIsNoWhiteThatIsSmoothed)
{
    try {
        label_slice(make_png(1, 1, 2, std::string("\xe3\xe9\xfd", 3)));
        FAIL();
    } catch (Error const& error) {
        EXPECT_EQ(std::string(error.what()).find("--snap"), std::string::npos) << error.what();
    }
}

TEST_F(Jobs, ColoursOfVeroResinsAreTheMaterialsOfATableThatHasThem)
{
    std::string const vero("\0\x5a\x9e\xa6\x21\x62\xc8\xbd\x03\x1a\x1a\x1d\xf0\xf0\xf0", 15);
    EXPECT_EQ(label_slice(make_png(5, 1, 2, vero)), (Labels{0, 1, 2, 3, 4}));
    expect_contains(notices_.back(), {"Vero", "#005a9e is C (1 pixels)", "#f0f0f0 is W (1 pixels)"});
    table_.colours[4] = 0x005a9effu; // what the table says goes first
    EXPECT_EQ(label_slice(make_png(1, 1, 2, vero.substr(0, 3))), Labels{4});
}

TEST_F(Jobs, ResinsThatTheManifestNamesAreMaterialsOfTheTableWhateverTheirColour)
{
    std::string manifest = replaced(make_manifest(), "0 255 255 255", "9 9 9 255"); // VeroCY-V is black
    manifest = replaced(manifest, "255 255 255 255", "255 0 255 255");              // VUltraWhite is magenta
    Files const files{{"ConfigFile.xml", manifest},
                      {"layer_0.png", make_png(2, 1, 6, std::string("\x9\x9\x9\xff", 4) + kBlack)},
                      {"layer_1.png", make_png(2, 1, 6, std::string("\x9\x9\x9\xff\xff\0\xff\xff", 8))}};
    auto const stream = open(open_volume_source(folder_.write("r.gcvf", make_zip(files)), {.alpha = SliceAlpha::kept}));
    EXPECT_EQ(read_labels(*stream), (Labels{0, 3, 0, 4}));
    expect_contains(stream->list_notices()[0], {"#ff00ff is 'W' in the job", "'M' has no colour now"});
    expect_contains(stream->list_notices()[1], {"by name: VeroCY-V is C, VUltraWhite is W"});
}

TEST_F(Jobs, TwoResinsOfAJobMayBeOneMaterialAndClearIsAdded)
{
    PrintJob job;
    job.materials = {{"VeroBlackPlus", 0x111111ff, {}},
                     {"VeroBlack", 0x222222ff, {}},
                     {"VeroClear", 0xffffffff, {}},
                     {"SUP705", 0x00ff00ff, {}},
                     {"DraftGrey", 0x808080ff, {}}};
    JobColours colours;
    apply_print_job(table_, job, "elek2017", colours);
    ColourLabels const labels(table_, colours.labels, 0);
    auto const name_of = [&](std::uint32_t colour) {
        auto const match = labels.find(colour);
        return match.kind == ColourLabels::Kind::exact ? table_.materials[match.label].name : std::string("unknown");
    };
    EXPECT_EQ(name_of(0x111111ff), "K");
    EXPECT_EQ(name_of(0x222222ff), "K");
    EXPECT_EQ(name_of(0xffffffff), "clear");
    EXPECT_EQ(name_of(0x00ff00ff), "support");
    EXPECT_EQ(name_of(0x808080ff), "unknown");
    EXPECT_FALSE(table_.colours[4]) << "white is clear in the job";
}

TEST_F(Jobs, LabelsMayNameMaterialsOfTheManifest)
{
    PrintJob job;
    job.materials = {{"a=b", 0x111111ff, {}}, {"Resin", 0x222222ff, {}}};
    auto const request = parse_label_request("Resin=C");
    EXPECT_EQ(find_label_colours({request}, &job)[0].colour, 0x222222ffu);
    expect_error(ExitStatus::usage, {"no material 'Resin'", "a=b"}, [&] {
        job.materials.pop_back();
        find_label_colours({request}, &job);
    });
    expect_error(ExitStatus::usage, {"is not #rrggbb=NAME"}, [&] { find_label_colours({request}, nullptr); });
}

TEST_F(Jobs, UnknownColoursAreAllNamedWithCountPlaceAndNearestMaterial)
{
    folder_.write("s1.png", make_png(2, 1, 2, std::string("\0\xf8\xff\0\xf8\xff", 6)));
    folder_.write("s2.png", make_png(2, 1, 2, std::string("\0\xf8\xff\xff\xfe\xff", 6)));
    expect_error(ExitStatus::input,
                 {"2 colours are of no material", "#00f8ff (3 pixels, nearest C at a distance of 7",
                  "s1.png: pixel 0,0", "#fffeff (1 pixel, nearest W at a distance of 1", "s2.png: pixel 1,0",
                  "--label '#00f8ff=C'", "--snap 7"},
                 [&] { label_slice(make_png(2, 1, 2, std::string("\0\xff\xff\xff\xff\xff", 6))); });
}

TEST_F(Jobs, SnapTakesTheNearestMaterialWithinTheDistance)
{
    std::string const png = make_png(3, 1, 2, std::string("\0\xf8\xff\x14\x10\x0c\xff\xff\xff", 9));
    EXPECT_EQ(label_slice(png, 20), (Labels{0, 3, 4}));
    expect_contains(notices_.back(), {"2 pixels", "C 1, K 1", "largest distance is 20"});
    expect_error(ExitStatus::input, {"#14100c", "nearest K at a distance of 20"}, [&] { label_slice(png, 19); });
}

TEST_F(Jobs, RealPrintAsAJobIsItsInksInAir)
{
    char const* const data = std::getenv("VOLPT_TEST_DATA");
    if (data == nullptr) GTEST_SKIP() << "VOLPT_TEST_DATA is not set";
    std::string manifest = replaced(make_manifest(), "<SliceWidth>2", "<SliceWidth>1000");
    manifest = replaced(replaced(manifest, "Height>1<", "Height>500<"), "Slices>2", "Slices>6");
    Files files{{"ConfigFile.xml", manifest}};
    for (int i = 0; i < 6; ++i) {
        std::string const name = "layer_0" + std::to_string(i) + ".png";
        files.emplace_back(name, test::read_text(std::filesystem::path(data) / "j750-colorwheel-slices" / name));
    }
    auto const stream =
        open(open_volume_source(folder_.write("wheel.gcvf", make_zip(files)), {.alpha = SliceAlpha::kept}));
    std::array<int, 5> counts{};
    for (auto const label : read_labels(*stream)) ++counts.at(label);
    for (int const count : counts) EXPECT_GT(count, 10000);
    EXPECT_EQ(stream->materials()[3].name, "air");
}

} // namespace
} // namespace volpt
