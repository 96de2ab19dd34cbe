// Slabs of published or independently computed reflectance: MCML's, Giovanelli's, and the printer's inks.
#include "tests/statistical/ink_slabs.h"
#include "tests/statistical/isotropic_entry.h"

namespace volpt::test {
namespace {

TEST(Slabs, MatchedSlabReflectsAndTransmitsAsVanDeHulstTabulates)
{
    // mu_a 10/cm, mu_s 90/cm, g 0.75, 0.02 cm (Wang, Jacques & Zheng 1995, table 1): in mm, sigma_t 10, albedo 0.9.
    PackedVolume const volume = make_slab(20, 0.2, {0}, {"tissue", {10}, {0.1f}, 0.75f});
    for (MajorantKind const majorant : {MajorantKind::local, MajorantKind::global}) {
        Scene scene = look_down(volume, 0.1);
        scene.majorant = majorant;
        light_from_above(scene);
        expect_truth(measure_radiance(scene, volume, 256 / kHaste)[0], 0.09739, 1e-5, "R");
        light_from_below(scene);
        expect_truth(measure_radiance(scene, volume, 256 / kHaste)[0], 0.66096, 1e-5, "T");
    }
}

TEST(Slabs, ReflectanceAndTransmittanceDoNotDependOnRoulette)
{
    PackedVolume const volume = make_slab(20, 0.2, {0}, {"tissue", {10}, {0.1f}, 0.75f});
    for (float const w_min : {0.0f, 0.1f, 1.0f}) {
        Scene scene = look_down(volume, 0.1);
        scene.roulette_w_min = w_min;
        light_from_above(scene);
        expect_truth(measure_radiance(scene, volume, 128 / kHaste)[0], 0.09739, 1e-5, "R");
    }
}

TEST(Slabs, SemiInfiniteRefractingMediumReflectsAsGiovanelliAndMcmlSay)
{
    // mu_a 10/cm, mu_s 90/cm, g 0, n 1.5; 100 mean free paths deep. Giovanelli 1955: 0.2600; MCML: 0.25907 +- 0.0017.
    PackedVolume const volume = make_slab(100, 10, {0}, {"resin", {10}, {0.1f}, 0.0f});
    Scene scene = look_down(volume, 0.1);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    light_from_above(scene);
    Measurement const reflectance = measure_radiance(scene, volume, 256 / kHaste)[0];
    expect_truth(reflectance, 0.2600, 5e-4, "R");
    EXPECT_NEAR(reflectance.mean, 0.25907, 0.0017) << "MCML";
}

TEST(Slabs, InksReflectAsAddingDoublingSays)
{
    for (Ink const& ink : kInks) {
        PackedVolume const volume = make_slab(400, 10, {0, 1, 2}, ink.material);
        Scene scene = look_down(volume, 1);
        scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
        light_from_above(scene);
        std::vector<Measurement> const bands = measure_radiance(scene, volume, 64 / kHaste);
        for (std::size_t b = 0; b < 3; ++b)
            expect_truth(bands[b], ink.reflectance[b], 1e-4, ink.material.name + " band " + std::to_string(b));
    }
}

Scene look_at_white(PackedVolume const& volume, std::uint32_t edge)
{
    Scene scene = look_down(volume, 1, edge);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    scene.roulette_w_min = 0;
    light_from_above(scene);
    return scene;
}

TEST(Slabs, PathsCollideInWhiteAsOftenAsComputedAtNormalView)
{
    // Truths are of paths that nothing ends inside; with W's own albedo the longest end where the film no longer sees
    // them.
    double const truths[] = {293, 440, 1180};
    for (std::uint32_t band = 0; band < 3; ++band) {
        PackedVolume const volume = make_white_band(band, Albedo::one);
        Scene const scene = look_at_white(volume, kHaste == 1 ? 64 : 16);
        Measurement const collisions =
            measure_per_path(count_batches(scene, volume, 64, 1), [](PathCounts const& counts) {
                return counts.tentative_collisions; // all real: one material fills the volume
            });
        expect_truth(collisions, truths[band], truths[band] * 0.005, "band " + std::to_string(band));
    }
}

IsotropicTransport follow_into_white(std::uint32_t band, Albedo albedo, std::uint32_t paths)
{
    PackedVolume const volume = make_white_band(band, albedo);
    RenderScene const built(look_at_white(volume, 64), volume, nullptr, 3);
    return follow_paths<Medium<1, Extinction::label, MajorantGrid::local>>(built.view(), EntryFaces::top, paths);
}

TEST(Slabs, CosineWeightedLightCollidesInWhiteNSquaredTimesTwiceTheDepth)
{
    for (std::uint32_t band = 0; band < 3; ++band) {
        double const sigma_t = static_cast<double>(kInks[4].material.sigma_t[band]);
        expect_truth(follow_into_white(band, Albedo::one, 20000 / kHaste).collisions, sigma_t * 1.5 * 1.5 * 2 * 10, 0,
                     "band " + std::to_string(band));
    }
}

TEST(Slabs, CosineWeightedLightIsReflectedByWhiteAsComputed)
{
    double const truths[] = {0.8242, 0.8909, 0.8179};
    for (std::uint32_t band = 0; band < 3; ++band)
        expect_truth(follow_into_white(band, Albedo::own, 20000 / kHaste).radiance, truths[band], 1e-4,
                     "band " + std::to_string(band));
}

} // namespace
} // namespace volpt::test
