#include "tools/volview/frames.h"

#include "libvolpt/sys/json.h"
#include "libvolpt/sys/stopwatch.h"
#include "libvolpt/sys/text/base64.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Clock = std::chrono::steady_clock;

// A picture that only gains samples: encoding takes at most a fifth of one core from the render.
constexpr double kStillInterval_s = 0.1;
constexpr double kEncodingShare = 0.2;
// How often it is looked whether a change cuts such an interval short.
constexpr auto kPoll = std::chrono::milliseconds(5);
constexpr double kPictureWait_s = 0.1;
constexpr auto kPauseAfterFailure = std::chrono::milliseconds(200);

std::chrono::duration<double> as_duration(double seconds)
{
    return std::chrono::duration<double>(seconds);
}

} // namespace

FrameEncoder::FrameEncoder(Source source, int threads)
    : source_(std::move(source)), threads_(threads), thread_([this] { run(); })
{
}

FrameEncoder::~FrameEncoder()
{
    {
        std::lock_guard const lock(mutex_);
        stops_ = true;
    }
    watched_.notify_all();
    encoded_.notify_all();
    thread_.join();
}

FrameEncoder::Watch::Watch(FrameEncoder& frames) : frames_(frames)
{
    {
        std::lock_guard const lock(frames_.mutex_);
        ++frames_.watchers_;
    }
    frames_.watched_.notify_all();
}

FrameEncoder::Watch::~Watch()
{
    std::lock_guard const lock(frames_.mutex_);
    // The next one to come shall not see an old picture first.
    if (--frames_.watchers_ == 0) frames_.newest_ = nullptr;
}

std::shared_ptr<FrameEvent const> FrameEncoder::wait_for_frame(std::uint64_t after, double seconds)
{
    std::unique_lock lock(mutex_);
    auto const is_newer = [&] { return newest_ != nullptr && newest_->number > after; };
    encoded_.wait_for(lock, as_duration(seconds), [&] { return stops_ || is_newer(); });
    return is_newer() ? newest_ : nullptr;
}

bool FrameEncoder::wait_for_watcher()
{
    std::unique_lock lock(mutex_);
    watched_.wait(lock, [&] { return stops_ || watchers_ > 0; });
    return !stops_;
}

void FrameEncoder::publish(LivePicture const& picture, DisplaySettings const& display)
{
    EncodedPicture const encoded = encode_for_stream(make_display_picture(picture.film, display, threads_), threads_);
    nlohmann::ordered_json const data = {{"picture", picture.number},     {"change", picture.change},
                                         {"width", picture.film.width()}, {"height", picture.film.height()},
                                         {"samples", picture.samples},    {"reduced", picture.is_reduced},
                                         {"type", encoded.type},          {"image", encode_base64(encoded.bytes)}};
    auto frame = std::make_shared<FrameEvent>();
    frame->text = fmt::format("event: frame\ndata: {}\n\n", format_json(data));
    {
        std::lock_guard const lock(mutex_);
        frame->number = ++number_;
        if (watchers_ > 0) newest_ = std::move(frame);
    }
    encoded_.notify_all();
}

/// What was encoded last.
struct FrameEncoder::Shown {
    std::shared_ptr<LivePicture const> picture;
    DisplaySettings display;
    Clock::time_point encoded_at;
    double encoding_s = 0;
};

void FrameEncoder::encode_next(Shown& shown)
{
    bool is_first = false;
    {
        std::lock_guard const lock(mutex_);
        is_first = newest_ == nullptr;
    }
    DisplaySettings const display = source_.display();
    bool const is_new_display = is_first || !(display == shown.display);
    auto picture = source_.wait_for_picture(shown.picture && !is_new_display ? shown.picture->number : 0,
                                            is_new_display ? 0 : kPictureWait_s);
    if (!picture && is_new_display) picture = source_.wait_for_picture(0, kPictureWait_s);
    if (!picture) return;
    bool const gains_samples = shown.picture && !is_new_display && picture->change == shown.picture->change &&
                               picture->is_reduced == shown.picture->is_reduced;
    if (gains_samples &&
        seconds_since(shown.encoded_at) < std::max(kStillInterval_s, shown.encoding_s / kEncodingShare)) {
        std::this_thread::sleep_for(kPoll);
        return;
    }
    Clock::time_point const start = Clock::now();
    publish(*picture, display);
    shown.encoding_s = seconds_since(start);
    if (source_.note_display)
        source_.note_display(std::uint64_t{picture->film.width()} * picture->film.height(), shown.encoding_s);
    shown.encoded_at = Clock::now();
    shown.picture = std::move(picture);
    shown.display = display;
}

void FrameEncoder::run()
{
    Shown shown;
    while (wait_for_watcher()) {
        try {
            encode_next(shown);
        } catch (std::exception const&) {
            // Out of memory: it may be there again for the next picture.
            std::unique_lock lock(mutex_);
            watched_.wait_for(lock, kPauseAfterFailure, [&] { return stops_; });
        }
    }
}

} // namespace volpt
