// The rate over a window, extrapolated.
#include "libvolpt/render/time_estimate.h"

namespace volpt {

void TimeEstimate::watch(double elapsed_s, Progress const& progress)
{
    if (total_s_ || elapsed_s < kFrom_s) return;
    if (!from_) from_ = {elapsed_s, progress.done};
    if (elapsed_s < kUntil_s || progress.total == 0 || progress.done <= from_->done || progress.done >= progress.total)
        return;
    double const seconds_each = (elapsed_s - from_->elapsed_s) / static_cast<double>(progress.done - from_->done);
    total_s_ = elapsed_s + static_cast<double>(progress.total - progress.done) * seconds_each;
}

} // namespace volpt
