#include "libvolpt/job/program/json_program.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

/// Of a Progress, which holds no copy.
std::string_view find_unit(std::string const& unit)
{
    return unit == "slices" ? "slices" : unit == "pixels" ? "pixels" : unit.empty() ? "" : "steps";
}

/// What the program has told.
class JsonAnswer {
public:
    explicit JsonAnswer(JsonProgramSinks const& sinks) : sinks_(sinks) {}

    void take_line(std::string_view line)
    {
        Json const json = parse_json(line);
        if (!json.is_object()) return;
        if (auto const told = json.find("progress"); told != json.end())
            progress_ = {told->value("done", std::uint64_t{}), told->value("total", std::uint64_t{}),
                         find_unit(told->value("unit", std::string()))};
        else if (auto const note = json.find("note"); note != json.end())
            sinks_.notice(respell(note->get<std::string>()));
        else if (auto const error = json.find("error"); error != json.end())
            error_ += (error_.empty() ? "" : "\n") + respell(error->get<std::string>());
        else if (auto const answer = json.find("answer"); answer != json.end())
            answer_ = format_json(*answer);
        else if (sinks_.line)
            sinks_.line(json);
    }

    bool goes_on() const { return sinks_.progress(progress_); }
    std::string const& error() const { return error_; }
    std::string take_answer() { return std::move(answer_); }

private:
    std::string respell(std::string text) const { return sinks_.respell ? sinks_.respell(std::move(text)) : text; }

    JsonProgramSinks const& sinks_;
    Progress progress_;
    std::string error_, answer_;
};

} // namespace

std::string run_json_program(ChildCall call, JsonProgramSinks const& sinks)
{
    call.words.insert(call.words.begin(), "--json-lines");
    JsonAnswer answer(sinks);
    ChildSinks child{[&](std::string_view line) { answer.take_line(line); }, nullptr};
    if (sinks.progress) child.goes_on = [&] { return answer.goes_on(); };
    ChildEnd const end = run_child(call, child);
    std::string const name = call.program.filename().string();
    if (end.was_stopped) fail_system("was stopped, as it was asked", name);
    if (end.status != 0) fail_as_program(end, name, answer.error());
    return answer.take_answer();
}

void fail_as_program(ChildEnd const& end, std::string const& name, std::string words)
{
    if (words.empty()) words = name + " ended with status " + std::to_string(end.status) + ": " + end.messages;
    auto const status = end.status >= 1 && end.status <= 3 ? static_cast<ExitStatus>(end.status) : ExitStatus::system;
    throw Error(status, {std::move(words), {}, {}, {}});
}

} // namespace volpt
