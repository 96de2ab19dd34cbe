#include "tools/volview/denoise/film_denoiser.h"

#include "libvolpt/film/film_image.h"
#include "libvolpt/sys/stopwatch.h"
#include "libvolpt/sys/text/failure_text.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <utility>

namespace volpt {
namespace {

using DenoiseClock = std::chrono::steady_clock;

// How soon it is seen that the render has ended.
constexpr double kLookForPicture_s = 0.1;
// Between two pictures of one view, times the duration of the last one: a third of the time at most. Half the error is
// worth more.
constexpr double kPauseFactor = 2;
constexpr std::uint64_t kLeastGain = 2, kLargeGain = 4; // of samples
// Of a moving view all pictures are denoised, or none: else it flickers.
constexpr double kLeastMovingInterval = 4;

} // namespace

/// When what was last looked at came, and how long denoising takes. Of the thread alone.
class FilmDenoiser::Timing {
public:
    double note_arrival()
    {
        auto const now = DenoiseClock::now();
        return std::chrono::duration<double>(now - std::exchange(arrived_at_, now)).count();
    }
    void note_duration(Scene const& scene, double seconds)
    {
        ended_at_ = DenoiseClock::now();
        duration_s_ = seconds;
        s_per_value_ = seconds / count_values(scene);
    }
    /// Of work that was given up: it takes longer.
    void note_least_duration(Scene const& scene, double seconds)
    {
        s_per_value_ = std::max(s_per_value_, seconds / count_values(scene));
    }
    double predict(Scene const& scene) const { return s_per_value_ * count_values(scene); }
    bool has_paused() const { return seconds_since(ended_at_) >= kPauseFactor * duration_s_; }

private:
    static double count_values(Scene const& scene)
    {
        return static_cast<double>(scene.width) * scene.height * scene.bands;
    }
    DenoiseClock::time_point arrived_at_, ended_at_;
    double duration_s_ = 0, s_per_value_ = 0;
};

std::uint64_t estimate_denoising_bytes(Scene const& scene)
{
    // Measured: guides, features of one band, and planes of all.
    return std::uint64_t{scene.width} * scene.height * (160 + 24 * std::uint64_t{scene.bands});
}

FilmDenoiser::FilmDenoiser(Source source, Denoise denoise, int threads)
    : source_(std::move(source)), threads_(threads), denoise_(denoise), thread_([this] { run(); })
{
}

FilmDenoiser::~FilmDenoiser()
{
    {
        std::lock_guard const lock(mutex_);
        stops_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void FilmDenoiser::set(Denoise denoise)
{
    std::lock_guard const lock(mutex_);
    if (denoise_ == denoise) return;
    denoise_ = denoise;
    newest_ = nullptr;
    guides_ = nullptr;
    looked_at_ = 0;   // again what is there
    refusal_.clear(); // and what memory did not suffice for
    changed_.notify_all();
}

std::shared_ptr<DenoisedPicture const> FilmDenoiser::newest() const
{
    std::lock_guard const lock(mutex_);
    return newest_;
}

bool FilmDenoiser::is_expected(LivePicture const& picture) const
{
    bool const is_hasty = picture.is_reduced || source_.is_moving();
    std::lock_guard const lock(mutex_);
    if (denoise_ == Denoise::off || (!refusal_.empty() && refused_change_ == picture.change)) return false;
    // Of pictures in haste, what became of the last one tells it: waiting until each is looked at made 3 of 28 views
    // per second.
    return is_working_ || (picture.number > looked_at_ && (!is_hasty || takes_hasty_));
}

std::string FilmDenoiser::describe_refusal(std::uint64_t change) const
{
    std::lock_guard const lock(mutex_);
    return denoise_ == Denoise::on && refused_change_ == change ? refusal_ : std::string();
}

std::shared_ptr<Guides const> FilmDenoiser::find_guides(LivePicture const& picture, GoesOn const& goes_on)
{
    Hash128 const hash = picture.film.scene_hash();
    {
        std::lock_guard const lock(mutex_);
        if (guides_ && guides_hash_ == hash) return guides_;
    }
    auto const view = source_.find_view(picture);
    if (!view) return nullptr;
    std::size_t const pixels = std::size_t{picture.film.width()} * picture.film.height();
    auto guides = std::make_shared<Guides const>(cast_guides(*view, choose_guide_rays(pixels), threads_, goes_on));
    std::lock_guard const lock(mutex_);
    if (denoise_ == Denoise::on) {
        guides_ = guides;
        guides_hash_ = hash;
    }
    return guides;
}

FilmDenoiser::Pause::Pause(FilmDenoiser& denoiser) : denoiser_(denoiser)
{
    std::unique_lock lock(denoiser_.mutex_);
    ++denoiser_.pauses_;
    denoiser_.changed_.wait(lock, [&] { return !denoiser_.is_working_; });
}

FilmDenoiser::Pause::~Pause()
{
    std::lock_guard const lock(denoiser_.mutex_);
    --denoiser_.pauses_;
    denoiser_.changed_.notify_all();
}

bool FilmDenoiser::goes_on(LivePicture const& picture) const
{
    if (is_interrupted()) return false;
    // Of a view that moves, the picture is of use until there is another one. The first of a view may come before its
    // change is told.
    if (!picture.is_reduced && !source_.is_moving() && source_.find_change() > picture.change) return false;
    auto const newest = source_.wait_for_picture(picture.number, 0);
    return !newest || (newest->change == picture.change && newest->is_reduced == picture.is_reduced);
}

std::optional<std::uint64_t> FilmDenoiser::wait_until_on()
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stops_ || !is_interrupted(); });
    return stops_ ? std::nullopt : std::optional(looked_at_);
}

void FilmDenoiser::denoise(LivePicture const& picture)
{
    GoesOn const goes_on = [&] { return this->goes_on(picture); };
    auto const guides = find_guides(picture, goes_on);
    if (!guides) return;
    auto made = std::make_shared<DenoisedPicture>();
    made->number = picture.number;
    made->change = picture.change;
    made->samples = picture.samples;
    made->is_reduced = picture.is_reduced;
    made->scene = picture.film.scene();
    made->film = denoise_film(picture.film, *guides, threads_, goes_on);
    for (DenoisedPlane& plane : made->film.bands) plane.errors = {};
    if (picture.film.counts_coverage()) {
        Image const beauty = film_to_beauty(picture.film);
        if (Channel const* const alpha = beauty.find("A")) made->alpha = alpha->values;
    }
    std::lock_guard const lock(mutex_);
    if (denoise_ == Denoise::on) newest_ = std::move(made);
}

void FilmDenoiser::look_at(std::shared_ptr<LivePicture const> const& picture, Timing& timing)
{
    double const interval_s = timing.note_arrival();
    Scene const& scene = picture->film.scene();
    bool const is_too_large = estimate_denoising_bytes(scene) > kMostDenoisingBytes;
    bool is_due = picture->samples > 0 && !is_too_large;
    bool const is_hasty = picture->is_reduced || source_.is_moving();
    bool const has_ended = source_.has_ended();
    std::unique_lock lock(mutex_);
    bool const is_seen = newest_ && newest_->change == picture->change && newest_->is_reduced == picture->is_reduced;
    if (is_too_large) {
        refused_change_ = picture->change;
        refusal_ = fmt::format("Shown as sampled: {}x{} pixels are too many to denoise.", scene.width, scene.height);
    }
    if (!refusal_.empty() && refused_change_ == picture->change) is_due = false;
    if (is_seen)
        is_due = is_due && picture->number > newest_->number &&
                 (has_ended || picture->samples >= kLargeGain * newest_->samples ||
                  (picture->samples >= kLeastGain * newest_->samples && timing.has_paused()));
    else if (is_hasty)
        is_due = takes_hasty_ = is_due && kLeastMovingInterval * timing.predict(scene) <= interval_s;
    looked_at_ = picture->number;
    is_working_ = is_due && !is_interrupted();
    if (!is_working_) return;
    lock.unlock();
    auto const start = DenoiseClock::now();
    std::string failure;
    try {
        denoise(*picture);
        timing.note_duration(scene, seconds_since(start));
    } catch (Interruption const&) {
        // Another one is there. Without this each picture of a view that moves at once would be begun, and given up.
        timing.note_least_duration(scene, seconds_since(start));
    } catch (std::exception const& error) {
        failure = describe_failure(error);
    }
    lock.lock();
    is_working_ = false;
    if (!failure.empty()) {
        refused_change_ = picture->change;
        refusal_ = fmt::format("Shown as sampled: it cannot be denoised ({}).", failure);
        guides_ = nullptr;
    }
    changed_.notify_all();
}

void FilmDenoiser::run()
{
    Timing timing;
    while (auto const after = wait_until_on()) {
        try {
            auto picture = source_.wait_for_picture(*after, kLookForPicture_s);
            if (!picture && source_.has_ended()) picture = source_.wait_for_picture(0, 0);
            if (picture) look_at(picture, timing);
        } catch (std::exception const&) {
            // Memory, for a moment: without a picture the display shows the samples.
            {
                std::lock_guard const lock(mutex_);
                is_working_ = false;
            }
            changed_.notify_all(); // a pause may wait
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    }
}

} // namespace volpt
