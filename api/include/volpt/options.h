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
    /// value of a switch is empty or "on": {"statistical"}; one that is "off" is as if it was not given.
    struct Option {
        std::string name;
        std::string value = {};
    };
    using Options = std::vector<Option>;

    /// What takes options: resume takes those of render.
    enum class Task { pack, render, compare, convergence, merge, info };

    /// An option that a function takes.
    struct OptionInfo {
        std::string name;
        std::string value;                   ///< what its value is, "X,Y,Z"; empty: it is a switch
        std::vector<std::string> words = {}; ///< that its value may be; one that ends in ':' or '=' goes on
        bool is_repeatable = false;
        std::string help;
    };

    /// In the order of the program's --help. Those of pack are asked of the program volprep, once in a process: Error
    /// (system) if it is missing.
    VOLPT_API std::vector<OptionInfo> list_options(Task task);

    /// Work done so far out of a total (0: unknown), in a unit ("paths", "pixels"; empty: nothing is known).
    struct Progress {
        std::uint64_t done = 0;
        std::uint64_t total = 0;
        std::string_view unit;
    };

    /// The text of a progress line, without control characters: "render  42%  12.3 Mpaths/s  1:05 left". Percentage and
    /// time left are omitted while the total is unknown.
    VOLPT_API std::string format_progress(std::string_view label, Progress const& progress, double elapsed_s);

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
