#include "libvolpt/job/pack/pack_job.h"

#include "libvolpt/job/pack/child_program.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"

#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> spell_request(PackRequest const& request)
{
    std::vector<std::string> words{"--json-lines"};
    for (PackOption const& option : request.options)
        words.push_back("--" + option.name + (option.value ? "=" + *option.value : ""));
    if (request.layer_bytes) words.push_back("--layer-memory=" + std::to_string(*request.layer_bytes));
    if (request.threads) words.push_back("--threads=" + std::to_string(*request.threads));
    words.push_back("--output=" + request.output.string());
    words.emplace_back("--"); // an input may begin with a dash
    for (std::filesystem::path const& input : request.inputs) words.push_back(input.string());
    return words;
}

/// Of a Progress, which holds no copy.
std::string_view find_unit(std::string const& unit)
{
    return unit == "slices" ? "slices" : unit == "pixels" ? "pixels" : unit.empty() ? "" : "steps";
}

/// What volprep --json-lines has told.
class PackAnswer {
public:
    PackAnswer(PackRequest const& request, JobSinks const& sinks) : request_(request), sinks_(sinks) {}

    void take_line(std::string_view line)
    {
        Json const json = parse_json(line);
        if (!json.is_object()) return;
        if (auto const told = json.find("progress"); told != json.end())
            progress_ = {told->value("done", std::uint64_t{}), told->value("total", std::uint64_t{}),
                         find_unit(told->value("unit", std::string()))};
        if (auto const told = json.find("note"); told != json.end()) sinks_.notice(rename(told->get<std::string>()));
        if (auto const told = json.find("error"); told != json.end())
            error_ += (error_.empty() ? "" : "\n") + rename(told->get<std::string>());
        if (auto const told = json.find("answer"); told != json.end()) result_.report_json = format_json(*told);
        if (auto const told = json.find("auto"); told != json.end()) take_choice(*told);
    }

    bool goes_on() const { return sinks_.progress(progress_); }
    std::string const& error() const { return error_; }
    PackResult take_result() { return std::move(result_); }

private:
    void take_choice(Json const& told) const
    {
        PackChoice choice{told.value("command", std::string()), {}, told.value("reason", std::string())};
        for (Json const& option : told.at("options")) {
            auto value = option.at("value").get<std::string>();
            choice.options.push_back(
                {option.at("name").get<std::string>(), value.empty() ? std::nullopt : std::optional(std::move(value))});
        }
        if (request_.take_choice) request_.take_choice(choice);
    }

    std::string rename(std::string text) const
    {
        if (!request_.open_input) return text;
        auto const& [descriptor, path, name] = *request_.open_input;
        for (std::size_t at = 0; (at = text.find(path, at)) != std::string::npos; at += name.size())
            text.replace(at, path.size(), name);
        return text;
    }

    PackRequest const& request_;
    JobSinks const& sinks_;
    Progress progress_;
    std::string error_;
    PackResult result_;
};

[[noreturn]] void fail_as(ChildEnd const& end, std::string const& name, std::string error)
{
    if (error.empty()) error = name + " ended with status " + std::to_string(end.status) + ": " + end.messages;
    auto const status = end.status >= 1 && end.status <= 3 ? static_cast<ExitStatus>(end.status) : ExitStatus::system;
    throw Error(status, {error, {}, {}, {}});
}

} // namespace

PackResult pack(PackRequest const& request, JobSinks const& sinks)
{
    PackAnswer answer(request, sinks);
    ChildCall const call{request.program, spell_request(request),
                         request.open_input ? request.open_input->descriptor : -1};
    ChildSinks child{[&](std::string_view line) { answer.take_line(line); }, nullptr};
    if (sinks.progress) child.goes_on = [&] { return answer.goes_on(); };
    ChildEnd const end = run_child(call, child);
    std::string const name = request.program.filename().string();
    if (end.was_stopped) fail_system("was stopped, as it was asked", name);
    if (end.status != 0) fail_as(end, name, answer.error());
    return answer.take_result();
}

std::string list_pack_options(std::filesystem::path const& program)
{
    std::string list;
    ChildEnd const end = run_child({program, {"--list-options", "--json"}},
                                   {[&](std::string_view line) { list += std::string(line) + "\n"; }, nullptr});
    if (end.status != 0) fail_as(end, program.filename().string(), {});
    return list;
}

} // namespace volpt
