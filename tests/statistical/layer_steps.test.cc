// Long steps through plane layers: reflectance and transmittance of slabs and of a print on a core against
// adding-doubling and plain walks.
#include "tests/statistical/stepped.h"

namespace volpt::test {
namespace {

/// Making banks of layers takes 20 times as long as of spheres, and in builds without optimisation as long as a test
/// run.
class LayerStepsTruth : public testing::Test {
protected:
    void SetUp() override
    {
        if (kHaste > 1) GTEST_SKIP() << "making banks takes too long in this build";
    }
};

Film render_layers(Scene const& scene, PackedVolume const& volume, std::uint32_t banks, std::uint32_t samples)
{
    Film film = render_banks(scene, volume, banks, samples, LongSteps::layers);
    EXPECT_GT(count_per_path(film.long_steps.steps, film), 0.5) << "few steps test nothing";
    return film;
}

TEST_F(LayerStepsTruth, WhiteSlabReflectsAsAddingDoublingSays)
{
    Ink const& white = kInks[4];
    PackedVolume const volume = make_slab(3, 10, {0, 1, 2}, white.material);
    std::vector<Measurement> const bands = measure_radiance(render_layers(probe_endless(volume, 128), volume, 4, 16));
    for (std::size_t b = 0; b < 3; ++b) {
        expect_truth(bands[b], white.reflectance[b], 1e-4, "band " + std::to_string(b));
        EXPECT_LT(bands[b].standard_error, 2e-3);
    }
}

TEST_F(LayerStepsTruth, WhiteSeenFromAllDirectionsReflectsAsComputed)
{
    double const reflectance[3] = {0.8242, 0.8909, 0.8179};
    PackedVolume const white = make_slab(400, 10, {0, 1, 2}, kInks[4].material);
    std::vector<Measurement> const bands =
        measure_radiance(render_layers(probe_endless(white, 64, ProbeView::diffuse), white, 2, 32));
    for (std::size_t b = 0; b < 3; ++b) expect_truth(bands[b], reflectance[b], 1e-4, "band " + std::to_string(b));
}

TEST_F(LayerStepsTruth, ReflectanceOnEveryBackingIsThatOfPlainWalksAtEveryAlbedo)
{
    // What an albedo leaves is the Laplace transform of the numbers of collisions; what a mirror behind the slab adds
    // tells of the light that passes.
    VolumeMeta meta;
    meta.dims = {1, 1, 1};
    meta.pitch_mm = {400, 400, 2};
    meta.scale = 10;
    meta.band_numbers = {0, 1, 2};
    meta.constant_extinction.assign(3, 1.0f);
    meta.constant_one_minus_albedo = {0.0005f, 0.02f, 0.3f};
    for (float const g : {-0.5f, 0.0f, 0.9f}) {
        meta.g = g;
        PackedVolume const volume = make_volume(meta);
        Scene scene = probe_endless(volume, 64, ProbeView::diffuse);
        for (Backing const backing : {Backing::black, Backing::mirror}) {
            scene.boundary.backing = backing;
            std::vector<Measurement> const stepped = measure_radiance(render_layers(scene, volume, 1, 32));
            std::vector<Measurement> const plain = measure_radiance(render_plain(scene, volume, 32));
            for (std::size_t b = 0; b < 3; ++b)
                expect_equal_means(stepped[b], plain[b],
                                   std::string(backing == Backing::black ? "black" : "mirror") + ", g " +
                                       std::to_string(g) + ", band " + std::to_string(b));
        }
    }
}

TEST_F(LayerStepsTruth, PrintOnACoreIsThatOfPlainWalks)
{
    for (Source const source : {Source::material, Source::plane}) {
        PrintOnCore const print = make_print_on_core(source, source);
        Scene plain = print.scene;
        plain.long_steps = LongSteps::plain;
        std::vector<Measurement> const stepped = measure_radiance(render_layers(print.scene, print.volume, 1, 64));
        std::vector<Measurement> const walked = measure_radiance(render_plain(plain, print.volume, 64));
        for (std::size_t b = 0; b < stepped.size(); ++b)
            expect_equal_means(stepped[b], walked[b], "band " + std::to_string(b));
    }
}

TEST_F(LayerStepsTruth, WhiteFurnaceIsOne)
{
    PackedVolume const volume = make_slab(3, 10, {0}, {"white", {9.0f}, {0.0f}, 0.4f});
    Scene scene = probe_endless(volume, 32);
    scene.boundary.backing = Backing::mirror; // all light comes back
    Film const film = render_layers(scene, volume, 1, 16);
    for (std::size_t i = 0; i < film.sums.size(); ++i) ASSERT_EQ(film.sums[i], Wide{16} << film.sum_log2()) << i;
}

} // namespace
} // namespace volpt::test
