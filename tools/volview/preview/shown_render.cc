#include "tools/volview/preview/shown_render.h"

#include "libvolpt/sys/stopwatch.h"

#include <algorithm>
#include <chrono>

namespace volpt {
namespace {

// More than a render ever publishes, and a number of JavaScript for two million previews.
constexpr std::uint64_t kPicturesPerVolume = std::uint64_t{1} << 32;
constexpr double kLookForReplacement_s = 0.1;

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
    LiveRender live;
};

ShownRender::ShownRender(PackedVolume const& volume, LightImage const* light, Scene const& scene, std::uint64_t seed,
                         LiveOptions const& options)
    : own_volume_(volume), light_(light), seed_(seed), options_(options)
{
    start(nullptr, scene);
}

void ShownRender::start(std::shared_ptr<PackedVolume const> volume, Scene const& scene)
{
    PackedVolume const& shown = volume ? *volume : own_volume_;
    auto fresh = std::shared_ptr<Render>(
        new Render{std::move(volume), LiveRender(shown, light_, name_volume(scene, shown), seed_, options_)});
    std::unique_lock lock(mutex_);
    std::swap(render_, fresh);
    lock.unlock(); // the old one ends outside
}

std::uint64_t ShownRender::replace_volume(std::shared_ptr<PackedVolume const> volume, Scene const& scene)
{
    options_.first_change = change_ + 1;
    options_.first_picture += kPicturesPerVolume;
    start(std::move(volume), scene);
    return change_ = options_.first_change;
}

std::shared_ptr<ShownRender::Render> ShownRender::current() const
{
    std::lock_guard const lock(mutex_);
    return render_;
}

std::uint64_t ShownRender::show(Scene const& scene, LiveChange change)
{
    auto const render = current();
    return change_ = render->live.show(name_volume(scene, render->volume ? *render->volume : own_volume_), change);
}

std::shared_ptr<LivePicture const> ShownRender::wait_for_picture(std::uint64_t after, double seconds) const
{
    return wait_in_pieces(seconds, [&](double piece_s) { return current()->live.wait_for_picture(after, piece_s); });
}

std::shared_ptr<LivePicture const> ShownRender::wait_for_whole(double seconds) const
{
    return wait_in_pieces(seconds, [&](double piece_s) { return current()->live.wait_for_whole(piece_s); });
}

void ShownRender::note_display(std::uint64_t pixels, double seconds)
{
    current()->live.note_display(pixels, seconds);
}

LiveStatistics ShownRender::statistics() const
{
    return current()->live.statistics();
}

std::optional<Vec3d> ShownRender::find_point(double x, double y) const
{
    return current()->live.find_point(x, y);
}

} // namespace volpt
