// Tallies through the whole renderer: what the sums of particles mean, and what they may not depend on.
#include "libvolpt/film/film_stats.h"
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/light/tally_volume.h"
#include "tests/support/make_scene.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr int kTallyLayers = 8;

/// A pencil down into the middle of the top of a unit cube; a film of a few pixels.
Scene make_beam_scene(PackedVolume const& volume, std::uint32_t edge = 4)
{
    Emitter beam;
    beam.kind = EmitterKind::beam;
    beam.profile = BeamProfile::pencil;
    beam.origin_world = {0.5, 0.5, 3};
    beam.direction_world = {0, 0, -1};
    beam.amount = {5};
    Scene scene = make_scene(volume, edge, edge);
    scene.environment.radiance = {0};
    scene.emitters = to_emitter_records({&beam, 1});
    scene.integrator = Integrator::light;
    return scene;
}

struct TalliedRender {
    Film film;
    TallyVolume tally;
    EnergyShares energy;
};

TalliedRender render_tally(Scene const& wanted, PackedVolume const& volume, char const* tally, std::uint64_t samples,
                           RenderOptions const& options = {})
{
    RenderScene scene(wanted, volume, nullptr, 7);
    TallySums const sums(parse_tally("--tally", tally), scene.view(),
                         {wanted.boundary.int_ior, wanted.boundary.ext_ior});
    scene.attach_tally(sums.view());
    Film film = make_film(scene, 7);
    EXPECT_EQ(render_film(scene, film, {0, samples}, options).end, RenderEnd::finished);
    GroupCounts particles;
    std::ranges::copy(count_group_samples(film, kTallyGroups), particles.begin());
    return {std::move(film), make_tally_volume(sums, particles), sums.measure_total_energy()};
}

double add_shares(EnergyShares const& energy)
{
    return energy.reflected + energy.transmitted + energy.absorbed + energy.cut + energy.roulette;
}

TEST(Tally, AnAbsorbedPencilFallsExponentiallyWithDepth)
{
    constexpr double kSigma = 3;
    PackedVolume const volume = make_bare_cube(kSigma, 1);
    TalliedRender const render = render_tally(make_beam_scene(volume), volume, "absorbed:grid=1x1x8", 4096);
    double const cell_mm3 = 1.0 / kTallyLayers;
    for (int layer = 0; layer < kTallyLayers; ++layer) {
        double const depth = 1 - static_cast<double>(layer + 1) / kTallyLayers;
        double const expected =
            (std::exp(-kSigma * depth) - std::exp(-kSigma * (depth + 1.0 / kTallyLayers))) / cell_mm3;
        auto const i = static_cast<std::size_t>(layer);
        auto const error = static_cast<double>(render.tally.standard_errors[i]);
        EXPECT_NEAR(render.tally.values[i], expected, 5 * error) << layer;
        // 65536 particles, each absorbed here or not.
        double const share = expected * cell_mm3;
        double const binomial = std::sqrt(share * (1 - share) / 65536) / cell_mm3;
        EXPECT_GT(error, 0.5 * binomial) << layer;
        EXPECT_LT(error, 1.8 * binomial) << layer;
    }
    EXPECT_NEAR(render.energy.transmitted, std::exp(-kSigma), 0.005);
    EXPECT_NEAR(add_shares(render.energy), 1, 1e-6);
}

TEST(Tally, FluenceTimesAbsorptionIsAbsorbed)
{
    constexpr double kSigma = 8, kOneMinusAlbedo = 0.125;
    PackedVolume const volume = make_bare_cube(kSigma, kOneMinusAlbedo);
    Scene const scene = make_beam_scene(volume);
    TalliedRender const absorbed = render_tally(scene, volume, "absorbed:grid=2x2x2", 4096);
    TalliedRender const fluence = render_tally(scene, volume, "fluence:grid=2x2x2", 4096);
    double whole = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        double const expected = kSigma * kOneMinusAlbedo * static_cast<double>(fluence.tally.values[i]);
        double const error =
            std::hypot(absorbed.tally.standard_errors[i],
                       kSigma * kOneMinusAlbedo * static_cast<double>(fluence.tally.standard_errors[i]));
        EXPECT_NEAR(absorbed.tally.values[i], expected, 5 * error) << i;
        EXPECT_GT(absorbed.tally.values[i], 5 * error) << i;
        whole += static_cast<double>(absorbed.tally.values[i]) / 8;
    }
    EXPECT_NEAR(whole, absorbed.energy.absorbed, 1e-5);
    EXPECT_NEAR(add_shares(absorbed.energy), 1, 1e-5);
}

TEST(Tally, TheFilmIsTheSameWithIt)
{
    PackedVolume const volume = make_bare_cube(8, 0.125f);
    Scene const scene = make_beam_scene(volume);
    std::string const plain = to_hex(hash_film(render_scene(scene, volume, {0, 64})));
    for (char const* tally : {"absorbed", "fluence"})
        EXPECT_EQ(to_hex(hash_film(render_tally(scene, volume, tally, 64).film)), plain) << tally;
}

TEST(Tally, ThreadsAndTilesGiveTheSameBits)
{
    PackedVolume const volume = make_bare_cube(8, 0.125f);
    Scene const scene = make_beam_scene(volume, 20);
    TalliedRender const one = render_tally(scene, volume, "fluence:grid=3x4x5", 64);
    RenderOptions const tiles{.threads = 2, .tile_size = 7};
    for (RenderOptions const& options : {RenderOptions{.threads = 3}, tiles}) {
        TalliedRender const other = render_tally(scene, volume, "fluence:grid=3x4x5", 64, options);
        EXPECT_EQ(other.tally.values, one.tally.values);
        EXPECT_EQ(other.tally.standard_errors, one.tally.standard_errors);
        EXPECT_EQ(other.energy.reflected, one.energy.reflected);
    }
}

TEST(Tally, GatesPartTheTallyByTimeAndCutWhatIsLater)
{
    // Straight down 1 mm without scattering, from 2 mm above; gates of half a millimetre. Who meets nothing leaves
    // after the last one.
    PackedVolume const volume = make_bare_cube(2, 1);
    char const* const tally = "absorbed:gates=5,ns=0.00166782047599076,grid=1x1x2";
    TalliedRender const render = render_tally(make_beam_scene(volume), volume, tally, 1024);
    std::size_t const at_top = 4 * 2 + 1; // 2 to 2.5 mm of the way are gate 4
    for (std::size_t i = 0; i < render.tally.values.size(); ++i)
        EXPECT_EQ(render.tally.values[i] > 0, i == at_top) << i;
    EXPECT_NEAR(render.tally.values[at_top], 2 * (1 - std::exp(-1.0)), 5 * render.tally.standard_errors[at_top]);
    EXPECT_NEAR(render.energy.cut, std::exp(-1.0), 0.02);
    EXPECT_EQ(render.energy.transmitted, 0);
}

TEST(Tally, ATimeLimitLeavesSumsOfWholeSamples)
{
    PackedVolume const volume = make_bare_cube(8, 0.125f);
    RenderScene scene(make_beam_scene(volume, 20), volume, nullptr, 7);
    TallySums const sums(parse_tally("--tally", "absorbed"), scene.view(), {});
    scene.attach_tally(sums.view());
    Film film = make_film(scene, 7);
    RenderOptions options;
    options.time_limit_s = 0.05;
    EXPECT_EQ(render_film(scene, film, {0, std::uint64_t{1} << 24}, options).end, RenderEnd::time_limit);
    EXPECT_NEAR(sums.measure_launched()[0] / static_cast<double>(film.statistics.paths), 1, 1e-6);
}

} // namespace
} // namespace volpt::test
