#include "libvolpt/render/checkpoints.h"
#include "libvolpt/sys/text/failure_text.h"

#include <fmt/format.h>

namespace volpt {
namespace {

std::chrono::steady_clock::duration to_duration(double seconds)
{
    return std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
}

} // namespace

Checkpoints::Checkpoints(RenderOptions const& options)
    : options_(options),
      due_(options.checkpoint_s > 0 && options.write_checkpoint ? Clock::now() + to_duration(options.checkpoint_s)
                                                                : Clock::time_point::max())
{
}

Checkpoints::~Checkpoints()
{
    if (writing_.valid()) writing_.wait();
}

bool Checkpoints::is_due() const
{
    bool const is_writing = writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
    return Clock::now() >= due_ && !is_writing;
}

void Checkpoints::write(FilmSink& sink)
{
    due_ = Clock::now() + to_duration(options_.checkpoint_s);
    try {
        writing_ = std::async(std::launch::async, [this, film = sink.copy_film()]() mutable {
            try {
                options_.write_checkpoint(film);
            } catch (std::exception const& error) {
                report(error);
            }
        });
    } catch (std::exception const& error) { // no memory for a copy, or no thread
        report(error);
    }
}

void Checkpoints::report(std::exception const& error) const
{
    notify(options_, fmt::format("no checkpoint was written, the render goes on: {}", describe_failure(error)));
}

} // namespace volpt
