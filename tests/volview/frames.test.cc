// Frames for those who watch.
#include "tools/volview/frames.h"

#include <atomic>
#include <gtest/gtest.h>
#include <new>

namespace volpt {
namespace {

std::shared_ptr<LivePicture const> make_live_picture()
{
    Scene scene;
    scene.width = 2;
    scene.height = 1;
    scene.bands = 1;
    scene.environment.radiance = {1.0f};
    auto picture = std::make_shared<LivePicture>(LivePicture{1, 0, Film(normalize_scene(scene), 0, 31), 1, false});
    picture->film.tile_ranges = {{{0, 1}}};
    return picture;
}

TEST(FrameEncoder, ComesAgainAfterMemoryRanOut)
{
    auto const picture = make_live_picture();
    std::atomic<int> failures = 0;
    FrameEncoder frames({[&](std::uint64_t after, double) {
                             if (failures < 2) {
                                 ++failures;
                                 throw std::bad_alloc();
                             }
                             return after < picture->number ? picture : nullptr;
                         },
                         [] { return DisplaySettings{.denoise = Denoise::off}; }},
                        1);
    FrameEncoder::Watch const watch(frames);
    auto const frame = frames.wait_for_frame(0, 60);
    ASSERT_NE(frame, nullptr);
    EXPECT_EQ(failures, 2);
    EXPECT_EQ(frame->text.find("event: frame\ndata: "), 0u);
}

TEST(FrameEncoder, TellsWhichFramesAreDenoisedAndOfHowManySamples)
{
    auto const picture = make_live_picture();
    auto const denoised = std::make_shared<DenoisedPicture>();
    denoised->number = denoised->samples = 1;
    denoised->scene = picture->film.scene();
    denoised->film.bands = {{{0.25f, 0.5f}, {}}};
    std::atomic<Denoise> denoise = Denoise::on;
    FrameEncoder frames({.wait_for_picture = [&](std::uint64_t after, double) { return after < 1 ? picture : nullptr; },
                         .display = [&] { return DisplaySettings{.denoise = denoise}; },
                         .find_denoised = [&] { return denoised; },
                         .is_expected = [](LivePicture const&) { return false; },
                         .is_moving = [] { return false; }},
                        1);
    FrameEncoder::Watch const watch(frames);
    auto frame = frames.wait_for_frame(0, 60);
    ASSERT_NE(frame, nullptr);
    EXPECT_NE(frame->text.find(R"("samples":1,"reduced":false,"denoised":true)"), std::string::npos) << frame->text;
    denoise = Denoise::off;
    frame = frames.wait_for_frame(frame->number, 60);
    ASSERT_NE(frame, nullptr);
    EXPECT_NE(frame->text.find(R"("denoised":false)"), std::string::npos) << frame->text;
}

} // namespace
} // namespace volpt
