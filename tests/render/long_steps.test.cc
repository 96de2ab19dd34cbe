// A film with long steps is a function of volume, scene, seed and samples as any other: whatever backend, threads,
// tiles, interruption or merging, in the middle of a bank's samples, too.
#include "libvolpt/core/outcome.hd.h"
#include "libvolpt/cpu/cpu_backend.h"
#include "libvolpt/cpu/outcomes/bank_cache.h"
#include "libvolpt/film/film_io.h"
#include "tests/support/fake_backend.h"
#include "tests/support/make_scene.h"
#include "tests/support/merge_films.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

/// Samples of two banks.
constexpr SampleRange kLongStepSamples{0, kBankSamples + 10};

Scene make_stepping_scene(PackedVolume const& volume)
{
    Scene scene = make_scene(volume, 66, 20);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    scene.scale *= 0.5f; // smaller spheres: banks are made faster
    scene.long_steps = LongSteps::spheres;
    return scene;
}

void expect_equal_films(Film const& film, Film const& expected, std::string const& what)
{
    EXPECT_EQ(hash_film(film), hash_film(expected)) << what;
    EXPECT_EQ(film.statistics, expected.statistics) << what;
    EXPECT_EQ(film.long_steps, expected.long_steps) << what;
}

TEST(LongSteps, FilmsDoNotDependOnBackendThreadsOrTiles)
{
    PackedVolume const volume = make_roomy(Source::material, Source::material);
    Scene const scene = make_stepping_scene(volume);
    Film const expected = render_scene(scene, volume, kLongStepSamples);
    EXPECT_GT(expected.long_steps.steps, expected.statistics.paths / 4);
    EXPECT_EQ(expected.long_steps.bank_sums.size(), 2u);
    for (CpuKernel const& backend : list_cpu_kernels())
        expect_equal_films(
            render_scene(scene, volume, kLongStepSamples, {.threads = 2, .cpu_backend = std::string(backend.name)}),
            expected, std::string(backend.name));
    expect_equal_films(render_scene(scene, volume, kLongStepSamples, {.threads = 5, .tile_size = 7}), expected,
                       "threads and tiles");
}

TEST(LongSteps, FilmsResumeAfterEveryStopToTheSameFilm)
{
    PackedVolume const volume = make_bare_cube(16, 0.01f);
    Scene const scene = make_stepping_scene(volume);
    Film const whole = render_scene(scene, volume, kLongStepSamples);
    StoppedRender const resumed = render_with_stops(scene, volume, kLongStepSamples);
    EXPECT_GT(resumed.stops, 1) << "nothing was interrupted, nothing tested";
    expect_equal_films(resumed.film, whole, "resumed");
}

TEST(LongSteps, FilmsMergeFromHalvesThatShareABank)
{
    PackedVolume const volume = make_bare_cube(20, 0.001f, 0.4f);
    Scene const scene = make_stepping_scene(volume);
    Film const merged = test::merge_films(
        {render_scene(scene, volume, {30, kLongStepSamples.count - 30}), render_scene(scene, volume, {0, 30})});
    expect_equal_films(merged, render_scene(scene, volume, kLongStepSamples), "merged");
}

TEST(LongSteps, WhereNoSphereFitsTheFilmIsThePlainOne)
{
    PackedVolume const volume = make_bare_cube(1.8f, 0.01f);
    Scene scene = make_stepping_scene(volume);
    Film const stepping = render_scene(scene, volume, {0, 4});
    EXPECT_EQ(stepping.long_steps.steps, 0u);
    scene.long_steps = LongSteps::plain;
    Film const plain = render_scene(scene, volume, {0, 4});
    EXPECT_EQ(stepping.sums, plain.sums);
    EXPECT_EQ(stepping.squares, plain.squares);
    EXPECT_NE(stepping.scene_hash(), plain.scene_hash());
}

TEST(LongSteps, WhereNoSphereFitsFilmsAndCheckpointsAreReadAndContinued)
{
    PackedVolume const volume = make_bare_cube(1.8f, 0.01f);
    Scene const scene = make_stepping_scene(volume);
    TempFolder const folder;
    auto const pass_through_file = [&](Film const& film) {
        write_film(folder / "a.vpf", film);
        return read_film(folder / "a.vpf", VerifyLevel::full);
    };
    Film const whole = render_scene(scene, volume, kLongStepSamples);
    expect_equal_films(pass_through_file(whole), whole, "written and read");
    FakeBackend const backend(FakeDevice{});
    RenderOptions on_device{.gpu_backend = &backend, .gpus = backend.all_devices()};
    expect_equal_films(pass_through_file(render_scene(scene, volume, kLongStepSamples, on_device)), whole, "device");

    RenderScene const render(scene, volume, nullptr, 7);
    Film resumed = pass_through_file(render_scene(scene, volume, {0, 30}));
    int stops = 0;
    while (render_film(render, resumed, kLongStepSamples, {.time_limit_s = 1e-9}).end == RenderEnd::time_limit &&
           stops < 100) {
        resumed = pass_through_file(resumed); // some tiles have samples that others lack, as in a checkpoint
        ++stops;
    }
    expect_equal_films(pass_through_file(resumed), whole, "resumed");
    EXPECT_GT(stops, 1) << "nothing was interrupted, nothing tested";
    expect_equal_films(pass_through_file(test::merge_films(
                           {render_scene(scene, volume, {30, 44}), render_scene(scene, volume, {0, 30})})),
                       whole, "merged");
}

/// A print on two cores of different g, in the bands of these numbers.
PackedVolume make_bands_of_inks(std::vector<std::uint32_t> const& bands)
{
    VolumeMeta meta = density_meta({32, 32, 40}, Filter::nearest);
    meta.pitch_mm = {0.1f, 0.1f, 0.1f};
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    meta.band_numbers = bands;
    meta.constant_extinction.assign(bands.size(), 1.0f);
    meta.constant_one_minus_albedo.assign(bands.size(), 0.0f);
    std::vector<Material> const inks{{"C", {9.0f, 4.5f, 7.5f}, {0.95f, 0.3f, 0.02f}, 0.4f},
                                     {"W", {6.0f, 9.0f, 24.0f}, {0.0009f, 0.0003f, 0.001f}, 0.4f},
                                     {"V", {5.0f, 6.0f, 7.0f}, {0.002f, 0.002f, 0.002f}, 0.0f}};
    std::vector<Material> kept = inks;
    for (std::size_t i = 0; i < inks.size(); ++i) {
        kept[i].sigma_t.clear();
        kept[i].one_minus_albedo.clear();
        for (std::uint32_t const band : bands) {
            kept[i].sigma_t.push_back(inks[i].sigma_t[band]);
            kept[i].one_minus_albedo.push_back(inks[i].one_minus_albedo[band]);
        }
    }
    return make_volume(meta, {.label = [](int x, int, int z) { return z >= 36 && x % 8 < 3 ? 0
                                                                      : x < 16             ? 1
                                                                                           : 2; }},
                       kept);
}

TEST(LongSteps, AOneBandVolumeGivesTheBandOfTheWholeOne)
{
    PackedVolume const whole = make_bands_of_inks({0, 1, 2}), part = make_bands_of_inks({2});
    Film const all = render_scene(make_stepping_scene(whole), whole, {0, 4});
    Film const band = render_scene(make_stepping_scene(part), part, {0, 4});
    EXPECT_GT(band.long_steps.steps, band.statistics.paths / 4);
    EXPECT_TRUE(
        std::equal(band.sums.begin(), band.sums.end(), all.sums.end() - static_cast<std::ptrdiff_t>(band.sums.size())));
}

TEST(LongSteps, FilmsAreTheSameWhateverTheCacheOfBanksHolds)
{
    PackedVolume const volume = make_bare_cube(14, 0.01f);
    Scene const scene = make_stepping_scene(volume);
    Film const expected = render_scene(scene, volume, kLongStepSamples);
    EXPECT_GT(expected.long_steps.steps, expected.statistics.paths / 8);
    TempFolder const folder;
    auto const expect_same = [&](std::filesystem::path const& cache, std::string const& what) {
        expect_equal_films(render_scene(scene, volume, kLongStepSamples, {.threads = 2, .bank_cache = cache}), expected,
                           what);
    };
    auto const damage = [&](auto const& change) {
        std::size_t files = 0;
        for (auto const& entry : std::filesystem::directory_iterator(folder / "cache")) {
            change(entry.path());
            ++files;
        }
        EXPECT_EQ(files, 2u) << "one for each bank";
    };
    expect_same(folder / "cache", "cold");
    expect_same(folder / "cache", "warm");
    damage([](auto const& path) { std::filesystem::resize_file(path, std::filesystem::file_size(path) - 9000); });
    expect_same(folder / "cache", "cut short");
    damage([](auto const& path) { flip_bits(path, std::filesystem::file_size(path) / 2, 1); });
    expect_same(folder / "cache", "damaged");
    damage([](auto const& path) { flip_bits(path, 8, 2); });
    expect_same(folder / "cache", "another version");
    folder.write("file", "");
    expect_same(folder / "file", "no folder");
    // Another bank with sound checksums gives another film: the files are read.
    Film const other = render_scene(scene, volume, kLongStepSamples, {}, 8);
    ASSERT_NE(hash_film(other), hash_film(expected));
    BankCache const cache(folder / "cache");
    for (std::uint32_t number = 0; number < 2; ++number) {
        BankKey const key{.seed = 7, .number = number, .g = 0};
        std::vector<Outcome> outcomes(std::size_t{kMaxLevels} << kBankLog2Size);
        auto const levels = static_cast<std::size_t>(cache.read(key, outcomes));
        ASSERT_GT(levels, 0u);
        outcomes.resize(levels << kBankLog2Size);
        std::rotate(outcomes.begin(), outcomes.begin() + 1, outcomes.end());
        cache.write(key, outcomes);
    }
    Film const rotated = render_scene(scene, volume, kLongStepSamples, {.bank_cache = folder / "cache"});
    EXPECT_NE(hash_film(rotated), hash_film(expected));
}

} // namespace
} // namespace volpt::test
