// Reflection of particles is that of paths the other way round, with shading normals too.
#include "tests/core/particle_scene.h"

namespace volpt::test {
namespace {

BsdfView make_lobed(float exponent)
{
    BsdfView bsdf;
    bsdf.two_sided = 1;
    bsdf.diffuse.colour[0][0] = 0.5f;
    if (exponent == 0) return bsdf;
    bsdf.kind = BsdfKind::phong;
    bsdf.specular[0] = 0.3f;
    bsdf.exponent = exponent;
    bsdf.specular_share = 0.4f;
    return bsdf;
}

/// A surface whose normal is +z, but for shading.
struct BentSurface {
    BsdfView bsdf;
    ParticleScene made{{}, make_point_source({2, 4, 1})};
    SurfacePoint point{};

    BentSurface(float exponent, Vec3 shading) : bsdf(make_lobed(exponent))
    {
        made.scene.surroundings.bsdfs = &bsdf;
        point.position = {4, 4, 8};
        point.geometric = {0, 0, 1};
        point.shading = normalize(shading);
        point.has_shading = 1;
    }

    /// What goes on of light that came from `from`, and where to.
    template <class Path>
    Path reflect(Vec3 from, std::uint32_t sample)
    {
        Path path{};
        path.direction = -from;
        path.rng = seed_rng(17, 1, sample, 0);
        path.stage = Stage::entering;
        path.throughput[0] = 1;
        if constexpr (Path::kTransport == Transport::particles) {
            path.launched[0] = 1;
            begin_event(path);
        }
        scatter_at_surface(made.scene, point, path);
        return path;
    }
};

/// Of density cosine / pi about +z.
Vec3 draw_cosine_weighted(std::uint32_t sample)
{
    Rng rng = seed_rng(18, 0, sample, 0);
    std::uint32_t const radius_bits = rng.draw();
    std::uint32_t const azimuth_bits = rng.draw();
    return sample_cosine_weighted({0, 0, 1}, radius_bits, azimuth_bits);
}

double weigh_light(Vec3 from)
{
    return static_cast<double>(from.z * (1 + 0.8f * from.x));
}
double weigh_view(Vec3 from)
{
    return static_cast<double>(1 - 0.7f * from.x + 0.2f * from.y);
}

constexpr Vec3 kShadings[] = {{0, 0, 1}, {0.5f, 0, 1}, {-0.9f, 0.6f, 1}};
constexpr float kExponents[] = {0, 3, 40};
constexpr std::uint32_t kReflections = 100000;

TEST(ParticleReflection, BothWaysTransportTheSame)
{
    for (Vec3 const shading : kShadings)
        for (float const exponent : kExponents) {
            BentSurface surface(exponent, shading);
            ParticleMean by_path, by_particle;
            for (std::uint32_t i = 0; i < kReflections; ++i) {
                Vec3 const from = draw_cosine_weighted(i);
                PathState<1> const path = surface.reflect<PathState<1>>(from, i);
                by_path.add(weigh_view(from) * static_cast<double>(path.throughput[0]) * weigh_light(path.direction));
                ParticlePath<1> const particle = surface.reflect<ParticlePath<1>>(from, i);
                by_particle.add(weigh_light(from) * static_cast<double>(particle.throughput[0]) *
                                weigh_view(particle.direction));
            }
            double const error = std::hypot(by_path.error(), by_particle.error());
            EXPECT_LT(error, 0.01 * by_path.mean());
            EXPECT_NEAR(by_path.mean(), by_particle.mean(), 4.5 * error) << shading.x << " " << exponent;
        }
}

TEST(ParticleReflection, FilmSeesWhatItsPathsFind)
{
    Vec3 const view = normalize({0.6f, 0.3f, 0.8f});
    for (Vec3 const shading : kShadings)
        for (float const exponent : kExponents) {
            BentSurface surface(exponent, shading);
            // Parallel rays, of a film of 4 mm^2.
            CameraView& camera = surface.made.scene.camera;
            Frame const frame = make_frame(-view);
            Vec3 const voxels = surface.made.scene.medium.inv_pitch;
            camera = {1,
                      surface.point.position + 5.0f * view * voxels,
                      -view,
                      frame.tangent * voxels,
                      frame.bitangent * voxels,
                      Aim::pixel};
            ParticleMean by_path, by_particle;
            for (std::uint32_t i = 0; i < kReflections; ++i) {
                PathState<1> const path = surface.reflect<PathState<1>>(view, i);
                by_path.add(static_cast<double>(path.throughput[0]) * weigh_light(path.direction));
                Vec3 const from = draw_cosine_weighted(i);
                ParticlePath<1> const particle = surface.reflect<ParticlePath<1>>(from, i);
                by_particle.add(weigh_light(from) *
                                static_cast<double>(particle.splat_total * particle.splat.weight[0]));
            }
            double const expected = by_path.mean() * static_cast<double>(view.z) / std::numbers::pi / 4;
            double const error =
                std::hypot(by_path.error() * static_cast<double>(view.z) / std::numbers::pi / 4, by_particle.error());
            EXPECT_LT(error, 0.02 * expected);
            EXPECT_NEAR(by_particle.mean(), expected, 4.5 * error) << shading.x << " " << exponent;
        }
}

TEST(ParticleReflection, FlatSurfacesKeepTheWeightsOfPaths)
{
    for (float const exponent : kExponents) {
        BentSurface surface(exponent, {0, 0, 1});
        for (std::uint32_t i = 0; i < 1000; ++i) {
            Vec3 const from = draw_cosine_weighted(i);
            PathState<1> const path = surface.reflect<PathState<1>>(from, i);
            ParticlePath<1> const particle = surface.reflect<ParticlePath<1>>(from, i);
            EXPECT_EQ(particle.throughput[0], path.throughput[0]);
            EXPECT_EQ(particle.direction.x, path.direction.x);
        }
    }
}

} // namespace
} // namespace volpt::test
