// Programs of the suite that answer in JSON lines (--json-lines), as child processes.
#pragma once

#include "libvolpt/job/program/child_program.h"
#include "libvolpt/sys/progress.h"

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace volpt {

struct JsonProgramSinks {
    NoticeSink notice;
    ProgressSink progress =
        nullptr; ///< asked ten times a second, with nothing known until the program tells it; may be null
    /// A line that is no note, progress, error or answer; may be null.
    std::function<void(nlohmann::ordered_json const& line)> line = nullptr;
    std::function<std::string(std::string)> respell =
        nullptr; ///< what messages become before they are told; may be null
};

/// Runs the program with --json-lines before its words, and returns its answer as JSON, empty if it gave none. A stop
/// that `progress` asks for is an Error (system). Error of the program's exit status with its words; (system) as
/// run_child.
std::string run_json_program(ChildCall call, JsonProgramSinks const& sinks);

/// Error of the exit status, with these words, or what the program printed if there are none.
[[noreturn]] void fail_as_program(ChildEnd const& end, std::string const& name, std::string words = {});

} // namespace volpt
