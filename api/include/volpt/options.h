// Options, progress and notices, the same for all functions.
#pragma once

#include "volpt/export.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {
VOLPT_API_NAMESPACE v0
{

    /// An option of a program, without dashes, and its value as on the command line: {"spp", "64"}, {"nee", "off"}. The
    /// value of a switch is empty: {"statistical"}.
    struct Option {
        std::string name;
        std::string value = {};
    };
    using Options = std::vector<Option>;

    /// Work done so far out of a total (0: unknown), in a unit ("paths", "pixels").
    struct Progress {
        std::uint64_t done = 0;
        std::uint64_t total = 0;
        std::string_view unit;
    };

    /// False asks for a stop.
    using ProgressSink = std::function<bool(Progress const& progress)>;
    /// Takes what the programs print as notes: losses, assumptions.
    using NoticeSink = std::function<void(std::string_view text)>;

    /// What a call tells while it works. Both may be empty. One of them is called at a time, by one thread, which need
    /// not be the caller's. An exception of a sink stops the work; the call then throws it, and its film is lost.
    struct Watch {
        ProgressSink progress = {};
        NoticeSink notice = {};
    };

} // namespace v0
} // namespace volpt
