// Foretells from its first seconds how long a render takes.
#pragma once

#include "libvolpt/sys/progress.h"

#include <optional>

namespace volpt {

/// Fed with progress, it watches the rate from second 1 to second 3, so that neither the start of a device nor its
/// pilot counts, and takes it for that of the rest.
class TimeEstimate {
public:
    static constexpr double kFrom_s = 1, kUntil_s = 3;

    /// `elapsed_s` since the start. A total of 0 says that nobody knows the total yet: the estimate waits.
    void watch(double elapsed_s, Progress const& progress);
    /// Seconds from the start to the end, as told once and kept; nothing before that, or after a render that was
    /// shorter.
    std::optional<double> total_s() const { return total_s_; }

private:
    struct Mark {
        double elapsed_s;
        std::uint64_t done;
    };
    std::optional<Mark> from_;
    std::optional<double> total_s_;
};

} // namespace volpt
