// A film is a function of volume, scene, seed and samples: not of threads, tiles, order, interruption or merging.
#include "libvolpt/render/render_film.h"
#include "libvolpt/cpu/cpu_backend.h"
#include "libvolpt/film/film_stats.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/mapped_file.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_scene.h"
#include "tests/support/merge_films.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <thread>

namespace volpt::test {
namespace {

constexpr SampleRange kFilmSamples{0, 6};

Scene make_wide_scene(PackedVolume const& volume)
{
    return make_scene(volume, 150, 70);
}

TEST(RenderFilm, DoesNotDependOnThreads)
{
    PackedVolume const volume = make_inks();
    Scene const scene = make_wide_scene(volume);
    Hash128 const one = hash_film(render_scene(scene, volume, kFilmSamples, {.threads = 1}));
    for (int const threads : {2, 3, 8})
        EXPECT_EQ(hash_film(render_scene(scene, volume, kFilmSamples, {.threads = threads})), one);
}

TEST(RenderFilm, DoesNotDependOnTiles)
{
    PackedVolume const volume = make_colour_cloud();
    Scene const scene = make_wide_scene(volume);
    Hash128 const expected = hash_film(render_scene(scene, volume, kFilmSamples));
    for (std::uint32_t const tile_size : {7u, 32u, 64u, 1000u})
        EXPECT_EQ(hash_film(render_scene(scene, volume, kFilmSamples, {.tile_size = tile_size})), expected)
            << tile_size;
    for (TileGrid const grid : {TileGrid{1, 1}, {2, 3}, {5, 1}, {17, 9}})
        EXPECT_EQ(hash_film(render_scene(scene, volume, kFilmSamples, {.tiles = grid})), expected)
            << grid.columns << 'x' << grid.rows;
}

TEST(RenderFilm, DoesNotDependOnTheBackend)
{
    PackedVolume const volume = make_print();
    Scene const scene = make_wide_scene(volume);
    Hash128 const expected = hash_film(render_scene(scene, volume, kFilmSamples));
    for (CpuKernel const& kernel : list_cpu_kernels())
        EXPECT_EQ(hash_film(render_scene(scene, volume, kFilmSamples, {.cpu_backend = std::string(kernel.name)})),
                  expected);
}

TEST(RenderFilm, MergesFromDisjointSamplesInAnyOrder)
{
    PackedVolume const volume = make_cloud();
    Scene const scene = make_wide_scene(volume);
    Film const whole = render_scene(scene, volume, kFilmSamples);
    Film const merged = test::merge_films({render_scene(scene, volume, {4, 2}), render_scene(scene, volume, {0, 1}),
                                           render_scene(scene, volume, {1, 3})});
    EXPECT_EQ(hash_film(merged), hash_film(whole));
    EXPECT_EQ(merged.statistics, whole.statistics);
}

TEST(RenderFilm, ResumesAfterEveryStopToTheSameBytes)
{
    PackedVolume const volume = make_print();
    Scene const scene = make_wide_scene(volume);
    Film const whole = render_scene(scene, volume, kFilmSamples);
    auto const [film, stops] = render_with_stops(scene, volume, kFilmSamples);
    EXPECT_GT(stops, 0) << "nothing was interrupted, nothing tested";
    EXPECT_EQ(hash_film(film), hash_film(whole));
    EXPECT_EQ(film.statistics, whole.statistics);
}

TEST(RenderFilm, RendersOnlyWhatIsMissing)
{
    PackedVolume const volume = make_bare_cube();
    Scene const scene = make_wide_scene(volume);
    RenderScene const built(scene, volume, nullptr, 7);
    Film film = make_film(built, 7);
    render_film(built, film, {0, 4}, {});
    RenderReport const report = render_film(built, film, {0, 4}, {});
    EXPECT_EQ(report.counts.paths, 0u);
    EXPECT_EQ(render_film(built, film, {2, 4}, {}).counts.paths, std::uint64_t{150} * 70 * 2);
}

TEST(RenderFilm, StopsAtTheTimeLimitWithAValidFilm)
{
    PackedVolume const volume = make_bare_cube(500);
    Scene const scene = make_wide_scene(volume);
    RenderScene const built(scene, volume, nullptr, 7);
    Film film = make_film(built, 7);
    RenderReport const report = render_film(built, film, {0, 1u << 20}, {.time_limit_s = 0.05});
    EXPECT_EQ(report.end, RenderEnd::time_limit);
    EXPECT_GT(summarize_film(film).samples_max, 0u);
}

TEST(RenderFilm, ReferenceEqualsTheFilmWithItsOwnRangesPerTile)
{
    PackedVolume const volume = make_inks();
    Scene const scene = make_wide_scene(volume);
    RenderScene const built(scene, volume, nullptr, 7);
    Film film = make_film(built, 7);
    std::vector<SampleRanges> todo(film.tile_ranges.size());
    for (std::size_t tile = 0; tile < todo.size(); ++tile) todo[tile] = {{tile, 1 + tile % 3}, {10, 1}};
    render_ranges(built, film, todo, {});
    EXPECT_EQ(film.tile_ranges[2], (SampleRanges{{2, 3}, {10, 1}}));
    EXPECT_EQ(hash_film(render_reference(volume, film, nullptr, {})), hash_film(film));
}

TEST(RenderFilm, ExtinctionThatPositionsCannotResolveIsRefused)
{
    PackedVolume const volume = make_cloud();
    for (float const scale : {1e7f, 1e9f}) {
        Scene scene = make_scene(volume);
        scene.scale = scale;
        EXPECT_THROW(render_scene(scene, volume, kFilmSamples), Error) << scale;
    }
}

TEST(RenderFilm, UnknownBackendIsRefusedByName)
{
    PackedVolume const volume = make_bare_cube();
    EXPECT_THROW(render_scene(make_scene(volume), volume, kFilmSamples, {.cpu_backend = "warp_drive"}), Error);
}

TEST(RenderFilm, AOneBandVolumeGivesTheBandOfTheWholeOne)
{
    PackedVolume const volume = make_inks();
    Film const whole = render_scene(make_scene(volume), volume, kFilmSamples);
    VolumeMeta meta = cloud_meta();
    meta.scale = 1.0f;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    meta.band_numbers = {2};
    std::vector<Material> const inks{
        {"C", {7.5f}, {0.02f}, 0.4f}, {"Y", {19.0f}, {0.85f}, -0.3f}, {"W", {24.0f}, {0.001f}, 0.0f}};
    PackedVolume const band =
        make_volume(meta, {.label = [](int x, int y, int z) { return z < 8 ? 2 : (x / 4 + y / 3) % 3; }}, inks);
    Film const film = render_scene(make_scene(band), band, kFilmSamples);
    std::size_t const plane = film.sums.size();
    EXPECT_TRUE(
        std::equal(film.sums.begin(), film.sums.end(), whole.sums.begin() + static_cast<std::ptrdiff_t>(2 * plane)));
}

TEST(RenderFilm, FilmOfAChangedVolumeHoldsOnlySamplesOfTheOldOne)
{
    replace_lost_pages();
    TempFolder const folder;
    auto const path = folder / "v.vpk";
    for (bool const cut : {false, true}) {
        VolumeMeta meta = cloud_meta();
        meta.constant_one_minus_albedo = {0.05f};
        pack_volume(path, meta, {.density = cloud_density});
        std::filesystem::copy_file(path, folder / "copy.vpk", std::filesystem::copy_options::overwrite_existing);
        PackedVolume const volume = PackedVolume::open(path), copy = PackedVolume::open(folder / "copy.vpk");
        RenderScene const scene(make_wide_scene(volume), volume, nullptr, 0);
        Film film = make_film(scene, 0);
        bool is_changed = false;
        RenderOptions options{.threads = 2};
        options.progress = [&](Progress const& progress) {
            if (progress.done < progress.total / 4 || is_changed) return true;
            is_changed = true;
            if (cut) {
                std::filesystem::resize_file(path, 4096);
            } else {
                test::write_bytes(path, std::vector<std::byte>(volume.size_bytes())); // zeros: no light is lost
            }
            return true;
        };
        expect_error(ExitStatus::input, {path.string(), "changed while"}, [&] {
            render_film(scene, film, {0, 400}, options);
        });
        EXPECT_TRUE(is_changed);
        std::uint64_t const samples = std::ranges::max(count_tile_samples(film));
        EXPECT_GT(samples, 0u);
        EXPECT_EQ(hash_film(render_reference(copy, film, nullptr, {})), hash_film(film));
    }
}

} // namespace
} // namespace volpt::test
