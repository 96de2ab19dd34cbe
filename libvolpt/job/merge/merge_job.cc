#include "libvolpt/job/merge/merge_job.h"

#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_report.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/files/overwriting.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

namespace volpt {
namespace {

namespace fs = std::filesystem;

void check_request(MergeRequest const& request)
{
    bool const writes = !request.output.files.empty();
    if (request.when_incomplete == WhenIncomplete::write_partial && (!request.expected || !writes))
        fail_usage("--partial requires --expect and -o", "give both");
    if (request.reading == MergeReading::heads && (!request.expected || writes))
        fail_usage("--heads-only requires --expect and writes nothing", "give --expect FIRST:COUNT and no -o");
}

void append_folder(std::vector<fs::path>& paths, fs::path const& folder)
{
    std::error_code error;
    std::vector<fs::path> films;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (entry->path().extension() == ".vpf") films.push_back(entry->path());
    if (error) fail_input("cannot list the folder: " + error.message(), folder.string(), {}, "check its permissions");
    std::ranges::sort(films);
    paths.insert(paths.end(), films.begin(), films.end());
}

std::vector<fs::path> list_films_to_add(MergeRequest const& request)
{
    std::vector<fs::path> films;
    for (fs::path const& input : request.inputs) {
        std::error_code ignored;
        if (fs::is_directory(input, ignored))
            append_folder(films, input);
        else
            films.push_back(input);
    }
    films.insert(films.end(), request.listed.begin(), request.listed.end());
    return films;
}

/// A film may be written over an input film: it then holds all that the input held.
void check_no_input_is_lost(MergeRequest const& request, std::vector<fs::path> const& films)
{
    refuse_overwriting(request.output.kept, request.output.files);
    std::vector<fs::path> pictures;
    std::ranges::copy_if(request.output.files, std::back_inserter(pictures),
                         [](fs::path const& output) { return output.extension() != ".vpf"; });
    refuse_overwriting(films, pictures);
}

MergePlan plan_request(MergeRequest const& request, NoticeSink const& notice)
{
    std::vector<fs::path> const films = list_films_to_add(request);
    check_no_input_is_lost(request, films);
    MergePlan plan = plan_merge(films);
    if (!plan.head && !request.expected)
        fail_input("no film is there", request.inputs.empty() ? "--inputs" : request.inputs[0].string());
    for (MergeInput const& input : plan.inputs)
        if (input.same_as)
            notice(fmt::format("{} is the same film as {}; it is counted once", input.path.string(),
                               plan.inputs[*input.same_as].path.string()));
    return plan;
}

/// An input in the provenance of the sum: its hash and its own provenance; its name and host where they are told.
std::string describe_input(MergeInput const& input, InputNames names)
{
    bool const tells_names = names == InputNames::told;
    std::string line = tells_names ? input.path.string() + " " : "";
    line += "film_hash=" + to_hex(input.film_hash);
    for (auto const& [key, value] : input.provenance.entries)
        if (tells_names || key != "host") line += fmt::format(" {}={}", key, value);
    return line;
}

Film add_sums(MergePlan& plan, MergeRequest const& request, ProgressSink const& progress)
{
    if (progress && !progress({})) fail_system("interrupted; nothing was written", "volmerge");
    Film sum = merge_films(plan, request.threads, progress);
    if (request.output.make_provenance) sum.provenance = request.output.make_provenance();
    // Not by `set`, which searches all entries: there can be thousands of inputs.
    for (std::size_t i = 0; i < plan.inputs.size(); ++i)
        sum.provenance.entries.emplace_back(fmt::format("input.{}", i),
                                            describe_input(plan.inputs[i], request.input_names));
    return sum;
}

void write_sum(MergeRequest const& request, MergeResult& result)
{
    bool const writes_part =
        request.when_incomplete == WhenIncomplete::write_partial && result.deviation && result.deviation->only_lacks;
    if (!result.is_whole() && !writes_part) return;
    FilmOutputOptions how = request.output.how;
    how.threads = request.threads;
    write_film_outputs(*result.film, request.output.files, how);
    result.written = request.output.files;
}

} // namespace

MergeResult merge(MergeRequest const& request, JobSinks const& sinks)
{
    check_request(request);
    MergeResult result;
    result.plan = plan_request(request, sinks.notice);
    std::optional<Film> const& head = result.plan.head;
    if (head) check_film_outputs(request.output.files, head->bands(), head->scene().wavelengths_nm);
    if (request.expected) result.deviation = find_deviation(head, *request.expected);
    if (!head || request.reading == MergeReading::heads) return result;
    result.film = add_sums(result.plan, request, sinks.progress);
    write_sum(request, result);
    return result;
}

nlohmann::ordered_json report_merge(MergeRequest const& request, MergeResult const& result)
{
    using Json = nlohmann::ordered_json;
    Json report;
    if (result.film) {
        report = report_film(*result.film);
        if (shows_material_colour(result.film->scene()))
            report.update(report_colour(*result.film, request.output.how.illuminant, request.threads));
    } else if (result.plan.head) {
        report["paths"] = result.plan.head->statistics.paths;
    }
    auto const& inputs = result.plan.inputs;
    report["inputs"] = inputs.size();
    report["inputs_counted_once"] =
        std::ranges::count_if(inputs, [](MergeInput const& input) { return input.same_as.has_value(); });
    report["deviation"] = result.is_whole() ? Json() : Json(result.deviation->text);
    if (!result.deviation || !request.expected->chunk) return report;
    SampleDeviation const& deviation = *result.deviation;
    auto const array_of = [](SampleRanges const& tasks) {
        return tasks.empty() ? Json() : Json(format_task_array(tasks));
    };
    report["missing_tasks"] = array_of(deviation.missing_tasks);
    report["missing_task_count"] = count_samples(deviation.missing_tasks);
    report["resumable_tasks"] = array_of(deviation.resumable_tasks);
    return report;
}

} // namespace volpt
