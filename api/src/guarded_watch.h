// The sinks of a caller, which may throw, for work on several threads.
#pragma once

#include "api/src/access.h"
#include "libvolpt/sys/progress.h"
#include "volpt/options.h"

#include <exception>
#include <mutex>

namespace volpt::v0 {

/// Calls both sinks of a Watch by one thread at a time. After an exception of one neither is called again, and the work
/// is asked to stop. Outlives the work.
class GuardedWatch {
public:
    explicit GuardedWatch(Watch const& watch) : watch_(watch) {}

    volpt::ProgressSink progress_sink();
    volpt::NoticeSink notice_sink();
    /// Throws what a sink has thrown, if one has. To be called when the work has ended.
    void rethrow_failure() const;

private:
    /// True unless `call` returns false or throws, or an earlier one has thrown.
    template <class Call>
    bool guard(Call&& call);

    Watch const& watch_;
    std::mutex mutex_;
    std::exception_ptr failure_;
};

/// What `work` returns, which is given the guarded sinks; what a sink has thrown comes before its own errors, which are
/// translated.
template <class Work>
auto run_guarded(Watch const& watch, Work&& work)
{
    GuardedWatch guarded(watch);
    try {
        auto result = translate_errors([&] { return work(guarded); });
        guarded.rethrow_failure();
        return result;
    } catch (...) {
        guarded.rethrow_failure();
        throw;
    }
}

} // namespace volpt::v0
