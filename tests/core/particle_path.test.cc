// Particles: what becomes of their energy, their tallies, and their light on the film.
#include "libvolpt/core/light/particle_path.hd.h"

#include "tests/core/particle_scene.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

template <int bands>
void expect_balance(ParticleScene& made, std::uint32_t particles)
{
    made.run<bands>(particles);
    for (std::uint32_t b = 0; b < bands; ++b) {
        double const in = made.energy(EnergyKind::launched, b) + made.energy(EnergyKind::roulette_gained, b);
        double out = 0;
        for (EnergyKind const kind : {EnergyKind::reflected, EnergyKind::transmitted, EnergyKind::absorbed,
                                      EnergyKind::cut, EnergyKind::roulette_lost})
            out += made.energy(kind, b);
        EXPECT_NEAR(in, out, 5e-7 * in);
    }
}

TEST(ParticlePath, EnergyThatComesInGoesOut)
{
    for (std::uint32_t const depth_limit : {0u, 4u})
        for (BoundaryView const& boundary :
             {BoundaryView{}, BoundaryView{BoundaryKindView::smooth, 1.5f, 1 / 1.5f, 0, MicrofacetsView::single, 1},
              BoundaryView{BoundaryKindView::rough, 1.5f, 1 / 1.5f, 0.5f, MicrofacetsView::single, 1}}) {
            ParticleScene one({}, make_pencil_beam());
            ParticleScene three({2, {0.1f, 0.3f, 0.5f}, 0.6f}, make_pencil_beam({2, 4, 1}));
            for (ParticleScene* const made : {&one, &three}) {
                made->scene.boundary = boundary;
                made->scene.depth_limit = depth_limit;
                made->scene.roulette = make_roulette(0.5f);
            }
            expect_balance<1>(one, 20000);
            expect_balance<3>(three, 20000);
            for (EnergyKind const kind : {EnergyKind::reflected, EnergyKind::transmitted, EnergyKind::absorbed,
                                          EnergyKind::roulette_lost, EnergyKind::roulette_gained}) {
                EXPECT_GT(one.energy(kind), 1e-3);
            }
            EXPECT_EQ(one.energy(EnergyKind::cut) > 1e-3, depth_limit != 0);
            EXPECT_EQ(one.energy(EnergyKind::launched), 1);
            EXPECT_NEAR(three.energy(EnergyKind::launched, 1), 0.5, 1e-9);
            EXPECT_NEAR(three.energy(EnergyKind::launched, 2), 0.25, 1e-9);
        }
}

TEST(ParticlePath, WhiteMediumAbsorbsNothing)
{
    ParticleScene made({3, {0}}, make_pencil_beam());
    made.set_tally(TallyKind::absorbed, {2, 2, 2});
    made.run<1>(5000);
    EXPECT_EQ(made.energy(EnergyKind::absorbed), 0);
    EXPECT_EQ(made.tally_total(), 0);
    EXPECT_NEAR(made.energy(EnergyKind::reflected) + made.energy(EnergyKind::transmitted), 1, 1e-9);
    EXPECT_GT(made.energy(EnergyKind::reflected), 0.1);
}

TEST(ParticlePath, AbsorbedTallyHoldsWhatTheMediumAbsorbs)
{
    ParticleScene made({2, {0.1f, 0.3f, 0.5f}, 0.3f}, make_pencil_beam());
    made.scene.roulette = make_roulette(0.25f);
    made.set_tally(TallyKind::absorbed, {4, 4, 4});
    made.run<3>(20000);
    for (std::uint32_t b = 0; b < 3; ++b) {
        double const absorbed = made.energy(EnergyKind::absorbed, b);
        EXPECT_GT(absorbed, 0.01);
        // A deposit's unit is 2^-24, rounded without bias.
        EXPECT_NEAR(made.tally_total(b), absorbed, 2e-7);
    }
}

TEST(ParticlePath, PencilBeamDecaysExponentially)
{
    float const sigma_t = 0.7f;
    std::uint32_t const particles = 100000, layers = 8;
    ParticleScene made({sigma_t, {1}}, make_pencil_beam());
    made.set_tally(TallyKind::absorbed, {3, 3, layers});
    made.run<1>(particles);
    for (std::uint32_t layer = 0; layer < layers; ++layer) {
        double const share = std::exp(-0.5 * sigma_t * layer) - std::exp(-0.5 * sigma_t * (layer + 1));
        for (std::size_t cell = 0; cell < 9; ++cell) {
            double const got = made.tally(0, layer * 9 + cell);
            if (cell == 4)
                EXPECT_NEAR(got, share, 4 * std::sqrt(share * (1 - share) / particles)) << layer;
            else
                EXPECT_EQ(got, 0) << "off the beam";
        }
    }
    EXPECT_NEAR(made.energy(EnergyKind::transmitted), 1 - made.tally_total(), 1e-7);
}

/// Fluence times the absorption coefficient is what is absorbed; two estimators, with errors of their own.
TEST(ParticlePath, FluenceIsAbsorbedEnergyPerAbsorptionCoefficient)
{
    BoxSpec const spec{1.5f, {0.2f}, 0.5f};
    ParticleScene absorbed(spec, make_pencil_beam()), fluence(spec, make_pencil_beam());
    absorbed.set_tally(TallyKind::absorbed, {1, 1, 4});
    fluence.set_tally(TallyKind::fluence, {1, 1, 4});
    absorbed.run<1>(50000);
    fluence.run<1>(50000);
    for (std::size_t layer = 0; layer < 4; ++layer) {
        double const expected = absorbed.tally(0, layer);
        EXPECT_GT(expected, 0.01);
        EXPECT_NEAR(0.3 * fluence.tally(0, layer), expected, 0.02 * expected) << layer;
    }
}

/// In layers of which each has a density of its own: null collisions count as real ones do.
TEST(ParticlePath, FluenceOfAVaryingMediumIsThatOfItsAbsorption)
{
    std::vector<std::uint32_t> table;
    std::vector<float> majorants;
    float const sigma_t[2] = {0.4f, 1.6f};
    for (float const value : sigma_t) {
        table.push_back(kConstantBrick);
        table.push_back(bits_from_float(value));
        majorants.push_back(value);
    }
    std::uint32_t const no_words[1] = {0};
    for (MajorantGrid const grid : {MajorantGrid::global, MajorantGrid::local}) {
        ParticleScene made({1.6f, {1}}, make_pencil_beam());
        MediumView& medium = made.scene.medium;
        medium.extinction = Extinction::density;
        medium.grid = grid;
        medium.density = make_plane_reader({table.data(), no_words, 1, Encoding::f32, 1, 1, 2});
        medium.local_majorants = majorants.data();
        made.set_tally(TallyKind::fluence, {1, 1, 2});
        made.run<1>(100000);
        double const first = (1 - std::exp(-2 * 0.4)) / 0.4;
        double const second = std::exp(-2 * 0.4) * (1 - std::exp(-2 * 1.6)) / 1.6;
        EXPECT_NEAR(made.tally(0, 0), first, 0.01 * first);
        EXPECT_NEAR(made.tally(0, 1), second, 0.02 * second);
    }
}

/// An isotropic point source in an absorbing medium: exp(-mu r) / (4 pi r^2).
TEST(ParticlePath, PointSourceHasTheFluenceOfItsNearField)
{
    float const sigma_t = 0.5f;
    int const cells = 5, steps = 20;
    BoxSpec const spec{sigma_t, {1}, 0, {40, 40, 40}, {0.25f, 0.25f, 0.25f}};
    ParticleScene made(spec, make_point_source({5, 5, 5}));
    made.set_tally(TallyKind::fluence, {cells, cells, cells});
    made.run<1>(200000);
    for (int z = 0; z < cells; ++z)
        for (int x = 0; x < cells; ++x) {
            if (x == 2 && z == 2) continue;
            double sum = 0;
            for (int i = 0; i < steps * steps * steps; ++i) {
                double const px = 2 * (x + (i % steps + 0.5) / steps) - 5;
                double const py = 2 * (2 + (i / steps % steps + 0.5) / steps) - 5;
                double const pz = 2 * (z + (i / steps / steps + 0.5) / steps) - 5;
                double const r2 = px * px + py * py + pz * pz;
                sum += std::exp(-sigma_t * std::sqrt(r2)) / (4 * std::numbers::pi * r2) * 8 / (steps * steps * steps);
            }
            double const got = made.tally(0, static_cast<std::size_t>((z * cells + 2) * cells + x));
            // A collision in the cell, of weight 2 mm.
            EXPECT_NEAR(got, sum, 4 * std::sqrt(2 * sum / 200000)) << x << " " << z;
        }
}

TEST(ParticlePath, GatesAreOpticalPathLengths)
{
    // 3 mm outside, of index 1; inside, a gate of 1 optical mm is 0.5 mm long.
    ParticleScene made({0.7f, {1}}, make_pencil_beam());
    made.set_tally(TallyKind::absorbed, {1, 1, 8}, 8);
    TallyView& tally = made.scene.tally;
    tally.gate_optical_mm = 1;
    tally.index_inside = 2;
    made.run<1>(50000);
    double total = 0;
    for (std::uint32_t gate = 0; gate < 8; ++gate)
        for (std::size_t layer = 0; layer < 8; ++layer) {
            EXPECT_EQ(made.tally(gate, layer) > 0, layer + 3 == gate) << gate << " " << layer;
            total += made.tally(gate, layer);
        }
    double const past = std::exp(-0.7 * 2.5);
    EXPECT_NEAR(total, 1 - past, 0.01);
    EXPECT_NEAR(made.energy(EnergyKind::cut) + made.energy(EnergyKind::transmitted), past, 0.01);
    EXPECT_NEAR(made.energy(EnergyKind::cut) + made.energy(EnergyKind::transmitted) + total, 1, 1e-6);
    EXPECT_NEAR(made.energy(EnergyKind::absorbed), total, 1e-6);
}

TEST(ParticlePath, GroupsHoldEqualShares)
{
    ParticleScene made({5, {1}}, make_pencil_beam());
    made.set_tally(TallyKind::absorbed, {1, 1, 1});
    made.run<1>(16 * 4);
    for (std::uint32_t group = 0; group < kTallyGroups; ++group)
        EXPECT_EQ(made.scene.tally.sums[group], 4u << 24) << "a medium that lets nothing through";
}

TEST(ParticlePath, ProbedFaceShowsAllThatLeavesThroughIt)
{
    // So wide that light leaves through two faces alone; the probe is the one where the beam comes in.
    BoxSpec const spec{2, {0.05f}, 0.2f, {8, 8, 16}, {1000, 1000, 0.25f}};
    for (bool const refracts : {false, true}) {
        ParticleScene made(spec, make_pencil_beam({4000, 4000, -3}));
        made.set_film(3, 3);
        if (refracts) made.scene.boundary = {BoundaryKindView::smooth, 1.5f, 1 / 1.5f, 0, MicrofacetsView::single, 1};
        made.scene.camera = {1, {4, 4, 0}, {0, 0, 1}, {0, 3, 0}, {-3, 0, 0}, Aim::hemisphere};
        double film = 0;
        made.run<1>(2000, [&](ParticlePath<1> const& path) {
            EXPECT_TRUE(path.slot == kNoSlot || path.slot == 4) << "of the pixels, the beam's";
            EXPECT_EQ(path.slot == kNoSlot, path.throughput[0] == 0.0f);
            film += static_cast<double>(path.throughput[0]);
        });
        double const area_mm2 = 6000.0 * 6000.0;
        double const reflected = made.energy(EnergyKind::reflected);
        EXPECT_GT(reflected, 0.1);
        EXPECT_NEAR(film * std::numbers::pi * area_mm2 / made.particles, reflected, 1e-6);
    }
}

/// A beam seen from aside after one scattering: of what it loses, 1 / (4 pi) a steradian goes towards the film.
TEST(ParticlePath, OneScatteringOfABeamIsItsIntegral)
{
    float const sigma_t = 0.8f;
    ParticleScene made({sigma_t, {0.25f}}, make_pencil_beam());
    made.scene.depth_limit = 2;
    int const rows = 4;
    made.set_film(1, rows);
    // Along +x, over z from 0 to 4 mm, which the film has from the bottom up; 8 mm wide.
    made.scene.camera = {1, {-10, 4, 8}, {1, 0, 0}, {0, 4, 0}, {0, 0, 8}, Aim::pixel};
    std::vector<ParticleMean> film(rows);
    made.run<1>(20000, [&](ParticlePath<1> const& path) {
        for (std::uint32_t row = 0; row < rows; ++row)
            film[row].add(path.slot == row ? static_cast<double>(path.throughput[0]) : 0.0);
    });
    for (std::uint32_t row = 0; row < rows; ++row) {
        double const z = 4.0 - (row + 1);
        double const lost = std::exp(-sigma_t * z) - std::exp(-sigma_t * (z + 1));
        double const expected = 0.75 * lost * std::exp(-sigma_t * 2) / (4 * std::numbers::pi) / (8 * 4);
        EXPECT_NEAR(film[row].mean(), expected, 4 * film[row].error()) << row;
        EXPECT_GT(film[row].error(), 0) << "nothing was measured";
    }
}

/// The mean radiance of a pixel times its area at distance 1 and cos^3 is the light per area across the ray.
TEST(ParticlePath, PinholeSeesAShortBeamAsAPoint)
{
    // 0.04 mm deep: a point that scatters 1 - exp(-0.4), of albedo 0.75.
    BoxSpec const spec{10, {0.25f}, 0, {8, 8, 8}, {0.5f, 0.5f, 0.005f}};
    for (Vec3 const target : {Vec3{0, 0, -1}, Vec3{0.7f, -0.4f, -1}}) {
        ParticleScene made(spec, make_pencil_beam({2, 2, -3}));
        made.scene.depth_limit = 2;
        made.set_film(3, 5);
        // From 20 mm above the beam, turned so that it appears beside the middle; film 3 x 5 at distance 2.
        CameraView& camera = made.scene.camera;
        camera.origin = {4, 4, 20 / 0.005f};
        Vec3 const forward = normalize(target);
        Vec3 const right = normalize(cross(forward, {0, 1, 0}));
        camera.parallel = 0;
        camera.forward = 2.0f * forward;
        camera.right = 1.5f * right;
        camera.up = 2.5f * cross(right, forward);
        camera.aim = Aim::pixel;
        ParticleMean film;
        std::vector<int> hits(15);
        made.run<1>(3000, [&](ParticlePath<1> const& path) {
            film.add(static_cast<double>(path.throughput[0]));
            if (path.slot != kNoSlot) ++hits[path.slot];
        });
        double const cosine = static_cast<double>(-forward.z);
        double const pixel_area = 1.0 / 4;          // at distance 1
        double const film_value = film.mean() * 15; // of a pixel: the mean over its own samples
        // Mean over depth of exp(-10 z) times that of the way back.
        double scattered = 0;
        for (int i = 0; i < 1000; ++i)
            scattered +=
                10 * std::exp(-10 * 0.04 * (i + 0.5) / 1000 - 10 * 0.04 * (1 - (i + 0.5) / 1000)) * 0.04 / 1000;
        double const per_area = 0.75 * scattered / (4 * std::numbers::pi) / (19.98 * 19.98);
        double const expected = per_area / (pixel_area * cosine * cosine * cosine);
        EXPECT_NEAR(film_value, expected, 4 * 15 * film.error() + 2e-3 * expected);
        // Where a path from the film has its ray.
        int const seen = static_cast<int>(std::max_element(hits.begin(), hits.end()) - hits.begin());
        EXPECT_EQ(hits[static_cast<std::size_t>(seen)], std::accumulate(hits.begin(), hits.end(), 0));
        float nearest = -1;
        int pixel = 0;
        for (int i = 0; i < 15; ++i) {
            Ray const ray =
                make_camera_ray(made.scene, static_cast<float>(i % 3) + 0.5f, static_cast<float>(i / 3) + 0.5f);
            if (-ray.direction.z > nearest) {
                nearest = -ray.direction.z;
                pixel = i;
            }
        }
        EXPECT_EQ(seen, pixel);
    }
}

TEST(ParticlePath, SignedDepositsAddToTheirSum)
{
    std::uint64_t sum = 5;
    add_to_sum(&sum, dither_to_sum(-3.0f, 1.0f, 0u));
    EXPECT_EQ(sum, 2u);
    add_to_sum(&sum, dither_to_sum(7.0f, 1.0f, 0xffffffffu));
    EXPECT_EQ(sum, 9u);
    EXPECT_EQ(dither_to_sum(0x1.8p40f, 1.0f, 0u), std::uint64_t{3} << 39);
    // 2.25 is 3 for a quarter of all bits, of either sign.
    EXPECT_EQ(dither_to_sum(2.25f, 1.0f, 0x3fffffffu), 3u);
    EXPECT_EQ(dither_to_sum(2.25f, 1.0f, 0x40000000u), 2u);
    EXPECT_EQ(dither_to_sum(-2.25f, 1.0f, 0x3fffffffu), ~std::uint64_t{3} + 1);
}

TEST(ParticlePath, TallyCellsCoverTheBox)
{
    TallyView tally;
    tally.dims[0] = 2;
    tally.dims[1] = 3;
    tally.dims[2] = 4;
    tally.cells_per_voxel = {0.25f, 0.5f, 1};
    EXPECT_EQ(find_tally_cell(tally, {0, 0, 0}), 0u);
    EXPECT_EQ(find_tally_cell(tally, {8, 6, 4}), 23u) << "the far corner";
    EXPECT_EQ(find_tally_cell(tally, {4, 1.9f, 2}), 2u * 6 + 1);
}

} // namespace
} // namespace volpt::test
