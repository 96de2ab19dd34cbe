// A worker's place at a pool of samples, wherever the pool is.
#pragma once

#include "libvolpt/render/pool/areas.h"

#include <optional>

namespace volpt {

/// Samples of all pixels of a group, or of one of its rows of tiles: what a worker takes at a time.
struct WorkItem {
    AreaName name;
    AreaGroup const* group = nullptr; ///< that the name stands for; stays where it is as long as the pool
    SampleRange samples;
    std::uint64_t paths = 0;
};

/// How much a worker wants, and what it knows of itself.
struct WorkRequest {
    std::uint64_t first_paths = 1;   ///< while its rate is not known
    double duration_s = 1;           ///< about the longest
    double least_s = 0;              ///< shorter ones are not worth their start
    double rate = 0;                 ///< paths per second, measured of late; 0: not known
    std::uint64_t pending_paths = 0; ///< taken and not done
};

/// Who gives up the seat no longer counts.
class WorkSource {
public:
    virtual ~WorkSource() = default;
    /// The next batch, by preference of the group that it took from last. Nothing if nothing is left, or if others will
    /// have done what is left before this worker could; it is to leave then. May wait for an answer.
    virtual std::optional<WorkItem> take(WorkRequest const& request) = 0;
};

} // namespace volpt
