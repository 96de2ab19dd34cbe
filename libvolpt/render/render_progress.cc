#include "libvolpt/render/render_progress.h"

namespace volpt {

void RenderProgress::start_clock()
{
    std::call_once(started_, [this] { start_.store(std::chrono::steady_clock::now()); });
}

double RenderProgress::elapsed_s() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_.load()).count();
}

bool RenderProgress::poll()
{
    std::unique_lock const lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || is_stopping()) return is_stopping();
    double const now_s = elapsed_s();
    auto const done = static_cast<std::uint64_t>(done_paths_.load());
    bool const is_complete = done == total_paths_;
    bool const is_late = options_.time_limit_s > 0 && now_s >= options_.time_limit_s;
    if (is_late && done > 0 && !is_complete) stop_with(RenderEnd::time_limit);
    if (!options_.progress || (now_s - last_report_s_ < options_.progress_s && !is_complete)) return is_stopping();
    last_report_s_ = now_s;
    bool goes_on = true;
    try {
        goes_on = options_.progress({done, total_paths_, "paths"});
    } catch (std::exception const&) { // failing to show progress does not end a render
    }
    if (!goes_on && !is_complete) stop_with(RenderEnd::stopped);
    return is_stopping();
}

void RenderProgress::request_stop()
{
    std::scoped_lock const lock(mutex_);
    if (!is_stopping()) stop_with(RenderEnd::stopped);
}

void RenderProgress::stop_with(RenderEnd end)
{
    end_.store(end);
    stopping_.store(true);
}

void TimeEstimate::update(double elapsed_s, Progress const& progress)
{
    if (total_s_ || elapsed_s < kFrom_s) return;
    if (!from_) from_ = {elapsed_s, progress.done};
    if (elapsed_s < kUntil_s || progress.total == 0 || progress.done <= from_->done || progress.done >= progress.total)
        return;
    double const seconds_each = (elapsed_s - from_->elapsed_s) / static_cast<double>(progress.done - from_->done);
    total_s_ = elapsed_s + static_cast<double>(progress.total - progress.done) * seconds_each;
}

} // namespace volpt
