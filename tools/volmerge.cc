// volmerge: adds up films of disjoint samples of one scene, exactly.
#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_output.h"
#include "libvolpt/film/film_report.h"
#include "tools/options/run_options.h"
#include "tools/options/tool.h"
#include "tools/options/units.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>

namespace volpt {
namespace {
namespace po = boost::program_options;

class MergeOptions final : public OptionGroup {
public:
    std::vector<std::filesystem::path> outputs;
    std::optional<SampleRange> expected;
    FilmOutputOptions output;

    std::string title() const override { return "Merging"; }

    void declare(po::options_description& options) override
    {
        options.add_options()
            ("output,o", po::value<std::vector<std::string>>()->value_name("FILE"),
             "merged film (.vpf) or its picture (.exr, .png, ..); may be repeated, and may be one of the inputs")
            ("expect", po::value<std::string>()->value_name("FIRST:COUNT"),
             "unless every pixel has exactly these samples, name what differs, write nothing, exit with status 1")
            ("exposure", po::value<std::string>()->value_name("FACTOR"), "factor on the picture in .png (default 1)")
            ("illuminant", po::value<std::string>()->value_name("D50|D65"), kIlluminantHelp)
            ("reproducible", po::bool_switch(), "leave provenance out: equal content gives equal files");
    }

    void read(po::variables_map const& values) override
    {
        if (is_given(values, "output"))
            for (std::string const& name : values.at("output").as<std::vector<std::string>>())
                outputs.emplace_back(name);
        if (auto const text = given_text(values, "expect")) expected = parse_sample_range("--expect", *text);
        if (auto const text = given_text(values, "exposure"))
            output.exposure = static_cast<float>(parse_number("--exposure", *text, 0, 1e9));
        if (auto const text = given_text(values, "illuminant")) output.illuminant = parse_illuminant(*text);
        if (values.at("reproducible").as<bool>()) output.keep_provenance = KeepProvenance::no;
        if (outputs.empty() && !expected)
            fail_usage("there is nothing to do", "give -o OUT.vpf or --expect FIRST:COUNT");
    }
};

/// What the merged film says of an input: name, hash, and on what it was rendered.
std::string describe_input(std::string const& name, Film const& film)
{
    std::string line = fmt::format("{} film_hash={}", name, to_hex(hash_film(film)));
    for (char const* const key : {"tool", "time", "host", "device", "kernel"})
        if (std::string const* const value = film.provenance.find(key)) line += fmt::format(" {}={}", key, *value);
    return line;
}

Film merge_files(std::vector<std::string> const& inputs, MergeOptions const& options, ToolRun const& run)
{
    Provenance provenance = make_provenance("volmerge", run.command_line);
    Film merged = read_film(inputs[0]);
    check_film_outputs(options.outputs, merged.bands(), merged.scene().wavelengths_nm);
    provenance.set("input.0", describe_input(inputs[0], merged));
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        Film const film = read_film(inputs[i]);
        try {
            merge_film(merged, film);
        } catch (Error const& error) {
            throw error.within(
                fmt::format("while adding {} to the {} before it", inputs[i], i == 1 ? "film" : "films"));
        }
        provenance.set(fmt::format("input.{}", i), describe_input(inputs[i], film));
        run.detail(fmt::format("{} added", inputs[i]));
    }
    merged.provenance = std::move(provenance);
    return merged;
}

/// The samples that are missing or too many, in the tiles where that is so; the first tiles only if they are many.
std::string describe_deviation(Film const& film, SampleRange expected)
{
    constexpr std::size_t kTilesShown = 8;
    std::string text;
    std::size_t tiles = 0;
    for (std::size_t tile = 0; tile < film.tile_ranges.size(); ++tile) {
        SampleRanges const& have = film.tile_ranges[tile];
        if (have == SampleRanges{expected}) continue;
        if (++tiles > kTilesShown) continue;
        text += fmt::format("; tile {},{}", tile % film.tiles_x(), tile / film.tiles_x());
        SampleRanges const missing = missing_ranges(have, expected);
        if (missing.empty())
            text += " has more: " + describe_ranges(have);
        else
            text += " lacks " + describe_ranges(missing);
    }
    if (tiles == 0) return {};
    return fmt::format("samples {}:{} were expected, {} of {} tiles differ{}{}", expected.first, expected.count, tiles,
                       film.tile_ranges.size(), text, tiles > kTilesShown ? "; .." : "");
}

void print_answer(Film const& film, std::size_t inputs, std::string const& deviation, Illuminant illuminant, AnswerForm form)
{
    nlohmann::ordered_json answer = report_film(film);
    if (shows_material_colour(film.scene())) answer.update(report_colour(film, illuminant));
    answer["inputs"] = inputs;
    answer["deviation"] = deviation.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(deviation);
    if (form == AnswerForm::json)
        fmt::print("{}\n", answer.dump(2));
    else
        for (auto const& [key, value] : answer.items())
            if (!value.is_null())
                fmt::print("{}: {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
}

ExitStatus merge(ToolRun const& run, MergeOptions const& options)
{
    Film const film = merge_files(run.arguments, options, run);
    std::string const deviation = options.expected ? describe_deviation(film, *options.expected) : std::string();
    if (deviation.empty()) write_film_outputs(film, options.outputs, options.output);
    print_answer(film, run.arguments.size(), deviation, options.output.illuminant, run.common.answer);
    return deviation.empty() ? ExitStatus::done : ExitStatus::negative;
}

ToolDescription describe_tool()
{
    return {
        .name = "volmerge",
        .summary = "Adds up films of disjoint samples of one scene, exactly: the order of the films plays no part.",
        .usage = {"FILM.vpf... -o OUT.vpf [-o OUT.exr] [--expect FIRST:COUNT]"},
        .notes = {"Scene and seed must be equal and no sample may be in two films; otherwise nothing is written."},
        .examples = {{"volmerge node*.vpf -o all.vpf -o all.png --expect 0:4096",
                      "gathers a cluster's films, if none is missing"},
                     {"volmerge all.vpf -o all.exr", "makes a picture of a film"}},
        .status_0 = "done",
        .status_1 = "the samples are not those of --expect; nothing was written",
        .arguments_min = 1,
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
