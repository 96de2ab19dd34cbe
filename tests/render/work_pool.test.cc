// At any rates of the workers, every sample is handed out once, and all workers end together.
#include "libvolpt/render/pool/work_pool.h"
#include "tests/support/make_scene.h"

#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <random>

namespace volpt::test {
namespace {

constexpr std::uint32_t kWidth = 400, kHeight = 400; // 49 file tiles

Film make_film_of(std::uint32_t width, std::uint32_t height)
{
    Scene scene;
    scene.width = width;
    scene.height = height;
    scene.bands = 1;
    return Film(scene, 0, 0);
}

/// A worker that renders `rate` paths per second, asks for more while it still has work for `ahead_s`, and knows its
/// rate only after the first work item.
struct FakeWorker {
    double rate;
    double starts_s = 0; ///< when its device is open
    double least_s = 0.01;
    double duration_s = 0.4;
    double jitter = 0; ///< relative error of the rate, per item
    double ahead_s = 0;
    double end_s = 0;
    bool knows_rate = false;
    std::shared_ptr<WorkSource> source = {};
};

/// Runs workers against the pool in simulated time; returns how often each (file tile, sample) was handed out.
std::map<std::pair<std::size_t, std::uint64_t>, int> simulate(std::vector<FakeWorker>& workers, Film const& film,
                                                              std::uint64_t samples, std::uint32_t tile_size)
{
    double now_s = 0;
    std::mt19937 random(7);
    std::vector<SampleRanges> const todo(film.tile_ranges.size(), {{0, samples}});
    WorkPool pool(make_tile_groups(film, todo, cut_by_size(film, tile_size)), 1, {.clock = [&] { return now_s; }});
    std::map<std::pair<std::size_t, std::uint64_t>, int> handed_out;
    for (FakeWorker& worker : workers) {
        worker.source = pool.connect();
        worker.end_s = worker.starts_s;
    }
    for (;;) {
        auto const asks_at = [](FakeWorker const& worker) {
            return worker.source ? std::max(worker.starts_s, worker.end_s - worker.ahead_s)
                                 : std::numeric_limits<double>::max();
        };
        auto const next =
            std::min_element(workers.begin(), workers.end(),
                             [&](FakeWorker const& a, FakeWorker const& b) { return asks_at(a) < asks_at(b); });
        if (!next->source) return handed_out;
        now_s = std::max(now_s, asks_at(*next));
        auto const pending = static_cast<std::uint64_t>(std::max(0.0, next->end_s - now_s) * next->rate);
        next->end_s = std::max(next->end_s, now_s);
        auto const item =
            next->source->take({1000, next->duration_s, next->least_s, next->knows_rate ? next->rate : 0, pending});
        if (!item) {
            next->source.reset();
            continue;
        }
        for (std::size_t const tile : item->group->file_tiles)
            for (std::uint64_t i = 0; i < item->samples.count; ++i) ++handed_out[{tile, item->samples.first + i}];
        double const jitter = 1 + next->jitter * std::uniform_real_distribution(-1.0, 1.0)(random);
        next->end_s += static_cast<double>(item->paths) / next->rate * jitter;
        next->knows_rate = true;
    }
}

double find_spread(std::vector<FakeWorker> const& workers)
{
    double first = std::numeric_limits<double>::max(), last = 0;
    for (FakeWorker const& worker : workers) {
        first = std::min(first, worker.end_s);
        last = std::max(last, worker.end_s);
    }
    return (last - first) / last;
}

void expect_each_once(std::map<std::pair<std::size_t, std::uint64_t>, int> const& handed_out, Film const& film,
                      std::uint64_t samples)
{
    EXPECT_EQ(handed_out.size(), film.tile_ranges.size() * samples);
    for (auto const& [what, times] : handed_out) ASSERT_EQ(times, 1) << what.first << ' ' << what.second;
}

TEST(WorkPool, AllEndWithinTwoPercentWhateverTheirRates)
{
    Film const film = make_film_of(kWidth, kHeight);
    double const all = static_cast<double>(kWidth) * kHeight * 20000;
    for (std::vector<double> const& shares :
         {std::vector<double>{1, 1}, {1, 1, 1, 1}, {1, 0.5, 0.25}, {1, 0.02}, {1, 1, 1, 1, 0.01}}) {
        std::vector<FakeWorker> workers;
        for (double const share : shares) workers.push_back({.rate = share * all / 10, .jitter = 0.05});
        expect_each_once(simulate(workers, film, 20000, kWidth), film, 20000);
        EXPECT_LT(find_spread(workers), 0.02) << testing::PrintToString(shares);
    }
}

TEST(WorkPool, PendingWorkCounts)
{
    Film const film = make_film_of(kWidth, kHeight);
    double const all = static_cast<double>(kWidth) * kHeight * 20000;
    std::vector<FakeWorker> workers;
    for (double const share : {0.97, 1.0, 1.02, 0.99, 0.02})
        workers.push_back({.rate = share * all / 10, .jitter = 0.03, .ahead_s = share > 0.5 ? 0.2 : 0.1});
    workers[3].starts_s = 0.6;
    expect_each_once(simulate(workers, film, 20000, kWidth), film, 20000);
    EXPECT_LT(find_spread(workers), 0.02);
}

TEST(WorkPool, ASlowWorkerCanTakeTheLastSamples)
{
    Film const film = make_film_of(64, 64);
    WorkPool pool(make_tile_groups(film, {{{0, 1000}}}, cut_by_size(film, 64)), 1,
                  {.slow_workers = WorkPool::SlowWorkers::take_last});
    auto const fast = pool.connect(), slow = pool.connect();
    auto const take = [](WorkSource& source, double rate) { return source.take({4096, 1, 0, rate, 0})->samples; };
    EXPECT_EQ(take(*fast, 40960), (SampleRange{0, 10}));
    SampleRange const last = take(*slow, 4096);
    EXPECT_EQ(last.first + last.count, 1000u);
    SampleRange const before = take(*slow, 4096);
    EXPECT_EQ(before.first + before.count, last.first);
    EXPECT_EQ(take(*fast, 40960).first, 10u);
}

TEST(WorkPool, AWorkerThatIsReadyLateStillGetsItsShare)
{
    Film const film = make_film_of(kWidth, kHeight);
    double const rate = static_cast<double>(kWidth) * kHeight * 20000 / 10;
    std::vector<FakeWorker> workers{{.rate = rate}, {.rate = rate, .starts_s = 2}};
    simulate(workers, film, 20000, kWidth);
    EXPECT_LT(find_spread(workers), 0.02);
    EXPECT_LT(workers[0].end_s, 6.1); // 2 s alone, then 8 s of work shared
}

TEST(WorkPool, AWorkerForWhichOneSampleIsTooLongTakesRowsOfIt)
{
    Film const film = make_film_of(kWidth, kHeight);
    double const sample = kWidth * kHeight;
    std::vector<FakeWorker> workers{{.rate = 400 * sample}, {.rate = 0.5 * sample, .least_s = 0}};
    expect_each_once(simulate(workers, film, 4000, kWidth), film, 4000);
    EXPECT_LT(workers[1].end_s, 10.5);
    EXPECT_GT(workers[1].end_s, 9);
}

TEST(WorkPool, AHopelesslySlowWorkerLeavesTheEndToTheFastOne)
{
    Film const film = make_film_of(64, 64);
    std::vector<FakeWorker> workers{{.rate = 1e6}, {.rate = 1e3}};
    expect_each_once(simulate(workers, film, 250, 64), film,
                     250); // a second for the fast one, four seconds a sample for the slow one
    EXPECT_LT(workers[0].end_s, 1.1);
}

TEST(WorkPool, EachSampleIsHandedOutOnceFromGroupsOfManyShapes)
{
    for (auto const& [width, height] : {std::pair{1u, 1u}, {64u, 64u}, {65u, 63u}, {130u, 200u}, {1000u, 3u}})
        for (std::uint32_t const tile_size : {64u, 128u, 1024u}) {
            Film const film = make_film_of(width, height);
            std::vector<FakeWorker> workers{
                {.rate = 1e6, .least_s = 0}, {.rate = 1e5, .jitter = 0.5}, {.rate = 3e3, .least_s = 0}};
            expect_each_once(simulate(workers, film, 60, tile_size), film, 60);
        }
}

/// 1000 samples of one file tile for a worker of a million paths per second and a slow one, which has taken some of
/// them.
class ReturnedWork : public testing::Test {
protected:
    static constexpr double kFastRate = 1e6;

    /// The fast worker renders until the pool gives nothing, and counts what it has rendered.
    void finish_fast()
    {
        while (std::optional<WorkItem> const item = fast_->take({4096, 1, 0, kFastRate, 0})) {
            for (std::uint64_t i = 0; i < item->samples.count; ++i) ++handed_out_[item->samples.first + i];
            now_s_ += static_cast<double>(item->paths) / kFastRate;
        }
    }

    Film const film_ = make_film_of(64, 64);
    TileEdges const edges_ = cut_by_size(film_, 64);
    double now_s_ = 0;
    WorkPool pool_{make_tile_groups(film_, {{{0, 1000}}}, edges_),
                   1,
                   {.clock = [this] { return now_s_; },
                    .make_groups = [this](auto const& returned) { return make_tile_groups(film_, returned, edges_); }}};
    std::unique_ptr<WorkSource> fast_ = pool_.connect(), slow_ = pool_.connect(Returns::possible);
    std::map<std::uint64_t, int> handed_out_;
};

class ReturnedWorkAtRate : public ReturnedWork, public testing::WithParamInterface<double> {};

TEST_P(ReturnedWorkAtRate, GoesToTheFastWorkerIfTheSlowOneHoldsUpTheEnd)
{
    std::optional<WorkItem> const held = slow_->take({40960, 10, 1, GetParam(), 0});
    ASSERT_TRUE(held);
    EXPECT_FALSE(slow_->is_recalled());
    finish_fast();
    EXPECT_TRUE(fast_->may_get_returned());
    ASSERT_TRUE(slow_->is_recalled());
    slow_->return_samples({{held->samples}});
    slow_.reset();
    finish_fast();
    EXPECT_FALSE(fast_->may_get_returned());
    for (auto const& [sample, times] : handed_out_) ASSERT_EQ(times, 1) << sample;
    EXPECT_EQ(handed_out_.size(), 1000u);
    EXPECT_LT(now_s_, 1.03 * 1000 * 64 * 64 / kFastRate); // the fast worker's time alone
}

INSTANTIATE_TEST_SUITE_P(UnknownAndSlow, ReturnedWorkAtRate, testing::Values(0.0, 1e3));

TEST_F(ReturnedWork, IsNotAskedForIfTheSlowWorkerEndsInTime)
{
    // 91 samples in 3.727 s; the fast worker takes 3.723 s for the others.
    std::optional<WorkItem> const held = slow_->take({4096, 3.73, 0, 1e5, 0});
    ASSERT_TRUE(held);
    ASSERT_EQ(held->samples.count, 91u);
    finish_fast();
    EXPECT_FALSE(slow_->is_recalled());
    EXPECT_TRUE(fast_->may_get_returned()); // it may still be late
    now_s_ += 10;
    finish_fast();
    EXPECT_TRUE(slow_->is_recalled());
}

TEST_F(ReturnedWork, IsAskedForByADeviceForWhichNothingWasLeft)
{
    ASSERT_TRUE(slow_->take({std::uint64_t{1} << 40, 1, 1, 0, 0}));
    while (slow_->take({4096, 1, 0, 1e3, 0})) {
    }
    EXPECT_FALSE(fast_->take({4096, 1, 0, 0, 0}));
    EXPECT_TRUE(slow_->is_recalled());
}

TEST_F(ReturnedWork, IsNotForOtherProcesses)
{
    std::unique_ptr<WorkSource> const remote = pool_.connect(Returns::other_process);
    std::optional<WorkItem> const held = slow_->take({40960, 10, 1, 0, 0});
    ASSERT_TRUE(held);
    finish_fast();
    slow_->return_samples({{held->samples}});
    EXPECT_FALSE(remote->take({4096, 1, 0, kFastRate, 0}));
    EXPECT_FALSE(remote->may_get_returned());
    EXPECT_TRUE(fast_->take({4096, 1, 0, kFastRate, 0}));
}

TEST(WorkPool, ClosedItGivesNothing)
{
    Film const film = make_film_of(64, 64);
    WorkPool pool(make_tile_groups(film, {{{0, 100}}}, cut_by_size(film, 64)), 1);
    auto const source = pool.connect();
    EXPECT_TRUE(source->take({}));
    pool.close();
    EXPECT_FALSE(source->take({}));
}

} // namespace
} // namespace volpt::test
