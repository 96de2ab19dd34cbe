// A picture that converges is always a film that render_film makes, whatever changes meanwhile.
#include "libvolpt/render/live/live_render.h"

#include "tests/support/expect_error.h"
#include "tests/support/fake_backend.h"
#include "tests/support/make_scene.h"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>

namespace volpt::test {
namespace {

constexpr std::uint64_t kLiveSeed = 7; // render_scene's
constexpr double kPatience_s = 60;

std::string hash_of_render(LivePicture const& picture, PackedVolume const& volume)
{
    return to_hex(hash_film(render_scene(picture.film.scene(), volume, {0, picture.samples})));
}

Scene turn_camera(Scene scene, double by)
{
    scene.camera.origin_world[0] += by;
    return normalize_scene(scene);
}

class LivePictures : public testing::Test {
protected:
    /// Waits for a whole picture of at least so many samples.
    std::shared_ptr<LivePicture const> wait_for_samples(LiveRender const& live, std::uint64_t samples) const
    {
        std::shared_ptr<LivePicture const> picture = live.wait_for_whole(kPatience_s);
        while (picture && (picture->samples < samples || picture->is_reduced))
            picture = live.wait_for_picture(picture->number, kPatience_s);
        return picture;
    }

    PackedVolume const volume_ = make_cloud();
    Scene const scene_ = normalize_scene(make_scene(volume_, 70, 40));
};

TEST_F(LivePictures, AreTheFilmsOfARender)
{
    LiveRender const live(volume_, nullptr, scene_, kLiveSeed, {});
    for (std::uint64_t const samples : {1u, 4u, 16u}) {
        auto const picture = wait_for_samples(live, samples);
        ASSERT_TRUE(picture);
        EXPECT_EQ(picture->film.scene_hash(), hash_scene(scene_));
        EXPECT_EQ(to_hex(hash_film(picture->film)), hash_of_render(*picture, volume_));
    }
    LiveStatistics const statistics = live.statistics();
    EXPECT_EQ(statistics.counts.paths, statistics.samples * scene_.width * scene_.height);
    EXPECT_TRUE(statistics.relative_error);
    EXPECT_EQ(statistics.failure, "");
}

TEST_F(LivePictures, FollowEachChange)
{
    LiveRender live(volume_, nullptr, scene_, kLiveSeed, {});
    Scene rough = turn_camera(scene_, 0.5);
    rough.boundary = {BoundaryKind::rough, 1.5, 1.0, 0.3};
    Scene denser = rough;
    denser.scale *= 2;
    Scene probe = normalize_scene(make_probe(volume_, 20, 10));
    for (Scene const& next : {turn_camera(scene_, 1), rough, denser, probe, scene_}) {
        std::uint64_t const change = live.show(next, LiveChange::still);
        auto const picture = live.wait_for_whole(kPatience_s);
        ASSERT_TRUE(picture);
        EXPECT_EQ(picture->change, change);
        EXPECT_EQ(picture->film.scene_hash(), hash_scene(next));
        EXPECT_EQ(to_hex(hash_film(picture->film)), hash_of_render(*picture, volume_));
    }
}

TEST_F(LivePictures, OfAMovingViewHaveFewerPixelsWhereDevicesAreSlow)
{
    FakeBackend const backend(FakeDevice{.launch_s = 0.02, .launch_samples = 1});
    LiveOptions options;
    options.render.gpu_backend = &backend;
    options.render.gpus = backend.all_devices();
    // However late this thread runs, the view counts as moving until it is told to stand still.
    options.still_after_s = kPatience_s;
    Scene const large = normalize_scene(make_scene(volume_, 640, 360));
    LiveRender live(volume_, nullptr, large, kLiveSeed, options);
    ASSERT_TRUE(live.wait_for_whole(kPatience_s));
    std::uint64_t number = 0;
    for (int i = 1; i <= 5; ++i) {
        std::uint64_t const change = live.show(turn_camera(large, 0.1 * i), LiveChange::moving);
        auto picture = live.wait_for_picture(number, kPatience_s);
        while (picture && picture->change < change) picture = live.wait_for_picture(picture->number, kPatience_s);
        ASSERT_TRUE(picture);
        number = picture->number;
        EXPECT_TRUE(picture->is_reduced);
        EXPECT_GE(picture->film.width() * picture->film.height(), 319u * 179u);
        EXPECT_EQ(to_hex(hash_film(picture->film)), hash_of_render(*picture, volume_));
    }
    // It has its full size again once it stands still.
    live.show(turn_camera(large, 0.6), LiveChange::still);
    auto const whole = live.wait_for_whole(kPatience_s);
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->film.width(), 640u);
    EXPECT_EQ(backend.count_renderers(), 1); // views change without copying the volume again
}

TEST_F(LivePictures, GoOnAfterADeviceHasFailed)
{
    FakeBackend const backend(FakeDevice{.fail_at = FailAt::launch, .fail_after = 3});
    LiveOptions options;
    options.render.gpu_backend = &backend;
    options.render.gpus = backend.all_devices();
    LiveRender live(volume_, nullptr, scene_, kLiveSeed, options);
    auto const end = std::chrono::steady_clock::now() + std::chrono::duration<double>(kPatience_s);
    while (live.statistics().failure.empty() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_NE(live.statistics().failure.find("illegal address"), std::string::npos);
    std::uint64_t const change = live.show(turn_camera(scene_, 1), LiveChange::still);
    auto const picture = live.wait_for_whole(kPatience_s);
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->change, change);
}

TEST_F(LivePictures, StayWhenASceneIsRefused)
{
    LiveRender live(volume_, nullptr, scene_, kLiveSeed, {});
    Scene refused = scene_;
    refused.camera.fov_x_deg = 400;
    expect_error(ExitStatus::usage, {"camera.fov_x_deg"}, [&] { live.show(refused, LiveChange::still); });
    Scene other_volume = scene_;
    other_volume.volume_checksum = {};
    expect_error(ExitStatus::input, {"checksum"}, [&] { live.show(other_volume, LiveChange::still); });
    auto const picture = live.wait_for_whole(kPatience_s);
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->film.scene_hash(), hash_scene(scene_));
}

TEST_F(LivePictures, ThePointUnderTheCursorIsWhereThatPixelIsInTheWorld)
{
    Scene front = scene_;
    front.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    VolumeMeta const& meta = volume_.meta();
    front.camera = frame_volume_from(meta, 40.0 / 70, {0, 0, 1}, 30);
    LiveRender const live(volume_, nullptr, front, kLiveSeed, {});
    auto const point = live.find_point(0.5, 0.5);
    ASSERT_TRUE(point);
    EXPECT_NEAR((*point)[0], static_cast<double>(meta.dims[0]) * static_cast<double>(meta.pitch_mm[0]) / 2, 0.1);
    EXPECT_NEAR((*point)[1], static_cast<double>(meta.dims[1]) * static_cast<double>(meta.pitch_mm[1]) / 2, 0.1);
    EXPECT_NEAR((*point)[2], static_cast<double>(meta.dims[2]) * static_cast<double>(meta.pitch_mm[2]), 1e-3);
    EXPECT_FALSE(live.find_point(0.001, 0.001));
}

} // namespace
} // namespace volpt::test
