// Callbacks for progress and notices: the library reports through them and never prints.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace volpt {

/// Work done so far out of a total, in a unit ("paths", "slices").
struct Progress {
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    std::string_view unit;
};

/// Called repeatedly, by one thread at a time; returns false to request a stop.
using ProgressSink = std::function<bool(Progress const&)>;

/// A message to the user that is not an error: a default that was chosen, a loss of precision.
using NoticeSink = std::function<void(std::string_view)>;

} // namespace volpt
