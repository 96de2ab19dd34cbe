// Probes measure the reflectance factor: inks against adding-doubling, energy that comes back whole, faces and
// backings.
#include "libvolpt/film/film_image.h"
#include "tests/statistical/ink_slabs.h"

namespace volpt::test {
namespace {

Measurement probe_mean(Scene const& scene, PackedVolume const& volume, std::uint64_t samples, std::size_t band = 0)
{
    return measure_radiance(scene, volume, samples)[band];
}

TEST(Probes, InkSlabsReflectAsAddingDoublingSays)
{
    for (Ink const& ink : kInks) {
        // A narrow slab: its seams make it endless.
        PackedVolume const volume = make_slab(3, 10, {0, 1, 2}, ink.material);
        Scene scene = make_probe(volume, 64, 64);
        scene.boundary.sides = Sides::periodic;
        std::vector<Measurement> const bands = measure_radiance(scene, volume, 32 / kHaste);
        for (std::size_t b = 0; b < 3; ++b)
            expect_truth(bands[b], ink.reflectance[b], 1e-4, ink.material.name + " band " + std::to_string(b));
    }
}

TEST(Probes, WhiteInkSeenFromAllDirectionsReflectsAndCollidesAsComputed)
{
    // The cosine-weighted view; collisions of never-absorbed paths are sigma_t n^2 2 L.
    double const reflectance[3] = {0.8242, 0.8909, 0.8179};
    double const collisions[3] = {270, 405, 1080};
    for (std::uint32_t band = 0; band < 3; ++band) {
        PackedVolume const volume = make_white_band(band, Albedo::own);
        Scene scene = make_probe(volume, 32, 32);
        scene.camera.view = ProbeView::diffuse;
        scene.boundary.sides = Sides::periodic;
        expect_truth(probe_mean(scene, volume, 64 / kHaste), reflectance[band], 1e-4, "R");

        PackedVolume const lossless = make_white_band(band, Albedo::one);
        scene.volume_checksum = lossless.data_checksum();
        auto const batches = count_batches(scene, lossless, 32, std::max<std::uint32_t>(1, 4 / kHaste));
        Measurement const mean = measure_per_path(batches, [](PathCounts const& c) { return c.tentative_collisions; });
        expect_truth(mean, collisions[band], 0.5, "collisions");
    }
}

TEST(Probes, WhiteAndMirrorBackingsSendAllEnergyBackInEveryBand)
{
    for (ProbeView const view : {ProbeView::normal, ProbeView::diffuse})
        for (Backing const backing : {Backing::white, Backing::mirror})
            for (BoundaryKind const boundary : {BoundaryKind::none, BoundaryKind::smooth}) {
                PackedVolume const volume = make_slab(1, 0.5, {0, 1, 2}, {"lossless", {1, 2, 4}, {0, 0, 0}, 0.4f});
                Scene scene = make_probe(volume);
                scene.camera.view = view;
                scene.boundary.kind = boundary;
                scene.boundary.backing = backing;
                scene.boundary.sides = Sides::periodic;
                Film const film = render_scene(scene, volume, {0, 2});
                for (std::uint64_t const sum : film.sums) ASSERT_EQ(sum, std::uint64_t{2} << film.sum_log2());
            }
}

TEST(Probes, EmptySlabReflectsAsItsTwoFacesAndItsBackingSay)
{
    // Two faces of r = 0.04 without absorption between: 2 r / (1 + r); a mirror or white behind it returns everything.
    PackedVolume const volume = make_slab(1, 1, {0}, {"glass", {0}, {0}, 0});
    Scene scene = make_probe(volume, 64, 64);
    scene.boundary.sides = Sides::periodic;
    expect_truth(probe_mean(scene, volume, 64), 0.08 / 1.04, 0, "black");
    scene.boundary.specular = Specular::excluded;
    expect_truth(probe_mean(scene, volume, 64), 0.08 / 1.04 - 0.04, 0, "black, specular excluded");
    scene.boundary.backing = Backing::mirror;
    expect_truth(probe_mean(scene, volume, 64), 0.96, 0, "mirror, specular excluded");
}

TEST(Probes, SpecularReflectionIsThePathsThatNeverGotInside)
{
    PackedVolume const volume = make_slab(3, 10, {0, 1, 2}, kInks[3].material);
    Scene scene = make_probe(volume, 64, 64);
    scene.boundary.sides = Sides::periodic;
    Film const included = render_scene(scene, volume, {0, 16});
    scene.boundary.specular = Specular::excluded;
    Film const excluded = render_scene(scene, volume, {0, 16});
    double first = 0;
    for (std::size_t i = 0; i < included.sums.size(); ++i)
        first += static_cast<double>(included.sums[i] - excluded.sums[i]);
    double const paths = static_cast<double>(included.statistics.paths);
    EXPECT_NEAR(std::ldexp(first, -included.sum_log2()) / paths, 0.04, 4 * std::sqrt(0.04 * 0.96 / paths));
}

TEST(Probes, SeamsMakeANarrowSlabEndless)
{
    // 0.2 mm wide, where light spreads over a millimetre.
    Material const& white = kInks[4].material;
    PackedVolume const narrow = make_slab(0.2, 2, {0, 1, 2}, white);
    PackedVolume const wide = make_slab(200, 2, {0, 1, 2}, white);
    Scene seams = make_probe(narrow, 48, 48);
    seams.boundary.sides = Sides::periodic;
    Scene const open = make_probe(wide, 48, 48);
    for (std::size_t band = 0; band < 3; ++band)
        expect_equal_means(probe_mean(seams, narrow, 32, band), probe_mean(open, wide, 32, band),
                           "band " + std::to_string(band));
}

TEST(Probes, TrilinearLookupsGoOnAcrossSeams)
{
    // One brick of 1/mm and two of nothing along x, repeated: plateaus of 7 and 15 voxels and two ramps of one voxel,
    // seen through twice to a mirror. Lookups that stopped at the faces would give 0.6746.
    VolumeMeta meta = density_meta({24, 8, 8});
    meta.constant_one_minus_albedo = {1};
    PackedVolume const volume = make_volume(meta, {.density = [](int x, int, int) { return x < 8 ? 1.0f : 0.0f; }});
    Scene scene = make_probe(volume, 64, 64);
    scene.boundary = {};
    scene.boundary.backing = Backing::mirror;
    scene.boundary.sides = Sides::periodic;
    double const depth = 3;
    scene.scale = static_cast<float>(depth / 2 / 8); // pitch 1 mm
    double const ramp = -std::expm1(-depth) / depth;
    for (MajorantKind const majorant : {MajorantKind::local, MajorantKind::global}) {
        scene.majorant = majorant;
        expect_truth(probe_mean(scene, volume, 512 / kHaste), (7 * std::exp(-depth) + 2 * ramp + 15) / 24, 1e-5,
                     majorant == MajorantKind::local ? "local" : "global");
    }
}

TEST(Probes, EveryFaceShowsWhatLiesBehindIt)
{
    // A box of six absorbing skins, each of its own single-scattering albedo; their edges meet far from the middle
    // texel.
    VolumeMeta meta;
    meta.dims = {24, 24, 24};
    meta.filter = Filter::nearest;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    std::vector<Material> skins;
    for (int face = 0; face < 6; ++face)
        skins.push_back({std::to_string(face), {20.0f}, {0.9f - 0.15f * static_cast<float>(face)}, 0});
    auto const nearest_face = [](int x, int y, int z) {
        int const gaps[6] = {23 - x, x, 23 - y, y, 23 - z, z};
        return static_cast<int>(std::min_element(gaps, gaps + 6) - gaps);
    };
    PackedVolume const volume = make_volume(meta, {.label = nearest_face}, skins);
    for (std::uint32_t face = 0; face < 6; ++face) {
        PackedVolume const slab = make_slab(24, 24, {0}, {"skin", {20}, skins[face].one_minus_albedo, 0});
        auto const measure_middle = [&](PackedVolume const& of, std::uint32_t probe_face) {
            Scene scene = make_probe(of, 3, 3);
            scene.camera.probe_face = probe_face;
            scene.boundary = {};
            Image const image = film_to_image(render_scene(scene, of, {0, 8192 / kHaste}));
            return Measurement{static_cast<double>(image.find("Y")->values[4]),
                               static_cast<double>(image.find("standard_error.Y")->values[4])};
        };
        expect_equal_means(measure_middle(volume, face), measure_middle(slab, 4), "face " + std::to_string(face));
    }
}

TEST(Probes, ChromaticBandsAreThoseOfTheOneBandVolumes)
{
    std::vector<Material> inks, one_band;
    for (Ink const& ink : {kInks[0], kInks[4]}) inks.push_back(ink.material);
    VolumeMeta meta;
    meta.dims = {16, 16, 24};
    meta.pitch_mm = {0.0423f, 0.0847f, 0.027f};
    meta.filter = Filter::nearest;
    meta.band_numbers = {0, 1, 2};
    meta.constant_extinction.assign(3, 1.0f);
    meta.constant_one_minus_albedo.assign(3, 0.0f);
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    auto const label = [](int x, int y, int z) { return z < 12 || (x / 4 + y / 4) % 2 == 0 ? 1 : 0; };
    PackedVolume const whole = make_volume(meta, {.label = label}, inks);
    Scene scene = make_probe(whole, 16, 16);
    scene.boundary.sides = Sides::periodic;
    Film const all = render_scene(scene, whole, {0, 8});
    for (std::uint32_t band = 0; band < 3; ++band) {
        one_band = inks;
        for (Material& material : one_band) {
            material.sigma_t = {material.sigma_t[band]};
            material.one_minus_albedo = {material.one_minus_albedo[band]};
        }
        meta.band_numbers = {band};
        meta.constant_extinction.assign(1, 1.0f);
        meta.constant_one_minus_albedo.assign(1, 0.0f);
        PackedVolume const part = make_volume(meta, {.label = label}, one_band);
        Scene alone = scene;
        alone.volume_checksum = part.data_checksum();
        alone.bands = 1;
        Film const film = render_scene(alone, part, {0, 8});
        EXPECT_TRUE(
            std::equal(film.sums.begin(), film.sums.end(), all.sums.begin() + static_cast<std::ptrdiff_t>(band * 256)));
    }
}

} // namespace
} // namespace volpt::test
