// Pictures of a render without most of their noise, made beside it.
#pragma once

#include "libvolpt/denoise/denoised_image.h"
#include "libvolpt/denoise/guides.h"
#include "libvolpt/render/live/live_render.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace volpt {

/// What was made of a LivePicture, whose numbers it has.
struct DenoisedPicture {
    std::uint64_t number = 0;
    std::uint64_t change = 0;
    std::uint64_t samples = 0;
    bool is_reduced = false;
    Scene scene;              ///< of the film
    DenoisedFilm film;        ///< without errors
    std::vector<float> alpha; ///< of the film's beauty; empty: it has none
};

/// Denoises in a thread of its own, one picture at a time:
/// - the first of each view;
/// - after that, each that has four times the samples of the last one that was denoised;
/// - those that have twice as many, if denoising has taken less than a third of the time so far;
/// - while the view moves or is reduced, only if pictures come at intervals of four times what denoising takes.
/// What is being denoised is given up when another view is there. Its memory is bounded: pictures that would need more
/// than kMostDenoisingBytes are left out. All calls from any thread.
class FilmDenoiser {
public:
    struct Source {
        /// As LiveRender::wait_for_picture.
        std::function<std::shared_ptr<LivePicture const>(std::uint64_t after, double seconds)> wait_for_picture;
        /// LivePicture::view, with what it points to; null: that is not there any more.
        std::function<std::shared_ptr<SceneView const>(LivePicture const&)> find_view;
        std::function<std::uint64_t()> find_change; ///< of the scene that is wanted now
        std::function<bool()> is_moving;            ///< more changes are likely to follow at once
        std::function<bool()> has_ended;            ///< the newest picture will stay the newest
    };
    FilmDenoiser(Source source, Denoise denoise, int threads);
    ~FilmDenoiser();

    /// `off` gives up what is being denoised.
    void set(Denoise denoise);
    /// What was denoised last. Null: nothing yet, or it is off.
    std::shared_ptr<DenoisedPicture const> newest() const;
    /// Whether this picture, the newest one, is being denoised, or is still to be looked at.
    bool is_expected(LivePicture const& picture) const;
    /// Why pictures of the view of this change are not denoised, as a sentence; empty: they are.
    std::string describe_refusal(std::uint64_t change) const;
    /// Of the picture's film, as volrender casts them; at hand, or cast now. Null: the volume has been replaced.
    std::shared_ptr<Guides const> find_guides(LivePicture const& picture, GoesOn const& goes_on = {});

    /// While it lives, this thread denoises nothing, and refers to neither volume nor light.
    class Pause {
    public:
        explicit Pause(FilmDenoiser& denoiser);
        ~Pause();
        Pause(Pause const&) = delete;
        Pause& operator=(Pause const&) = delete;

    private:
        FilmDenoiser& denoiser_;
    };

private:
    class Timing;
    void run();
    /// The number of the picture that was looked at last; none at the end.
    std::optional<std::uint64_t> wait_until_on();
    void look_at(std::shared_ptr<LivePicture const> const& picture, Timing& timing);
    void denoise(LivePicture const& picture);
    bool goes_on(LivePicture const& picture) const;
    bool is_interrupted() const { return stops_ || pauses_ > 0 || denoise_ == Denoise::off; }

    Source source_;
    int threads_;
    // Changed with mutex_ held.
    std::atomic<Denoise> denoise_;
    std::atomic<bool> stops_ = false;
    std::atomic<int> pauses_ = 0;
    mutable std::mutex mutex_; ///< of what follows; never held for long, nor while something of source_ is called
    std::condition_variable changed_;
    std::shared_ptr<DenoisedPicture const> newest_;
    std::shared_ptr<Guides const> guides_; ///< of the film's scene with guides_hash_
    Hash128 guides_hash_ = {};
    std::uint64_t looked_at_ = 0; ///< number of a picture
    bool is_working_ = false;     ///< on that one
    bool takes_hasty_ = false;    ///< whether the last picture of a view that moved, or was reduced, was denoised
    std::uint64_t refused_change_ = 0;
    std::string refusal_; ///< of refused_change_
    std::thread thread_;
};

/// What guides, features and planes of a picture take while it is denoised.
std::uint64_t estimate_denoising_bytes(Scene const& scene);
inline constexpr std::uint64_t kMostDenoisingBytes = std::uint64_t{2} << 30;

} // namespace volpt
