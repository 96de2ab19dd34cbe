#include "tools/volcompare/commands.h"

#include "libvolpt/film/film_bytes.h"
#include "libvolpt/film/film_io.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/job/compare/compare.h"
#include "libvolpt/render/render_film.h"
#include "libvolpt/scene/light/cube_image.h"
#include "libvolpt/scene/light_image.h"
#include "libvolpt/stats/report/html_report.h"
#include "libvolpt/stats/report/verdict_report.h"
#include "libvolpt/stats/verdict/suite.h"
#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/files/file_state.h"
#include "libvolpt/sys/files/overwriting.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/mapped_file.h"
#include "libvolpt/sys/stopwatch.h"
#include "libvolpt/sys/text/one_line.h"
#include "libvolpt/volume/bands/match_bands.h"
#include "tools/options/output_check.h"
#include "tools/options/progress_line.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace volpt {

Film render_cpu_reference(Film const& like, std::filesystem::path const& volume_path,
                          std::optional<std::filesystem::path> const& environment, ToolRun const& run)
{
    auto const volume = match_bands(
        std::make_shared<PackedVolume const>(PackedVolume::open(volume_path, VerifyLevel::full, run.common.threads)),
        like.scene().bands, run.common.threads);
    std::optional<LightImage> light;
    if (environment) {
        std::string const name = environment->string();
        Image const read = read_image(*environment);
        for (std::string const& notice : read.notices) run.notice(notice);
        Image const image = arrange_as_latlong(read, LightLayout::automatic, name);
        light = make_light_image(image, volume->meta().band_numbers, name);
    }
    watch_interrupts();
    ProgressLine progress("reference", run.common.verbosity);
    RenderOptions render;
    render.threads = run.common.threads;
    render.progress = progress.sink();
    return render_reference(*volume, like, light ? &*light : nullptr, render);
}

namespace {

/// Subjects are kept for the HTML page.
struct PairResult {
    std::string name;
    Subject test, reference;
    Criteria criteria;
    Verdict verdict;
    double seconds = 0;
    std::string update; ///< what --update changed; empty without it
};

constexpr char const* kUnchanged = "unchanged";

/// A film without sums: scene, seed and samples of the reference of a pair.
Film describe_reference(SuitePair const& pair, Film const& test)
{
    Film like(test.scene(), pair.seed.value_or(test.seed()), test.sum_log2());
    like.tile_ranges = test.tile_ranges;
    if (pair.spp)
        for (SampleRanges& ranges : like.tile_ranges) ranges = {{0, *pair.spp}};
    return like;
}

/// What --update does, or, with --dry-run, would do.
std::string spell_change(std::string const& change, UpdateMode mode)
{
    return mode == UpdateMode::tried && change != kUnchanged ? "would be " + change : change;
}

/// Copies a reference that will be replaced to NAME.before.EXTENSION beside it. Returns the copy's name, as a part of
/// the answer.
std::string keep_copy(std::filesystem::path const& path, UpdateMode mode)
{
    std::filesystem::path copy = path;
    copy.replace_extension(".before" + path.extension().string());
    if (mode == UpdateMode::tried) return fmt::format("; the one before would be {}", copy.string());
    MappedFile const before(path);
    write_file_atomically(copy, before.bytes());
    return fmt::format("; the one before is {}", copy.string());
}

/// The cache has one file for each scene, seed and set of samples.
std::filesystem::path name_in_cache(std::filesystem::path const& cache, Film const& like)
{
    std::string const samples = to_hex(hash_bytes(encode_tile_ranges(like))).substr(0, 16);
    return cache / fmt::format("{}-seed{}-{}.vpf", to_hex(like.scene_hash()), like.seed(), samples);
}

std::string describe_change(Film const& from, Film const& to)
{
    FilmComparison const films = compare_films(to, from);
    return films.equal ? kUnchanged : "changed: " + films.differences.front();
}

Film fetch_reference(SuitePair const& pair, Film const& test, Suite const& suite, UpdateMode update,
                     ProvenanceDetail provenance, std::string& change, ToolRun const& run)
{
    Film const like = describe_reference(pair, test);
    std::filesystem::path const path = name_in_cache(suite.cache, like);
    bool const cached = is_there(path);
    if (cached && update == UpdateMode::off) return read_film(path);
    run.detail(fmt::format("{}: rendering {}", pair.name, path.string()));
    Film film = render_cpu_reference(like, *pair.volume, pair.environment, run);
    if (update != UpdateMode::off)
        change = spell_change(cached ? describe_change(read_film(path), film) : "rendered for the first time", update);
    if (cached && change == kUnchanged) return film;
    if (cached) change += keep_copy(path, update);
    if (update == UpdateMode::tried) return film;
    film.provenance = describe_run(run, "volcompare", provenance);
    make_folder(suite.cache);
    write_film(path, film, provenance == ProvenanceDetail::none ? KeepProvenance::no : KeepProvenance::yes);
    return film;
}

/// Replaces the reference by the test, unless it has the same content. Returns what changed.
std::string replace_reference(SuitePair const& pair, Subject const& test, UpdateMode mode)
{
    if (pair.test.extension() != pair.reference->extension())
        fail_usage(fmt::format("{}: a {} cannot replace a {}", pair.name, pair.test.extension().string(),
                               pair.reference->extension().string()),
                   "name a reference of the test's format");
    std::string change = spell_change("made from the test", mode);
    if (is_there(*pair.reference)) {
        Subject const old = read_subject(*pair.reference);
        Verdict const verdict = judge(test, old, {});
        if (verdict.positive && test.image.transfer == old.image.transfer) return kUnchanged;
        change = spell_change("changed: ", mode) +
                 (verdict.positive ? "the coding of its values" : verdict.reasons.front()) +
                 keep_copy(*pair.reference, mode);
    }
    if (mode == UpdateMode::tried) return change;
    MappedFile const file(pair.test);
    AtomicFile reference(*pair.reference);
    reference.write(file.bytes());
    file.check_unchanged();
    reference.commit();
    return change;
}

bool have_equal_bytes(std::filesystem::path const& left, std::filesystem::path const& right)
{
    MappedFile const one(left), other(right);
    return std::ranges::equal(one.bytes(), other.bytes());
}

/// Error (input) if --update would have to replace the pair's reference by two different tests.
void check_update_is_clear(SuitePair const& pair, Suite const& suite)
{
    for (SuitePair const& other : suite.pairs) {
        if (&other == &pair || !other.reference || !is_same_file(*other.reference, *pair.reference)) continue;
        std::error_code ignored; // such a pair fails by itself
        if (!std::filesystem::exists(other.test, ignored) || have_equal_bytes(other.test, pair.test)) continue;
        fail_input(fmt::format("is the reference of '{}' and of '{}', whose tests differ", pair.name, other.name),
                   pair.reference->string(), "--update could keep one of the tests only, and has replaced nothing",
                   "give each pair its own reference, or copy the right test there");
    }
}

void run_pair(SuitePair const& pair, Suite const& suite, CompareOptions const& options, ToolRun const& run,
              PairResult& result)
{
    Illuminant const illuminant = options.request.criteria.settings.illuminant;
    result.test = read_subject(pair.test, illuminant);
    if (pair.volume) {
        if (!result.test.film)
            fail_input("is an image, not a film", result.test.name, "an image does not say what to render",
                       "give the .vpf");
        result.reference = make_subject(
            "CPU reference",
            fetch_reference(pair, *result.test.film, suite, options.update, options.provenance, result.update, run),
            illuminant);
    } else {
        if (options.update != UpdateMode::off) {
            check_update_is_clear(pair, suite);
            result.update = replace_reference(pair, result.test, options.update);
        }
        // What a dry run would have written is the test itself.
        result.reference =
            options.update == UpdateMode::tried ? result.test : read_subject(*pair.reference, illuminant);
    }
    choose_layers(result.test, result.reference, pair.layers);
    prepare_subject(result.test, {}, pair.channels);
    prepare_subject(result.reference, {}, pair.channels);
    leave_out_uncovered(result.test, result.reference);
    result.criteria = pair.criteria;
    result.criteria.settings.threads = run.common.threads;
    result.criteria.settings.illuminant = illuminant;
    result.criteria.settings.backgrounds = options.request.criteria.settings.backgrounds;
    if (result.criteria.expectation) result.criteria.expectation->threads = run.common.threads;
    if (options.reports.html) add_page_metrics(result.criteria, result.test.image);
    result.verdict = judge(result.test, result.reference, result.criteria);
}

/// run_pair, where an unreadable or unsuitable file fails the pair alone.
void judge_pair(SuitePair const& pair, Suite const& suite, CompareOptions const& options, ToolRun const& run,
                PairResult& result)
{
    result.name = pair.name;
    auto const start = std::chrono::steady_clock::now();
    try {
        run_pair(pair, suite, options, run, result);
    } catch (Error const& error) {
        if (error.status() != ExitStatus::input && error.status() != ExitStatus::usage) throw;
        result.verdict.reasons = {error.what()};
    }
    result.seconds = seconds_since(start);
}

void print_result(PairResult const& result)
{
    std::string_view const outcome = result.verdict.positive ? "pass" : result.verdict.undecided ? "UNDECIDED" : "FAIL";
    fmt::print("{}  {}{}\n", outcome, to_one_line(result.name),
               result.update.empty() ? "" : " (reference " + result.update + ")");
    if (result.verdict.positive) return;
    for (std::string const& reason : result.verdict.reasons) fmt::print("      {}\n", to_one_line(reason));
}

/// The worst of the pairs.
std::string_view name_outcome(std::deque<PairResult> const& results)
{
    bool undecided = false;
    for (PairResult const& result : results) {
        if (!result.verdict.positive && !result.verdict.undecided) return "fail";
        undecided = undecided || result.verdict.undecided;
    }
    return undecided ? "undecided" : "pass";
}

nlohmann::ordered_json report_suite(std::deque<PairResult> const& results)
{
    nlohmann::ordered_json pairs = nlohmann::ordered_json::array();
    for (PairResult const& result : results) {
        nlohmann::ordered_json pair{{"name", result.name}, {"seconds", result.seconds}};
        pair["update"] = result.update.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(result.update);
        pair.update(report_verdict(result.verdict, result.criteria));
        pairs.push_back(std::move(pair));
    }
    return {{"schema_version", kVerdictSchemaVersion}, {"verdict", name_outcome(results)}, {"pairs", pairs}};
}

void write_reports(std::deque<PairResult> const& results, CompareOptions const& options)
{
    std::string const title = options.suite->filename().string();
    if (options.reports.junit) {
        std::vector<NamedVerdict> verdicts;
        for (PairResult const& result : results)
            verdicts.push_back({result.name, result.verdict, result.criteria, result.seconds});
        write_text(*options.reports.junit, format_junit(title, verdicts));
    }
    if (!options.reports.html) return;
    std::vector<ReportedPair> pairs;
    for (PairResult const& result : results)
        pairs.push_back({result.name, result.test, result.reference, result.verdict, result.criteria});
    write_text(*options.reports.html, format_html(title, pairs));
}

std::vector<std::filesystem::path> list_inputs(Suite const& suite, std::filesystem::path const& suite_path)
{
    std::vector<std::filesystem::path> inputs{suite_path};
    for (SuitePair const& pair : suite.pairs) {
        inputs.push_back(pair.test);
        for (auto const& input : {pair.reference, pair.volume, pair.environment})
            if (input) inputs.push_back(*input);
    }
    return inputs;
}

} // namespace

ExitStatus run_suite(ToolRun const& run, CompareOptions const& options)
{
    Suite suite = read_suite(*options.suite);
    if (options.cache) suite.cache = *options.cache;
    refuse_overwriting(run, list_inputs(suite, *options.suite), list_reports(options.reports));
    std::deque<PairResult> results;
    bool positive = true;
    for (SuitePair const& pair : suite.pairs) {
        PairResult& result = results.emplace_back();
        judge_pair(pair, suite, options, run, result);
        positive = positive && result.verdict.positive;
        // Only the HTML page needs the images.
        if (!options.reports.html) result.test = result.reference = {};
        if (!run.common.wants_json()) print_result(result);
    }
    write_reports(results, options);
    if (run.common.wants_json()) fmt::print("{}\n", format_json(report_suite(results), 2));
    return positive ? ExitStatus::done : ExitStatus::negative;
}

} // namespace volpt
