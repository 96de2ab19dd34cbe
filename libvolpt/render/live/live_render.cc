#include "libvolpt/render/live/live_render.h"

#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_stats.h"
#include "libvolpt/render/live/pick_point.h"
#include "libvolpt/render/live/stage_planner.h"
#include "libvolpt/render/render_to_noise.h"
#include "libvolpt/render/tile_size.h"
#include "libvolpt/render/workers/kept_renderers.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/stopwatch.h"
#include "libvolpt/sys/text/failure_text.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace volpt {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kInterruptPoll_s = 1e-3;
constexpr std::uint64_t kMostLiveSamples = std::uint64_t{1} << 24;

/// Of the mean of all bands; none where the samples do not suffice.
std::optional<double> compute_relative_error(Film const& film)
{
    FilmSummary const summary = summarize_film(film);
    double squares = 0, mean = 0;
    for (std::size_t b = 0; b < summary.mean.size(); ++b) {
        squares += summary.standard_error[b] * summary.standard_error[b];
        mean += summary.mean[b];
    }
    if (!(mean > 0) || !std::isfinite(squares)) return std::nullopt;
    return std::sqrt(squares) / mean;
}

/// The views as they are now: change_view makes others, but leaves what they point to.
std::shared_ptr<SceneView const> keep_view(std::shared_ptr<RenderScene const> scene)
{
    struct KeptView {
        std::shared_ptr<RenderScene const> tables;
        SceneView view;
    };
    SceneView const view = scene->view();
    auto const kept = std::make_shared<KeptView const>(KeptView{std::move(scene), view});
    return {kept, &kept->view};
}

} // namespace

class LiveRender::Implementation {
public:
    Implementation(PackedVolume const& volume, LightImage const* light, Scene const& scene, std::uint64_t seed,
                   LiveOptions const& options)
        : volume_(volume), light_(light), seed_(seed), options_(options), full_scene_(normalize_scene(scene)),
          scene_(make_scene(scene)), planner_(options.moving_frame_s)
    {
        change_ = rendered_change_ = options_.first_change;
        pictures_ = options_.first_picture - 1;
        RenderOptions& render = options_.render;
        render.launch_s = options_.moving_frame_s / 4; // two are under way when a change comes
        render.progress_s = kInterruptPoll_s;
        render.stopped_samples = StoppedSamples::dropped; // the film is, too
        render.time_limit_s = render.checkpoint_s = 0;
        render.progress = [this](Progress const&) { return !is_to_be_interrupted(); };
        noise_thread_ = std::jthread([this] { measure_noise(); });
        thread_ = std::jthread([this] { run(); });
    }

    ~Implementation()
    {
        std::unique_lock lock(mutex_);
        is_ending_ = true;
        changed_.notify_all();
        noise_due_.notify_all();
        lock.unlock();
        thread_.join();
        noise_thread_.join();
    }

    std::uint64_t show(Scene const& scene, LiveChange change)
    {
        std::scoped_lock const one_at_a_time(showing_);
        std::unique_lock lock(mutex_);
        RenderScene const& base = pending_scene_ ? *pending_scene_ : *scene_;
        std::shared_ptr<RenderScene> fresh;
        if (!base.shares_tables(scene)) {
            lock.unlock(); // tables take a while
            fresh = make_scene(scene);
            lock.lock();
        }
        if (fresh) pending_scene_ = std::move(fresh);
        wanted_ = normalize_scene(scene);
        kind_ = change;
        changed_at_ = Clock::now();
        changed_.notify_all();
        return ++change_;
    }

    void note_display(std::uint64_t pixels, double seconds) { planner_.note_display(pixels, seconds); }

    std::shared_ptr<LivePicture const> wait_for_picture(std::uint64_t after, double seconds) const
    {
        std::unique_lock lock(mutex_);
        auto const is_there = [&] { return newest_ && newest_->number > after; };
        return shown_.wait_for(lock, std::chrono::duration<double>(seconds), is_there) ? newest_ : nullptr;
    }

    std::shared_ptr<LivePicture const> wait_for_whole(double seconds) const
    {
        std::unique_lock lock(mutex_);
        auto const is_there = [&] { return newest_ && newest_->change == change_ && !newest_->is_reduced; };
        return shown_.wait_for(lock, std::chrono::duration<double>(seconds), is_there) ? newest_ : nullptr;
    }

    LiveStatistics statistics() const
    {
        std::scoped_lock const lock(mutex_);
        return statistics_;
    }

    std::optional<Vec3d> find_point(double x, double y) const
    {
        std::scoped_lock const lock(mutex_);
        return pick_point(*scene_, volume_.meta(), x, y);
    }

private:
    std::shared_ptr<RenderScene> make_scene(Scene const& scene) const
    {
        return std::make_shared<RenderScene>(scene, volume_, light_, seed_);
    }

    void run()
    {
        for (;;) {
            try {
                if (!begin_stage()) return;
                render_stage();
            } catch (std::exception const& error) {
                note_failure(describe_failure(error));
            }
        }
    }

    /// Waits while there is nothing to do, and goes over to what was shown last; false at the end.
    bool begin_stage()
    {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return is_ending_ || wanted_ || !is_idle_; });
            if (is_ending_) return false;
            stage_start_ = Clock::now();
            if (wanted_) {
                take_change();
            } else if (is_reduced_ && is_still()) {
                set_size(full_scene_);
            } else if (samples_ >= kMostLiveSamples) {
                is_idle_ = true;
                continue;
            }
            return true;
        }
    }

    bool is_still() const { return kind_ == LiveChange::still || seconds_since(changed_at_) >= options_.still_after_s; }

    void take_change()
    {
        if (pending_scene_) {
            kept_.reset(); // its memory is there again before the next tables need it
            scene_ = std::move(pending_scene_);
        }
        Scene const before = std::exchange(full_scene_, *std::exchange(wanted_, std::nullopt));
        if (!kept_ || count_pixels(before) != count_pixels(full_scene_)) tile_size_ = 0;
        rendered_change_ = change_;
        is_idle_ = false;
        set_size(planner_.choose_size(full_scene_, kind_));
    }

    void set_size(Scene const& scene)
    {
        is_reduced_ = scene.width != full_scene_.width || scene.height != full_scene_.height;
        if (hash_scene(scene) != hash_scene(scene_->scene())) scene_->change_view(scene);
        film_.emplace(make_film(*scene_, seed_));
        if (is_reduced_) film_->drop_half_sums(); // nobody asks for its noise
        samples_ = stages_ = 0;
        seconds_ = 0;
        measured_samples_ = noise_samples_ = 0;
        statistics_ = {.change = rendered_change_,
                       .width = film_->width(),
                       .height = film_->height(),
                       .is_reduced = is_reduced_,
                       .samples = 0,
                       .device = std::move(statistics_.device),
                       .kernel = std::move(statistics_.kernel)};
    }

    LiveChange find_pace() const
    {
        std::scoped_lock const lock(mutex_);
        return is_still() ? LiveChange::still : LiveChange::moving;
    }

    bool is_to_be_interrupted() const
    {
        std::scoped_lock const lock(mutex_);
        return is_ending_ || (is_interruptible_ && (wanted_ || (is_reduced_ && is_still())));
    }

    void render_stage()
    {
        Clock::time_point const start = Clock::now();
        std::uint64_t const pixels = count_pixels(scene_->scene());
        auto const stage = planner_.choose_stage({pixels, is_reduced_, samples_, stages_++}, find_pace());
        is_interruptible_ = stage.is_interruptible;
        std::uint64_t const goal = std::min(samples_ + stage.samples, kMostLiveSamples);
        if (!kept_) kept_ = std::make_unique<KeptRenderers>();
        if (!film_) film_.emplace(newest_->film); // another stage of the picture made last
        RenderOptions render = options_.render;
        render.kept = kept_.get();
        render.tile_size = find_tile_size();
        RenderReport const report = render_film(*scene_, *film_, {0, goal}, render);
        double const seconds = seconds_since(start) - report.seconds_banks;
        planner_.note_counts(report.counts, seconds);
        if (report.end == RenderEnd::device_failed) fail_system(report.failure, "device");
        if (report.end != RenderEnd::finished) return; // the next change is there
        std::uint64_t const added = goal - std::exchange(samples_, goal);
        seconds_ += seconds;
        publish(report);
        planner_.note_stage(pixels * added, seconds_since(stage_start_));
    }

    /// Of the scene in its full size, once: devices are asked for their memory for it.
    std::uint32_t find_tile_size()
    {
        if (options_.render.tile_size != 0) return options_.render.tile_size;
        if (tile_size_ == 0) tile_size_ = choose_tile_size(*scene_, Film(full_scene_, seed_, 0), options_.render);
        return tile_size_;
    }

    void publish(RenderReport const& report)
    {
        // Moved: the first picture of a view is mostly the only one while it moves, and copying a film takes as long as
        // some samples of it on a GPU.
        auto picture = std::make_shared<LivePicture>(
            LivePicture{0, rendered_change_, std::move(*film_), samples_, is_reduced_, keep_view(scene_)});
        film_.reset();
        std::scoped_lock const lock(mutex_);
        picture->number = ++pictures_;
        newest_ = std::move(picture);
        statistics_.samples = samples_;
        statistics_.counts.add(report.counts);
        statistics_.seconds = seconds_;
        statistics_.paths_per_s = planner_.paths_per_s();
        statistics_.extensions_per_s = planner_.extensions_per_s();
        statistics_.device = report.device;
        statistics_.kernel = report.kernel;
        statistics_.seconds_left = predict_seconds_left();
        shown_.notify_all();
        noise_due_.notify_all();
    }

    std::optional<double> predict_seconds_left() const
    {
        if (!statistics_.de2000_p95 || statistics_.samples == 0) return std::nullopt;
        double const ratio = *statistics_.de2000_p95 / options_.stop_at_de;
        double const goal = static_cast<double>(noise_samples_) * ratio * ratio;
        auto const samples = static_cast<double>(statistics_.samples);
        double const left = (goal - samples) * statistics_.seconds / samples;
        if (!std::isfinite(left)) return std::nullopt;
        return std::max(0.0, left);
    }

    /// Whether the newest picture has twice the samples of the last measurement, and is likely to stay.
    bool is_noise_due() const
    {
        return newest_ && is_still() && newest_->change == statistics_.change && !newest_->is_reduced &&
               newest_->samples >= 2 && std::bit_floor(newest_->samples) > measured_samples_;
    }

    /// In a thread of its own: of a large film it takes longer than a frame.
    void measure_noise()
    {
        std::unique_lock lock(mutex_);
        for (;;) {
            noise_due_.wait(lock, [this] { return is_ending_ || is_noise_due(); });
            if (is_ending_) return;
            std::shared_ptr<LivePicture const> const picture = newest_;
            measured_samples_ = picture->samples;
            lock.unlock();
            std::optional<double> const error = compute_relative_error(picture->film);
            std::optional<double> noise;
            bool is_bound = false;
            if (Film const& film = picture->film; has_colour(film.scene())) {
                int const threads = options_.render.threads;
                ColourNoise const of_film(film, options_.illuminant, threads);
                noise = summarize_noise(measure_de2000_noise(film, of_film, threads)).p95;
                is_bound = of_film.is_bound();
            }
            lock.lock();
            if (picture->change != statistics_.change) continue;
            statistics_.relative_error = error;
            statistics_.de2000_p95 = noise;
            statistics_.is_de2000_bound = is_bound;
            noise_samples_ = picture->samples;
            statistics_.seconds_left = predict_seconds_left();
        }
    }

    void note_failure(std::string const& text)
    {
        std::scoped_lock const lock(mutex_);
        kept_.reset();
        statistics_.failure = text;
        is_idle_ = true;
        shown_.notify_all();
    }

    PackedVolume const& volume_;
    LightImage const* light_;
    std::uint64_t seed_;
    LiveOptions options_;

    // Of the render thread. Others read scene_ and rendered_change_ while they hold mutex_; so does this one to change
    // them.
    Scene full_scene_;
    std::shared_ptr<RenderScene> scene_;
    std::unique_ptr<KeptRenderers> kept_; ///< of scene_
    std::optional<Film> film_;
    Clock::time_point stage_start_; ///< with the making of its film
    std::uint64_t samples_ = 0;     ///< of film_, per pixel
    std::uint64_t stages_ = 0;      ///< that added to film_
    double seconds_ = 0;            ///< that they took
    bool is_reduced_ = false;
    std::uint32_t tile_size_ = 0; ///< 0: not chosen yet
    std::uint64_t rendered_change_ = 0;
    StagePlanner planner_;
    std::atomic<bool> is_interruptible_{false};

    std::mutex showing_; ///< held by show(), taken before mutex_
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    mutable std::condition_variable shown_;
    std::optional<Scene> wanted_ = full_scene_;  ///< not yet taken by the render thread
    std::shared_ptr<RenderScene> pending_scene_; ///< its tables, if they are other ones
    LiveChange kind_ = LiveChange::still;
    Clock::time_point changed_at_ = Clock::now();
    std::uint64_t change_ = 0;
    std::uint64_t pictures_ = 0;
    std::shared_ptr<LivePicture const> newest_;
    LiveStatistics statistics_;
    std::uint64_t noise_samples_ = 0;    ///< of the picture whose noise is in statistics_
    std::uint64_t measured_samples_ = 0; ///< of the one that was measured last, or is being measured
    std::condition_variable noise_due_;
    bool is_ending_ = false;
    bool is_idle_ = false;               ///< until the next change: it failed, or all samples are there
    std::jthread noise_thread_, thread_; ///< last: they use all the others
};

LiveRender::LiveRender(PackedVolume const& volume, LightImage const* light, Scene const& scene, std::uint64_t seed,
                       LiveOptions const& options)
    : implementation_(std::make_unique<Implementation>(volume, light, scene, seed, options))
{
}

LiveRender::~LiveRender() = default;

std::uint64_t LiveRender::show(Scene const& scene, LiveChange change)
{
    return implementation_->show(scene, change);
}

void LiveRender::note_display(std::uint64_t pixels, double seconds)
{
    implementation_->note_display(pixels, seconds);
}

std::shared_ptr<LivePicture const> LiveRender::wait_for_picture(std::uint64_t after, double seconds) const
{
    return implementation_->wait_for_picture(after, seconds);
}

std::shared_ptr<LivePicture const> LiveRender::wait_for_whole(double seconds) const
{
    return implementation_->wait_for_whole(seconds);
}

LiveStatistics LiveRender::statistics() const
{
    return implementation_->statistics();
}

std::optional<Vec3d> LiveRender::find_point(double x, double y) const
{
    return implementation_->find_point(x, y);
}

} // namespace volpt
