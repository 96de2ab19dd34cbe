// Choices that change the paths but not the picture: majorants, roulette, the depth limit's bound; and bands taken
// alone.
#include "tests/statistical/measure.h"

namespace volpt::test {
namespace {

void expect_equal_pictures(Scene const& left, Scene const& right, PackedVolume const& volume, std::string const& what)
{
    std::vector<Measurement> const a = measure_radiance(left, volume, 128 / kHaste, 1);
    std::vector<Measurement> const b = measure_radiance(right, volume, 128 / kHaste, 2);
    for (std::size_t band = 0; band < a.size(); ++band)
        expect_equal_means(a[band], b[band], what + ", band " + std::to_string(band));
}

TEST(Invariance, LocalAndGlobalMajorantsGiveThePictureOfTheSameMedium)
{
    for (Filter const filter : {Filter::trilinear, Filter::nearest}) {
        PackedVolume const cloud = make_cloud(filter, Encoding::u8, 0.6f);
        Scene local = make_scene(cloud), global = local;
        global.majorant = MajorantKind::global;
        expect_equal_pictures(local, global, cloud, "cloud");
        PackedVolume const inks = make_inks(filter);
        local = make_scene(inks);
        local.boundary = {BoundaryKind::rough, 1.4, 1.0, 0.2};
        global = local;
        global.majorant = MajorantKind::global;
        expect_equal_pictures(local, global, inks, "inks");
    }
}

TEST(Invariance, RouletteChangesNoMean)
{
    PackedVolume const cloud = make_colour_cloud();
    PackedVolume const print = make_print();
    for (float const w_min : {0.1f, 0.5f, 1.0f}) {
        Scene off = make_scene(cloud);
        off.roulette_w_min = 0;
        Scene on = off;
        on.roulette_w_min = w_min;
        expect_equal_pictures(off, on, cloud, "cloud, roulette below " + std::to_string(w_min));
        Scene off_print = make_scene(print);
        off_print.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
        off_print.roulette_w_min = 0;
        Scene on_print = off_print;
        on_print.roulette_w_min = w_min;
        expect_equal_pictures(off_print, on_print, print, "print, roulette below " + std::to_string(w_min));
    }
}

TEST(Invariance, WhatADepthLimitCutsBoundsWhatThePictureLoses)
{
    // The same paths with and without the limit: those cut lose at most the throughput they had, in light of
    // radiance 1.
    PackedVolume const cloud = make_cloud();
    Scene whole = make_scene(cloud);
    Scene limited = whole;
    limited.depth_limit = 6;
    Film const all = render_scene(whole, cloud, {0, 32});
    Film const cut = render_scene(limited, cloud, {0, 32});
    double const loss = measure_radiance(all)[0].mean - measure_radiance(cut)[0].mean;
    double const bound =
        std::ldexp(static_cast<double>(cut.statistics.cut_throughput), -24) / static_cast<double>(cut.statistics.paths);
    EXPECT_GT(cut.statistics.cut_paths, 100u);
    EXPECT_EQ(all.statistics.cut_paths, 0u);
    EXPECT_GT(loss, 0);
    EXPECT_LE(loss, bound);
    EXPECT_GT(loss, bound / 2) << "the bound says little";
    for (std::size_t i = 0; i < all.sums.size(); ++i) ASSERT_LE(cut.sums[i], all.sums[i]) << "a cut path gained";
}

/// Every band of `whole` taken as a volume of its own.
void expect_bands_alone(PackedVolume const& whole, Scene scene,
                        std::function<PackedVolume(std::uint32_t)> const& make_band)
{
    Film const film = render_scene(scene, whole, {0, 8});
    std::size_t const plane = std::size_t{film.width()} * film.height();
    for (std::uint32_t band = 0; band < 3; ++band) {
        PackedVolume const volume = make_band(band);
        scene.volume_checksum = volume.data_checksum();
        scene.bands = 1;
        Film const alone = render_scene(scene, volume, {0, 8});
        auto const first = film.sums.begin() + static_cast<std::ptrdiff_t>(band * plane);
        EXPECT_TRUE(std::equal(alone.sums.begin(), alone.sums.end(), first)) << "band " << band;
        auto const first_square = film.squares.begin() + static_cast<std::ptrdiff_t>(band * plane);
        EXPECT_TRUE(std::equal(alone.squares.begin(), alone.squares.end(), first_square)) << "band " << band;
    }
}

TEST(Invariance, ABandOfAChromaticVolumeAloneIsTheSameToTheBit)
{
    std::vector<Material> const inks{{"C", {9.0f, 4.5f, 7.5f}, {0.95f, 0.3f, 0.02f}, 0.4f},
                                     {"W", {6.0f, 9.0f, 24.0f}, {0.0009f, 0.0003f, 0.001f}, 0.0f}};
    VoxelFunctions const voxels{.label = [](int x, int y, int z) { return (x / 4 + y / 3 + z / 5) % 2; }};
    VolumeMeta meta = cloud_meta();
    meta.scale = 1.0f;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    set_three_bands(meta);
    PackedVolume const whole = make_volume(meta, voxels, inks);
    Scene scene = make_scene(whole);
    scene.boundary = {BoundaryKind::rough, 1.5, 1.0, 0.1};
    expect_bands_alone(whole, scene, [&](std::uint32_t band) {
        VolumeMeta one = meta;
        one.band_numbers = {band};
        one.constant_extinction = {1};
        one.constant_one_minus_albedo = {0};
        std::vector<Material> materials = inks;
        for (Material& m : materials) {
            m.sigma_t = {m.sigma_t[band]};
            m.one_minus_albedo = {m.one_minus_albedo[band]};
        }
        return make_volume(one, voxels, materials);
    });
}

TEST(Invariance, ABandOfAGreyVolumeAloneIsTheSameToTheBitWithoutRoulette)
{
    // The bands share one path, whose band number is 0; roulette would look at the largest band.
    VolumeMeta meta = cloud_meta();
    meta.g = 0.3f;
    meta.band_numbers = {0, 1, 2};
    meta.constant_extinction = {1, 1, 1};
    meta.constant_one_minus_albedo = {0.01f, 0.1f, 0.3f};
    PackedVolume const whole = make_volume(meta, {.density = cloud_density});
    Scene scene = make_scene(whole);
    scene.roulette_w_min = 0;
    scene.boundary = {BoundaryKind::rough, 1.5, 1.0, 0.1};
    expect_bands_alone(whole, scene, [&](std::uint32_t band) {
        VolumeMeta one = meta;
        one.band_numbers = {0};
        one.constant_extinction = {1};
        one.constant_one_minus_albedo = {meta.constant_one_minus_albedo[band]};
        return make_volume(one, {.density = cloud_density});
    });
}

} // namespace
} // namespace volpt::test
