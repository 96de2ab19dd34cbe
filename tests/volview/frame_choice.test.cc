// Which picture is shown next, where pictures are denoised.
#include "tools/volview/denoise/frame_choice.h"

#include <gtest/gtest.h>

namespace volpt {
namespace {

constexpr FrameState kOldView{.number = 10, .change = 4, .is_denoised = true};

TEST(FrameChoice, TheFirstPictureIsShownAtOnce)
{
    FrameState const first{.number = 1};
    EXPECT_EQ(choose_frame({.live = first, .is_denoising_expected = true}), FrameChoice::live);
    EXPECT_EQ(choose_frame({}), FrameChoice::wait);
}

TEST(FrameChoice, ADenoisedPictureStaysUntilTheNextOneOfItsView)
{
    FrameCandidates candidates{.shown = kOldView, .live = {.number = 12, .change = 4}, .denoised = kOldView};
    candidates.waited_s = 100;
    for (bool const is_expected : {true, false}) {
        candidates.is_denoising_expected = is_expected;
        EXPECT_EQ(choose_frame(candidates), FrameChoice::wait);
    }
    candidates.denoised.number = 11;
    EXPECT_EQ(choose_frame(candidates), FrameChoice::denoised);
}

TEST(FrameChoice, AnotherViewWaitsForItsDenoisingButNotForEver)
{
    FrameCandidates candidates{.shown = kOldView, .live = {.number = 12, .change = 5}, .denoised = kOldView};
    EXPECT_EQ(choose_frame(candidates), FrameChoice::live); // it will not be denoised
    candidates.is_denoising_expected = true;
    EXPECT_EQ(choose_frame(candidates), FrameChoice::wait);
    candidates.waited_s = 3;
    EXPECT_EQ(choose_frame(candidates), FrameChoice::live);
    candidates.denoised = {.number = 12, .change = 5, .is_denoised = true};
    EXPECT_EQ(choose_frame(candidates), FrameChoice::denoised);
}

TEST(FrameChoice, AMovingViewWaitsLessThanAStillOneAndASizeLongerThanAView)
{
    auto const find_longest_wait_s = [](FrameCandidates candidates) {
        candidates.is_denoising_expected = true;
        while (candidates.waited_s < 10 && choose_frame(candidates) == FrameChoice::wait) candidates.waited_s += 0.01;
        return candidates.waited_s;
    };
    FrameCandidates const view{.shown = kOldView, .live = {.number = 12, .change = 5}};
    FrameCandidates moving = view, size = view;
    moving.is_moving = true;
    size.shown = {.number = 11, .change = 5, .is_reduced = true};
    EXPECT_LT(find_longest_wait_s(moving), find_longest_wait_s(view));
    EXPECT_LT(find_longest_wait_s(view), find_longest_wait_s(size));
    EXPECT_LT(find_longest_wait_s(size), 3);
}

TEST(FrameChoice, NoiseThatIsShownGoesOnAndIsReplacedByAnOlderDenoisedPictureOfItsView)
{
    FrameCandidates candidates{.shown = {.number = 12, .change = 5}, .live = {.number = 13, .change = 5}};
    candidates.is_denoising_expected = true;
    EXPECT_EQ(choose_frame(candidates), FrameChoice::live);
    candidates.denoised = {.number = 11, .change = 5, .is_denoised = true};
    EXPECT_EQ(choose_frame(candidates), FrameChoice::denoised);
    candidates.denoised.change = 4;
    EXPECT_EQ(choose_frame(candidates), FrameChoice::live);
}

TEST(FrameChoice, APictureOfFewerPixelsDoesNotTakeThePlaceOfAWholeOne)
{
    FrameState const reduced{.number = 13, .change = 5, .is_reduced = true, .is_denoised = true};
    FrameState const whole{.number = 12, .change = 5};
    EXPECT_EQ(choose_frame({.shown = whole, .live = whole, .denoised = reduced}), FrameChoice::wait);
    EXPECT_EQ(choose_frame({.shown = kOldView, .live = whole, .denoised = reduced}), FrameChoice::denoised);
}

} // namespace
} // namespace volpt
