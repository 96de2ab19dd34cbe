// How fast a device is and how large its next launch should be, from launches that are queued two at a time.
#pragma once

#include <cstdint>
#include <functional>

namespace volpt {

class LaunchSizer {
public:
    /// Launches are to last `launch_s`; the first ones have `first_paths` paths. `clock` gives seconds; empty: the
    /// steady clock.
    explicit LaunchSizer(std::uint64_t first_paths, double launch_s, std::function<double()> clock = {});

    /// Call when a launch of `paths` has been queued, which waits until at most two are under way, this one among them:
    /// so it is known what has been done by now, and with it the rate.
    void note_launch(std::uint64_t paths);
    /// Call when nothing is under way and the rate is known from elsewhere.
    void restart(double rate);

    double rate() const { return rate_; } ///< paths per second, measured recently; 0: not known
    std::uint64_t pending_paths() const { return under_way_[0] + under_way_[1]; }
    std::uint64_t launch_paths() const { return launch_paths_; } ///< of the next launch

private:
    void choose_launch();

    std::uint64_t first_paths_;
    double launch_s_;
    std::function<double()> clock_;
    double rate_ = 0;
    std::uint64_t launch_paths_;
    std::uint64_t under_way_[2] = {0, 0}; ///< paths of the last two launches
    std::uint64_t timed_paths_ = 0;
    double timed_since_s_ = 0;
};

} // namespace volpt
