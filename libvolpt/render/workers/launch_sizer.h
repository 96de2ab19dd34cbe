// How fast a device is and how large its next launch should be, from launches that are queued two at a time.
#pragma once

#include <cstdint>
#include <functional>

namespace volpt {

class LaunchSizer {
public:
    /// Seconds; empty: the steady clock.
    explicit LaunchSizer(std::function<double()> clock = {});

    /// A launch of `paths` was queued, which waited until two at most were under way, this one among them: so what is
    /// done by now is known, and with it the rate.
    void note_launch(std::uint64_t paths);
    /// Nothing is under way, and the rate is known from elsewhere.
    void restart(double rate);

    double rate() const { return rate_; } ///< paths per second, measured of late; 0: not known
    std::uint64_t pending_paths() const { return under_way_[0] + under_way_[1]; }
    std::uint64_t launch_paths() const { return launch_paths_; } ///< of the next launch

private:
    void choose_launch();

    std::function<double()> clock_;
    double rate_ = 0;
    std::uint64_t launch_paths_;
    std::uint64_t under_way_[2] = {0, 0}; ///< paths of the last two launches
    std::uint64_t timed_paths_ = 0;
    double timed_since_s_ = 0;
};

/// What a device that fails can lose in a launch, and what a stop waits for: about this long.
inline constexpr double kLaunchDuration_s = 0.1;
/// Of the first launches: some milliseconds of the shortest paths.
inline constexpr std::uint64_t kFirstLaunchPaths = 1 << 22;

} // namespace volpt
