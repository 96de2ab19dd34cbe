// Programs of the suite as child processes.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// The program `name` in `folder`, where those of the suite lie; PATH is not searched. Error (system) if it is not
/// there, with this advice.
std::filesystem::path find_program_in(std::filesystem::path const& folder, std::string const& name,
                                      std::string const& advice);

/// The same in the folder of the program that runs.
std::filesystem::path find_program_beside(std::string const& name);

struct ChildCall {
    std::filesystem::path program;
    std::vector<std::string> words; ///< after its name
    int inherited = -1;             ///< a descriptor above 2 that stays open in the program; -1: none
};

struct ChildSinks {
    std::function<void(std::string_view line)> line; ///< each line that it prints on stdout
    std::function<bool()> goes_on; ///< asked ten times a second; false: the program gets SIGTERM; may be null
};

struct ChildEnd {
    int status = 0;       ///< 4 if a signal ended it
    std::string messages; ///< what it printed on stderr
    bool was_stopped = false;
};

/// Starts the program, without a copy of this process and its threads, and waits for it; stdin is empty, signals are
/// those of a program that a shell starts, and one of the terminal does not reach it. An exception of a sink is thrown
/// once the program has ended. Error (usage) for a zero byte; (system) if it cannot be started, or if this process
/// ignores SIGCHLD and so does not learn how it ended.
ChildEnd run_child(ChildCall const& call, ChildSinks const& sinks);

} // namespace volpt
