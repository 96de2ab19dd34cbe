// How fast a worker of several threads renders, from units of work that one thread each has done.
#pragma once

#include <algorithm>
#include <cstdint>

namespace volpt {

/// The mean over units of many tiles: paths of a tile that shows the object take a hundred times as long as those of
/// one beside it, and by the last units alone a CPU beside a GPU was rated so fast that it ended .3 s late.
class UnitRate {
public:
    /// What is older than a few `window_s` counts no more: a device may become slower.
    UnitRate(int threads, double window_s) : threads_(threads), window_s_(window_s) {}

    /// One thread has rendered `paths` in `seconds`.
    void note_unit(std::uint64_t paths, double seconds)
    {
        paths_ += static_cast<double>(paths);
        seconds_ += std::max(seconds, 1e-6);
        rate_ = paths_ / seconds_ * threads_;
        if (seconds_ < window_s_ * threads_) return;
        paths_ /= 2;
        seconds_ /= 2;
    }

    double rate() const { return rate_; } ///< of all threads, paths per second; 0: not known

private:
    int threads_;
    double window_s_;
    double paths_ = 0, seconds_ = 0; ///< of all threads, lately
    double rate_ = 0;
};

} // namespace volpt
