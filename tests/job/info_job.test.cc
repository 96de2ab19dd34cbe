// What files hold, by typed requests: volumes and films, and files of other programs.
#include "libvolpt/job/info/info_job.h"

#include "libvolpt/job/info/source/source_info.h"
#include "tests/support/data_paths.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace volpt {
namespace {

using test::expect_contains;
using test::expect_error;
using test::TempFolder;

InfoRequest request_frozen(std::string const& name)
{
    InfoRequest request;
    request.file = test::tests_folder() / "frozen" / name;
    return request;
}

TEST(InfoJob, TheBytesOfAFileSayItsKind)
{
    TempFolder const folder;
    std::filesystem::copy_file(request_frozen("tiny.vpk").file, folder / "a.vpf");
    InfoRequest request;
    request.file = folder / "a.vpf";
    EXPECT_EQ(info(request)["kind"], "volume");
    auto const of_film = info(request_frozen("tiny.vpf"));
    EXPECT_EQ(of_film["kind"], "film");
    EXPECT_EQ(of_film["sample_ranges"][0]["samples"], "0:2, 5:1");
    test::write_text(folder / "a.vpf", "hello");
    expect_error(ExitStatus::input, {"a.vpf", "neither a packed volume"}, [&] { info(request); });
}

TEST(InfoJob, VoxelsAreCountedAndDrawnIfAsked)
{
    TempFolder const folder;
    InfoRequest request = request_frozen("tiny_labels.vpk");
    EXPECT_FALSE(info(request).contains("histogram"));
    request.histogram = Histogram::counted;
    request.coverage = CoverageRequest{folder / "shares.svg"};
    request.slice = SliceRequest{0, folder / "layer.png", PixelAspect::voxel};
    auto const told = info(request);
    std::uint64_t voxels = 0;
    for (auto const& count : told["histogram"]["counts"]) voxels += count.get<std::uint64_t>();
    auto const dims = told["dims"].get<std::vector<std::uint64_t>>();
    EXPECT_EQ(voxels, dims[0] * dims[1] * dims[2]);
    EXPECT_EQ(told["coverage"]["layers"].size(), dims[2]);
    expect_contains(test::read_text(folder / "shares.svg"), {"<svg", "depth below"});
    expect_contains(test::read_text(folder / "layer.png"), {"PNG"});
}

TEST(InfoJob, WhatIsCountedIsCheckedAtAnyLevel)
{
    TempFolder const folder;
    std::string bytes = test::read_text(request_frozen("tiny.vpk").file);
    bytes[8292] = '\7';
    test::write_text(folder / "bad.vpk", bytes);
    InfoRequest request;
    request.file = folder / "bad.vpk";
    EXPECT_EQ(info(request)["verified"], "quick");
    request.histogram = Histogram::counted;
    expect_error(ExitStatus::input, {"bad.vpk", "section 'density.voxels', offset 8192"}, [&] { info(request); });
    request.histogram = Histogram::left_out;
    request.verify = VerifyLevel::full;
    expect_error(ExitStatus::input, {"section 'density.voxels', offset 8192"}, [&] { info(request); });
}

TEST(InfoJob, RequestsOfOtherKindsAndLostFilesAreRefused)
{
    TempFolder const folder;
    auto const refuse = [](InfoRequest const& request, std::initializer_list<std::string_view> words) {
        expect_error(ExitStatus::usage, words, [&] { info(request); });
    };
    InfoRequest request = request_frozen("tiny.vpf");
    request.histogram = Histogram::counted;
    refuse(request, {"a film has no slices"});
    request = request_frozen("tiny_labels.vpk");
    std::filesystem::copy_file(request.file, folder / "labels.vpk");
    request.file = folder / "labels.vpk";
    request.coverage = CoverageRequest{folder / "shares.pdf"};
    refuse(request, {"--coverage", "shares.pdf"});
    request.coverage->plot = folder / "shares.png";
    request.kept = {folder / "shares.png"};
    refuse(request, {"same file", "shares.png"});
    std::filesystem::create_symlink(request.file, folder / "link.png");
    request.coverage.reset();
    request.slice = SliceRequest{0, folder / "link.png"};
    refuse(request, {"same file", "link.png"});
}

/// A MetaImage of 4 x 4 x 16 numbers, -100 to 155.
SourceInfoRequest request_scan(TempFolder const& folder)
{
    std::vector<std::int16_t> numbers(256);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int16_t>(static_cast<int>(i) - 100);
    auto const bytes = std::as_bytes(std::span(numbers));
    test::write_text(folder / "scan.mha",
                     "NDims = 3\nDimSize = 4 4 16\nElementSpacing = 1 1 2\nElementType = MET_SHORT\n"
                     "ElementDataFile = LOCAL\n" +
                         std::string(reinterpret_cast<char const*>(bytes.data()), bytes.size()));
    SourceInfoRequest request;
    request.input = (folder / "scan.mha").string();
    return request;
}

TEST(SourceInfoJob, NumbersOfAFileAreToldWithItsHeader)
{
    TempFolder const folder;
    SourceInfoRequest request = request_scan(folder);
    request.histogram = Histogram::counted;
    std::vector<std::string> notices;
    std::vector<std::uint64_t> slices;
    JobSinks const sinks{.notice = [&](std::string_view text) { notices.emplace_back(text); },
                         .progress =
                             [&](Progress const& progress) {
                                 slices.push_back(progress.done);
                                 return true;
                             }};
    SourceInfo const told = info(request, sinks);
    EXPECT_EQ(told.report["kind"], "source");
    EXPECT_EQ(told.report["format"], "metaimage");
    EXPECT_EQ(told.report["values"]["min"], -100);
    EXPECT_EQ(told.report["histogram"]["counts"].size(), 32u);
    EXPECT_TRUE(told.report.contains("suggested_option"));
    EXPECT_EQ(told.report["notices"].get<std::vector<std::string>>(), notices);
    ASSERT_EQ(notices.size(), 1u);
    expect_contains(notices[0], {"numbers down to -100"});
    EXPECT_EQ(slices, (std::vector<std::uint64_t>{0, 8, 16}));
    ASSERT_EQ(told.channels.size(), 1u);
    EXPECT_EQ(told.channels[0].distinct, 256u);
}

TEST(SourceInfoJob, AHeaderIsToldWithoutNumbers)
{
    TempFolder const folder;
    SourceInfoRequest request = request_scan(folder);
    request.depth = SourceDepth::header;
    JobSinks const sinks{.progress = [](Progress const&) -> bool { throw std::logic_error("it counts"); }};
    SourceInfo const told = info(request, sinks);
    EXPECT_TRUE(told.channels.empty() && !told.report.contains("values") && told.report.contains("notices"));
    request.histogram = Histogram::counted;
    expect_error(ExitStatus::usage, {"--header", "--histogram"}, [&] { info(request); });
}

TEST(SourceInfoJob, OptionsOfOtherFormatsAndOtherFilesAreRefused)
{
    TempFolder const folder;
    SourceInfoRequest request = request_scan(folder);
    request.file.dicom.series = "1";
    expect_error(ExitStatus::usage, {"--series has no meaning for"}, [&] { info(request); });
    request = request_scan(folder);
    request.file.vdb.density_grid = "density";
    expect_error(ExitStatus::usage, {"--density-grid has no meaning for"}, [&] { info(request); });
    test::write_text(folder / "mesh.stl", "solid a\nendsolid a\n");
    request = {.input = (folder / "mesh.stl").string(), .file = {}};
    expect_error(ExitStatus::input, {"triangle mesh", "--check-mesh"}, [&] { info(request); });
}

TEST(SourceInfoJob, ASinkStopsIt)
{
    TempFolder const folder;
    SourceInfoRequest const request = request_scan(folder);
    for (int const stop_at : {1, 2}) {
        int calls = 0;
        JobSinks const sinks{.progress = [&](Progress const&) { return ++calls < stop_at; }};
        expect_error(ExitStatus::system, {"stopped before all numbers were counted"}, [&] { info(request, sinks); });
        EXPECT_EQ(calls, stop_at);
    }
}

} // namespace
} // namespace volpt
