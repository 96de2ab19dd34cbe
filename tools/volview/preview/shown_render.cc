#include "tools/volview/preview/shown_render.h"

#include "libvolpt/scene/render_scene.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/stopwatch.h"
#include "libvolpt/sys/text/failure_text.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace volpt {
namespace {

// More than a render ever publishes, and a number of JavaScript for two million previews.
constexpr std::uint64_t kPicturesPerVolume = std::uint64_t{1} << 32;
constexpr double kLookForReplacement_s = 0.1;
constexpr auto kLookForEnd = std::chrono::milliseconds(1);

/// Waits by `wait` for what the newest render gives, in pieces: it may be replaced meanwhile.
template <class Wait>
auto wait_in_pieces(double seconds, Wait const& wait)
{
    auto const start = std::chrono::steady_clock::now();
    for (;;) {
        double const left = seconds - seconds_since(start);
        auto result = wait(std::clamp(left, 0.0, kLookForReplacement_s));
        if (result || left <= kLookForReplacement_s) return result;
    }
}

Scene name_volume(Scene scene, PackedVolume const& volume)
{
    scene.volume_checksum = volume.data_checksum();
    return scene;
}

} // namespace

struct ShownRender::Render {
    std::shared_ptr<PackedVolume const> volume; ///< null: the first one
    std::uint64_t first_picture;
    LiveRender live;
};

ShownRender::ShownRender(PackedVolume const& volume, LightImage const* light, Scene const& scene, std::uint64_t seed,
                         LiveOptions const& options)
    : own_volume_(volume), light_(light), seed_(seed), options_(options), change_(options.first_change), scene_(scene)
{
    start(nullptr, scene);
}

void ShownRender::start(std::shared_ptr<PackedVolume const> volume, Scene const& scene)
{
    PackedVolume const& shown = volume ? *volume : own_volume_;
    auto fresh =
        std::shared_ptr<Render>(new Render{std::move(volume), options_.first_picture,
                                           LiveRender(shown, light_, name_volume(scene, shown), seed_, options_)});
    std::lock_guard const lock(mutex_);
    render_ = std::move(fresh);
    started_.notify_all();
}

std::shared_ptr<PackedVolume const> ShownRender::end()
{
    std::shared_ptr<Render> ending;
    {
        std::lock_guard const lock(mutex_);
        if (!render_) return nullptr;
        last_statistics_ = render_->live.statistics();
        ending = std::move(render_);
    }
    // Others wait for pictures of it in short pieces, and nobody new comes.
    while (ending.use_count() > 1) std::this_thread::sleep_for(kLookForEnd);
    return ending->volume;
}

std::uint64_t ShownRender::replace_volume(std::shared_ptr<PackedVolume const> volume, LightImage const* light,
                                          Scene const& scene)
{
    {
        PackedVolume const& shown = volume ? *volume : own_volume_;
        RenderScene const valid(name_volume(scene, shown), shown, light, seed_);
    }
    // Both at a time may be more than a device has memory for.
    auto const before = end();
    options_.first_change = change_ + 1;
    options_.first_picture += kPicturesPerVolume;
    LightImage const* const light_before = std::exchange(light_, light);
    try {
        start(std::move(volume), scene);
    } catch (...) {
        restart(before, light_before);
        throw;
    }
    scene_ = scene;
    return change_ = options_.first_change;
}

void ShownRender::restart(std::shared_ptr<PackedVolume const> const& volume, LightImage const* light)
{
    light_ = light;
    options_.first_change = change_;
    try {
        start(volume, scene_);
    } catch (std::exception const& error) {
        std::lock_guard const lock(mutex_);
        last_statistics_.failure = describe_failure(error);
    }
}

std::shared_ptr<ShownRender::Render> ShownRender::current(double seconds) const
{
    std::unique_lock lock(mutex_);
    started_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return render_ != nullptr; });
    return render_;
}

std::uint64_t ShownRender::show(Scene const& scene, LiveChange change)
{
    auto const render = current(0);
    if (!render) fail_system("no render could be started", "the volume that is shown", "start volview again");
    change_ = render->live.show(name_volume(scene, render->volume ? *render->volume : own_volume_), change);
    scene_ = scene;
    return change_;
}

std::shared_ptr<LivePicture const> ShownRender::wait_for_picture(std::uint64_t after, double seconds) const
{
    return wait_in_pieces(seconds, [&](double piece_s) {
        auto const render = current(piece_s);
        return render ? render->live.wait_for_picture(after, piece_s) : nullptr;
    });
}

std::shared_ptr<LivePicture const> ShownRender::wait_for_whole(double seconds) const
{
    return wait_in_pieces(seconds, [&](double piece_s) {
        auto const render = current(piece_s);
        return render ? render->live.wait_for_whole(piece_s) : nullptr;
    });
}

void ShownRender::note_display(std::uint64_t pixels, double seconds)
{
    if (auto const render = current(0)) render->live.note_display(pixels, seconds);
}

LiveStatistics ShownRender::statistics() const
{
    auto const render = current(0);
    if (render) return render->live.statistics();
    std::lock_guard const lock(mutex_);
    return last_statistics_;
}

std::optional<Vec3d> ShownRender::find_point(double x, double y) const
{
    auto const render = current(0);
    return render ? render->live.find_point(x, y) : std::nullopt;
}

std::shared_ptr<SceneView const> ShownRender::find_view(LivePicture const& picture) const
{
    struct KeptView {
        std::shared_ptr<Render const> render; // ends after its view
        std::shared_ptr<SceneView const> view;
    };
    auto const render = current(0);
    if (!render || picture.number < render->first_picture || !picture.view) return nullptr;
    auto const kept = std::make_shared<KeptView const>(KeptView{render, picture.view});
    return {kept, kept->view.get()};
}

} // namespace volpt
