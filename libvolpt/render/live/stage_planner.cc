#include "libvolpt/render/live/stage_planner.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

constexpr double kLeastReducedPixels = 320.0 * 180;
// A still picture begins with a reduced one if its first sample would take longer.
constexpr double kLongestFirstSample_s = 0.1;
// Of a still picture, from the first on, each twice as long as the one before: a stage has a fixed cost of some ms.
constexpr double kFirstStage_s = 0.05;
constexpr double kLongestStage_s = 0.5;
// A shorter stage is not given up for a change, or a view that changes all the time would never be seen.
constexpr double kLongestUninterrupted_s = 0.1;
// Of the work of one stage to the next.
constexpr double kLeastStep = 1.0 / 64, kLargestStep = 4;
constexpr std::uint64_t kMostFrameSamples = 64;
constexpr double kRateWindow_s = 0.3;

/// `scene` with fewer pixels, about `pixels` of them.
Scene reduce_size(Scene scene, double pixels)
{
    double const factor = std::sqrt(pixels / static_cast<double>(count_pixels(scene)));
    auto const reduce = [&](std::uint32_t size) {
        return std::max(1u, static_cast<std::uint32_t>(std::lround(size * factor)));
    };
    scene.width = reduce(scene.width);
    scene.height = reduce(scene.height);
    return scene;
}

} // namespace

std::uint64_t count_pixels(Scene const& scene)
{
    return std::uint64_t{scene.width} * scene.height;
}

/// Samples times pixels that fit into a stage of this duration; 0 before the first one has ended.
double StagePlanner::predict_work(double seconds) const
{
    return last_s_ == 0 ? 0 : last_work_ * std::clamp(seconds / last_s_, kLeastStep, kLargestStep);
}

Scene StagePlanner::choose_size(Scene const& full, LiveChange change) const
{
    if (full.camera.kind == CameraKind::probe) return full;
    auto const pixels = static_cast<double>(count_pixels(full));
    double const longest_s = change == LiveChange::moving ? moving_frame_s_ : kLongestFirstSample_s;
    auto const fits = [&](double seconds) {
        return std::min(predict_work(seconds), seconds / std::max(display_s_per_pixel_.load(), 1e-12));
    };
    if (fits(longest_s) >= pixels) return full;
    double const fitting = std::max(fits(moving_frame_s_), kLeastReducedPixels);
    return fitting >= pixels ? full : reduce_size(full, fitting);
}

StagePlanner::Stage StagePlanner::choose_stage(PictureState const& picture, LiveChange change) const
{
    bool const is_moving = change == LiveChange::moving;
    double const growing_s = std::ldexp(kFirstStage_s, static_cast<int>(std::min<std::uint64_t>(picture.stages, 8)));
    double const stage_s = is_moving && (picture.is_reduced || picture.samples == 0)
                               ? moving_frame_s_
                               : std::min(kLongestStage_s, growing_s);
    double const fitting = predict_work(stage_s) / static_cast<double>(picture.pixels);
    std::uint64_t const most =
        picture.samples == 0 && is_moving ? kMostFrameSamples : std::max<std::uint64_t>(1, 3 * picture.samples);
    auto const samples = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(fitting), 1, most);
    bool const is_short = static_cast<double>(samples) <= fitting * kLongestUninterrupted_s / stage_s;
    return {samples, picture.samples > 0 || (!picture.is_reduced && !is_short)};
}

void StagePlanner::note_display(std::uint64_t pixels, double seconds)
{
    // Half of it is of the last picture: one that waited for a processor says little of the others.
    double const latest = seconds / static_cast<double>(std::max<std::uint64_t>(pixels, 1));
    double const before = display_s_per_pixel_.load();
    display_s_per_pixel_ = before == 0 ? latest : 0.5 * (before + latest);
}

void StagePlanner::note_stage(std::uint64_t work, double seconds)
{
    last_work_ = static_cast<double>(work);
    last_s_ = std::max(seconds, 1e-6);
}

void StagePlanner::note_counts(PathCounts const& counts, double seconds)
{
    paths_ += static_cast<double>(counts.paths);
    extensions_ += static_cast<double>(counts.extensions);
    seconds_ += seconds;
    if (seconds_ <= 0 || (seconds_ < kRateWindow_s && paths_per_s_ > 0)) return;
    paths_per_s_ = paths_ / seconds_;
    extensions_per_s_ = extensions_ / seconds_;
    paths_ = extensions_ = seconds_ = 0;
}

} // namespace volpt
