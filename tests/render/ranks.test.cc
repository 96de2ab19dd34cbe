// A job of several ranks renders the film of one process, bit for bit, even if ranks stop, fail or are slow.
#include "libvolpt/render/ranks/mpi_job.h"
#include "libvolpt/sys/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/fake_ranks.h"
#include "tests/support/make_scene.h"

#include <atomic>
#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr SampleRange kRankSamples{0, 10};
constexpr std::uint64_t kRankSeed = 7; // render_scene's
constexpr int kNoSuchGpuOfRanks = 4711;

/// A job whose ranks are threads; `others` are the options of all ranks but 0.
class Job {
public:
    Job(RenderScene const& scene, int size, RenderOptions others) : fake_(size), first_(fake_, 0)
    {
        for (int rank = 1; rank < size; ++rank)
            threads_.emplace_back([this, &scene, others, rank] {
                FakeRanks ranks(fake_, rank);
                follow_renders(scene, kRankSeed, others, ranks);
            });
    }

    Communicator& first() { return first_; }

private:
    FakeJob fake_;
    FakeRanks first_;
    std::vector<std::jthread> threads_; // end before what they use
    RemoteRanksGuard guard_{&first_};
};

class RankRenders : public testing::Test {
protected:
    PackedVolume const volume_ = make_inks();
    Scene const scene_ = make_scene(volume_, 150, 130);
    RenderScene const render_{scene_, volume_, nullptr, kRankSeed};
    /// Rendered once by one process.
    static void SetUpTestSuite()
    {
        PackedVolume const volume = make_inks();
        whole_ = std::make_unique<Film>(render_scene(make_scene(volume, 150, 130), volume, kRankSamples));
    }
    static void TearDownTestSuite() { whole_.reset(); }

    inline static std::unique_ptr<Film> whole_;
    Hash128 const expected_ = hash_film(*whole_);
    Film film_ = make_film(render_, kRankSeed);
};

TEST_F(RankRenders, AnyNumberOfRanksRendersTheFilmOfOneProcess)
{
    for (int const size : {2, 3, 5}) {
        Job job(render_, size, {.threads = 1});
        Film film = make_film(render_, kRankSeed);
        RenderReport const report = render_film(render_, film, kRankSamples, {.threads = 1, .ranks = &job.first()});
        EXPECT_EQ(hash_film(film), expected_) << size;
        EXPECT_EQ(report.counts.paths, film.statistics.paths);
        EXPECT_EQ(film.statistics, whole_->statistics);
        ASSERT_EQ(report.workers.size(), static_cast<std::size_t>(size));
        EXPECT_EQ(report.workers.back().place.find("rank "), 0u);
    }
}

TEST_F(RankRenders, CoverageIsSummedToo)
{
    Scene scene = scene_;
    scene.coverage = CoveragePlane::counted;
    RenderScene const render(scene, volume_, nullptr, kRankSeed);
    Film const expected = render_scene(scene, volume_, kRankSamples);
    Job job(render, 3, {.threads = 1});
    Film film = make_film(render, kRankSeed);
    render_film(render, film, kRankSamples, {.threads = 1, .ranks = &job.first()});
    EXPECT_EQ(film.coverage, expected.coverage);
    EXPECT_EQ(hash_film(film), hash_film(expected));
}

TEST_F(RankRenders, LongStepsAndTheirBanksAreSummedToo)
{
    Scene scene = scene_;
    scene.long_steps = LongSteps::spheres;
    RenderScene const render(scene, volume_, nullptr, kRankSeed);
    Film const expected = render_scene(scene, volume_, kRankSamples);
    Job job(render, 2, {.threads = 1});
    Film film = make_film(render, kRankSeed);
    render_film(render, film, kRankSamples, {.threads = 1, .ranks = &job.first()});
    EXPECT_EQ(hash_film(film), hash_film(expected));
    EXPECT_EQ(film.long_steps, expected.long_steps);
}

TEST_F(RankRenders, SumsOfTheHalfAreSummedToo)
{
    PackedVolume const volume = make_print();
    RenderScene const render(make_scene(volume, 150, 130), volume, nullptr, kRankSeed);
    Film const expected = render_scene(render.scene(), volume, kRankSamples);
    ASSERT_TRUE(expected.keeps_half);
    EXPECT_NE(expected.half_sums, std::vector<std::uint64_t>(expected.half_sums.size()));
    Job job(render, 3, {.threads = 1});
    Film film = make_film(render, kRankSeed), old = film;
    render_film(render, film, kRankSamples, {.threads = 1, .ranks = &job.first()});
    EXPECT_EQ(hash_film(film), hash_film(expected));
    EXPECT_EQ(film.half_sums, expected.half_sums);
    // A film without them is resumed without them.
    old.drop_half_sums();
    render_film(render, old, kRankSamples, {.threads = 1, .ranks = &job.first()});
    EXPECT_EQ(hash_film(old), hash_film(expected));
    EXPECT_TRUE(old.half_sums.empty());
}

TEST_F(RankRenders, RendersFollowEachOther)
{
    Job job(render_, 3, {.threads = 1});
    for (std::uint64_t const samples : {1u, 3u, 10u}) {
        render_film(render_, film_, {0, samples}, {.threads = 1, .ranks = &job.first()});
        EXPECT_EQ(count_samples(film_.tile_ranges[0]), samples);
    }
    EXPECT_EQ(hash_film(film_), expected_);
}

TEST_F(RankRenders, StoppedItGoesOnWithAnotherNumberOfRanks)
{
    {
        Job job(render_, 3, {.threads = 1});
        EXPECT_EQ(
            render_film(render_, film_, kRankSamples, {.threads = 1, .time_limit_s = 1e-9, .ranks = &job.first()}).end,
            RenderEnd::time_limit);
    }
    EXPECT_LT(film_.statistics.paths, 150u * 130 * 10);
    Job job(render_, 2, {.threads = 2});
    EXPECT_EQ(render_film(render_, film_, kRankSamples, {.threads = 1, .ranks = &job.first()}).end,
              RenderEnd::finished);
    EXPECT_EQ(hash_film(film_), expected_);
}

TEST_F(RankRenders, AnyRankCanStopTheJob)
{
    std::atomic<bool> asked{false};
    Job job(render_, 3, {.threads = 1, .progress = [&](Progress const&) { return !asked.exchange(true); }});
    RenderReport const report = render_film(render_, film_, {0, 1000000}, {.threads = 1, .ranks = &job.first()});
    EXPECT_EQ(report.end, RenderEnd::stopped);
    Film const part = film_;
    render_film(render_, film_, {0, 1}, {.threads = 1}); // the film is valid
    EXPECT_GE(film_.statistics.paths, part.statistics.paths);
}

TEST_F(RankRenders, AWorkerThatFailsOnAnotherRankLeavesItsSamplesToTheRest)
{
    std::mutex mutex;
    std::string told;
    Job job(render_, 2,
            {.threads = 1, .gpus = {{.kernel = {}, .device = kNoSuchGpuOfRanks}}, .cpu = CpuUse::beside_gpus});
    RenderOptions options{.threads = 1, .ranks = &job.first()};
    options.notice = [&](std::string_view text) {
        std::scoped_lock const lock(mutex);
        told += text;
    };
    EXPECT_EQ(render_film(render_, film_, kRankSamples, options).end, RenderEnd::finished);
    EXPECT_EQ(hash_film(film_), expected_);
    EXPECT_NE(told.find("rank 1 on here: GPU 4711 has failed"), std::string::npos) << told;
}

TEST_F(RankRenders, WhatEndsTheRenderOnAnotherRankEndsItAndSaysWhere)
{
    Job job(render_, 2, {.threads = 1, .cpu_backend = "abacus"});
    expect_error(ExitStatus::usage, {"rank 1 on here"},
                 [&] { render_film(render_, film_, kRankSamples, {.threads = 1, .ranks = &job.first()}); });
}

TEST_F(RankRenders, CheckpointsHoldWhatAllRanksHaveDone)
{
    Job job(render_, 3, {.threads = 1});
    std::vector<Film> checkpoints;
    RenderOptions options{.threads = 1, .ranks = &job.first(), .checkpoint_s = 1e-2};
    options.write_checkpoint = [&](Film const& part) { checkpoints.push_back(part); };
    std::uint64_t samples = 10;
    for (; checkpoints.empty() && samples < 100000; samples *= 4) render_film(render_, film_, {0, samples}, options);
    ASSERT_FALSE(checkpoints.empty());
    Film resumed = checkpoints.back();
    render_film(render_, resumed, {0, samples / 4}, {.threads = 1, .ranks = &job.first()});
    EXPECT_EQ(hash_film(resumed), hash_film(film_));
    EXPECT_EQ(resumed.statistics, film_.statistics);
}

} // namespace
} // namespace volpt::test
