// Which picture is shown next, where pictures are denoised.
#pragma once

#include <cstdint>

namespace volpt {

/// What of a picture decides it.
struct FrameState {
    std::uint64_t number = 0; ///< of the LivePicture; 0: there is none
    std::uint64_t change = 0;
    bool is_reduced = false;
    bool is_denoised = false;

    bool shows_same(FrameState const& other) const { return change == other.change && is_reduced == other.is_reduced; }
};

struct FrameCandidates {
    FrameState shown = {}, live = {}, denoised = {};
    bool is_denoising_expected = false; ///< of `live`
    bool is_moving = false;             ///< more changes are likely to follow at once
    double waited_s = 0; ///< since `live`, or one before it, could have been shown in place of another view or size
};

enum class FrameChoice { wait, live, denoised };

/// A denoised picture takes the place of what is shown unless that is newer; one that is not denoised does not take the
/// place of a denoised one of the same view, and else waits for its own denoising: up to 0.3 s while the view moves, so
/// that it follows the hand; 0.5 s if it is of another view than what is shown, 2 s if that has fewer pixels only.
FrameChoice choose_frame(FrameCandidates const& candidates);

} // namespace volpt
