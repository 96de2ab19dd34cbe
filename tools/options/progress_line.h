// A progress line with rate and time left on stderr, only where stderr is a terminal.
#pragma once

#include "libvolpt/sys/progress.h"
#include "tools/options/common.h"

#include <memory>
#include <string>

namespace volpt {

/// "render  42%  12.3 Mpaths/s  1:05 left": the line's text, for a known elapsed time; without share and time left
/// where the total is 0, not known yet. No control characters.
std::string format_progress(std::string_view label, Progress const& progress, double elapsed_s);

/// Shows the line while it lives and wipes it at the end. In a pipe, or with --quiet, it shows nothing.
class ProgressLine {
public:
    ProgressLine(std::string label, Verbosity verbosity);
    ~ProgressLine();
    ProgressLine(ProgressLine const&) = delete;
    ProgressLine& operator=(ProgressLine const&) = delete;

    /// The sink to hand to the library; valid while this object lives. It answers "stop" once is_interrupted().
    ProgressSink sink();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace volpt
