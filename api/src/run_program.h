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

/// Runs a program of the suite, words[0], and waits for it; its notes go to `notice`. It is looked for beside this
/// library's folder (../bin), then on PATH. `file` may be null. Error of its exit status with its messages, or (system)
/// if it cannot be started, or if this process ignores SIGCHLD and so does not learn how it ended.
void run_program(std::vector<std::string> words, InheritedFile const* file, volpt::NoticeSink const& notice);

} // namespace volpt::v0
