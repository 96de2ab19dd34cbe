// Notices interrupts and time limits.
#include "libvolpt/render/render_progress.h"

namespace volpt {
namespace {

constexpr double kProgressInterval_s = 0.1;

} // namespace

void RenderProgress::begin()
{
    std::call_once(begun_, [this] { start_.store(std::chrono::steady_clock::now()); });
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
    bool const complete = done == total_paths_;
    bool const late = options_.time_limit_s > 0 && now_s >= options_.time_limit_s;
    if (late && done > 0 && !complete) end_with(RenderEnd::time_limit);
    if (!options_.progress || (now_s - last_report_s_ < kProgressInterval_s && !complete)) return is_stopping();
    last_report_s_ = now_s;
    bool goes_on = true;
    try {
        goes_on = options_.progress({done, total_paths_, "paths"});
    } catch (std::exception const&) { // a render does not end because nobody could be told
    }
    if (!goes_on && !complete) end_with(RenderEnd::stopped);
    return is_stopping();
}

void RenderProgress::stop()
{
    std::scoped_lock const lock(mutex_);
    if (!is_stopping()) end_with(RenderEnd::stopped);
}

void RenderProgress::end_with(RenderEnd end)
{
    end_.store(end);
    stopping_.store(true);
}

} // namespace volpt
