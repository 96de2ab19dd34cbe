// Bidirectional paths have the means of paths from the film and of particles, whatever the lights and the media.
#include "tests/statistical/lit_scenes.h"
#include "tests/support/make_nested_solids.h"

namespace volpt::test {
namespace {

void expect_bidirectional(Scene scene, PackedVolume const& volume, std::uint32_t samples, std::string const& what,
                          Integrator truth = Integrator::path)
{
    scene.integrator = truth;
    Measurement const expected = measure_radiance(scene, volume, samples / kHaste)[0];
    scene.integrator = Integrator::bdpt;
    for (MisHeuristic const heuristic : {MisHeuristic::balance, MisHeuristic::power}) {
        scene.heuristic = heuristic;
        expect_equal_means(expected, measure_by_seeds(scene, volume, samples / kHaste)[0], what);
    }
}

TEST(Bidirectional, LampsOverAGround)
{
    PackedVolume const volume = make_object_medium(2, 0.1f);
    auto const look = [&](Emitter const& lamp, std::string const& what) {
        Scene scene = make_scene(volume, 8, 6);
        scene.ground.kind = GroundKind::diffuse;
        scene.ground.albedo = {0.6f};
        add_emitter(scene, lamp);
        expect_bidirectional(scene, volume, 4800, what);
    };
    look(make_point({1, 1, 4}, 1), "point");
    look(make_sized(EmitterKind::sphere, {1, 1, 4}, 0.5, 20), "sphere");
    look(make_sized(EmitterKind::disk, {1, 1, 4}, 0.5, 20), "disk");
    Emitter spot = make_emitter(EmitterKind::spot, {1.5, 1.2, 5}, 3);
    spot.angle_deg = 30;
    spot.inner_angle_deg = 20;
    look(spot, "spot");
    look(make_disc_beam({1.2, 1.1, 6}, 0.4, 2), "beam");
}

TEST(Bidirectional, DistantLightOnACloud)
{
    PackedVolume const cloud = make_cloud();
    Scene scene = make_scene(cloud, 8, 6);
    scene.environment = {EnvironmentKind::hemispheres, {1.0f}, {0.25f}, {}, 4, 0};
    expect_bidirectional(scene, cloud, 4800, "environment");
    for (double const angle : {0.0, 5.0}) {
        scene = make_scene(cloud, 8, 6);
        add_emitter(scene, make_sun_emitter(angle));
        expect_bidirectional(scene, cloud, 4800, "sun " + std::to_string(angle));
    }
}

TEST(Bidirectional, ProbesSeenDiffusely)
{
    PackedVolume const cube = make_milk_cube();
    for (bool const refracts : {false, true}) {
        Scene scene = make_probe(cube, 4, 4);
        scene.camera.view = ProbeView::diffuse;
        if (!refracts) scene.boundary = {};
        add_emitter(scene, make_disc_beam({0.2, 0.1, 6}, 0.4, 2));
        expect_bidirectional(scene, cube, 48000, refracts ? "probe, refracting" : "probe", Integrator::light);
        scene.emitters.clear();
        add_emitter(scene, make_sun_emitter(5));
        expect_bidirectional(scene, cube, 48000, refracts ? "sun, refracting" : "sun", Integrator::light);
    }
}

TEST(Bidirectional, LampBehindARefractingBoundary)
{
    PackedVolume const cube = make_milk_cube();
    Scene scene = make_scene(cube, 8, 6);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    add_emitter(scene, make_sized(EmitterKind::sphere, {1, 1, 5}, 1.5, 20));
    expect_bidirectional(scene, cube, 24000, "smooth");
    scene.boundary = {BoundaryKind::rough, 1.5, 1.0, 0.3};
    expect_bidirectional(scene, cube, 24000, "rough");
}

TEST(Bidirectional, IndexMatchedSolids)
{
    PackedVolume const nest = pack_solids(make_matched_nest(), 4);
    Scene scene = make_scene(nest, 8, 6);
    add_emitter(scene, make_sized(EmitterKind::sphere, {0, 0.5, 3}, 0.5, 20));
    expect_bidirectional(scene, nest, 4800, "nest");
}

/// Predicted variances of pixels, against the spread of renders of different seeds. All places of a pixel look alike,
/// so that stratified samples do not spread less than independent ones.
TEST(Bidirectional, ErrorsOfPixelsAreThoseOfTheirSpread)
{
    PackedVolume const cube = make_milk_cube();
    Scene scene = make_probe(cube, 4, 4);
    scene.camera.view = ProbeView::diffuse;
    scene.integrator = Integrator::bdpt;
    add_emitter(scene, make_disc_beam({1, 1, 6}, 2, 2));
    std::uint32_t const seeds = 800 / kHaste, samples = 12;
    std::vector<double> sums(16), squares(16);
    double predicted = 0, of_particles = 0;
    for (std::uint32_t seed = 0; seed < seeds; ++seed) {
        Film const film = render_scene(scene, cube, {0, samples}, {}, 1000 + seed);
        visit_pixels(film, 0, [&](std::size_t pixel, PixelSums const& at, std::size_t) {
            double const mean = mean_of(at, film.sum_log2());
            sums[pixel] += mean;
            squares[pixel] += mean * mean;
            predicted += variance_of_mean(at, film.sum_log2(), film.square_log2()) / seeds;
            of_particles += variance_of_particles(at, film.sum_log2(), film.square_log2()) / seeds;
        });
    }
    double spread = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) spread += (squares[i] - sums[i] * sums[i] / seeds) / (seeds - 1);
    EXPECT_NEAR(predicted / spread, 1, kHaste == 1 ? 0.1 : 0.4);
    EXPECT_GT(of_particles / predicted, 0.05); // else splats are not tested
    EXPECT_LT(of_particles / predicted, 0.95);
}

} // namespace
} // namespace volpt::test
