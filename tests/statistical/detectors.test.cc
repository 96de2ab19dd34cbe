// What leaves slabs and boxes, by place and path length, and what they absorb by depth: MCML's tables, diffusion far
// away, exact identities, an integral equation.
#include "tests/statistical/ink_slabs.h"
#include "tests/support/detected_render.h"

#include <fmt/format.h>
#include <numbers>

namespace volpt::test {
namespace {

Measurement to_measurement(Measured const& measured)
{
    return {measured.value, measured.error};
}

/// In the middle of a slab whose corner is at the origin.
Scene light_slab(PackedVolume const& volume)
{
    VolumeMeta const& meta = volume.meta();
    double const middle = 0.5 * meta.dims[0] * static_cast<double>(meta.pitch_mm[0]);
    return make_pencil_scene(volume, {middle, middle, meta.dims[2] * static_cast<double>(meta.pitch_mm[2]) + 1}, 1);
}

TEST(Detectors, MatchedSlabSendsBackAndThroughWhatVanDeHulstTabulates)
{
    // As Slabs.MatchedSlabReflectsAndTransmitsAsVanDeHulstTabulates.
    PackedVolume const volume = make_slab(20, 0.2, {0}, {"tissue", {10}, {0.1f}, 0.75f});
    DetectedRender const render = render_detected(
        light_slab(volume), volume, {make_rings(0.05, 20), make_rings(0.05, 20, {{10, 10, 0}})}, 400000 / kHaste);
    expect_truth(to_measurement(render.values[0].total[0].weight), 0.09739, 1e-5, "R");
    expect_truth(to_measurement(render.values[1].total[0].weight), 0.66096, 1e-5, "T");
    EXPECT_EQ(render.outside.reflected, 0);
}

TEST(Detectors, SemiInfiniteRefractingMediumReflectsAsMcmlSays)
{
    // As Slabs.SemiInfiniteRefractingMediumReflectsAsGiovanelliAndMcmlSay; the specular part is 0.04.
    PackedVolume const volume = make_slab(100, 10, {0}, {"resin", {10}, {0.1f}, 0.0f});
    Scene scene = light_slab(volume);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    std::uint32_t const particles = 100000 / kHaste;
    DetectedRender const render = render_detected(scene, volume, {make_rings(0.1, 50)}, particles);
    expect_truth(to_measurement(render.values[0].total[0].weight), 0.2600 - 0.04, 5e-4, "diffuse");
    EXPECT_NEAR(render.outside.reflected, 0.04, 4 * std::sqrt(0.04 * 0.96 / particles));
    // All rings have what is reflected, specular light apart.
    EXPECT_NEAR(render.values[0].total[0].weight.value, render.energy.reflected - render.outside.reflected, 1e-6);
}

/// What leaves through rings `first` to `end - 1`.
Measurement add_rings(DetectorValues const& rings, std::size_t first, std::size_t end)
{
    Measurement sum;
    for (std::size_t i = first; i < end; ++i) {
        sum.mean += rings.cells[i].weight.value;
        sum.standard_error = std::hypot(sum.standard_error, rings.cells[i].weight.error);
    }
    return sum;
}

/// The sample that comes with MCML 1.2.2 (L. Wang, S. Jacques & L. Zheng, Computer Methods and Programs in Biomedicine
/// 47, 1995): three layers of n 1.37, a million photons. Rings of 0.1 mm, added up from its R(r) and T(r).
TEST(Detectors, ThreeLayersSendBackAndThroughByRadiusWhatMcmlTabulates)
{
    VolumeMeta meta;
    meta.dims = {1, 1, 4};
    meta.pitch_mm = {200, 200, 1};
    meta.filter = Filter::nearest;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    PackedVolume const volume = make_volume(
        meta, {.label = [](int, int, int z) { return z == 3   ? 0
                                                     : z == 2 ? 1
                                                              : 2; }},
        {{"1", {10.1f}, {0.1f / 10.1f}, 0.9f}, {"2", {1.1f}, {0.1f / 1.1f}, 0.0f}, {"3", {1.2f}, {0.2f / 1.2f}, 0.7f}});
    Scene scene = make_pencil_scene(volume, {100, 100, 5}, 1);
    scene.boundary = {BoundaryKind::smooth, 1.37, 1.0, 0};
    DetectedRender const render =
        render_detected(scene, volume, {make_rings(0.1, 49), make_rings(0.1, 49, {{100, 100, 0}})}, 200000 / kHaste);
    struct Rings {
        std::size_t first, end;
        double reflected, transmitted;
    };
    for (Rings const& of_mcml :
         {Rings{0, 1, .009715, .000185}, Rings{1, 2, .009492, .000566}, Rings{2, 4, .019291, .002099},
          Rings{4, 8, .039487, .007812}, Rings{8, 16, .065940, .022257}, Rings{16, 32, .063401, .036596},
          Rings{32, 49, .020445, .016588}, Rings{49, 50, .009773, .010386}}) {
        std::string const where = fmt::format("ring {}", of_mcml.first);
        auto const expect = [&](DetectorValues const& rings, double expected, std::string const& what) {
            double const noise_of_mcml = std::sqrt(expected / 1e6); // its packets have weights: at most this
            expect_truth(add_rings(rings, of_mcml.first, of_mcml.end), expected, 4 * noise_of_mcml, what);
        };
        expect(render.values[0], of_mcml.reflected, where + ", reflected");
        expect(render.values[1], of_mcml.transmitted, where + ", transmitted");
    }
    EXPECT_NEAR(render.energy.absorbed, .641594, 4 * std::sqrt(.25 / (200000 / kHaste)));
}

/// Diffuse reflectance in 1/mm^2 of a matched semi-infinite medium, at `r` mm from a pencil beam (T. Farrell, M.
/// Patterson & B. Wilson, Medical Physics 19, 1992, eq. 14 with A = 1).
double farrell_reflectance(double r, double mu_a, double reduced_mu_s)
{
    double const total = mu_a + reduced_mu_s, albedo = reduced_mu_s / total;
    double const effective = std::sqrt(3 * mu_a * total), depth = 1 / total, image = depth + 4 / (3 * total);
    double const r1 = std::hypot(depth, r), r2 = std::hypot(image, r);
    return albedo / (4 * std::numbers::pi) *
           (depth * (effective + 1 / r1) * std::exp(-effective * r1) / (r1 * r1) +
            image * (effective + 1 / r2) * std::exp(-effective * r2) / (r2 * r2));
}

TEST(Detectors, ReflectanceFarFromTheBeamIsThatOfDiffusion)
{
    PackedVolume const volume = make_slab(400, 100, {0}, {"tissue", {1.01f}, {0.01f / 1.01f}, 0.0f});
    DetectedRender const render = render_detected(light_slab(volume), volume, {make_rings(4, 4)}, 60000 / kHaste);
    for (std::size_t ring = 2; ring < 4; ++ring) {
        double expected = 0;
        for (int i = 0; i < 100; ++i) {
            double const r = 4 * (static_cast<double>(ring) + (i + 0.5) / 100);
            expected += farrell_reflectance(r, 0.01, 1) * 2 * std::numbers::pi * r * 4 / 100;
        }
        // Diffusion is 5 % too bright at 8 to 12 mean free paths, 4 % at 12 to 16.
        expect_truth(to_measurement(render.values[0].cells[ring].weight), expected, 0.06 * expected,
                     "ring " + std::to_string(ring));
    }
    // 1 - sqrt(1 - c) H(1) of isotropic scattering (Chandrasekhar 1960), from its integral equation.
    expect_truth(to_measurement(render.values[0].total[0].weight), 0.75376, 1e-4, "all rings");
}

/// 3 x 2 x 4 mm of two materials, that of `second` in the upper half.
PackedVolume make_two_layers(Material const& first, Material const& second)
{
    VolumeMeta meta;
    meta.dims = {3, 2, 8};
    meta.pitch_mm = {1, 1, 0.5f};
    meta.filter = Filter::nearest;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    return make_volume(meta, {.label = [](int, int, int z) { return z < 4 ? 0 : 1; }}, {first, second});
}

/// In even isotropic light, a white medium has the same radiance everywhere: the mean path through a convex body is 4 V
/// / S (S. Blanco & R. Fournier, Europhysics Letters 61, 2003), and each part of it has the share of its volume.
TEST(Detectors, PartialPathsInEvenLightAreFourVolumesPerSurface)
{
    PackedVolume const volume = make_two_layers({"thin", {0.5f}, {0}, 0.5f}, {"dense", {4}, {0}, 0.0f});
    Scene scene = make_scene(volume, 1, 1);
    scene.integrator = Integrator::light;
    std::vector<DetectorSpec> faces;
    for (std::array<double, 3> const& center : std::initializer_list<std::array<double, 3>>{
             {0, 1, 2}, {3, 1, 2}, {1.5, 0, 2}, {1.5, 2, 2}, {1.5, 1, 0}, {1.5, 1, 4}})
        faces.push_back(make_rings(0.1, 1, center));
    DetectedRender const render = render_detected(scene, volume, faces, 200000 / kHaste);
    double const surface = 2 * (3 * 2 + 3 * 4 + 2 * 4);
    double weight = 0, thin = 0, dense = 0, error2 = 0;
    for (DetectorValues const& face : render.values) {
        DetectedLight const& all = face.total[0];
        weight += all.weight.value;
        thin += all.weight.value * all.partial_paths_mm[0].value;
        dense += all.weight.value * all.partial_paths_mm[1].value;
        double const error = all.weight.value * all.partial_paths_mm[1].error;
        error2 += error * error;
    }
    Measurement const in_dense{dense / weight, std::sqrt(error2) / weight};
    EXPECT_NEAR(in_dense.mean, 4 * 12 / surface, 6 * in_dense.standard_error);
    EXPECT_NEAR(thin / weight, 4 * 12 / surface, 6 * in_dense.standard_error);
    EXPECT_LT(in_dense.standard_error, 0.02) << "too little to tell";
}

/// Weight goes with exp(-mu_a L): a little more absorption in a material takes what its mean partial path says.
TEST(Detectors, PartialPathsAreHowWeightDependsOnAbsorption)
{
    auto const render_with = [](double mu_a) {
        auto const sigma_t = static_cast<float>(6 + mu_a);
        PackedVolume const volume = make_two_layers({"deep", {sigma_t}, {static_cast<float>(mu_a) / sigma_t}, 0.0f},
                                                    {"skin", {0.5f}, {0.1f}, 0.0f});
        return render_detected(make_pencil_scene(volume, {1.5, 1, 5}, 1), volume, {make_disc({1.5, 1, 4}, 1)},
                               100000 / kHaste)
            .values[0]
            .total[0];
    };
    double const base = 0.4, step = 0.15;
    DetectedLight const less = render_with(base - step), more = render_with(base + step), middle = render_with(base);
    double const slope = (std::log(less.weight.value) - std::log(more.weight.value)) / (2 * step);
    double const slope_error =
        std::hypot(less.weight.error / less.weight.value, more.weight.error / more.weight.value) / (2 * step);
    expect_equal_means(to_measurement(middle.partial_paths_mm[0]), {slope, slope_error}, "mean partial path");
    EXPECT_LT(slope_error, 0.2 * slope) << "too little to tell";
}

/// The third exponential integral.
double integrate_e3(double x)
{
    int const steps = 2000;
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
        double const cosine = (i + 0.5) / steps;
        sum += cosine * std::exp(-x / cosine) / steps;
    }
    return sum;
}

/// Mean fluence by layer of `h` mean free paths in a slab of `layers` of them that scatters isotropically, under a
/// normal beam of 1: the integral equation phi(z) = exp(-z) + c / 2 int E1(|z - z'|) phi(z') dz'.
std::vector<double> solve_fluence(double albedo, double h, std::size_t layers)
{
    std::vector<double> e3, kernel{(2 * h - 1 + 2 * integrate_e3(h)) / h};
    for (std::size_t i = 0; i <= layers; ++i) e3.push_back(integrate_e3(static_cast<double>(i) * h));
    for (std::size_t i = 1; i < layers; ++i) kernel.push_back((e3[i - 1] - 2 * e3[i] + e3[i + 1]) / h);
    std::vector<double> beam(layers), fluence(layers);
    for (std::size_t i = 0; i < layers; ++i) beam[i] = std::exp(-static_cast<double>(i) * h) * (1 - std::exp(-h)) / h;
    for (int round = 0; round < 200; ++round)
        for (std::size_t i = 0; i < layers; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < layers; ++j) sum += kernel[i > j ? i - j : j - i] * fluence[j];
            fluence[i] = beam[i] + 0.5 * albedo * sum;
        }
    return fluence;
}

TEST(Detectors, AbsorptionByDepthIsThatOfTheIntegralEquation)
{
    double const albedo = 0.9, depth_mm = 12;
    std::size_t const layers = 12, parts = 10;
    PackedVolume const volume = make_slab(400, depth_mm, {0}, {"medium", {1}, {0.1f}, 0.0f});
    TallySpec tally;
    tally.kind = TallyKind::absorbed;
    tally.grid = {1, 1, static_cast<int>(layers)};
    DetectedRender const render = render_detected(light_slab(volume), volume, {}, 100000 / kHaste, tally);
    std::vector<double> const fluence = solve_fluence(albedo, 1.0 / parts, layers * parts);
    for (std::size_t layer = 0; layer < layers; ++layer) {
        double expected = 0;
        for (std::size_t part = 0; part < parts; ++part) expected += 0.1 * fluence[layer * parts + part] / parts;
        std::size_t const cell = layers - 1 - layer; // from above
        double const per_mm = 400.0 * 400.0;
        expect_truth({per_mm * static_cast<double>(render.tally.values[cell]),
                      per_mm * static_cast<double>(render.tally.standard_errors[cell])},
                     expected, 0.003 * expected, "layer " + std::to_string(layer));
    }
}

} // namespace
} // namespace volpt::test
