// The picture that is shown, encoded once for all clients that watch.
#pragma once

#include "libvolpt/render/live/live_render.h"
#include "tools/volview/denoise/film_denoiser.h"
#include "tools/volview/denoise/frame_choice.h"
#include "tools/volview/display.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <thread>

namespace volpt {

/// A picture as an event of an event stream, from "event: frame" to the blank line.
struct FrameEvent {
    std::uint64_t number = 0; ///< 1, 2, ..
    std::string text;
};

/// Encodes in a thread of its own, while somebody watches: the newest picture, or, where the display says so, what
/// choose_frame chooses. Pictures that come faster than they can be encoded are skipped; after one for which there was
/// no memory comes a pause. All calls from any thread.
class FrameEncoder {
public:
    /// Where pictures come from: as LiveRender::wait_for_picture, and how they are shown.
    struct Source {
        std::function<std::shared_ptr<LivePicture const>(std::uint64_t after, double seconds)> wait_for_picture;
        std::function<DisplaySettings()> display;
        std::function<void(std::uint64_t pixels, double seconds)> note_display = {}; ///< LiveRender::note_display
        // Of pictures that are shown denoised.
        std::function<std::shared_ptr<DenoisedPicture const>()> find_denoised = {}; ///< FilmDenoiser::newest
        std::function<bool(LivePicture const&)> is_expected = {};                   ///< FilmDenoiser::is_expected
        std::function<bool()> is_moving = {}; ///< more changes are likely to follow at once
    };
    FrameEncoder(Source source, int threads);
    ~FrameEncoder();

    /// While it lives, pictures are encoded.
    class Watch {
    public:
        explicit Watch(FrameEncoder& frames);
        ~Watch();
        Watch(Watch const&) = delete;
        Watch& operator=(Watch const&) = delete;

    private:
        FrameEncoder& frames_;
    };

    /// The newest frame with a number above `after`; waits for one at most so long. Null: none came.
    std::shared_ptr<FrameEvent const> wait_for_frame(std::uint64_t after, double seconds);

private:
    struct Shown;
    /// One of both, or none.
    struct Choice {
        std::shared_ptr<LivePicture const> live;
        std::shared_ptr<DenoisedPicture const> denoised;
    };
    void run();
    void encode_next(Shown& shown);
    /// The picture of each kind that there is, whatever is shown.
    Choice find_newest(DisplaySettings const& display) const;
    Choice choose_next(Shown& shown, bool is_new_display, DisplaySettings const& display) const;
    Choice choose_denoised(Shown& shown) const;
    bool wait_for_watcher();
    void show(Shown& shown, Choice choice, DisplaySettings const& display);
    void publish(Image const& picture, nlohmann::ordered_json head);

    Source source_;
    int threads_;
    std::mutex mutex_;
    std::condition_variable watched_, encoded_;
    std::shared_ptr<FrameEvent const> newest_;
    std::uint64_t number_ = 0;
    int watchers_ = 0;
    bool stops_ = false;
    std::thread thread_;
};

} // namespace volpt
