// Writes what a render has so far at intervals, while it goes on.
#pragma once

#include "libvolpt/render/film_sink.h"
#include "libvolpt/render/render_film.h"

#include <chrono>
#include <future>

namespace volpt {

/// All calls from one thread.
class Checkpoints {
public:
    /// `options` outlive this. The first checkpoint is due after RenderOptions::checkpoint_s, none if that is 0.
    explicit Checkpoints(RenderOptions const& options);
    ~Checkpoints();

    /// False while the previous checkpoint is still being written.
    bool is_due() const;
    /// Writes a copy of the film in the background. A failure is reported as a notice, and the render goes on.
    void write(FilmSink& sink);

private:
    using Clock = std::chrono::steady_clock;

    void report(std::exception const& error) const;

    RenderOptions const& options_;
    Clock::time_point due_;
    std::future<void> writing_;
};

} // namespace volpt
