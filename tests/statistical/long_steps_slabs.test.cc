// Long steps in slabs: reflectance, transmittance, collisions and path lengths against adding-doubling and plain walks.
#include "tests/statistical/stepped.h"

#include <algorithm>
#include <cstdio>

namespace volpt::test {
namespace {

TEST(LongStepsTruth, InkSlabsReflectAsAddingDoublingSays)
{
    for (Ink const& ink : kInks) {
        // Narrower than its spheres, which pass the seams.
        PackedVolume const volume = make_slab(3, 10, {0, 1, 2}, ink.material);
        std::uint32_t const banks = ink.material.name == "W" ? 4 : 2;
        Film const film = render_banks(probe_endless(volume, 128), volume, banks, 64 / banks);
        std::vector<Measurement> const bands = measure_radiance(film);
        for (std::size_t b = 0; b < 3; ++b) {
            expect_truth(bands[b], ink.reflectance[b], 1e-4, ink.material.name + " band " + std::to_string(b));
            EXPECT_LT(bands[b].standard_error, kHaste == 1 ? 5e-4 : 5e-3);
        }
        bool const is_white = ink.material.name == "W";
        EXPECT_GT(count_per_path(film.long_steps.steps, film), is_white ? 5 : -1);
    }
}

TEST(LongStepsTruth, WhiteSeenFromAllDirectionsReflectsAndCollidesAsComputed)
{
    double const reflectance[3] = {0.8242, 0.8909, 0.8179};
    PackedVolume const white = make_slab(400, 10, {0, 1, 2}, kInks[4].material);
    std::vector<Measurement> const bands =
        measure_radiance(render_banks(probe_endless(white, 64, ProbeView::diffuse), white, 2, 32));
    for (std::size_t b = 0; b < 3; ++b) expect_truth(bands[b], reflectance[b], 1e-4, "band " + std::to_string(b));

    // Collisions of paths that nothing is lost from, in the three bands: sigma_t n^2 2 L.
    Material lossless = kInks[4].material;
    lossless.one_minus_albedo = {0, 0, 0};
    PackedVolume const volume = make_slab(10, 10, {0, 1, 2}, lossless);
    for (float const density : {1.0f, 10.0f}) { // spheres of up to 120 and of up to 1024 mean free paths
        if (kHaste != 1 && density > 1) continue;
        Scene scene = probe_endless(volume, kHaste == 1 ? 128 : 16, ProbeView::diffuse);
        scene.scale = density;
        std::vector<double> collisions;
        for (PathCounts const& counts : count_stepped(scene, volume, density > 1 ? 2 : 3, 16))
            collisions.push_back(static_cast<double>(counts.stepped_collisions + counts.tentative_collisions) /
                                 static_cast<double>(counts.paths));
        double const truth = static_cast<double>(density) * 1.5 * 1.5 * 2 * 10 * (6.0 + 9.0 + 24.0) / 3;
        expect_truth(measure_mean(collisions), truth, 1e-3 * truth, "collisions");
    }
}

/// A slab of 30 mean free paths with five albedos as bands, grey.
PackedVolume make_grey_slab(float g)
{
    VolumeMeta meta;
    meta.dims = {1, 1, 1};
    meta.pitch_mm = {400, 400, 3};
    meta.scale = 10;
    meta.g = g;
    meta.band_numbers = {0, 1, 2, 3, 4};
    meta.constant_extinction.assign(5, 1.0f);
    meta.constant_one_minus_albedo = {0.0005f, 0.005f, 0.03f, 0.15f, 0.4f};
    return make_volume(meta);
}

TEST(LongStepsTruth, ReflectanceAndTransmittanceAreThoseOfPlainWalksAtEveryAlbedo)
{
    // What an albedo leaves is the Laplace transform of the numbers of collisions: five albedos tell their
    // distribution.
    for (float const g : list_anisotropies()) {
        PackedVolume const volume = make_grey_slab(g);
        Scene scene = look_down(volume, 1);
        scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
        for (bool const from_above : {true, false}) {
            from_above ? light_from_above(scene) : light_from_below(scene);
            std::vector<Measurement> const stepped = measure_radiance(render_banks(scene, volume, 1, 32));
            std::vector<Measurement> const plain = measure_radiance(render_plain(scene, volume, 32));
            // Through 30 mean free paths nothing comes of the last two bands.
            for (std::size_t b = 0; b < (from_above ? 5 : 3); ++b)
                expect_equal_means(stepped[b], plain[b],
                                   (from_above ? "R, g " : "T, g ") + std::to_string(g) + ", band " +
                                       std::to_string(b));
        }
    }
}

/// Relative standard deviation of a slab's reflectance over banks of 2^log2_size outcomes a level, less the paths' own
/// noise (in squares).
double measure_bank_error(PackedVolume const& volume, std::uint32_t log2_size)
{
    constexpr int kBanks = 24;
    Scene scene = probe_endless(volume, 64);
    scene.long_steps = LongSteps::spheres;
    std::vector<double> means;
    double noise = 0;
    for (int seed = 0; seed < kBanks; ++seed) {
        RenderScene const built(scene, volume, nullptr, static_cast<std::uint64_t>(100 + seed));
        SceneView view = built.view();
        view.long_steps.bank.log2_size = log2_size;
        std::vector<Outcome> const outcomes = make_bank(view, 0, 1);
        view.long_steps.bank.outcomes = outcomes.data();
        TileSums sums(64 * 64);
        PathCounts counts;
        list_cpu_kernels().front().render(view, {0, 0, 64, 64, 0, kBankSamples}, sums.view(), counts, {});
        double sum = 0, square = 0;
        for (std::size_t i = 0; i < sums.sums.size(); ++i) {
            sum += static_cast<double>(sums.sums[i]);
            square += static_cast<double>(sums.low_squares[i]) + 0x1p32 * static_cast<double>(sums.high_squares[i]);
        }
        auto const paths = static_cast<double>(counts.paths);
        means.push_back(std::ldexp(sum / paths, -built.sum_log2()));
        noise += (square * paths / (sum * sum) - 1) / paths / kBanks;
    }
    double sum = 0, spread = 0;
    for (double const mean : means) sum += mean / kBanks;
    for (double const mean : means) spread += (mean / sum - 1) * (mean / sum - 1) / (kBanks - 1);
    return std::sqrt(std::max(0.0, spread - noise));
}

TEST(LongStepsTruth, ErrorOfABankFallsWithTheRootOfItsSize)
{
    if (kHaste > 1) GTEST_SKIP() << "making banks takes too long in this build";
    PackedVolume const volume = make_white_band(2, Albedo::own);
    double const error_of_64 = measure_bank_error(volume, 6);
    double const error_of_1024 = measure_bank_error(volume, 10);
    std::printf("relative error of one bank of white ink, b: 2^6 outcomes a level %.2e, 2^8 %.2e, 2^10 %.2e\n",
                error_of_64, measure_bank_error(volume, 8), error_of_1024);
    // Each has an uncertainty of 15 % from its 24 banks; that of 2^10 a little more from the paths' noise.
    EXPECT_NEAR(error_of_64 / error_of_1024, 4, 2);
    EXPECT_LT(error_of_1024, 2e-3);
}

} // namespace
} // namespace volpt::test
