// What a long job shows on the terminal, and how the user stops it.
#pragma once

#include "libvolpt/sys/progress.h"
#include "tools/options/tool.h"

#include <memory>
#include <string>

namespace volpt {

/// From now on the first SIGINT, SIGTERM or SIGHUP sets a flag, so that a job can end in order and keep its work; a
/// second one ends the process at once. SIGHUP stays ignored where it is: under nohup.
void watch_interrupts();

/// True once a watched signal has arrived. Cheap; callable from any thread.
bool is_interrupted() noexcept;

/// The line's text for a known elapsed time, without control characters: "render  42%  12.3 Mpaths/s  1:05 left".
/// Percentage and time left are omitted while the total is unknown (0).
std::string format_progress(std::string_view label, Progress const& progress, double elapsed_s);

/// A progress line on stderr, erased at the end of its life; where stderr is no terminal, a line every ten seconds,
/// which stays. Silent with --quiet.
class ProgressLine {
public:
    ProgressLine(std::string label, Verbosity verbosity);
    ~ProgressLine();
    ProgressLine(ProgressLine const&) = delete;
    ProgressLine& operator=(ProgressLine const&) = delete;

    /// The sink to pass to the library; valid while this object lives. It asks the library to stop once
    /// is_interrupted().
    ProgressSink sink();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// For work that may come to nothing before it begins: watches interrupts and makes a ProgressLine when the sink is
/// first called. The line ends with the last copy of the sink.
ProgressSink show_progress_when_asked(std::string label, Verbosity verbosity);

} // namespace volpt
