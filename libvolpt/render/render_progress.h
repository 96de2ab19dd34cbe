// How far a render is, whether it is to stop, and how long it will take.
#pragma once

#include "libvolpt/render/render_film.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>

namespace volpt {

/// Shared by all workers of a render. All calls from any thread.
class RenderProgress {
public:
    /// `options` outlive this.
    RenderProgress(RenderOptions const& options, std::uint64_t total_paths)
        : options_(options), total_paths_(total_paths)
    {
    }

    /// The first call starts the clock, the others do nothing.
    void start_clock();
    /// Since then.
    double elapsed_s() const;

    /// Counts paths as done, or, where a worker failed, as not done (negative).
    void add_done(std::int64_t paths) { done_paths_ += paths; }
    std::int64_t done_paths() const { return done_paths_.load(); }
    std::uint64_t total_paths() const { return total_paths_; }

    /// Calls the progress sink every RenderOptions::progress_s and looks at the time limit; true if the workers are to
    /// stop. Returns at once while another thread is in it, so it may be called often.
    bool poll();
    /// Stops all workers because somebody asked for it.
    void request_stop();
    /// Stops all workers for another reason; end() stays as it is.
    void cancel() { stopping_.store(true); }
    bool is_stopping() const { return stopping_.load(); }
    /// Why the render stopped; `finished` if nothing stopped it.
    RenderEnd end() const { return end_.load(); }

private:
    void stop_with(RenderEnd end);

    RenderOptions const& options_;
    std::uint64_t total_paths_;
    std::once_flag started_;
    std::atomic<std::chrono::steady_clock::time_point> start_{std::chrono::steady_clock::now()};
    std::atomic<std::int64_t> done_paths_{0};
    std::atomic<bool> stopping_{false};
    std::mutex mutex_;
    std::atomic<RenderEnd> end_{RenderEnd::finished};
    double last_report_s_ = 0;
};

/// Predicts from the first seconds of a render how long all of it takes: the rate between second 1 and second 3, which
/// excludes the start of a device and its tuning, is taken for the rate of the rest.
class TimeEstimate {
public:
    static constexpr double kFrom_s = 1, kUntil_s = 3;

    /// `elapsed_s` since the start. While the total is not known (0), there is no estimate.
    void update(double elapsed_s, Progress const& progress);
    /// Seconds from the start to the end; set once and then kept, so never set for a render that ended before.
    std::optional<double> total_s() const { return total_s_; }

private:
    struct Mark {
        double elapsed_s;
        std::uint64_t done;
    };
    std::optional<Mark> from_;
    std::optional<double> total_s_;
};

} // namespace volpt
