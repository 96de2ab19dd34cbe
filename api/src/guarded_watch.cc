#include "api/src/guarded_watch.h"

#include "api/src/caller_spelling.h"
#include "tools/options/progress_line.h"

namespace volpt::v0 {

template <class Call>
bool GuardedWatch::guard(Call&& call)
{
    std::scoped_lock const lock(mutex_);
    if (failure_) return false;
    try {
        return call();
    } catch (...) {
        failure_ = std::current_exception();
        return false;
    }
}

volpt::ProgressSink GuardedWatch::progress_sink()
{
    return [this](volpt::Progress const& done) {
        return guard([&] { return !watch_.progress || watch_.progress({done.done, done.total, done.unit}); });
    };
}

volpt::NoticeSink GuardedWatch::notice_sink()
{
    return [this](std::string_view text) {
        guard([&] {
            if (watch_.notice) watch_.notice(spell_options_in(text));
            return true;
        });
    };
}

void GuardedWatch::rethrow_failure() const
{
    if (failure_) std::rethrow_exception(failure_);
}

std::string format_progress(std::string_view label, Progress const& progress, double elapsed_s)
{
    return volpt::format_progress(label, {progress.done, progress.total, progress.unit}, elapsed_s);
}

} // namespace volpt::v0
