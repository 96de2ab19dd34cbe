// Jobs written by the command that makes the print: labels as they are printed, limits before the work, nothing left.
#include "tools/volprep/print/printed_job.h"

#include "formats/reader.h"
#include "libvolpt/medium/job_materials.h"
#include "libvolpt/medium/labelled_volume.h"
#include "libvolpt/print/mesh/mesh_print.h"
#include "libvolpt/surface/make_mesh.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/mesh/fill_border.h"
#include "libvolpt/volume/mesh/mesh_volume.h"
#include "tests/support/data_paths.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace volpt {
namespace {

MaterialTable read_job_inks()
{
    return read_material_table(test::tests_folder() / "../pipelines/data/materials/elek2017.json");
}

/// Names of materials, voxel by voxel.
std::vector<std::string> list_names(VoxelStream& stream)
{
    std::vector<std::string> names;
    for (int z = 0; z < stream.meta().dims[2]; z += kBrickEdge)
        for (std::uint8_t const label : stream.read_slab(z, std::min(kBrickEdge, stream.meta().dims[2] - z)).label)
            names.push_back(stream.materials()[label].name);
    return names;
}

class PrintedJobTest : public testing::Test {
protected:
    PrintedJobTest()
    {
        TriangleMesh ball = make_icosphere(0.7f, 8);
        auto const print = fit_print_box(ball, {}, {25.4 / 600, 25.4 / 300, 0.027}, {});
        mesh_ = place_mesh_in(print->box, std::move(ball), {});
    }

    void SetUp() override
    {
        for (auto const& entry : list_readers())
            if (entry.name == "zip" && entry.reader == nullptr) GTEST_SKIP() << "built without libzip";
    }

    std::unique_ptr<VoxelStream> print() const
    {
        MeshPrintOptions options;
        options.ink_depth_mm = 0.2;
        return make_mesh_print(mesh_, "ball", make_constant_colour(0x205080), read_job_inks(), "elek2017", options);
    }

    std::vector<std::string> read_job(std::filesystem::path const& path) const
    {
        auto source = open_volume_source(path, {.alpha = SliceAlpha::kept});
        MaterialTable table = read_job_inks();
        JobColours colours;
        apply_print_job(table, *source->meta().job, "elek2017", colours);
        LabelledOptions options;
        options.labels = colours.labels;
        auto const volume = make_labelled_volume(std::move(source), table, "elek2017", options);
        return list_names(*volume);
    }

    std::vector<std::string> list_files() const
    {
        std::vector<std::string> names;
        for (auto const& entry : std::filesystem::directory_iterator(folder_.path()))
            names.push_back(entry.path().filename().string());
        std::ranges::sort(names);
        return names;
    }

    PlacedMesh mesh_;
    test::TempFolder folder_;
};

TEST_F(PrintedJobTest, ReadAgainHasTheLabelsThatArePrintedNotThoseOfTheBorder)
{
    auto const printed = list_names(*print());
    {
        PrintedJob job(folder_ / "job.gcvf", (test::tests_folder() / "../pipelines/data/printers/j750.json").string(),
                       2);
        auto stream = job.collect(print(), "ball");
        stream = bound_volume(fill_border(std::move(stream), find_inside(mesh_, 1)), mesh_);
        pack_volume(*stream, folder_ / "out.vpk", {}, {});
        EXPECT_EQ(job.write({}).dims, mesh_.box.dims);
    }
    EXPECT_EQ(list_files(), (std::vector<std::string>{"job.gcvf", "out.vpk"}));
    EXPECT_EQ(read_job(folder_ / "job.gcvf"), printed);
}

TEST_F(PrintedJobTest, OfTwoReadingsTheFirstOneIsCollected)
{
    PrintedJob job(folder_ / "job.gcvf", {}, 1);
    auto const first = job.collect(print(), "ball");
    auto const printed = list_names(*first);
    EXPECT_EQ(list_names(*job.collect(print(), "ball")), printed);
    job.write({});
    EXPECT_EQ(read_job(folder_ / "job.gcvf"), printed);
}

TEST_F(PrintedJobTest, WhatIsNotFinishedLeavesTheFileAsItWas)
{
    folder_.write("job.gcvf", "before");
    {
        PrintedJob job(folder_ / "job.gcvf", {}, 1);
        job.collect(print(), "ball")->read_slab(0, kBrickEdge);
    }
    EXPECT_EQ(list_files(), std::vector<std::string>{"job.gcvf"});
    {
        PrintedJob job(folder_ / "job.gcvf", {}, 1);
        list_names(*job.collect(print(), "ball"));
        test::expect_error(ExitStatus::system, {"job.gcvf"}, [&] { job.write([](Progress const&) { return false; }); });
    }
    EXPECT_EQ(list_files(), std::vector<std::string>{"job.gcvf"});
    EXPECT_EQ(std::filesystem::file_size(folder_ / "job.gcvf"), 6u);
}

TEST_F(PrintedJobTest, WhatCannotBeExportedIsRefusedBeforeTheFirstLayer)
{
    auto const refuse = [&](ExitStatus status, std::initializer_list<std::string_view> parts, char const* name,
                            char const* printer = nullptr) {
        test::expect_error(status, parts, [&] {
            PrintedJob job(folder_ / name, printer ? std::optional<std::string>(printer) : std::nullopt, 1);
            job.collect(print(), "ball");
        });
    };
    refuse(ExitStatus::usage, {"job.mha", "printer"}, "job.mha");
    refuse(ExitStatus::usage, {"one file for all slices"}, "slice.png");
    refuse(ExitStatus::system, {"none", "cannot write to the folder"}, "none/job.gcvf");
    auto const small = folder_.write("p.json", R"({"name": "P", "dpi": [600, 300], "layers_um": [27], "source": "s",
        "limits": {"materials_max": 4, "slices_min": 30, "tray_mm": [1, 1, 1]}})");
    refuse(ExitStatus::input, {"ball", "5 materials"}, "job.gcvf", small.c_str());
}

} // namespace
} // namespace volpt
