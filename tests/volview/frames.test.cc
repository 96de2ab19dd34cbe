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
                         [] { return DisplaySettings{}; }},
                        1);
    FrameEncoder::Watch const watch(frames);
    auto const frame = frames.wait_for_frame(0, 60);
    ASSERT_NE(frame, nullptr);
    EXPECT_EQ(failures, 2);
    EXPECT_EQ(frame->text.find("event: frame\ndata: "), 0u);
}

} // namespace
} // namespace volpt
