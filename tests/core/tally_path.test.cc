// Particles that no film sees, and both estimators of fluence.
#include "libvolpt/core/light/particle_path.hd.h"

#include "tests/core/particle_scene.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr EnergyKind kKinds[] = {EnergyKind::launched,       EnergyKind::reflected, EnergyKind::transmitted,
                                 EnergyKind::absorbed,       EnergyKind::cut,       EnergyKind::roulette_lost,
                                 EnergyKind::roulette_gained};

TEST(TallyPath, BecomesWhatParticlesThatAFilmSeesBecome)
{
    for (BoundaryView const& boundary :
         {BoundaryView{}, BoundaryView{BoundaryKindView::smooth, 1.5f, 1 / 1.5f, 0, MicrofacetsView::single, 1}}) {
        BoxSpec const spec{2, {0.1f, 0.3f, 0.5f}, 0.6f};
        ParticleScene seen(spec, make_pencil_beam()), unseen(spec, make_pencil_beam());
        for (ParticleScene* const made : {&seen, &unseen}) {
            made->scene.boundary = boundary;
            made->scene.depth_limit = 12;
            made->scene.roulette = make_roulette(0.5f);
            made->set_tally(TallyKind::absorbed, {1, 1, 2});
        }
        seen.run<3>(30000);
        unseen.run_without_film<3>(30000);
        EXPECT_EQ(unseen.counts.shadow_rays, 0u);
        for (std::uint32_t b = 0; b < 3; ++b) {
            for (EnergyKind const kind : kKinds) EXPECT_NEAR(seen.energy(kind, b), unseen.energy(kind, b), 0.01);
            double const in = unseen.energy(EnergyKind::launched, b) + unseen.energy(EnergyKind::roulette_gained, b);
            double out = 0;
            for (EnergyKind const kind : {EnergyKind::reflected, EnergyKind::transmitted, EnergyKind::absorbed,
                                          EnergyKind::cut, EnergyKind::roulette_lost})
                out += unseen.energy(kind, b);
            EXPECT_NEAR(in, out, 5e-7 * in);
            EXPECT_NEAR(unseen.tally_total(b), unseen.energy(EnergyKind::absorbed, b), 2e-7);
        }
    }
}

ParticleScene& sum_by(ParticleScene& made, FluenceEstimator estimator, std::array<std::uint32_t, 3> dims,
                      std::uint32_t gates = 1)
{
    made.set_tally(TallyKind::fluence, dims, gates);
    made.scene.tally.fluence = estimator;
    return made;
}

/// 4 x 8 x 4 mm without a medium.
BoxSpec make_void()
{
    return {0x1p-60f, {1}};
}

TEST(FluenceByLength, OfABeamThroughNothingIsItsWay)
{
    ParticleScene made(make_void(), make_pencil_beam());
    sum_by(made, FluenceEstimator::length, {3, 3, 5}).run_without_film<1>(64);
    for (std::size_t cell = 0; cell < 45; ++cell)
        EXPECT_NEAR(made.tally(0, cell), cell % 9 == 4 ? 0.8 : 0.0, 1e-6) << cell;
}

/// Obliquely, from the middle of a face, through cells of 2 x 4 x 1 mm.
TEST(FluenceByLength, IsThatOfEachCellOnTheWay)
{
    EmitterView beam = make_pencil_beam({1, 4.5f, -1});
    beam.direction = normalize({1, 0.5f, 2});
    ParticleScene made(make_void(), beam);
    sum_by(made, FluenceEstimator::length, {2, 2, 4}).run_without_film<1>(64);
    double const per_z = std::sqrt(1 + 0.25 + 4) / 2; // mm of way per mm of z
    // Enters at x = 1.5; x = 2 at z = 1, x = 3.5 at z = 4.
    for (std::uint32_t layer = 0; layer < 4; ++layer)
        for (std::uint32_t column = 0; column < 2; ++column)
            EXPECT_NEAR(made.tally(0, layer * 4 + 2 + column), (layer == 0) == (column == 0) ? per_z : 0.0, 2e-6);
    EXPECT_NEAR(made.tally_total(), 4 * per_z, 1e-5);
}

TEST(FluenceByLength, IsCutWhereGatesEnd)
{
    ParticleScene made(make_void(), make_pencil_beam());
    sum_by(made, FluenceEstimator::length, {1, 1, 2}, 4);
    TallyView& tally = made.scene.tally;
    tally.gate_optical_mm = 2; // 3 mm outside, of index 1
    tally.index_inside = 1.2f;
    made.run_without_film<1>(64);
    // Of 4 mm, 1 optical mm in gate 1, then 2 in gate 2, then the rest in gate 3.
    double const by_gate[4] = {0, 1 / 1.2, 2 / 1.2, 4 - 3 / 1.2};
    for (std::uint32_t gate = 0; gate < 4; ++gate)
        EXPECT_NEAR(made.tally(gate, 0) + made.tally(gate, 1), by_gate[gate], 1e-6);
    EXPECT_NEAR(made.tally(2, 0), 2 - 1 / 1.2, 1e-6);
    EXPECT_NEAR(made.energy(EnergyKind::transmitted), 1, 1e-9) << "leaves in the last gate";
}

TEST(FluenceByLength, AgreesWithCollisions)
{
    for (bool const refracts : {false, true}) {
        BoxSpec const spec{1.5f, {0.1f}, 0.5f};
        ParticleScene length(spec, make_pencil_beam()), collision(spec, make_pencil_beam());
        for (ParticleScene* const made : {&length, &collision})
            if (refracts)
                made->scene.boundary = {BoundaryKindView::smooth, 1.5f, 1 / 1.5f, 0, MicrofacetsView::single, 1};
        sum_by(length, FluenceEstimator::length, {1, 1, 4}).run<1>(40000);
        sum_by(collision, FluenceEstimator::collision, {1, 1, 4}).run<1>(40000);
        for (std::size_t layer = 0; layer < 4; ++layer)
            EXPECT_NEAR(length.tally(0, layer), collision.tally(0, layer), 0.025 * collision.tally(0, layer)) << layer;
    }
}

/// Whatever scatters inside, isotropic light that comes in over all of the surface stays for 4 V / S (Blanco & Fournier
/// 2003).
TEST(FluenceByLength, OfAWhiteBodyInEvenLightIsFourVolumesPerSurface)
{
    BoxSpec const spec{1.5f, {0}, 0.7f};
    ParticleScene made(spec, make_pencil_beam());
    made.scene.lights.count = 0;
    made.scene.lights.environment_choice = 1;
    made.scene.lights.scene_centre_mm = {2, 4, 2};
    made.scene.lights.scene_radius_mm = 5;
    made.scene.environment.above[0] = 1;
    made.scene.lights.reference_power_w = 4 * std::numbers::pi_v<float> * std::numbers::pi_v<float> * 25;
    sum_by(made, FluenceEstimator::length, {1, 1, 1}).run_without_film<1>(100000);
    double const surface_mm2 = 2 * (4 * 8 + 8 * 4 + 4 * 4), volume_mm3 = 4 * 8 * 4;
    double const hits = surface_mm2 / (4 * std::numbers::pi * 25); // of the particles that cross the ball
    EXPECT_NEAR(made.tally_total(), hits * 4 * volume_mm3 / surface_mm2, 0.02);
}

} // namespace
} // namespace volpt::test
