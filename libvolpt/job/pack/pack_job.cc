#include "libvolpt/job/pack/pack_job.h"

#include "libvolpt/job/program/json_program.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> spell_request(PackRequest const& request)
{
    std::vector<std::string> words;
    for (PackOption const& option : request.options)
        words.push_back("--" + option.name + (option.value ? "=" + *option.value : ""));
    if (request.layer_bytes) words.push_back("--layer-memory=" + std::to_string(*request.layer_bytes));
    if (request.threads) words.push_back("--threads=" + std::to_string(*request.threads));
    words.push_back("--output=" + request.output.string());
    words.emplace_back("--"); // an input may begin with a dash
    for (std::filesystem::path const& input : request.inputs) words.push_back(input.string());
    return words;
}

/// What volprep --auto tells.
PackChoice read_choice(Json const& told)
{
    PackChoice choice{told.value("command", std::string()), {}, told.value("reason", std::string())};
    for (Json const& option : told.at("options")) {
        auto value = option.at("value").get<std::string>();
        choice.options.push_back(
            {option.at("name").get<std::string>(), value.empty() ? std::nullopt : std::optional(std::move(value))});
    }
    return choice;
}

/// `text` with the name of the open input for its path.
std::string rename_input(std::optional<OpenInput> const& input, std::string text)
{
    if (!input) return text;
    for (std::size_t at = 0; (at = text.find(input->path, at)) != std::string::npos; at += input->name.size())
        text.replace(at, input->path.size(), input->name);
    return text;
}

} // namespace

PackResult pack(PackRequest const& request, JobSinks const& sinks)
{
    JsonProgramSinks program{sinks.notice, sinks.progress};
    program.line = [&](Json const& line) {
        if (auto const told = line.find("auto"); told != line.end() && request.take_choice)
            request.take_choice(read_choice(*told));
    };
    program.respell = [&](std::string text) { return rename_input(request.open_input, std::move(text)); };
    return {run_json_program(
        {request.program, spell_request(request), request.open_input ? request.open_input->descriptor : -1}, program)};
}

std::string list_pack_options(std::filesystem::path const& program)
{
    std::string list;
    ChildEnd const end = run_child({program, {"--list-options", "--json"}},
                                   {[&](std::string_view line) { list += std::string(line) + "\n"; }, nullptr});
    if (end.status != 0) fail_as_program(end, program.filename().string());
    return list;
}

} // namespace volpt
