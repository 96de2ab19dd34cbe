#include "tools/volview/frames.h"

#include "libvolpt/sys/json.h"
#include "libvolpt/sys/stopwatch.h"
#include "libvolpt/sys/text/base64.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace volpt {
namespace {

using Clock = std::chrono::steady_clock;

// A picture that only gains samples: encoding takes at most a fifth of one core from the render.
constexpr double kStillInterval_s = 0.1;
constexpr double kEncodingShare = 0.2;
// How often it is looked whether a change cuts such an interval short.
constexpr auto kPoll = std::chrono::milliseconds(5);
constexpr double kPictureWait_s = 0.1;
// How soon a denoised picture is seen.
constexpr double kDenoisedPoll_s = 0.02;
constexpr auto kPauseAfterFailure = std::chrono::milliseconds(200);

std::chrono::duration<double> as_duration(double seconds)
{
    return std::chrono::duration<double>(seconds);
}

/// Of a LivePicture or a DenoisedPicture.
template <class Picture>
FrameState describe_frame(Picture const& picture, bool is_denoised)
{
    return {picture.number, picture.change, picture.is_reduced, is_denoised};
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

void FrameEncoder::publish(Image const& picture, nlohmann::ordered_json head)
{
    EncodedPicture const encoded = encode_for_stream(picture, threads_);
    head["width"] = picture.width;
    head["height"] = picture.height;
    head["type"] = encoded.type;
    head["image"] = encode_base64(encoded.bytes);
    auto frame = std::make_shared<FrameEvent>();
    frame->text = fmt::format("event: frame\ndata: {}\n\n", format_json(head));
    {
        std::lock_guard const lock(mutex_);
        frame->number = ++number_;
        if (watchers_ > 0) newest_ = std::move(frame);
    }
    encoded_.notify_all();
}

/// What was encoded last.
struct FrameEncoder::Shown {
    FrameState state;
    DisplaySettings display;
    Clock::time_point encoded_at;
    double encoding_s = 0;
    // What might be shown, but is not denoised yet.
    std::uint64_t looked_at = 0; ///< number of a picture
    std::optional<Clock::time_point> waits_since;
};

void FrameEncoder::show(Shown& shown, Choice choice, DisplaySettings const& display)
{
    Clock::time_point const start = Clock::now();
    FrameState state;
    std::uint64_t pixels = 0;
    auto const publish_of = [&](auto const& picture, Image const& image, bool is_denoised) {
        state = describe_frame(picture, is_denoised);
        pixels = image.pixel_count();
        publish(image, {{"picture", picture.number},
                        {"change", picture.change},
                        {"samples", picture.samples},
                        {"reduced", picture.is_reduced},
                        {"denoised", is_denoised}});
    };
    if (choice.denoised)
        publish_of(*choice.denoised, make_display_picture(*choice.denoised, display, threads_), true);
    else
        publish_of(*choice.live, make_display_picture(choice.live->film, display, threads_), false);
    shown.encoding_s = seconds_since(start);
    if (source_.note_display) source_.note_display(pixels, shown.encoding_s);
    shown.encoded_at = Clock::now();
    shown.state = state;
    shown.looked_at = std::max(shown.looked_at, state.number);
    shown.waits_since = std::nullopt;
    shown.display = display;
}

FrameEncoder::Choice FrameEncoder::choose_denoised(Shown& shown) const
{
    Choice newest{source_.wait_for_picture(shown.looked_at, kDenoisedPoll_s), source_.find_denoised()};
    if (!newest.live) newest.live = source_.wait_for_picture(0, 0);
    FrameCandidates candidates{.shown = shown.state};
    if (newest.live) {
        candidates.live = describe_frame(*newest.live, false);
        candidates.is_denoising_expected = source_.is_expected(*newest.live);
        shown.looked_at = newest.live->number;
    }
    if (newest.denoised) candidates.denoised = describe_frame(*newest.denoised, true);
    candidates.is_moving = source_.is_moving();
    if (shown.waits_since) candidates.waited_s = seconds_since(*shown.waits_since);
    switch (choose_frame(candidates)) {
    case FrameChoice::denoised:
        return {nullptr, std::move(newest.denoised)};
    case FrameChoice::live:
        return {std::move(newest.live), nullptr};
    case FrameChoice::wait:
        break;
    }
    if (newest.live && !candidates.live.shows_same(shown.state) && !shown.waits_since) shown.waits_since = Clock::now();
    return {};
}

FrameEncoder::Choice FrameEncoder::find_newest(DisplaySettings const& display) const
{
    Choice newest{source_.wait_for_picture(0, kPictureWait_s), nullptr};
    if (display.denoise == Denoise::off || !newest.live) return newest;
    auto denoised = source_.find_denoised();
    bool const is_of_view =
        denoised && denoised->change == newest.live->change && denoised->is_reduced == newest.live->is_reduced;
    return is_of_view ? Choice{nullptr, std::move(denoised)} : newest;
}

FrameEncoder::Choice FrameEncoder::choose_next(Shown& shown, bool is_new_display, DisplaySettings const& display) const
{
    if (is_new_display) return find_newest(display);
    if (display.denoise == Denoise::on) return choose_denoised(shown);
    return {source_.wait_for_picture(shown.state.number, kPictureWait_s), nullptr};
}

void FrameEncoder::encode_next(Shown& shown)
{
    bool is_first = false;
    {
        std::lock_guard const lock(mutex_);
        is_first = newest_ == nullptr;
    }
    DisplaySettings const display = source_.display();
    bool const is_new_display = is_first || !(display == shown.display);
    Choice choice = choose_next(shown, is_new_display, display);
    if (!choice.live && !choice.denoised) return;
    bool const gains_samples = choice.live && !is_new_display && choice.live->change == shown.state.change &&
                               choice.live->is_reduced == shown.state.is_reduced;
    if (gains_samples &&
        seconds_since(shown.encoded_at) < std::max(kStillInterval_s, shown.encoding_s / kEncodingShare)) {
        std::this_thread::sleep_for(kPoll);
        return;
    }
    show(shown, std::move(choice), display);
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
