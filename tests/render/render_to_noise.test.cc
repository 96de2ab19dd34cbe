// Stopping at a noise in CIEDE2000: the rule, its independence of the machine, and what it promises.
#include "libvolpt/render/render_to_noise.h"
#include "libvolpt/colour/delta_e.h"
#include "libvolpt/film/film_image.h"
#include "libvolpt/film/film_stats.h"

#include "libvolpt/render/render_progress.h"
#include "libvolpt/sys/error.h"
#include "tests/support/make_scene.h"

#include <cmath>
#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr std::uint64_t kNoiseSeed = 7;

struct Stopped {
    Film film;
    NoiseRender render;
};

Stopped render_until(PackedVolume const& volume, NoiseTarget const& target, RenderOptions const& options = {},
                     std::uint64_t seed = kNoiseSeed)
{
    RenderScene const scene(make_scene(volume, 24, 16), volume, nullptr, seed);
    Film film = make_film(scene, seed);
    NoiseRender render = render_to_noise(scene, film, target, options);
    return {std::move(film), std::move(render)};
}

double measure_p95(Film const& film)
{
    return summarize_noise(measure_de2000_noise(film, Illuminant::d65)).p95;
}

TEST(RenderToNoise, StopsWhereTheFilmSaysSo)
{
    NoiseTarget const target{.de2000_p95 = 1.5, .most_samples = 100000};
    for (PackedVolume const& volume : {make_inks(), make_colour_cloud(), make_cloud()}) {
        Stopped const stopped = render_until(volume, target);
        EXPECT_EQ(stopped.render.report.end, RenderEnd::finished);
        EXPECT_LE(measure_p95(stopped.film), target.de2000_p95);
        EXPECT_EQ(measure_p95(stopped.film), stopped.render.last.de2000_p95);
        EXPECT_EQ(summarize_film(stopped.film).samples_min, stopped.render.last.samples);
        EXPECT_EQ(summarize_film(stopped.film).samples_max, stopped.render.last.samples);
        EXPECT_GT(stopped.render.last.samples, count_first_samples(24 * 16)) << "nothing had to be predicted";
        EXPECT_EQ(stopped.film.statistics.paths, stopped.render.report.counts.paths);
    }
}

TEST(RenderToNoise, SamplesDoNotDependOnThreadsOrTiles)
{
    PackedVolume const volume = make_inks();
    NoiseTarget const target{.de2000_p95 = 2, .most_samples = 100000};
    Hash128 const one = hash_film(render_until(volume, target, {.threads = 1}).film);
    EXPECT_EQ(hash_film(render_until(volume, target, {.threads = 2}).film), one);
    EXPECT_EQ(hash_film(render_until(volume, target, {.threads = 3, .tile_size = 9}).film), one);
}

TEST(RenderToNoise, NoiseIsWhatIndependentFilmsShow)
{
    PackedVolume const volume = make_inks();
    NoiseTarget const target{.de2000_p95 = 3, .most_samples = 100000};
    Stopped const stopped = render_until(volume, target);
    std::uint64_t const samples = stopped.render.last.samples;
    Scene const scene = make_scene(volume, 24, 16);
    Image const truth = film_to_image(render_scene(scene, volume, {0, 40 * samples}, {}, 1000));
    std::size_t const pixels = truth.pixel_count();
    std::vector<float> measured(pixels);
    constexpr int kFilms = 16;
    auto const lab_of = [](Image const& image, std::size_t i) {
        Triple rgb;
        for (std::size_t band = 0; band < 3; ++band) rgb[band] = static_cast<double>(image.channels[band].values[i]);
        return to_lab(kRgbToRelativeXyz * rgb);
    };
    for (int k = 0; k < kFilms; ++k) {
        Image const noisy =
            film_to_image(render_scene(scene, volume, {0, samples}, {}, 2000 + static_cast<std::uint64_t>(k)));
        for (std::size_t i = 0; i < pixels; ++i) {
            Triple const lab = lab_of(truth, i), other = lab_of(noisy, i);
            Triple const step{other[0] - lab[0], other[1] - lab[1], other[2] - lab[2]};
            Triple const turned = differentiate_de2000(lab) * step;
            measured[i] +=
                static_cast<float>(std::sqrt(step[0] * turned[0] + step[1] * turned[1] + step[2] * turned[2]) / kFilms);
        }
    }
    NoiseSummary const shown = summarize_noise(measured);
    // Starts are stratified, which the squares do not know: the noise is at most what the film says.
    double const share = shown.mean / summarize_noise(measure_de2000_noise(stopped.film, Illuminant::d65)).mean;
    EXPECT_LT(share, 1.05);
    EXPECT_GT(share, 0.8);
    // 16 films leave each pixel's mean uncertain by a seventh, which the percentile turns into a tenth more at most.
    EXPECT_LT(shown.p95, 1.1 * target.de2000_p95);
    EXPECT_GT(shown.p95, 0.6 * target.de2000_p95) << "stopped far too late";
}

TEST(RenderToNoise, ResumesFromAStopAndFromOtherSamples)
{
    PackedVolume const volume = make_print();
    NoiseTarget const target{.de2000_p95 = 3, .most_samples = 100000};
    RenderScene const scene(make_scene(volume, 24, 16), volume, nullptr, kNoiseSeed);
    Film film = make_film(scene, kNoiseSeed);
    int stops = 0;
    while (render_to_noise(scene, film, target, {.time_limit_s = 1e-9}).report.end == RenderEnd::time_limit)
        ASSERT_LT(++stops, 1000);
    EXPECT_GT(stops, 0) << "nothing was interrupted, nothing tested";
    EXPECT_LE(measure_p95(film), target.de2000_p95);
    Film const whole = render_scene(scene.scene(), volume, {0, summarize_film(film).samples_max}, {}, kNoiseSeed);
    EXPECT_EQ(hash_film(film), hash_film(whole));
    // A film that is good enough is left alone.
    EXPECT_EQ(render_to_noise(scene, film, target, {}).report.counts.paths, 0u);
}

TEST(RenderToNoise, CeilingHolds)
{
    Stopped const stopped = render_until(make_inks(), {.de2000_p95 = 0.01, .most_samples = 20});
    EXPECT_EQ(summarize_film(stopped.film).samples_max, 20u);
    EXPECT_GT(stopped.render.last.de2000_p95, 0.01);
}

TEST(RenderToNoise, FilmWithoutColourIsRefused)
{
    PackedVolume const volume = make_bare_cube();
    Scene two = make_scene(volume);
    two.bands = 2;
    RenderScene const scene(make_scene(volume), volume, nullptr, kNoiseSeed);
    Film film(two, kNoiseSeed, 31);
    EXPECT_THROW(render_to_noise(scene, film, {.most_samples = 20}, {}), Error);
}

TEST(RenderToNoise, NextSamplesFollowThePredictionWithinBounds)
{
    NoiseTarget const target{.de2000_p95 = 1, .most_samples = 10000};
    EXPECT_EQ(choose_next_samples({.samples = 100, .de2000_p95 = 1.5}, target), 225u);
    EXPECT_EQ(choose_next_samples({.samples = 100, .de2000_p95 = 1.0001}, target), 106u);
    EXPECT_EQ(choose_next_samples({.samples = 100, .de2000_p95 = 5}, target), 400u);
    EXPECT_EQ(choose_next_samples({.samples = 9000, .de2000_p95 = 5}, target), 10000u);
    EXPECT_EQ(choose_next_samples({.samples = 16, .de2000_p95 = INFINITY}, target), 64u);
    EXPECT_EQ(predict_samples({.samples = 100, .de2000_p95 = 7, .pooled_p95 = 5}, target), 2500u);
    EXPECT_EQ(predict_samples({.samples = 100, .de2000_p95 = 2, .pooled_p95 = 0.9}, target), 400u);
    EXPECT_EQ(predict_samples({.samples = 16, .de2000_p95 = INFINITY}, target), 10000u);
    EXPECT_EQ(predict_samples({.samples = 100, .de2000_p95 = 5}, target), 2500u);
    EXPECT_EQ(predict_samples({.samples = 100, .de2000_p95 = 0.5, .evidence_samples = 300}, target), 300u);
    EXPECT_EQ(choose_next_samples({.samples = 100, .de2000_p95 = 0.5, .evidence_samples = 300}, target), 300u);
}

TEST(RenderToNoise, FirstLookHasEnoughPathsWhateverTheFilmsSize)
{
    EXPECT_EQ(count_first_samples(1), 4096u);
    EXPECT_EQ(count_first_samples(3), 1366u);
    EXPECT_EQ(count_first_samples(16 * 16), 16u);
    EXPECT_EQ(count_first_samples(1920 * 1080), 16u);
}

TEST(RenderToNoise, ProgressNamesNoTotalBeforeTheFirstEstimate)
{
    int estimates = 0;
    std::uint64_t last_done = 0;
    NoiseTarget const target{
        .de2000_p95 = 2, .most_samples = 100000, .on_estimate = [&](NoiseEstimate const&) { ++estimates; }};
    auto const sink = [&](Progress const& progress) {
        EXPECT_EQ(progress.total == 0, estimates == 0);
        if (progress.total > 0) {
            EXPECT_LE(progress.done, progress.total);
        }
        EXPECT_GE(progress.done, last_done);
        last_done = progress.done;
        return true;
    };
    Stopped const stopped = render_until(make_inks(), target, {.progress = sink});
    EXPECT_GT(estimates, 1);
    EXPECT_EQ(last_done, stopped.film.statistics.paths);
}

TEST(TimeEstimate, SteadyWorkIsForetoldExactlyWhateverTheStart)
{
    TimeEstimate estimate;
    // 10 paths/s from second 0.7 on, 500 in all: the end is at 50.7 s.
    for (double t = 0.1; t < 10; t += 0.1) {
        estimate.update(t, {static_cast<std::uint64_t>(std::max(0.0, (t - 0.7) * 1e6)), 50000000, "paths"});
        EXPECT_EQ(estimate.total_s().has_value(), t >= TimeEstimate::kUntil_s - 1e-9) << t;
    }
    EXPECT_NEAR(*estimate.total_s(), 50.7, 1e-4);
}

TEST(TimeEstimate, WaitsForATotal)
{
    TimeEstimate estimate;
    for (double t = 1; t < 20; t += 1) estimate.update(t, {static_cast<std::uint64_t>(10 * t), 0, "paths"});
    EXPECT_FALSE(estimate.total_s().has_value());
    estimate.update(20, {200, 1000, "paths"});
    EXPECT_NEAR(*estimate.total_s(), 100, 1e-9);
    estimate.update(21, {201, 1000, "paths"});
    EXPECT_NEAR(*estimate.total_s(), 100, 1e-9);
}

} // namespace
} // namespace volpt::test
