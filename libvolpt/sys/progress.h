// A sink for progress and log lines: the library reports through it and never prints.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace volpt {

/// Work done so far out of a total, in a unit the caller names ("paths", "slices").
struct Progress {
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    std::string_view unit;
};

/// Called now and then from one thread at a time; returns false to ask for an orderly stop.
using ProgressSink = std::function<bool(Progress const&)>;

/// A sentence for the user that is no error: a choice made, a loss announced.
using NoticeSink = std::function<void(std::string_view)>;

} // namespace volpt
