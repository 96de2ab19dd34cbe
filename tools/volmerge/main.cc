// volmerge: adds up films of disjoint samples of one scene, exactly.
#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_merge.h"
#include "libvolpt/film/film_output.h"
#include "libvolpt/film/film_report.h"
#include "tools/options/interrupt.h"
#include "tools/options/progress_line.h"
#include "tools/options/run_options.h"
#include "tools/options/tool.h"
#include "tools/options/units.h"
#include "tools/volmerge/expect.h"
#include "tools/volmerge/inputs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace volpt {
namespace {
namespace po = boost::program_options;

enum class WhenIncomplete { write_nothing, write_partial };
enum class Reading { everything, heads };

class MergeOptions final : public OptionGroup {
public:
    std::vector<std::filesystem::path> outputs;
    std::optional<std::string> list;
    std::optional<Expectation> expected;
    WhenIncomplete when_incomplete = WhenIncomplete::write_nothing;
    Reading reading = Reading::everything;
    FilmOutputOptions output;

    std::string title() const override { return "Merging"; }

    void declare(po::options_description& options) override
    {
        options.add_options()(
            "output,o", po::value<std::vector<std::string>>()->value_name("FILE"),
            "merged film (.vpf) or its picture (.exr, .png, ..); may be repeated, and may be one of the inputs")(
            "expect", po::value<std::string>()->value_name("FIRST:COUNT"),
            "unless every pixel has exactly these samples, name what differs, write nothing, exit with status 1")(
            "chunk", po::value<std::string>()->value_name("N"),
            "with --expect: task i of a job array rendered samples FIRST + i * N to FIRST + (i + 1) * N - 1; name the "
            "tasks that are missing, as sbatch --array has them")(
            "partial", po::bool_switch(),
            "with --expect: write what is there although samples are missing; the status is still 1")(
            "heads-only", po::bool_switch(),
            "look only at which samples the films hold, not at their sums, which takes no time; write nothing")(
            "inputs", po::value<std::string>()->value_name("FILE"), "more films, one name a line; - is stdin")(
            "exposure", po::value<std::string>()->value_name("FACTOR"), "factor on the picture in .png (default 1)")(
            "illuminant", po::value<std::string>()->value_name("D50|D65"), kIlluminantHelp)(
            "reproducible", po::bool_switch(), "leave provenance out: equal content gives equal files");
    }

    void read(po::variables_map const& values) override
    {
        if (is_given(values, "output"))
            for (std::string const& name : values.at("output").as<std::vector<std::string>>())
                outputs.emplace_back(name);
        list = given_text(values, "inputs");
        if (auto const text = given_text(values, "expect"))
            expected = Expectation{parse_sample_range("--expect", *text), {}};
        if (auto const text = given_text(values, "chunk")) {
            if (!expected) fail_usage("--chunk says nothing without --expect", "give --expect FIRST:COUNT");
            expected->chunk = static_cast<std::uint64_t>(parse_integer("--chunk", *text, 1, std::int64_t{1} << 32));
        }
        if (values.at("partial").as<bool>()) when_incomplete = WhenIncomplete::write_partial;
        if (values.at("heads-only").as<bool>()) reading = Reading::heads;
        if (auto const text = given_text(values, "exposure"))
            output.exposure = static_cast<float>(parse_number("--exposure", *text, 0, 1e9));
        if (auto const text = given_text(values, "illuminant")) output.illuminant = parse_illuminant(*text);
        if (values.at("reproducible").as<bool>()) output.keep_provenance = KeepProvenance::no;
        if (outputs.empty() && !expected)
            fail_usage("there is nothing to do", "give -o OUT.vpf or --expect FIRST:COUNT");
        if (when_incomplete == WhenIncomplete::write_partial && (!expected || outputs.empty()))
            fail_usage("--partial says nothing without --expect and -o", "give both");
        if (reading == Reading::heads && (!expected || !outputs.empty()))
            fail_usage("--heads-only looks at samples and writes nothing", "give --expect FIRST:COUNT and no -o");
    }
};

/// What the merged film says of an input: name, hash, and on what it was rendered.
std::string describe_input(MergeInput const& input)
{
    std::string line = fmt::format("{} film_hash={}", input.path.string(), to_hex(input.film_hash));
    for (auto const& [key, value] : input.provenance.entries) line += fmt::format(" {}={}", key, value);
    return line;
}

MergePlan plan(ToolRun const& run, MergeOptions const& options)
{
    MergePlan plan = plan_merge(list_inputs(run.arguments, options.list));
    if (!plan.head && !options.expected)
        fail_input("no film is there", run.arguments.empty() ? "--inputs" : run.arguments[0]);
    for (MergeInput const& input : plan.inputs)
        if (input.same_as)
            run.notice(fmt::format("{} is the same film as {}; it is counted once", input.path.string(),
                                   plan.inputs[*input.same_as].path.string()));
    return plan;
}

Film merge_planes(MergePlan& plan, ToolRun const& run)
{
    watch_interrupts();
    ProgressLine line("merge", run.common.verbosity);
    Film merged = merge_films(plan, run.common.threads, line.sink());
    merged.provenance = make_provenance("volmerge", run.command_line);
    // Not by `set`, which looks through all entries.
    for (std::size_t i = 0; i < plan.inputs.size(); ++i)
        merged.provenance.entries.emplace_back(fmt::format("input.{}", i), describe_input(plan.inputs[i]));
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
        fmt::print("{}\n", answer.dump(2));
    else
        for (auto const& [key, value] : answer.items())
            if (!value.is_null())
                fmt::print("{}: {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
}

ExitStatus merge(ToolRun const& run, MergeOptions const& options)
{
    MergePlan inputs = plan(run, options);
    if (inputs.head) check_film_outputs(options.outputs, inputs.head->bands(), inputs.head->scene().wavelengths_nm);
    std::optional<Deviation> deviation;
    if (options.expected) deviation = find_deviation(inputs.head, *options.expected);
    bool const is_whole = !deviation || deviation->text.empty();

    nlohmann::ordered_json answer;
    if (inputs.head && options.reading == Reading::everything) {
        Film const film = merge_planes(inputs, run);
        bool const writes_part =
            options.when_incomplete == WhenIncomplete::write_partial && deviation && deviation->only_lacks;
        if (is_whole || writes_part) write_film_outputs(film, options.outputs, options.output);
        answer = report_film(film);
        if (shows_material_colour(film.scene())) answer.update(report_colour(film, options.output.illuminant));
    } else if (inputs.head) {
        answer["paths"] = inputs.head->statistics.paths;
    }
    answer.update(report_inputs(inputs, deviation, options));
    print_answer(answer, run.common.answer);
    return is_whole ? ExitStatus::done : ExitStatus::negative;
}

ToolDescription describe_tool()
{
    return {
        .name = "volmerge",
        .summary = "Adds up films of disjoint samples of one scene, exactly: the order of the films plays no part.",
        .usage = {"FILM.vpf|FOLDER... -o OUT.vpf [-o OUT.exr] [--expect FIRST:COUNT]",
                  "FOLDER --expect FIRST:COUNT --chunk N --heads-only"},
        .notes = {"A folder stands for the .vpf files in it. Scene and seed must be equal and no sample may be in two "
                  "films; otherwise "
                  "nothing is written. The same film given twice counts once."},
        .examples = {{"volmerge node*.vpf -o all.vpf -o all.png --expect 0:4096",
                      "gathers a cluster's films, if none is missing"},
                     {"volmerge parts --expect 0:4096 --chunk 64 --heads-only",
                      "names the tasks of a job array that are missing"},
                     {"volmerge all.vpf -o all.exr", "makes a picture of a film"}},
        .status_0 = "done",
        .status_1 = "the samples are not those of --expect; nothing was written (but for --partial)",
        .arguments_min = 0,
        .arguments_max = SIZE_MAX,
    };
}

} // namespace
} // namespace volpt

int main(int argc, char** argv)
{
    volpt::MergeOptions options;
    return volpt::run_tool(argc, argv, volpt::describe_tool(), {&options},
                           [&](volpt::ToolRun const& run) { return volpt::merge(run, options); });
}
