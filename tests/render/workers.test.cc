// Devices together: the film is one device's, whoever fails.
#include "libvolpt/render/workers/worker.h"
#include "libvolpt/sys/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_scene.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr SampleRange kSamples{0, 6};
constexpr int kNoSuchGpu = 4711;
constexpr std::uint64_t kSeed = 7; // render_scene's

TEST(Workers, OneThatFailsLeavesItsSamplesToTheOthers)
{
    PackedVolume const volume = make_inks();
    Scene const scene = make_scene(volume, 150, 70);
    std::string told;
    RenderOptions options{.threads = 2, .gpus = {{.kernel = {}, .device = kNoSuchGpu}}, .cpu = CpuUse::beside_gpus};
    options.notice = [&](std::string_view notice) { told += notice; };
    RenderScene const render(scene, volume, nullptr, kSeed);
    Film film = make_film(render, kSeed);
    RenderReport const report = render_film(render, film, kSamples, options);
    EXPECT_EQ(hash_film(film), hash_film(render_scene(scene, volume, kSamples)));
    EXPECT_EQ(report.end, RenderEnd::finished);
    EXPECT_NE(told.find("GPU 4711 has failed"), std::string::npos) << told;
    ASSERT_EQ(report.workers.size(), 2u);
    EXPECT_FALSE(report.workers[0].failure.empty());
    EXPECT_EQ(report.workers[1].counts.paths, film.statistics.paths);
}

TEST(Workers, IfAllFailTheDeviceIsToBlame)
{
    PackedVolume const volume = make_inks();
    RenderScene const render(make_scene(volume, 150, 70), volume, nullptr, kSeed);
    Film film = make_film(render, kSeed);
    expect_error(ExitStatus::system, {},
                 [&] { render_film(render, film, kSamples, {.gpus = {{.kernel = {}, .device = kNoSuchGpu}}}); });
}

TEST(Workers, CheckpointsAreValidFilmsOfTheSameSamples)
{
    PackedVolume const volume = make_inks();
    Scene const scene = make_scene(volume, 150, 70);
    RenderScene const render(scene, volume, nullptr, kSeed);
    Film film = make_film(render, kSeed);
    std::vector<Film> checkpoints;
    RenderOptions options{.threads = 2, .checkpoint_s = 1e-3};
    options.write_checkpoint = [&](Film const& part) { checkpoints.push_back(part); };
    std::uint64_t samples = 64; // until the render is long enough to be looked at in its midst
    for (; checkpoints.empty() && samples < 100000; samples *= 4) render_film(render, film, {0, samples}, options);
    ASSERT_FALSE(checkpoints.empty());
    Film resumed = checkpoints.front();
    EXPECT_LT(resumed.statistics.paths, film.statistics.paths);
    render_film(render, resumed, {0, samples / 4}, {.threads = 2});
    EXPECT_EQ(hash_film(resumed), hash_film(film));
    EXPECT_EQ(resumed.statistics, film.statistics);
}

TEST(Workers, ACheckpointThatCannotBeWrittenIsTold)
{
    PackedVolume const volume = make_inks();
    RenderScene const render(make_scene(volume, 150, 70), volume, nullptr, kSeed);
    Film film = make_film(render, kSeed);
    std::string told;
    RenderOptions options{.threads = 2, .checkpoint_s = 1e-3};
    options.notice = [&](std::string_view notice) { told = notice; };
    options.write_checkpoint = [](Film const&) { fail_system("the disk is full", "x.vpf"); };
    for (std::uint64_t samples = 64; told.empty() && samples < 100000; samples *= 4)
        render_film(render, film, {0, samples}, options);
    EXPECT_NE(told.find("the render goes on"), std::string::npos);
    EXPECT_NE(told.find("the disk is full"), std::string::npos);
}

/// Hands out the same samples of all tiles of a film, and recalls them when it has been asked so often.
class RecallingSource final : public WorkSource {
public:
    RecallingSource(TileGroup group, int recalled_after) : group_(std::move(group)), asks_left_(recalled_after) {}

    std::optional<WorkItem> take(WorkRequest const&) override
    {
        if (has_given_.exchange(true)) return std::nullopt;
        return WorkItem{{}, &group_, group_.todo.front(), count_pixels(group_) * count_samples(group_.todo)};
    }
    bool is_recalled() const override { return asks_left_-- <= 0; }
    void return_samples(std::vector<SampleRanges> const& by_tile) override { returned = by_tile; }

    std::vector<SampleRanges> returned;

private:
    TileGroup group_;
    std::atomic<bool> has_given_{false};
    mutable std::atomic<int> asks_left_;
};

TEST(Workers, TheCpuReturnsExactlyWhatItHasNotDone)
{
    PackedVolume const volume = make_inks();
    Scene const scene = make_scene(volume, 150, 70);
    RenderScene const render(scene, volume, nullptr, kSeed);
    Film const whole = render_scene(scene, volume, kSamples);
    for (int const recalled_after : {2, 7, 20}) {
        SCOPED_TRACE(recalled_after);
        Film film = make_film(render, kSeed);
        FilmSink sink(film);
        RenderOptions const options{.threads = 2};
        std::vector<SampleRanges> const todo(film.tile_ranges.size(), {kSamples});
        TileEdges const edges = cut_by_size(film, 1024);
        RenderProgress progress(options, 1);
        RecallingSource source(make_tile_groups(film, todo, edges).front(), recalled_after);
        make_cpu_worker({render, film, sink, progress}, options, edges, Workers::several)->run(source);
        if (source.returned.empty()) source.returned.resize(film.tile_ranges.size()); // it was done before
        for (std::size_t tile = 0; tile < film.tile_ranges.size(); ++tile) {
            SampleRanges all = film.tile_ranges[tile];
            insert_ranges(all, source.returned[tile]);
            EXPECT_EQ(all, SampleRanges{kSamples}) << tile;
        }
        render_ranges(render, film, source.returned, options);
        EXPECT_EQ(to_hex(hash_film(film)), to_hex(hash_film(whole)));
    }
}

} // namespace
} // namespace volpt::test
