// The sums of the half of a film's samples are a function of the samples, however a render is cut.
#include "libvolpt/film/film_merge.h"
#include "libvolpt/film/halves/half_samples.h"
#include "tests/support/fake_backend.h"
#include "tests/support/make_scene.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr SampleRange kSamplesOfBothHalves{0, 150}; // the half has 8 .. 31 and 128 .. 149
constexpr std::uint64_t kSeedOfHalves = 7;          // render_scene's

class HalfSumsOfRenders : public testing::Test {
protected:
    HalfSumsOfRenders()
    {
        for (SampleRange const range : {SampleRange{8, 24}, SampleRange{128, 22}})
            render_film(scene_, half_, range, {});
    }

    void expect_whole(Film const& film) const
    {
        EXPECT_EQ(film.sums, whole_.sums);
        EXPECT_EQ(film.half_sums, half_.sums);
    }

    Film render(RenderOptions const& options) const
    {
        Film film = make_film(scene_, kSeedOfHalves);
        render_film(scene_, film, kSamplesOfBothHalves, options);
        return film;
    }

    PackedVolume const volume_ = make_print();
    RenderScene const scene_{make_scene(volume_, 70, 20), volume_, nullptr, kSeedOfHalves};
    Film const whole_ = render_scene(scene_.scene(), volume_, kSamplesOfBothHalves);
    Film half_ = make_film(scene_, kSeedOfHalves); ///< of the half's samples alone
};

TEST_F(HalfSumsOfRenders, DoNotDependOnThreadsTilesStopsOrParts)
{
    expect_whole(whole_);
    EXPECT_EQ(half_.half_sums, half_.sums);
    expect_whole(render({.threads = 3}));
    expect_whole(render({.threads = 2, .tile_size = 9}));
    StoppedRender const stopped = render_with_stops(scene_.scene(), volume_, kSamplesOfBothHalves);
    EXPECT_GT(stopped.stops, 0);
    expect_whole(stopped.film);
    std::vector<Film> parts;
    for (SampleRange const range : {SampleRange{100, 50}, SampleRange{0, 20}, SampleRange{20, 80}})
        parts.push_back(render_scene(scene_.scene(), volume_, range));
    Film const* const films[] = {&parts[0], &parts[1], &parts[2]};
    expect_whole(merge_held_films(films));
}

TEST_F(HalfSumsOfRenders, DevicesGiveThoseOfTheCpu)
{
    for (FilmHalf const half : {FilmHalf::joined, FilmHalf::apart}) {
        for (std::uint32_t const launch_samples : {2u, 7u, 100u}) {
            FakeDevice const device{.launch_samples = launch_samples, .half = half};
            FakeBackend const one(device);
            FakeBackend const two(FakeDevice{.launch_s = 1e-3, .launch_samples = launch_samples, .half = half}, device);
            for (std::uint32_t const tile_size : {0u, 17u, 64u}) {
                SCOPED_TRACE(std::to_string(launch_samples) + " " + std::to_string(tile_size));
                expect_whole(render({.tile_size = tile_size, .gpu_backend = &one, .gpus = one.all_devices()}));
                expect_whole(render({.tile_size = tile_size,
                                     .gpu_backend = &two,
                                     .gpus = two.all_devices(),
                                     .cpu = CpuUse::beside_gpus}));
            }
            // Launches that are timed for the choice of a kernel, too: they are the first ones. In a small film they
            // have more samples than are left on the one side.
            for (std::uint32_t const width : {70u, 20u}) {
                RenderScene const scene(make_scene(volume_, width, 20), volume_, nullptr, kSeedOfHalves);
                Film film = make_film(scene, kSeedOfHalves), in_half = film;
                render_film(scene, film, {7, 25},
                            {.gpu_backend = &one, .gpus = one.all_devices(std::string()), .least_tuned_s = 0});
                render_film(scene, in_half, {8, 24}, {});
                EXPECT_EQ(film.half_sums, in_half.sums);
            }
        }
    }
}

TEST_F(HalfSumsOfRenders, AFilmWithoutThemIsResumedWithoutThem)
{
    Film film = make_film(scene_, kSeedOfHalves);
    render_film(scene_, film, {0, 20}, {});
    film.drop_half_sums();
    render_film(scene_, film, kSamplesOfBothHalves, {});
    EXPECT_EQ(hash_film(film), hash_film(whole_));
    EXPECT_TRUE(film.half_sums.empty());
}

TEST_F(HalfSumsOfRenders, OnlyFilmsWhosePathsCarryAllBandsHaveThem)
{
    for (PackedVolume const& volume : {make_inks(), make_cloud()}) {
        Film const film = render_scene(make_scene(volume), volume, {0, 10});
        EXPECT_FALSE(film.keeps_half);
        EXPECT_TRUE(film.half_sums.empty());
    }
}

TEST(HalfSumsOfIntegrators, AreThoseOfTheHalfsSamplesAlone)
{
    PackedVolume const volume = make_print();
    for (Integrator const integrator : {Integrator::light, Integrator::bdpt}) {
        SCOPED_TRACE(static_cast<int>(integrator));
        Scene scene = make_scene(volume, 20, 10);
        scene.integrator = integrator;
        Film const film = render_scene(scene, volume, {0, 20}), half = render_scene(scene, volume, {8, 12});
        EXPECT_EQ(film.half_sums, half.sums);
        EXPECT_EQ(film.half_sums.size(), film.sums.size());
        EXPECT_GT(std::ranges::max(film.half_sums), 0u) << "nothing tested";
    }
}

TEST(HalfSumsOfIntegrators, ChainsHaveNone)
{
    PackedVolume const volume = make_print();
    Scene scene = make_scene(volume, 20, 10);
    scene.integrator = Integrator::mlt;
    EXPECT_FALSE(render_scene(scene, volume, {0, 10}).keeps_half);
}

} // namespace
} // namespace volpt::test
