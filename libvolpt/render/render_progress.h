// How far a render is, and whether it is to stop: shared by all workers.
#pragma once

#include "libvolpt/render/render_film.h"

#include <atomic>
#include <chrono>
#include <mutex>

namespace volpt {

class RenderProgress {
public:
    /// `options` outlive this.
    RenderProgress(RenderOptions const& options, std::uint64_t total_paths)
        : options_(options), total_paths_(total_paths)
    {
    }

    /// The clock starts with the first call.
    void begin();
    /// So many paths more are done, or as good as; less, where a worker failed.
    void add_done(std::int64_t paths) { done_paths_ += paths; }
    /// Tells the progress sink now and then, notices when to stop; true then. Whoever comes while another is at it has
    /// nothing to do, so any number of threads may ask often.
    bool poll();
    std::int64_t done_paths() const { return done_paths_.load(); }
    /// All workers are to stop, whatever the reason.
    void give_up() { stopping_.store(true); }
    /// The same, because somebody asked for it.
    void stop();
    bool is_stopping() const { return stopping_.load(); }
    /// Why it stopped, if it did.
    RenderEnd end() const { return end_.load(); }
    std::uint64_t total_paths() const { return total_paths_; }
    double elapsed_s() const;

private:
    void end_with(RenderEnd end);

    RenderOptions const& options_;
    std::uint64_t total_paths_;
    std::once_flag begun_;
    std::atomic<std::chrono::steady_clock::time_point> start_{std::chrono::steady_clock::now()};
    std::atomic<std::int64_t> done_paths_{0};
    std::atomic<bool> stopping_{false};
    std::mutex mutex_;
    std::atomic<RenderEnd> end_{RenderEnd::finished};
    double last_report_s_ = 0;
};

} // namespace volpt
