#pragma once

#include "libvolpt/sys/progress.h"

#include <functional>

namespace volpt {

struct RenderOutcome;

/// Where a job tells what happens while it runs. All are called in the thread of the caller, `progress` by one thread
/// at a time.
struct JobSinks {
    NoticeSink notice = [](std::string_view) {};
    NoticeSink detail = [](std::string_view) {}; ///< what --verbose adds
    ProgressSink progress = nullptr;             ///< returns false to stop the job in order; may be null
    /// After the last sample, before anything is written; may be null.
    std::function<void(RenderOutcome&)> rendered = nullptr;
};

} // namespace volpt
