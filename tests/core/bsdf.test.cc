// BSDFs against quadrature, and against formulas of others.
#include "libvolpt/core/surface/surroundings.hd.h"
#include "tests/core/random_vectors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace volpt::test {
namespace {

constexpr int kSamples = 200'000;

struct Moments {
    double albedo = 0;
    double along_x = 0; ///< of the weight times the direction's x
};

SceneView make_view(BsdfView const& bsdf)
{
    SceneView view;
    view.bands = 1;
    view.roulette = make_roulette(0);
    view.medium.inv_pitch = {1, 1, 1};
    view.surroundings.bsdfs = &bsdf;
    return view;
}

SurfacePoint make_point()
{
    SurfacePoint point{};
    point.geometric = point.shading = {0, 0, 1};
    return point;
}

/// Light that comes in at `cosine` from the side of +x, on a horizontal surface.
Moments sample_moments(BsdfView const& bsdf, float cosine)
{
    SceneView const view = make_view(bsdf);
    Moments moments;
    for (int i = 0; i < kSamples; ++i) {
        PathState<1> path{};
        path.throughput[0] = 1;
        path.direction = {-std::sqrt(1 - cosine * cosine), 0, -cosine};
        path.stage = Stage::entering;
        path.rng = seed_rng(5, 0, static_cast<std::uint32_t>(i), 0);
        scatter_at_surface(view, make_point(), path);
        moments.albedo += static_cast<double>(path.throughput[0]) / kSamples;
        moments.along_x += static_cast<double>(path.throughput[0] * path.direction.x) / kSamples;
    }
    return moments;
}

/// The same by the midpoint rule over the hemisphere, from the definition: kd / pi + ks (n + 2) / (2 pi) cos^n.
Moments integrate_phong(double kd, double ks, double n, double cosine)
{
    constexpr int kSteps = 1500;
    double const pi = std::numbers::pi, sine = std::sqrt(1 - cosine * cosine);
    Moments moments;
    for (int i = 0; i < kSteps; ++i)
        for (int k = 0; k < kSteps; ++k) {
            double const c = (i + 0.5) / kSteps, azimuth = 2 * pi * (k + 0.5) / kSteps;
            double const s = std::sqrt(1 - c * c), x = s * std::cos(azimuth);
            double const towards_mirror = std::max(0.0, -sine * x + cosine * c);
            double const f = kd / pi + ks * (n + 2) / (2 * pi) * std::pow(towards_mirror, n);
            double const weight = f * c * 2 * pi / kSteps / kSteps;
            moments.albedo += weight;
            moments.along_x += weight * x;
        }
    return moments;
}

TEST(Bsdf, PhongIsWhatQuadratureOfItsDefinitionGives)
{
    for (double const n : {0.5, 3.0, 40.0, 1000.0})
        for (double const cosine : {0.95, 0.5, 0.15}) {
            BsdfView bsdf;
            bsdf.kind = BsdfKind::phong;
            bsdf.diffuse.colour[0][0] = 0.3f;
            bsdf.specular[0] = 0.4f;
            bsdf.exponent = static_cast<float>(n);
            bsdf.specular_share = 0.55f;
            Moments const got = sample_moments(bsdf, static_cast<float>(cosine));
            Moments const truth = integrate_phong(0.3, 0.4, n, cosine);
            // The weight of a sample is at most 2: 5 standard errors.
            EXPECT_NEAR(got.albedo, truth.albedo, 0.006) << n << " at " << cosine;
            EXPECT_NEAR(got.along_x, truth.along_x, 0.006) << n << " at " << cosine;
        }
}

TEST(Bsdf, DiffuseReflectsByLambert)
{
    BsdfView bsdf;
    bsdf.diffuse.colour[0][0] = 0.5f;
    Moments const got = sample_moments(bsdf, 0.4f);
    EXPECT_NEAR(got.albedo, 0.5, 1e-6);
    EXPECT_NEAR(got.along_x, 0, 0.003);
}

TEST(Bsdf, OneSidedSurfacesAreBlackFromBehind)
{
    BsdfView bsdf;
    bsdf.diffuse.colour[0][0] = 0.5f;
    SceneView const view = make_view(bsdf);
    PathState<1> path{};
    path.throughput[0] = 1;
    path.direction = {0, 0, 1};
    path.stage = Stage::entering;
    scatter_at_surface(view, make_point(), path);
    EXPECT_EQ(path.stage, Stage::ended);
    EXPECT_EQ(path.throughput[0], 0);
}

TEST(Bsdf, ConductorWithoutAbsorptionIsADielectric)
{
    for (float const cosine : {1.0f, 0.8f, 0.3f, 0.05f})
        EXPECT_NEAR(compute_conductor_reflectance(cosine, 1.5f, 0), compute_fresnel(cosine, 1.5f).reflectance, 1e-5f);
}

TEST(Bsdf, ConductorAtNormalIncidenceHasItsTextbookReflectance)
{
    // Gold at 600 nm, eta .25, k 3.07: ((eta - 1)^2 + k^2) / ((eta + 1)^2 + k^2).
    EXPECT_NEAR(compute_conductor_reflectance(1, 0.25f, 3.07f), (0.5625 + 9.4249) / (1.5625 + 9.4249), 1e-5);
}

TEST(Bsdf, ThinPlateReflectsTheSumOverItsFaces)
{
    BsdfView bsdf;
    bsdf.kind = BsdfKind::thin_dielectric;
    bsdf.boundary.int_over_ext = 1.5f;
    SceneView const view = make_view(bsdf);
    double const once = static_cast<double>(compute_fresnel(0.3f, 1.5f).reflectance);
    double truth = 0, left = 1, inside = 1 - once;
    truth += once;
    for (int bounce = 1; bounce < 60; ++bounce) {
        inside *= once;
        if (bounce % 2 == 1) truth += inside * (1 - once);
    }
    left -= truth;
    int through = 0;
    for (int i = 0; i < kSamples; ++i) {
        PathState<1> path{};
        path.throughput[0] = 1;
        path.direction = {-std::sqrt(1 - 0.3f * 0.3f), 0, -0.3f};
        path.stage = Stage::entering;
        path.rng = seed_rng(5, 0, static_cast<std::uint32_t>(i), 0);
        scatter_at_surface(view, make_point(), path);
        through += path.direction.z < 0 ? 1 : 0;
    }
    EXPECT_NEAR(through / static_cast<double>(kSamples), left, 0.005);
}

TEST(Bsdf, TexturesRepeatAndInterpolate)
{
    std::vector<float> const texels{0.0f, 1.0f, 0.5f, 0.25f}; // first row at v = 1
    TextureView texture;
    texture.width = texture.height = 2;
    texture.texels = texels.data();
    EXPECT_FLOAT_EQ(read_texture(texture, 1, 0, 0.25f, 0.75f), 0.0f);
    EXPECT_FLOAT_EQ(read_texture(texture, 1, 0, 0.75f, 0.75f), 1.0f);
    EXPECT_FLOAT_EQ(read_texture(texture, 1, 0, 0.5f, 0.75f), 0.5f);
    EXPECT_FLOAT_EQ(read_texture(texture, 1, 0, 2.25f, -0.75f), 0.5f);
    TextureView checks;
    checks.colour[0][0] = 0.2f;
    checks.colour[1][0] = 0.7f;
    checks.checks_u = checks.checks_v = 2;
    EXPECT_FLOAT_EQ(read_texture(checks, 1, 0, 0.1f, 0.1f), 0.2f);
    EXPECT_FLOAT_EQ(read_texture(checks, 1, 0, 0.6f, 0.1f), 0.7f);
    EXPECT_FLOAT_EQ(read_texture(checks, 1, 0, -0.1f, 0.1f), 0.7f);
    EXPECT_FLOAT_EQ(read_texture(checks, 1, 0, -0.1f, -0.1f), 0.2f);
}

TEST(Bsdf, SpheresAreMetWhereGeometrySays)
{
    SphereView const sphere{{1, 2, 3}, 2};
    SphereCrossing const through = cross_sphere(sphere, {1, 2, -7}, {0, 0, 1});
    EXPECT_FLOAT_EQ(through.first, 8);
    EXPECT_FLOAT_EQ(through.last, 12);
    SphereCrossing const inside = cross_sphere(sphere, {1, 2, 3}, {0, 1, 0});
    EXPECT_FLOAT_EQ(inside.first, -2);
    EXPECT_FLOAT_EQ(inside.last, 2);
    SphereCrossing const miss = cross_sphere(sphere, {1, 4.01f, -7}, {0, 0, 1});
    EXPECT_GT(miss.first, miss.last);
}

} // namespace
} // namespace volpt::test
