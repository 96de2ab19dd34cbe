// Keeps what a render has so far, now and then, while it goes on.
#pragma once

#include "libvolpt/render/film_sink.h"
#include "libvolpt/render/render_film.h"

#include <chrono>
#include <future>

namespace volpt {

/// Of one thread.
class Checkpoints {
public:
    /// `options` outlive this. The first is due after RenderOptions::checkpoint_s, if that is not 0.
    explicit Checkpoints(RenderOptions const& options);
    ~Checkpoints();

    /// Never while one is still being written.
    bool is_due() const;
    /// Writes the film as it is now, in the background. What goes wrong is told of, and the render goes on.
    void write(FilmSink& sink);

private:
    using Clock = std::chrono::steady_clock;

    void tell(std::exception const& error) const;

    RenderOptions const& options_;
    Clock::time_point due_;
    std::future<void> writing_;
};

} // namespace volpt
