#include "tools/volmerge/options.h"

#include "libvolpt/sys/error.h"
#include "tools/options/units.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace volpt {
namespace fs = std::filesystem;
namespace po = boost::program_options;

void MergeOptions::declare(po::options_description& options)
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

void MergeOptions::read(po::variables_map const& values)
{
    list = given_text(values, "inputs");
    if (auto const text = given_text(values, "expect"))
        expected = ExpectedSamples{parse_sample_range("--expect", *text), {}};
    if (auto const text = given_text(values, "chunk")) {
        if (!expected) fail_usage("--chunk requires --expect", "give --expect FIRST:COUNT");
        expected->chunk = static_cast<std::uint64_t>(parse_integer("--chunk", *text, 1, std::int64_t{1} << 32));
    }
    if (values.at("partial").as<bool>()) when_incomplete = WhenIncomplete::write_partial;
    if (values.at("heads-only").as<bool>()) reading = MergeReading::heads;
}

namespace {

std::vector<fs::path> read_lines(std::istream& lines, std::string const& name)
{
    std::vector<fs::path> paths;
    for (std::string line; std::getline(lines, line);)
        if (!line.empty()) paths.emplace_back(line);
    if (lines.bad()) fail_input("cannot read the list of films", name, {}, "give a text file with one name per line");
    return paths;
}

/// "-" is stdin.
std::vector<fs::path> read_film_list(std::string const& list)
{
    if (list == "-") return read_lines(std::cin, "stdin");
    std::ifstream file(list);
    std::error_code ignored;
    if (!file || fs::is_directory(list, ignored))
        fail_input(std::string("cannot open the list of films: ") + std::strerror(errno), list, {},
                   "check the name and the permissions");
    return read_lines(file, list);
}

} // namespace

MergeRequest make_request(ToolRun const& run, VolmergeOptions const& options)
{
    MergeOptions const& merging = options.merging;
    if (run.arguments.empty() && !merging.list)
        fail_usage("no film is given", "give films, a folder of films, or --inputs FILE");
    MergeRequest request;
    request.inputs.assign(run.arguments.begin(), run.arguments.end());
    if (merging.list) request.listed = read_film_list(*merging.list);
    request.expected = merging.expected;
    request.when_incomplete = merging.when_incomplete;
    request.reading = merging.reading;
    request.output.files = options.output.outputs;
    request.output.how = options.output.how;
    if (merging.list && *merging.list != "-") request.output.kept.emplace_back(*merging.list);
    if (run.common.config) request.output.kept.emplace_back(*run.common.config);
    request.output.make_provenance = make_run_description(run, "volmerge", options.output.provenance);
    if (options.output.provenance == ProvenanceDetail::full) request.input_names = InputNames::told;
    request.threads = run.common.threads;
    return request;
}

} // namespace volpt
