// Programs of the suite as child processes.
#pragma once

#include "libvolpt/sys/progress.h"

#include <string>
#include <vector>

namespace volpt::v0 {

/// Runs a program of the suite, words[0], and waits for it; its notes go to `notice`. It is looked for beside this
/// library's folder (../bin), then on PATH. Error of its exit status with its messages, in which `path` is called
/// `name`, or (system) if it cannot be started.
void run_program(std::vector<std::string> words, std::string const& path, std::string const& name,
                 volpt::NoticeSink const& notice);

} // namespace volpt::v0
