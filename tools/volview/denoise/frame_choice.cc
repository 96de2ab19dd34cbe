#include "tools/volview/denoise/frame_choice.h"

namespace volpt {
namespace {

constexpr double kMovingPatience_s = 0.3, kViewPatience_s = 0.5, kSizePatience_s = 2;

bool replaces(FrameState const& denoised, FrameState const& shown)
{
    if (denoised.number == 0) return false;
    bool const is_coarser = denoised.is_reduced && !shown.is_reduced && denoised.change == shown.change;
    if (is_coarser && shown.number > 0) return false;
    return denoised.number > shown.number || (denoised.shows_same(shown) && !shown.is_denoised);
}

double find_patience(FrameCandidates const& candidates)
{
    FrameState const& shown = candidates.shown;
    if (shown.number == 0) return 0; // nothing is worse than noise
    if (candidates.is_moving || candidates.live.is_reduced) return kMovingPatience_s;
    return shown.change == candidates.live.change ? kSizePatience_s : kViewPatience_s;
}

} // namespace

FrameChoice choose_frame(FrameCandidates const& candidates)
{
    FrameState const &shown = candidates.shown, &live = candidates.live;
    if (replaces(candidates.denoised, shown)) return FrameChoice::denoised;
    if (live.number <= shown.number) return FrameChoice::wait;
    bool const is_same = live.shows_same(shown);
    if (is_same && shown.is_denoised) return FrameChoice::wait;
    // Noise that is there already goes on until it can be replaced.
    if (is_same || !candidates.is_denoising_expected) return FrameChoice::live;
    return candidates.waited_s < find_patience(candidates) ? FrameChoice::wait : FrameChoice::live;
}

} // namespace volpt
