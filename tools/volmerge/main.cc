// volmerge: adds films of disjoint samples of one scene, exactly.
#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_merge.h"
#include "libvolpt/film/film_output.h"
#include "libvolpt/film/film_report.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/text/one_line.h"
#include "tools/options/output_check.h"
#include "tools/options/output_options.h"
#include "tools/options/progress_line.h"
#include "tools/options/suite/suite_tools.h"
#include "tools/options/tool.h"
#include "tools/options/units.h"
#include "tools/volmerge/expect.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>

namespace volpt {
namespace {
namespace fs = std::filesystem;
namespace po = boost::program_options;

enum class WhenIncomplete { write_nothing, write_partial };
enum class Reading { everything, heads };

class MergeOptions final : public OptionGroup {
public:
    std::optional<std::string> list;
    std::optional<Expectation> expected;
    WhenIncomplete when_incomplete = WhenIncomplete::write_nothing;
    Reading reading = Reading::everything;

    std::string title() const override { return "Merging"; }

    void declare(po::options_description& options) override
    {
        auto add = options.add_options();
        add("expect", text_value("FIRST:COUNT"),
            "require that every pixel has exactly these samples; otherwise print what differs, write nothing and exit "
            "with status 1");
        add("chunk", text_value("N"),
            "with --expect: task i of a job array rendered samples FIRST + i * N to FIRST + (i + 1) * N - 1; print the "
            "missing tasks in the form of sbatch --array");
        add("partial", po::bool_switch(),
            "with --expect: write the merged film even if samples are missing; the status is still 1");
        add("heads-only", po::bool_switch(),
            "read only which samples the films have, not their sums, which is fast; write nothing");
        add("inputs", file_value("FILE"), "a list of more films, one name per line; - is stdin");
    }

    void read(po::variables_map const& values) override
    {
        list = given_text(values, "inputs");
        if (auto const text = given_text(values, "expect"))
            expected = Expectation{parse_sample_range("--expect", *text), {}};
        if (auto const text = given_text(values, "chunk")) {
            if (!expected) fail_usage("--chunk requires --expect", "give --expect FIRST:COUNT");
            expected->chunk = static_cast<std::uint64_t>(parse_integer("--chunk", *text, 1, std::int64_t{1} << 32));
        }
        if (values.at("partial").as<bool>()) when_incomplete = WhenIncomplete::write_partial;
        if (values.at("heads-only").as<bool>()) reading = Reading::heads;
        bool const writes = is_given(values, "output");
        if (!writes && !expected) fail_usage("there is nothing to do", "give -o OUT.vpf or --expect FIRST:COUNT");
        if (when_incomplete == WhenIncomplete::write_partial && (!expected || !writes))
            fail_usage("--partial requires --expect and -o", "give both");
        if (reading == Reading::heads && (!expected || writes))
            fail_usage("--heads-only requires --expect and writes nothing", "give --expect FIRST:COUNT and no -o");
    }
};

struct VolmergeOptions {
    FilmFileOptions output;
    MergeOptions merging;
};

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

void append_lines(std::vector<fs::path>& paths, std::istream& lines, std::string const& name)
{
    for (std::string line; std::getline(lines, line);)
        if (!line.empty()) paths.emplace_back(line);
    if (lines.bad()) fail_input("cannot read the list of films", name, {}, "give a text file with one name per line");
}

/// The arguments in order, where a folder means the .vpf files in it by name, then the lines of `list` ("-": stdin).
/// Error (input) if a list or folder cannot be read, (usage) if there is neither argument nor list.
std::vector<fs::path> list_inputs(std::vector<std::string> const& arguments, std::optional<std::string> const& list)
{
    if (arguments.empty() && !list) fail_usage("no film is given", "give films, a folder of films, or --inputs FILE");
    std::vector<fs::path> paths;
    for (std::string const& argument : arguments) {
        std::error_code ignored;
        if (fs::is_directory(argument, ignored))
            append_folder(paths, argument);
        else
            paths.emplace_back(argument);
    }
    if (!list) return paths;
    if (*list == "-") {
        append_lines(paths, std::cin, "stdin");
        return paths;
    }
    std::ifstream file(*list);
    std::error_code ignored;
    if (!file || fs::is_directory(*list, ignored))
        fail_input(std::string("cannot open the list of films: ") + std::strerror(errno), *list, {},
                   "check the name and the permissions");
    append_lines(paths, file, *list);
    return paths;
}

/// An input in the provenance of the merged film: its hash and its own provenance; if `full`, its name and host too.
std::string describe_input(MergeInput const& input, ProvenanceDetail detail)
{
    bool const is_full = detail == ProvenanceDetail::full;
    std::string line = is_full ? input.path.string() + " " : "";
    line += "film_hash=" + to_hex(input.film_hash);
    for (auto const& [key, value] : input.provenance.entries)
        if (is_full || key != "host") line += fmt::format(" {}={}", key, value);
    return line;
}

/// A film may be written over an input film: it then holds all that the input held.
void check_no_input_is_lost(ToolRun const& run, std::vector<fs::path> const& films, VolmergeOptions const& options)
{
    std::vector<fs::path> others, pictures;
    if (options.merging.list && *options.merging.list != "-") others.emplace_back(*options.merging.list);
    refuse_overwriting(run, others, options.output.outputs);
    std::ranges::copy_if(options.output.outputs, std::back_inserter(pictures),
                         [](fs::path const& output) { return output.extension() != ".vpf"; });
    refuse_overwriting(run, films, pictures);
}

MergePlan plan_inputs(ToolRun const& run, VolmergeOptions const& tool_options)
{
    MergeOptions const& options = tool_options.merging;
    std::vector<fs::path> const films = list_inputs(run.arguments, options.list);
    check_no_input_is_lost(run, films, tool_options);
    MergePlan plan = plan_merge(films);
    if (!plan.head && !options.expected)
        fail_input("no film is there", run.arguments.empty() ? "--inputs" : run.arguments[0]);
    for (MergeInput const& input : plan.inputs)
        if (input.same_as)
            run.notice(fmt::format("{} is the same film as {}; it is counted once", input.path.string(),
                                   plan.inputs[*input.same_as].path.string()));
    return plan;
}

Film merge_planes(MergePlan& plan, ToolRun const& run, ProvenanceDetail provenance)
{
    watch_interrupts();
    ProgressLine line("merge", run.common.verbosity);
    Film merged = merge_films(plan, run.common.threads, line.sink());
    merged.provenance = describe_run(run, "volmerge", provenance);
    // Not by `set`, which searches all entries: there can be thousands of inputs.
    for (std::size_t i = 0; i < plan.inputs.size(); ++i)
        merged.provenance.entries.emplace_back(fmt::format("input.{}", i), describe_input(plan.inputs[i], provenance));
    return merged;
}

nlohmann::ordered_json report_inputs(MergePlan const& plan, std::optional<Deviation> const& deviation,
                                     MergeOptions const& options)
{
    using Json = nlohmann::ordered_json;
    Json report;
    report["inputs"] = plan.inputs.size();
    report["inputs_counted_once"] =
        std::ranges::count_if(plan.inputs, [](MergeInput const& input) { return input.same_as.has_value(); });
    report["deviation"] = deviation && !deviation->text.empty() ? Json(deviation->text) : Json();
    if (!deviation || !options.expected->chunk) return report;
    auto const array_of = [](SampleRanges const& tasks) { return tasks.empty() ? Json() : Json(format_array(tasks)); };
    report["missing_tasks"] = array_of(deviation->missing_tasks);
    report["missing_task_count"] = count_samples(deviation->missing_tasks);
    report["resumable_tasks"] = array_of(deviation->resumable_tasks);
    return report;
}

void print_answer(nlohmann::ordered_json const& answer, AnswerForm form)
{
    if (form == AnswerForm::json)
        fmt::print("{}\n", format_json(answer, 2));
    else
        for (auto const& [key, value] : answer.items())
            if (!value.is_null())
                fmt::print("{}: {}\n", key,
                           to_one_line(value.is_string() ? value.get<std::string>() : format_json(value)));
}

ExitStatus merge(ToolRun const& run, VolmergeOptions const& options)
{
    MergePlan inputs = plan_inputs(run, options);
    if (inputs.head)
        check_film_outputs(options.output.outputs, inputs.head->bands(), inputs.head->scene().wavelengths_nm);
    std::optional<Deviation> deviation;
    if (options.merging.expected) deviation = find_deviation(inputs.head, *options.merging.expected);
    bool const is_whole = !deviation || deviation->text.empty();

    nlohmann::ordered_json answer;
    if (inputs.head && options.merging.reading == Reading::everything) {
        Film const film = merge_planes(inputs, run, options.output.provenance);
        bool const writes_part =
            options.merging.when_incomplete == WhenIncomplete::write_partial && deviation && deviation->only_lacks;
        FilmOutputOptions how = options.output.how;
        how.threads = run.common.threads;
        if (is_whole || writes_part) write_film_outputs(film, options.output.outputs, how);
        answer = report_film(film);
        if (shows_material_colour(film.scene())) answer.update(report_colour(film, how.illuminant, how.threads));
    } else if (inputs.head) {
        answer["paths"] = inputs.head->statistics.paths;
    }
    answer.update(report_inputs(inputs, deviation, options.merging));
    print_answer(answer, run.common.answer);
    return is_whole ? ExitStatus::done : ExitStatus::negative;
}

ToolDescription describe_tool()
{
    return {
        .name = "volmerge",
        .summary = summarise_tool("volmerge"),
        .usage = {"FILM.vpf|FOLDER... -o OUT.vpf [-o OUT.exr] [--expect FIRST:COUNT]",
                  "FOLDER --expect FIRST:COUNT --chunk N --heads-only"},
        .notes =
            {"A folder means the .vpf files in it. Scene and seed must be equal and no sample may be in two films; "
             "otherwise nothing is written. A film given twice counts once. An output may be one of the inputs."},
        .examples = {{"volmerge node*.vpf -o all.vpf -o all.png --expect 0:4096",
                      "merge the films of a cluster, if none is missing"},
                     {"volmerge parts --expect 0:4096 --chunk 64 --heads-only",
                      "print the missing tasks of a job array"},
                     {"volmerge all.vpf -o all.exr", "make an image of a film"}},
        .status_1 = "the samples differ from --expect; nothing was written (except with --partial)",
        .arguments = {{"FILM.vpf|FOLDER"}},
        .arguments_min = 0,
        .arguments_max = SIZE_MAX,
    };
}

} // namespace
} // namespace volpt

int main(int argc, char** argv)
{
    using namespace volpt;
    VolmergeOptions options;
    return run_tool(argc, argv, describe_tool(), {&options.output, &options.merging},
                    [&](ToolRun const& run) { return merge(run, options); });
}
