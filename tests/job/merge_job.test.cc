// Films merged by a typed request: folders, expected samples, what is written, stops.
#include "libvolpt/job/merge/merge_job.h"

#include "libvolpt/film/film_io.h"
#include "tests/film/film_samples.h"
#include "tests/support/expect_error.h"
#include "tests/support/merge_films.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace volpt {
namespace {

using test::expect_contains;
using test::expect_error;

/// Samples of every pixel of a film of two tiles.
Film make_part(SampleRange samples)
{
    Film film = make_empty_film(70, 3, 3);
    if (samples.count > 0) add_samples(film, samples);
    return film;
}

/// Films of samples 0:2 and 2:3, by name in this order.
MergeRequest request_parts(TempFolder const& folder)
{
    std::filesystem::create_directory(folder / "parts");
    write_film(folder / "parts/0.vpf", make_part({0, 2}));
    write_film(folder / "parts/1.vpf", make_part({2, 3}));
    test::write_text(folder / "parts/notes.txt", "no film");
    MergeRequest request;
    request.inputs = {folder / "parts"};
    request.threads = test::kMergeThreads;
    return request;
}

TEST(MergeJob, FilmsOfAFolderAddUpAndAreReturned)
{
    TempFolder const folder;
    MergeRequest const request = request_parts(folder);
    MergeResult const merged = merge(request);
    ASSERT_TRUE(merged.film);
    EXPECT_EQ(hash_film(*merged.film), hash_film(make_part({0, 5})));
    EXPECT_TRUE(merged.is_whole() && merged.written.empty() && !merged.deviation);
    auto const report = report_merge(request, merged);
    EXPECT_EQ(report["inputs"], 2);
    EXPECT_EQ(report["film_hash"], to_hex(hash_film(*merged.film)));
    EXPECT_TRUE(report["deviation"].is_null() && !report.contains("missing_tasks"));
}

TEST(MergeJob, AFilmThatIsListedAgainCountsOnceWithANotice)
{
    TempFolder const folder;
    MergeRequest request = request_parts(folder);
    std::filesystem::copy_file(folder / "parts/0.vpf", folder / "again.vpf");
    request.listed = {folder / "again.vpf"};
    std::string notices;
    MergeResult const merged = merge(request, {.notice = [&](std::string_view text) { notices += text; }});
    EXPECT_EQ(hash_film(merged.film.value()), hash_film(make_part({0, 5})));
    expect_contains(notices, {"again.vpf is the same film as", "0.vpf; it is counted once"});
    EXPECT_EQ(report_merge(request, merged)["inputs_counted_once"], 1);
}

TEST(MergeJob, OutputsAreWrittenAndTellTheirMaking)
{
    TempFolder const folder;
    MergeRequest request = request_parts(folder);
    request.output.files = {folder / "all.vpf", folder / "all.pfm"};
    request.output.make_provenance = [] {
        Provenance provenance;
        provenance.set("tool", "a test");
        return provenance;
    };
    for (InputNames const names : {InputNames::left_out, InputNames::told}) {
        request.input_names = names;
        MergeResult const merged = merge(request);
        EXPECT_EQ(merged.written, request.output.files);
        Film const written = read_film(folder / "all.vpf");
        EXPECT_EQ(hash_film(written), hash_film(*merged.film));
        EXPECT_EQ(*written.provenance.find("tool"), "a test");
        std::string const input = *written.provenance.find("input.1");
        expect_contains(input, {"film_hash=" + to_hex(hash_film(make_part({2, 3})))});
        EXPECT_EQ(input.find("1.vpf") != std::string::npos, names == InputNames::told) << input;
    }
    EXPECT_TRUE(std::filesystem::exists(folder / "all.pfm"));
}

TEST(MergeJob, MissingSamplesAreToldAndWrittenOnlyIfAsked)
{
    TempFolder const folder;
    MergeRequest request = request_parts(folder);
    request.expected = ExpectedSamples{{0, 8}, 2};
    request.output.files = {folder / "all.vpf"};
    MergeResult const merged = merge(request);
    EXPECT_FALSE(merged.is_whole());
    EXPECT_TRUE(merged.film && merged.written.empty() && !std::filesystem::exists(folder / "all.vpf"));
    auto const report = report_merge(request, merged);
    expect_contains(report["deviation"].get<std::string>(), {"2 of 2 tiles differ", "tile 0,0 lacks 5:3"});
    EXPECT_EQ(report["missing_tasks"], "2-3");
    EXPECT_EQ(report["missing_task_count"], 2);
    EXPECT_EQ(report["resumable_tasks"], "2");
    request.when_incomplete = WhenIncomplete::write_partial;
    EXPECT_EQ(merge(request).written, request.output.files);
}

TEST(MergeJob, SamplesTooManyAreNeverWritten)
{
    TempFolder const folder;
    MergeRequest request = request_parts(folder);
    request.expected = ExpectedSamples{{0, 4}, {}};
    request.output.files = {folder / "all.vpf"};
    request.when_incomplete = WhenIncomplete::write_partial;
    EXPECT_TRUE(merge(request).written.empty());
    EXPECT_FALSE(std::filesystem::exists(folder / "all.vpf"));
}

TEST(MergeJob, HeadsAloneTellTheSamplesWithoutSums)
{
    TempFolder const folder;
    MergeRequest request = request_parts(folder);
    request.expected = ExpectedSamples{{0, 5}, {}};
    request.reading = MergeReading::heads;
    JobSinks const sinks{.progress = [](Progress const&) -> bool { throw std::logic_error("it adds sums"); }};
    MergeResult const merged = merge(request, sinks);
    EXPECT_TRUE(merged.is_whole() && !merged.film);
    auto const report = report_merge(request, merged);
    EXPECT_EQ(report["paths"], merged.plan.head->statistics.paths);
    EXPECT_FALSE(report.contains("film_hash"));
}

TEST(MergeJob, AStopLeavesTheOutputAsItWas)
{
    TempFolder const folder;
    MergeRequest request = request_parts(folder);
    request.output.files = {folder / "all.vpf"};
    test::write_text(folder / "all.vpf", "before");
    for (int const stop_at : {1, 2}) {
        int calls = 0;
        JobSinks const sinks{.progress = [&](Progress const&) { return ++calls < stop_at; }};
        expect_error(ExitStatus::system, {"interrupted; nothing was written"}, [&] { merge(request, sinks); });
        EXPECT_EQ(calls, stop_at);
    }
    EXPECT_EQ(read_text(folder / "all.vpf"), "before");
}

TEST(MergeJob, ContradictionsAndLostInputsAreRefused)
{
    TempFolder const folder;
    MergeRequest const parts = request_parts(folder);
    auto const refuse = [&](ExitStatus status, std::initializer_list<std::string_view> words, auto&& change) {
        MergeRequest request = parts;
        change(request);
        expect_error(status, words, [&] { merge(request); });
    };
    refuse(ExitStatus::usage, {"--partial requires --expect and -o"},
           [](MergeRequest& request) { request.when_incomplete = WhenIncomplete::write_partial; });
    refuse(ExitStatus::usage, {"--heads-only requires --expect"},
           [](MergeRequest& request) { request.reading = MergeReading::heads; });
    refuse(ExitStatus::usage, {"same file"}, [&](MergeRequest& request) {
        std::filesystem::create_symlink(folder / "parts/0.vpf", folder / "link.png");
        request.output.files = {folder / "link.png"};
    });
    refuse(ExitStatus::usage, {"same file", "list.txt"}, [&](MergeRequest& request) {
        request.output.kept = {folder / "list.txt"};
        request.output.files = {folder / "list.txt"};
    });
    refuse(ExitStatus::input, {"no film is there"}, [&](MergeRequest& request) {
        std::filesystem::create_directory(folder / "empty");
        request.inputs = {folder / "empty"};
    });
}

} // namespace
} // namespace volpt
