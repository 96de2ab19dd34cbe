// Work without the GIL that Python can watch and stop.
#pragma once

#include "volpt/options.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <nanobind/nanobind.h>
#include <string>
#include <vector>

namespace volpt::python {

/// What the working thread and the waiting one share. The sinks of the watch are callable from any thread, while this
/// lives.
class WorkControl {
public:
    /// Asks for a stop once request_stop was called.
    Watch watch();
    void request_stop() { stops_ = true; }
    bool stops() const { return stops_; }
    Progress latest() const;
    std::vector<std::string> take_notices();

private:
    mutable std::mutex mutex_;
    std::atomic<bool> stops_{false};
    Progress latest_; ///< its unit is a literal
    std::vector<std::string> notices_;
};

/// Runs `work` on a thread of its own, while this thread, which holds the GIL, releases it and waits. Ten times a
/// second this one looks for signals and calls `progress`, unless it is None, with done, total, unit and the text of a
/// progress line that begins with `label`. A signal handler's exception, one of `progress`, or its answer False asks
/// the work to stop. Returns that exception, or None, once the work has ended; what the work throws is thrown here.
nanobind::object run_interruptibly(std::string_view label, nanobind::object const& progress, WorkControl& control,
                                   std::function<void()> const& work);

} // namespace volpt::python
