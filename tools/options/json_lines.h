// What a program tells the one that has started it: JSON objects on stdout, one a line.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace volpt {

/// From now on notes and errors of run_tool, and progress, are lines {"note"}, {"error"} and {"progress"} on stdout
/// instead of text on stderr. If nobody reads them any more, the process gets SIGTERM.
void begin_json_lines();
bool writes_json_lines();

/// From any thread.
void write_json_line(nlohmann::ordered_json const& line);

} // namespace volpt
