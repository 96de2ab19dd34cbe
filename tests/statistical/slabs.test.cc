// Slabs of published or independently computed reflectance: MCML's, Giovanelli's, and the printer's inks.
#include "tests/statistical/isotropic_entry.h"

namespace volpt::test {
namespace {

/// One voxel, wide enough that no light comes to its sides.
PackedVolume make_slab(double width_mm, double thickness_mm, std::vector<std::uint32_t> bands, Material const& material)
{
    VolumeMeta meta;
    meta.dims = {1, 1, 1};
    meta.pitch_mm = {static_cast<float>(width_mm), static_cast<float>(width_mm), static_cast<float>(thickness_mm)};
    meta.band_numbers = std::move(bands);
    meta.constant_extinction.assign(meta.bands(), 1.0f);
    meta.constant_one_minus_albedo.assign(meta.bands(), 0.0f);
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    return make_volume(meta, {.label = [](int, int, int) { return 0; }}, {material});
}

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

struct Ink {
    Material material;
    double
        reflectance[3]; ///< 10 mm, n 1.5 smooth on both faces, g 0.4, normal view, specular included (adding-doubling)
};

Ink const kInks[] = {
    {{"C", {9.0f, 4.5f, 7.5f}, {0.95f, 0.3f, 0.02f}, 0.4f}, {0.0409, 0.0883, 0.4218}},
    {{"M", {2.5f, 3.0f, 10.0f}, {0.02f, 0.9f, 0.1f}, 0.4f}, {0.4218, 0.0420, 0.1915}},
    {{"Y", {2.25f, 3.75f, 19.0f}, {0.003f, 0.005f, 0.85f}, 0.4f}, {0.6807, 0.6262, 0.0432}},
    {{"K", {5.0f, 5.5f, 6.5f}, {0.65f, 0.65f, 0.65f}, 0.4f}, {0.0504, 0.0504, 0.0504}},
    {{"W", {6.0f, 9.0f, 24.0f}, {0.0009f, 0.0003f, 0.001f}, 0.4f}, {0.8090, 0.8813, 0.8022}},
};

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

enum class Albedo { own, one };

/// One band of W alone.
PackedVolume make_white_band(std::uint32_t band, Albedo albedo)
{
    Material const& white = kInks[4].material;
    float const loss = albedo == Albedo::own ? white.one_minus_albedo[band] : 0.0f;
    return make_slab(400, 10, {band}, {"W", {white.sigma_t[band]}, {loss}, white.g});
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
