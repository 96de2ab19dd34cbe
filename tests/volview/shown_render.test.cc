// A render whose volume is replaced while others look at it.
#include "tools/volview/preview/shown_render.h"

#include "tests/support/expect_error.h"
#include "tests/support/fake_backend.h"
#include "tests/support/make_scene.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr double kLongestWait_s = 60;

class ShownRenders : public testing::Test {
protected:
    LiveOptions make_options() const
    {
        LiveOptions options;
        options.render.gpu_backend = &backend_;
        options.render.gpus = backend_.all_devices();
        options.render.threads = 0;
        return options;
    }

    std::shared_ptr<PackedVolume const> make_other() const
    {
        return std::make_shared<PackedVolume>(make_cloud(Filter::trilinear, Encoding::f32, 0.5f));
    }

    PackedVolume const volume_ = make_cloud();
    Scene const scene_ = normalize_scene(make_scene(volume_, 30, 20));
    FakeBackend const backend_{FakeDevice{}};
};

TEST_F(ShownRenders, OldOnesEndBeforeNewOnesStart)
{
    ShownRender shown(volume_, nullptr, scene_, 7, make_options());
    auto last = shown.wait_for_whole(kLongestWait_s);
    ASSERT_TRUE(last);
    std::weak_ptr<PackedVolume const> before;
    for (bool const is_preview : {true, true, false}) {
        auto const volume = is_preview ? make_other() : nullptr;
        std::uint64_t const change = shown.replace_volume(volume, nullptr, scene_);
        EXPECT_TRUE(before.expired());
        before = volume;
        auto const picture = shown.wait_for_whole(kLongestWait_s);
        ASSERT_TRUE(picture);
        EXPECT_EQ(picture->change, change);
        EXPECT_GT(picture->change, last->change);
        EXPECT_GT(picture->number, last->number);
        EXPECT_EQ(picture->film.scene().volume_checksum, (volume ? *volume : volume_).data_checksum());
        last = picture;
    }
    EXPECT_EQ(backend_.count_renderers_at_a_time(), 1);
    EXPECT_GE(backend_.count_renderers(), 4);
}

TEST_F(ShownRenders, ASceneThatCannotBeRenderedLeavesTheRenderAsItWas)
{
    ShownRender shown(volume_, nullptr, scene_, 7, make_options());
    auto const before = shown.wait_for_whole(kLongestWait_s);
    ASSERT_TRUE(before);
    Scene invalid = scene_;
    invalid.scale = -1;
    EXPECT_NE(catch_error(ExitStatus::usage, [&] { shown.replace_volume(make_other(), nullptr, invalid); }), "");
    auto const after = shown.wait_for_picture(before->number, kLongestWait_s);
    ASSERT_TRUE(after);
    EXPECT_EQ(after->change, before->change);
    EXPECT_GE(after->samples, before->samples);
    EXPECT_EQ(backend_.count_renderers(), 1);
}

} // namespace
} // namespace volpt::test
