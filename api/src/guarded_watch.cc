#include "api/src/guarded_watch.h"

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
            if (watch_.notice) watch_.notice(text);
            return true;
        });
    };
}

void GuardedWatch::rethrow_failure() const
{
    if (failure_) std::rethrow_exception(failure_);
}

} // namespace volpt::v0
