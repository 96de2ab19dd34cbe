// Particles and paths from the film see the same: the two ways share only the medium and the emitters.
#include "tests/core/particle_scene.h"

namespace volpt::test {
namespace {

constexpr float kPiFloat = 3.14159265f;

/// The film of both transports, by pixel and band.
template <int bands>
struct TwoFilms {
    std::vector<ParticleMean> by_path, by_light;

    TwoFilms(ParticleScene& made, std::uint32_t paths, std::uint32_t particles)
        : by_path(std::size_t{made.scene.width} * made.scene.height * bands), by_light(by_path.size())
    {
        using M = EmitterMedium<bands, Surfaces::box, Transport::emitters>;
        for (std::uint32_t pixel = 0; pixel < made.scene.width * made.scene.height; ++pixel)
            for (std::uint32_t sample = 0; sample < paths; ++sample) {
                PathId const id{pixel % made.scene.width, pixel / made.scene.width, sample, 0, 0};
                LitPath<bands> path = start_path_in<M>(made.scene, id);
                while (path.stage != Stage::ended) extend_path<M>(made.scene, path, made.counts);
                for (std::uint32_t b = 0; b < bands; ++b)
                    by_path[pixel * bands + b].add(static_cast<double>(path.throughput[b]));
            }
        // Of a pixel, the sum over all particles by the number of its own.
        made.run<bands>(particles, [&](ParticlePath<bands> const& path) {
            if (path.slot == kNoSlot) return;
            for (std::uint32_t b = 0; b < bands; ++b)
                by_light.at(path.slot * bands + b).add(static_cast<double>(path.throughput[b]));
        });
        for (ParticleMean& pixel : by_light) pixel.count = particles;
    }

    void expect_equal(double largest_error = 0.08) const
    {
        for (std::size_t i = 0; i < by_path.size(); ++i) {
            double const error = std::hypot(by_path[i].error(), by_light[i].error());
            EXPECT_LT(error, largest_error * by_path[i].mean()) << "hardly a comparison: " << i;
            EXPECT_NEAR(by_path[i].mean(), by_light[i].mean(), 4.5 * error) << i;
        }
    }
};

/// At an angle from outside; a film of 2 x 3 pixels.
void look_at_box(ParticleScene& made)
{
    made.set_film(2, 3);
    CameraView& camera = made.scene.camera;
    Vec3 const from_mm{-7, 1, 6};
    camera.aim = Aim::pixel;
    camera.parallel = 0;
    camera.origin = from_mm * made.scene.medium.inv_pitch;
    camera.forward = normalize(Vec3{2, 4, 2} - from_mm);
    Vec3 const right = normalize(cross(camera.forward, {0, 0, 1}));
    camera.right = 0.2f * right;
    camera.up = 0.18f * cross(right, camera.forward);
    made.scene.lights.connects_inside = 1;
}

EmitterView make_bright_point(Vec3 at_mm)
{
    EmitterView point = make_point_source(at_mm);
    for (int b = 0; b < 3; ++b) point.amount[b] = 2 / (4 * kPiFloat) / static_cast<float>(1 << b);
    return point;
}

/// Connections of paths that pass close by have no bound: their error is large, even where the film does not see them.
TEST(ParticleFilm, PathsSeeTheSameOfALampInTheMedium)
{
    ParticleScene made({0.5f, {0.1f, 0.3f, 0.5f}, 0.4f}, make_bright_point({3.5f, 0.5f, 3.5f}));
    look_at_box(made);
    made.scene.roulette = make_roulette(0.5f);
    TwoFilms<3>(made, 40000, 40000).expect_equal(0.25);
}

/// A path, whose rays wait until a scheduler has them followed, ends with the bits of extend_path.
template <class M>
void expect_rays_may_wait(ParticleScene& made)
{
    std::uint64_t rays = 0;
    for (std::uint32_t sample = 0; sample < 1000; ++sample) {
        PathOf<M> path = start_path_in<M>(made.scene, {1, 1, sample, 0, 0}), waiting = path;
        PathCounts at_once, apart;
        while (path.stage != Stage::ended) {
            extend_path<M>(made.scene, path, at_once);
            ASSERT_FALSE(is_connecting<M>(path));
        }
        while (waiting.stage != Stage::ended)
            if (is_connecting<M>(waiting))
                connect(M{}, made.scene, waiting, apart);
            else
                extend_without_ray<M>(made.scene, waiting, apart);
        for (int b = 0; b < M::kBands; ++b) EXPECT_EQ(waiting.throughput[b], path.throughput[b]);
        EXPECT_EQ(apart.extensions, at_once.extensions);
        EXPECT_EQ(apart.shadow_rays, at_once.shadow_rays);
        rays += apart.shadow_rays;
    }
    EXPECT_GT(rays, 0u);
}

TEST(ParticleFilm, RaysMayWait)
{
    ParticleScene made({0.5f, {0.1f, 0.3f, 0.5f}, 0.4f}, make_bright_point({3.5f, 0.5f, 3.5f}));
    look_at_box(made);
    made.scene.roulette = make_roulette(0.5f);
    expect_rays_may_wait<EmitterMedium<3, Surfaces::box, Transport::emitters>>(made);
    expect_rays_may_wait<EmitterMedium<3, Surfaces::box, Transport::particles>>(made);
}

TEST(ParticleFilm, PathsSeeTheSameOfALampOutsideAVaryingMedium)
{
    std::vector<std::uint32_t> table;
    std::vector<float> const majorants{0.3f, 1.2f};
    for (float const value : majorants) {
        table.push_back(kConstantBrick);
        table.push_back(bits_from_float(value));
    }
    std::uint32_t const no_words[1] = {0};
    for (MajorantGrid const grid : {MajorantGrid::global, MajorantGrid::local}) {
        EmitterView point = make_point_source({2, 4, 9});
        point.amount[0] = 1 / (4 * kPiFloat);
        ParticleScene made({1.2f, {0.1f}}, point);
        MediumView& medium = made.scene.medium;
        medium.extinction = Extinction::density;
        medium.grid = grid;
        medium.jitter = 0x1p-11f;
        medium.density = make_plane_reader({table.data(), no_words, 1, Encoding::f32, 1, 1, 2});
        medium.local_majorants = majorants.data();
        look_at_box(made);
        TwoFilms<1>(made, 20000, 100000).expect_equal();
    }
}

/// Two bricks of different density and source, between which lookups are jittered. All voxels are equally probable.
class GlowingBox {
public:
    explicit GlowingBox(ParticleScene& made)
    {
        MediumView& medium = made.scene.medium;
        medium.extinction = Extinction::density;
        medium.grid = MajorantGrid::local;
        medium.jitter = 0x1p-11f;
        medium.density = make_plane_reader({density_, words_, 1, Encoding::f32, 1, 1, 2});
        medium.local_majorants = majorants_;
        EmissionView& emission = made.scene.emission;
        emission.source = make_plane_reader({source_, words_, 1, Encoding::f32, 1, 1, 2});
        for (std::uint32_t i = 0; i < 2 * kBrickVoxels; ++i)
            voxel_shares_[i] = (i % kBrickVoxels + 1u) * 0x800000u - (i % kBrickVoxels == kBrickVoxels - 1u ? 1u : 0u);
        emission.choice = 1;
        emission.power_per_rate = 4 * kPiFloat * 0.125f / made.scene.lights.reference_power_w;
        emission.brick_count = 2;
        emission.bricks = bricks_;
        emission.brick_shares = brick_shares_;
        emission.voxel_shares = voxel_shares_.data();
        made.scene.lights.count = 0;
    }

private:
    std::uint32_t const words_[1] = {0};
    std::uint32_t const density_[4] = {kConstantBrick, bits_from_float(0.3f), kConstantBrick, bits_from_float(1.2f)};
    std::uint32_t const source_[4] = {kConstantBrick, bits_from_float(2.0f), kConstantBrick, bits_from_float(0.1f)};
    float const majorants_[2] = {1.2f, 1.2f};
    std::int32_t const bricks_[2] = {0, 1};
    std::uint32_t const brick_shares_[2] = {0x80000000u, 0xffffffffu};
    std::vector<std::uint32_t> voxel_shares_ = std::vector<std::uint32_t>(2 * kBrickVoxels);
};

TEST(ParticleFilm, PathsSeeTheSameOfAMediumThatEmits)
{
    ParticleScene made({1.2f, {0.4f}}, {});
    GlowingBox const glowing(made);
    look_at_box(made);
    TwoFilms<1>(made, 15000, 80000).expect_equal();
}

/// Particles in a medium of index n carry n^2 times the power, of which the face reflects most.
TEST(ParticleFilm, PathsSeeTheSameOfAMediumThatEmitsThroughAProbedFace)
{
    ParticleScene made({1.2f, {0.4f}}, {});
    GlowingBox const glowing(made);
    made.set_film(2, 2);
    made.scene.boundary = {BoundaryKindView::smooth, 1.5f, 1 / 1.5f, 0, MicrofacetsView::single, 1};
    made.scene.camera = {1, {4, 4, 0}, {0, 0, 1}, {4, 0, 0}, {0, -4, 0}, Aim::hemisphere};
    TwoFilms<1>(made, 15000, 40000).expect_equal();
}

/// The light's disc is seen beside the medium and through it.
TEST(ParticleFilm, PathsSeeTheSameOfASunThatTheyFace)
{
    EmitterView sun;
    sun.shape = EmitterShape::sun;
    sun.direction = normalize(Vec3{-7, 1, 6} - Vec3{2, 4, 2});
    sun.one_minus_cosine = 0.03f;
    float const radius_mm = 8;
    // Irradiance 1 / disc of the scene, over the cone's projected solid angle.
    float const disc_mm2 = kPiFloat * radius_mm * radius_mm;
    float const cone = 2 * kPiFloat * sun.one_minus_cosine;
    sun.amount[0] = 1 / disc_mm2 / cone;
    ParticleScene made({0.3f, {0.2f}}, sun);
    look_at_box(made);
    made.scene.lights.scene_centre_mm = {2, 4, 2};
    made.scene.lights.scene_radius_mm = radius_mm;
    TwoFilms<1>(made, 20000, 100000).expect_equal();
}

TEST(ParticleFilm, PathsSeeTheSameOfAnEvenEnvironment)
{
    for (float const seen_directly : {1.0f, 0.0f}) {
        ParticleScene made({0.5f, {0.2f}}, {});
        look_at_box(made);
        SceneView& scene = made.scene;
        scene.environment.above[0] = 2;
        scene.environment.seen_directly = seen_directly;
        scene.lights.count = 0;
        scene.lights.environment_choice = 1;
        scene.lights.scene_centre_mm = {2, 4, 2};
        scene.lights.scene_radius_mm = 5;
        scene.lights.reference_power_w = 4 * kPiFloat * kPiFloat * 25 * 2;
        TwoFilms<1>(made, 20000, 100000).expect_equal();
    }
}

/// Light that a refracting face lets through or reflects reaches a diffuse probe of it.
TEST(ParticleFilm, PathsSeeTheSameOfASunOnAProbedFace)
{
    EmitterView sun;
    sun.shape = EmitterShape::sun;
    sun.direction = normalize({0.5f, 0.2f, 1});
    sun.one_minus_cosine = 0.2f;
    float const radius_mm = 6;
    sun.amount[0] = 1 / (kPiFloat * radius_mm * radius_mm) / (2 * kPiFloat * sun.one_minus_cosine);
    for (bool const refracts : {false, true}) {
        ParticleScene made({0.8f, {0.1f}, 0.3f}, sun);
        SceneView& scene = made.scene;
        made.set_film(2, 2);
        if (refracts) scene.boundary = {BoundaryKindView::smooth, 1.3f, 1 / 1.3f, 0, MicrofacetsView::single, 1};
        scene.camera = {1, {4, 4, 0}, {0, 0, 1}, {4, 0, 0}, {0, -4, 0}, Aim::hemisphere};
        scene.lights.connects_inside = refracts ? 0 : 1;
        scene.lights.scene_centre_mm = {2, 4, 2};
        scene.lights.scene_radius_mm = radius_mm;
        TwoFilms<1>(made, 40000, 40000).expect_equal();
    }
}

} // namespace
} // namespace volpt::test
