#include "libvolpt/render/workers/launch_sizer.h"

#include "libvolpt/sys/stopwatch.h"

#include <algorithm>
#include <utility>

namespace volpt {
namespace {

constexpr double kRateWindow_s = 0.05;
constexpr std::uint64_t kMostLaunchPaths = std::uint64_t{1} << 30;

} // namespace

LaunchSizer::LaunchSizer(std::uint64_t first_paths, double launch_s, std::function<double()> clock)
    : first_paths_(first_paths), launch_s_(launch_s), clock_(clock ? std::move(clock) : read_steady_clock_s),
      launch_paths_(first_paths)
{
}

// Counts what is done, not what is queued: the rate of what was queued came out up to three times too high as launches
// grew, and one of four GPUs was given so much that it ended 1.3 s after the others.
void LaunchSizer::note_launch(std::uint64_t paths)
{
    std::uint64_t const done = std::exchange(under_way_[0], std::exchange(under_way_[1], paths));
    double const now_s = clock_();
    if (done == 0) { // the queue fills
        timed_since_s_ = now_s;
        return;
    }
    timed_paths_ += done;
    double const timed_s = now_s - timed_since_s_;
    if (timed_s >= kRateWindow_s) {
        double const rate = static_cast<double>(timed_paths_) / timed_s;
        rate_ = rate_ == 0 ? rate : 0.5 * (rate_ + rate);
        timed_paths_ = 0;
        timed_since_s_ = now_s;
    }
    choose_launch();
}

void LaunchSizer::restart(double rate)
{
    rate_ = rate;
    under_way_[0] = under_way_[1] = timed_paths_ = 0;
    choose_launch();
}

void LaunchSizer::choose_launch()
{
    double const wanted = rate_ == 0 ? 2 * static_cast<double>(launch_paths_) : rate_ * launch_s_;
    launch_paths_ =
        std::clamp(static_cast<std::uint64_t>(wanted), std::max<std::uint64_t>(1, first_paths_ / 16), kMostLaunchPaths);
}

} // namespace volpt
