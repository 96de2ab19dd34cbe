// Programs of the suite as child processes.
#pragma once

#include "libvolpt/sys/progress.h"

#include <string>
#include <vector>

namespace volpt::v0 {

/// An open file that a program gets beside stdin, stdout and stderr.
struct InheritedFile {
    int number;       ///< of the descriptor, above 2
    std::string path; ///< of the file in the program
    std::string name; ///< what the program's messages call it instead
};

/// The folder of the programs, relative to that of the library or module.
extern char const* const kProgramsFromLibrary;

/// Runs a program of the suite (find_program), words[0], waits for it and returns what it printed on stdout; its notes
/// go to `notice`. `file` may be null, the sinks empty. `progress` is asked ten times a second: at a stop the program
/// gets SIGTERM, at which it removes what it has begun, and the call is an Error (system). Error of its exit status
/// with its messages, (usage) for a zero byte, or (system) if it cannot be started, or if this process ignores SIGCHLD
/// and so does not learn how it ended.
std::string run_program(std::vector<std::string> words, InheritedFile const* file, volpt::NoticeSink const& notice,
                        volpt::ProgressSink const& progress);

} // namespace volpt::v0
