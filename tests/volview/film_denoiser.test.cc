// Pictures of a render that are denoised beside it.
#include "tools/volview/denoise/film_denoiser.h"

#include "libvolpt/scene/render_scene.h"
#include "tests/support/fake_backend.h"
#include "tests/support/make_scene.h"
#include "tools/volview/preview/shown_render.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

namespace volpt::test {
namespace {

constexpr double kLongestWait_s = 60;

template <class Condition>
bool wait_until(Condition const& condition)
{
    auto const end = std::chrono::steady_clock::now() + std::chrono::duration<double>(kLongestWait_s);
    while (!condition()) {
        if (std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

/// A render of a cloud, and one picture of it that comes again and again under new numbers.
class FilmDenoisers : public testing::Test {
protected:
    void SetUp() override
    {
        LiveOptions options;
        options.render.gpu_backend = &backend_;
        options.render.gpus = backend_.all_devices();
        options.render.threads = 0;
        shown_.emplace(volume_, nullptr, scene_, 7, options);
        auto const whole = shown_->wait_for_whole(kLongestWait_s);
        ASSERT_TRUE(whole);
        picture_ = *whole;
        RenderScene const scene(whole->film.scene(), volume_, nullptr, 7);
        picture_->film = make_film(scene, 7);
        render_film(scene, picture_->film, {0, 2}, {});
        picture_->samples = 2;
        change_ = picture_->change;
    }

    FilmDenoiser::Source make_source()
    {
        return {.wait_for_picture = [this](std::uint64_t after, double seconds) -> std::shared_ptr<LivePicture const> {
                    if (number_ > after) {
                        auto picture = std::make_shared<LivePicture>(*picture_);
                        picture->number = number_;
                        return picture;
                    }
                    if (seconds > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    return nullptr;
                },
                .find_view = [this](LivePicture const& picture) { return shown_->find_view(picture); },
                .find_change = [this] { return change_.load(); },
                .is_moving = [] { return false; },
                .has_ended = [this] { return has_ended_.load(); }};
    }

    PackedVolume const volume_ = make_cloud();
    Scene const scene_ = normalize_scene(make_scene(volume_, 60, 40));
    FakeBackend const backend_{FakeDevice{}};
    std::optional<ShownRender> shown_;
    std::optional<LivePicture> picture_;
    std::atomic<std::uint64_t> number_ = 1, change_ = 0;
    std::atomic<bool> has_ended_ = false;
};

TEST_F(FilmDenoisers, GiveWhatDenoiseFilmMakesOfThePicture)
{
    FilmDenoiser denoiser(make_source(), Denoise::on, 2);
    ASSERT_TRUE(wait_until([&] { return denoiser.newest() != nullptr; }));
    auto const made = denoiser.newest();
    EXPECT_EQ(made->change, picture_->change);
    EXPECT_EQ(made->samples, picture_->samples);
    RenderScene const built(picture_->film.scene(), volume_, nullptr, 7);
    DenoisedFilm const wanted =
        denoise_film(picture_->film, cast_guides(built.view(), choose_guide_rays(60 * 40), 1), 1);
    ASSERT_EQ(made->film.bands.size(), wanted.bands.size());
    for (std::size_t band = 0; band < wanted.bands.size(); ++band)
        EXPECT_EQ(made->film.bands[band].values, wanted.bands[band].values);
    EXPECT_EQ(denoiser.describe_refusal(picture_->change), "");
}

TEST_F(FilmDenoisers, ComeAgainWithTwiceTheSamplesOrAtTheEnd)
{
    FilmDenoiser denoiser(make_source(), Denoise::on, 1);
    ASSERT_TRUE(wait_until([&] { return denoiser.newest() != nullptr; }));
    number_ = 2;
    ASSERT_TRUE(wait_until([&] { return !denoiser.is_expected({2, picture_->change, picture_->film, 2, false}); }));
    EXPECT_EQ(denoiser.newest()->number, 1u);
    has_ended_ = true;
    EXPECT_TRUE(wait_until([&] { return denoiser.newest()->number == 2; }));
}

TEST_F(FilmDenoisers, AreSwitchedOffAndOnAgain)
{
    FilmDenoiser denoiser(make_source(), Denoise::off, 1);
    EXPECT_FALSE(denoiser.is_expected(*picture_));
    EXPECT_EQ(denoiser.newest(), nullptr);
    for (int round = 0; round < 2; ++round) {
        denoiser.set(Denoise::on);
        ASSERT_TRUE(wait_until([&] { return denoiser.newest() != nullptr; }));
        denoiser.set(Denoise::off);
        EXPECT_EQ(denoiser.newest(), nullptr);
        EXPECT_FALSE(denoiser.is_expected(*picture_));
    }
}

TEST_F(FilmDenoisers, GiveUpThePictureOfAnotherView)
{
    ++change_;
    FilmDenoiser denoiser(make_source(), Denoise::on, 1);
    ASSERT_TRUE(wait_until([&] { return !denoiser.is_expected({1, 0, picture_->film, 2, false}); }));
    EXPECT_EQ(denoiser.newest(), nullptr);
    change_ = picture_->change;
    ++number_;
    EXPECT_TRUE(wait_until([&] { return denoiser.newest() != nullptr; }));
}

TEST_F(FilmDenoisers, BeginFewPicturesOfAViewThatMovesFasterThanTheyDenoise)
{
    constexpr std::uint64_t kPictures = 40;
    std::atomic<std::uint64_t> arrived = 1, begun = 0;
    FilmDenoiser::Source source = make_source();
    source.is_moving = [] { return true; };
    // Each look finds a new view.
    source.wait_for_picture = [&](std::uint64_t after, double seconds) -> std::shared_ptr<LivePicture const> {
        if (seconds > 0 && arrived <= kPictures && after == arrived) ++arrived;
        if (arrived <= after) return nullptr;
        auto picture = std::make_shared<LivePicture>(*picture_);
        picture->number = picture->change = arrived;
        picture->is_reduced = true;
        return picture;
    };
    source.find_view = [&](LivePicture const& picture) {
        ++begun;
        ++arrived; // while it is at work, so that it is given up
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return shown_->find_view(picture);
    };
    FilmDenoiser denoiser(source, Denoise::on, 1);
    ASSERT_TRUE(wait_until([&] { return arrived > kPictures; }));
    EXPECT_LT(begun, kPictures / 4);
}

TEST_F(FilmDenoisers, ReferToNoVolumeDuringAPause)
{
    FilmDenoiser::Source source = make_source();
    std::weak_ptr<SceneView const> used;
    std::mutex using_it;
    source.find_view = [&](LivePicture const& picture) {
        auto const found = shown_->find_view(picture);
        std::lock_guard const lock(using_it);
        used = found;
        return found;
    };
    FilmDenoiser denoiser(source, Denoise::on, 1);
    for (int round = 0; round < 20; ++round) {
        FilmDenoiser::Pause const pause(denoiser);
        std::lock_guard const lock(using_it);
        EXPECT_TRUE(used.expired());
        denoiser.set(round % 2 == 0 ? Denoise::off : Denoise::on);
    }
    denoiser.set(Denoise::on);
    ASSERT_TRUE(wait_until([&] { return denoiser.newest() != nullptr; }));
    // Nothing holds the old render up.
    FilmDenoiser::Pause const pause(denoiser);
    shown_->replace_volume(std::make_shared<PackedVolume>(make_cloud(Filter::trilinear, Encoding::f32, 0.5f)), nullptr,
                           scene_);
    EXPECT_EQ(shown_->find_view(*picture_), nullptr);
}

TEST_F(FilmDenoisers, TellWhyTheyCannot)
{
    FilmDenoiser::Source source = make_source();
    source.find_view = [](LivePicture const&) -> std::shared_ptr<SceneView const> { throw std::bad_alloc(); };
    FilmDenoiser denoiser(source, Denoise::on, 1);
    ASSERT_TRUE(wait_until([&] { return !denoiser.describe_refusal(picture_->change).empty(); }));
    EXPECT_NE(denoiser.describe_refusal(picture_->change).find("memory"), std::string::npos);
    EXPECT_EQ(denoiser.describe_refusal(picture_->change + 1), "");
    EXPECT_FALSE(denoiser.is_expected(*picture_));
}

TEST_F(FilmDenoisers, EndInTheMiddleOfTheirWork)
{
    for (int round = 0; round < 20; ++round) {
        FilmDenoiser const denoiser(make_source(), Denoise::on, 2);
        std::this_thread::sleep_for(std::chrono::milliseconds(round % 5));
    }
}

} // namespace
} // namespace volpt::test
