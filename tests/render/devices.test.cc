// Devices behind the interface of a backend: the film is the CPU's, whatever they do.
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/light/tally_sums.h"
#include "tests/support/fake_backend.h"
#include "tests/support/make_scene.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr SampleRange kSamples{0, 12};
constexpr std::uint64_t kSeed = 7; // render_scene's

class Devices : public testing::Test {
protected:
    /// With the CPU on one thread beside the devices if `cpu` says so.
    RenderReport render(FakeBackend const& backend, CpuUse cpu, RenderOptions options = {})
    {
        options.gpu_backend = &backend;
        if (options.gpus.empty()) options.gpus = backend.all_devices();
        options.cpu = cpu;
        options.notice = [this](std::string_view notice) {
            std::scoped_lock const lock(mutex_);
            told_ += notice;
        };
        return render_film(scene_, film_, kSamples, options);
    }

    void expect_whole_film() const
    {
        static std::string const expected = to_hex(hash_film(render_scene(scene_.scene(), volume_, kSamples)));
        EXPECT_EQ(to_hex(hash_film(film_)), expected);
    }

    /// Of two devices and the CPU the first may fail.
    void expect_others_finish(RenderReport const& report) const
    {
        EXPECT_EQ(report.end, RenderEnd::finished);
        ASSERT_EQ(report.workers.size(), 3u);
        std::uint64_t paths = 0;
        for (WorkerReport const& worker : report.workers) paths += worker.counts.paths;
        if (told_.empty())
            EXPECT_EQ(paths, film_.statistics.paths);
        else
            EXPECT_FALSE(report.workers[0].failure.empty());
        expect_whole_film();
    }

    void expect_told(std::string const& part) const { EXPECT_NE(told_.find(part), std::string::npos) << told_; }

    PackedVolume const volume_ = make_inks();
    RenderScene const scene_{make_scene(volume_, 150, 70), volume_, nullptr, kSeed};
    Film film_ = make_film(scene_, kSeed);
    std::mutex mutex_;
    std::string told_;
};

TEST_F(Devices, OneGivesTheFilmOfTheCpu)
{
    for (std::uint32_t const tile_size : {0u, 17u, 64u}) {
        film_ = make_film(scene_, kSeed);
        RenderReport const report = render(FakeBackend(FakeDevice{}), CpuUse::without_gpus, {.tile_size = tile_size});
        EXPECT_EQ(report.end, RenderEnd::finished);
        ASSERT_NE(report.only_gpu(), nullptr);
        EXPECT_EQ(report.device, "fake");
        EXPECT_EQ(report.counts.paths, film_.statistics.paths);
        expect_whole_film();
    }
}

TEST_F(Devices, OneWithLongStepsGivesTheFilmOfTheCpu)
{
    PackedVolume const volume = make_roomy(Source::material, Source::material);
    Scene stepped = make_scene(volume);
    stepped.long_steps = LongSteps::spheres;
    RenderOptions options{.tile_size = 32};
    FakeBackend const backend(FakeDevice{});
    options.gpu_backend = &backend;
    options.gpus = backend.all_devices();
    constexpr SampleRange kTwoBanks{62, 4};
    Film const film = render_scene(stepped, volume, kTwoBanks, options);
    Film const expected = render_scene(stepped, volume, kTwoBanks);
    EXPECT_EQ(to_hex(hash_film(film)), to_hex(hash_film(expected)));
    EXPECT_EQ(film.long_steps.bank_sums, expected.long_steps.bank_sums);
}

TEST_F(Devices, SharePassesOfChainsAsWholes)
{
    PackedVolume const volume = make_cloud();
    Scene chains = make_scene(volume, 150, 70);
    Emitter lamp;
    lamp.kind = EmitterKind::sphere;
    lamp.origin_world = {-1.2, -3.1, 8.1};
    lamp.radius_mm = 1.5;
    lamp.amount = {20};
    chains.emitters = to_emitter_records({&lamp, 1});
    chains.environment.radiance = {0.0f};
    chains.integrator = Integrator::mlt;
    chains.mlt = {.mutations = 20, .bootstrap = 8, .chains = 12, .longest = 6};
    FakeBackend const backend(FakeDevice{}, FakeDevice{});
    RenderOptions options{.gpus = backend.all_devices(), .cpu = CpuUse::beside_gpus};
    options.gpu_backend = &backend;
    for (std::uint32_t const passes : {1u, 3u, 10u}) {
        Film const film = render_scene(chains, volume, {0, passes}, options);
        EXPECT_EQ(to_hex(hash_film(film)), to_hex(hash_film(render_scene(chains, volume, {0, passes})))) << passes;
    }
}

TEST_F(Devices, EachAddsItsTallyOnce)
{
    RenderScene scene(make_scene(volume_, 150, 70), volume_, nullptr, kSeed);
    TallySums const tally(TallySpec{}, scene.view(), {});
    scene.attach_tally(tally.view());
    FakeBackend const backend(FakeDevice{}, FakeDevice{});
    RenderOptions options{.tile_size = 17};
    options.gpu_backend = &backend;
    options.gpus = backend.all_devices();
    Film film = make_film(scene, kSeed);
    EXPECT_EQ(render_film(scene, film, kSamples, options).end, RenderEnd::finished);
    ASSERT_GT(film.statistics.paths, 0u);
    EXPECT_DOUBLE_EQ(tally.measure_launched()[0] * static_cast<double>(tally.view().energy_scale),
                     static_cast<double>(film.statistics.paths));
}

TEST_F(Devices, OneThatFailsTakesItsPartOfATallyAlong)
{
    Scene particles = make_scene(volume_, 150, 70);
    particles.integrator = Integrator::light;
    Emitter beam;
    beam.kind = EmitterKind::beam;
    beam.profile = BeamProfile::pencil;
    beam.origin_world = {0.5, 0.5, 30};
    beam.direction_world = {0, 0, -1};
    beam.amount = {1};
    particles.emitters = to_emitter_records({&beam, 1});
    RenderScene scene(particles, volume_, nullptr, kSeed);
    FakeBackend const backend(FakeDevice{.fail_at = FailAt::collection, .fail_after = 2});
    RenderOptions options{.tile_size = 17};
    options.gpu_backend = &backend;
    options.gpus = backend.all_devices();
    Film film = make_film(scene, kSeed);
    TallySums const tally(parse_tally("--tally", "absorbed"), scene.view(), {});
    scene.attach_tally(tally.view());
    try {
        render_film(scene, film, kSamples, options);
        FAIL();
    } catch (Error const& error) {
        EXPECT_EQ(error.status(), ExitStatus::system);
        EXPECT_NE(std::string(error.what()).find("added to the tally is lost"), std::string::npos) << error.what();
    }
}

TEST_F(Devices, ASlowOneLeavesTheRestToTheOthers)
{
    RenderReport const report = render(FakeBackend(FakeDevice{.launch_s = 0.4}, FakeDevice{}), CpuUse::without_gpus);
    EXPECT_EQ(report.end, RenderEnd::finished);
    ASSERT_EQ(report.workers.size(), 2u);
    EXPECT_LT(report.workers[0].counts.paths, report.workers[1].counts.paths);
    expect_whole_film();
}

TEST_F(Devices, WhatOneThatFailsHadNotDeliveredIsRenderedByTheOthers)
{
    for (FailAt const fail_at : {FailAt::construction, FailAt::launch, FailAt::collection})
        for (int const fail_after : {0, 2})
            for (std::uint32_t const tile_size : {0u, 17u}) {
                SCOPED_TRACE(testing::Message() << static_cast<int>(fail_at) << ' ' << fail_after << ' ' << tile_size);
                FakeBackend const backend(FakeDevice{.fail_at = fail_at, .fail_after = fail_after}, FakeDevice{});
                // On a busy machine the others may be done before the device has taken any work: then it is tried
                // again.
                for (int attempt = 0; attempt < 20; ++attempt) {
                    film_ = make_film(scene_, kSeed);
                    told_.clear();
                    expect_others_finish(render(backend, CpuUse::beside_gpus, {.tile_size = tile_size}));
                    if (!told_.empty() || fail_after > 0) break;
                }
                if (fail_after == 0) expect_told("GPU 0 has failed");
            }
}

TEST_F(Devices, OneWithoutTheMemoryIsNamedWithTheFigures)
{
    RenderReport const report =
        render(FakeBackend(FakeDevice{.free_bytes = std::size_t{1} << 20}, FakeDevice{}), CpuUse::without_gpus);
    EXPECT_EQ(report.end, RenderEnd::finished);
    expect_told("GPU 0 has failed");
    expect_told("0.00 are free");
    expect_whole_film();
}

TEST_F(Devices, IfNoneHasTheMemoryItIsAnErrorOfTheSystem)
{
    try {
        render(FakeBackend(FakeDevice{.free_bytes = 0}), CpuUse::without_gpus);
        FAIL();
    } catch (Error const& error) {
        EXPECT_EQ(error.status(), ExitStatus::system);
    }
}

TEST_F(Devices, IfAllFailWhatWasDeliveredIsKept)
{
    FakeDevice const failing{.fail_at = FailAt::collection, .fail_after = 2};
    RenderReport const report = render(FakeBackend(failing), CpuUse::without_gpus, {.tile_size = 64});
    EXPECT_EQ(report.end, RenderEnd::device_failed);
    EXPECT_NE(report.failure.find("fell off the bus"), std::string::npos) << report.failure;
    EXPECT_GT(film_.statistics.paths, 0u);
    EXPECT_EQ(report.counts.paths, film_.statistics.paths);
    render_film(scene_, film_, kSamples, {}); // the rest, on the CPU
    expect_whole_film();
}

TEST_F(Devices, AnUnknownKernelOrKnobEndsTheRender)
{
    RendererOptions const unknown[] = {
        {"nosuch"}, {"plain", {{"lanes", 2}}}, {"wide", {{"lanes", 3}}}, {"wide", {{"refill", 2}}}};
    for (RendererOptions const& options : unknown) {
        try {
            render(FakeBackend(FakeDevice{}), CpuUse::beside_gpus, {.tile_size = 64, .gpus = {options}});
            FAIL() << options.kernel;
        } catch (Error const& error) {
            EXPECT_EQ(error.status(), ExitStatus::usage) << error.what();
        }
    }
}

TEST_F(Devices, TheFastestKernelIsFoundAndReported)
{
    FakeDevice const device{
        .launch_samples = 1,
        .paths_per_second = {{"plain", 1000}, {"wide --lanes 1", 500}, {"wide --lanes 4 --refill off", 2000}}};
    FakeBackend const backend(device);
    RenderReport const report =
        render(backend, CpuUse::without_gpus, {.gpus = backend.all_devices(std::string()), .least_tuned_s = 0});
    ASSERT_NE(report.only_gpu(), nullptr);
    EXPECT_EQ(report.kernel, "wide --lanes 4 --refill off");
    auto const& tuning = report.only_gpu()->tuning;
    ASSERT_EQ(tuning.size(), 3u);
    EXPECT_EQ(tuning[0].first, "wide --lanes 4 --refill off");
    EXPECT_EQ(tuning[1].first, "plain");
    EXPECT_EQ(tuning[2].first, "wide --lanes 1");
    expect_whole_film();
}

TEST_F(Devices, AShortRenderTakesTheStandardKernel)
{
    FakeBackend const backend(
        FakeDevice{.launch_samples = 1, .paths_per_second = {{"plain", 1}, {"wide --lanes 1", 9}}});
    RenderReport const report =
        render(backend, CpuUse::without_gpus,
               {.gpus = backend.all_devices(std::string()), .least_tuned_s = 600}); // longer than with any sanitizer
    EXPECT_EQ(report.kernel, "plain");
    EXPECT_TRUE(report.only_gpu()->tuning.empty());
}

TEST_F(Devices, OneOfAModelTunesForAll)
{
    FakeDevice const device{
        .launch_s = 0.01, .launch_samples = 1, .paths_per_second = {{"plain", 500}, {"wide --lanes 1", 1000}}};
    FakeBackend const backend(device, device);
    RenderReport const report =
        render(backend, CpuUse::without_gpus, {.gpus = backend.all_devices(std::string()), .least_tuned_s = 0});
    ASSERT_EQ(report.workers.size(), 2u);
    int tuned = 0;
    for (WorkerReport const& worker : report.workers) tuned += worker.gpu->tuning.empty() ? 0 : 1;
    EXPECT_LE(tuned, 1);
    expect_whole_film();
}

} // namespace
} // namespace volpt::test
