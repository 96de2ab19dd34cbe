// Solids in others: no light is lost, and each has the light that its index and its medium give it.
#include "libvolpt/core/light/transports.hd.h"
#include "tests/statistical/furnace.h"
#include "tests/statistical/isotropic_entry.h"
#include "tests/statistical/lit_scenes.h"
#include "tests/statistical/pile_of_plates.h"
#include "tests/support/detected_render.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_nested_solids.h"

namespace volpt::test {
namespace {

using NestedMedium = EmitterMedium<1, Surfaces::nested, Transport::emitters>;

TEST(NestedSolids, WhiteFurnaceIsOneAndNoPathIsLost)
{
    for (std::size_t const bands : {1u, 3u}) {
        PackedVolume const volume = pack_solids(make_nest(bands));
        Scene scene = make_scene(volume);
        PathCounts const counts = expect_furnace_is_one(RenderScene(scene, volume, nullptr, 7));
        EXPECT_GT(counts.extensions, 4 * counts.paths);
        if (bands > 1) continue;
        // The camera in each of the solids.
        for (Vec3d const& at : {Vec3d{0.9, 0.9, 0.9}, Vec3d{-0.3, 0, 0.5}, Vec3d{-0.3, 0, 0.3}, Vec3d{-0.3, 0, 0},
                                Vec3d{0.6, 0, 0}, Vec3d{1.6, 0.3, 0}}) {
            scene.camera.origin_world = at;
            scene.camera.target_world = {at[0] + 1, at[1] + 0.3, at[2] + 0.2};
            expect_furnace_is_one(RenderScene(scene, volume, nullptr, 7));
        }
    }
}

/// Boxes that nearly touch, from inside and from outside.
TEST(NestedSolids, PathsKnowWhichOneTheyAreIn)
{
    struct Box {
        Vec3 low, high;
        std::uint32_t around;
    };
    std::vector<Box> const boxes{{{-1, -1, -1}, {1, 1, 1}, 0},
                                 {{-0.999f, -0.8f, -0.7f}, {-0.1f, 0.6f, 0.999f}, 1},
                                 {{-0.998f, -0.7f, -0.6f}, {-0.101f, 0.599f, 0.9f}, 2},
                                 {{-0.099f, -0.8f, -0.7f}, {0.9f, 0.999f, 0.6f}, 1}};
    float const sigma_t[] = {5, 40, 0, 20}, index[] = {1.5f, 1.2f, 1.0f, 1.0f};
    std::vector<MadeSolid> solids;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        double const outside = boxes[i].around > 0 ? static_cast<double>(index[boxes[i].around - 1]) : 1;
        solids.push_back({make_box(boxes[i].low, boxes[i].high), make_medium("", sigma_t[i]),
                          make_dielectric(static_cast<double>(index[i]), 0, outside)});
    }
    PackedVolume const volume = pack_solids(solids);
    RenderScene const built(make_scene(volume), volume, nullptr, 3);
    SceneView const& view = built.view();
    Vec3 const pitch = view.surface.pitch_mm;
    auto const& origin = volume.meta().placement.origin_world_mm;
    auto const find_box = [&](Vec3 at_voxels, float margin_mm) {
        Vec3 const p = at_voxels * pitch + Vec3{static_cast<float>(origin[0]), static_cast<float>(origin[1]),
                                                static_cast<float>(origin[2])};
        std::uint32_t region = 0;
        for (std::uint32_t i = 0; i < boxes.size(); ++i) {
            float inside_mm = 1e30f; // distance of the nearest face; negative outside
            for (int axis = 0; axis < 3; ++axis)
                inside_mm = std::min({inside_mm, get_axis(p, axis) - get_axis(boxes[i].low, axis),
                                      get_axis(boxes[i].high, axis) - get_axis(p, axis)});
            if (std::abs(inside_mm) < margin_mm) return kNoRegion;
            if (inside_mm > 0) region = i + 1; // inner ones come later
        }
        return region;
    };
    IsotropicEntry entry(view, EntryFaces::all);
    PathCounts counts;
    std::uint32_t checked = 0;
    for (std::uint32_t i = 0; i < 4000 / kHaste; ++i) {
        PathOf<NestedMedium> path{};
        static_cast<PathState<1>&>(path) = entry.start(i);
        while (path.stage != Stage::ended) {
            extend_path<NestedMedium>(view, path, counts);
            if (path.stage != Stage::inside) continue;
            std::uint32_t const region = find_box(path.position, 1e-5f);
            if (region == kNoRegion) continue;
            ASSERT_EQ(path.region, region);
            ++checked;
        }
    }
    EXPECT_GT(checked, 20000u / kHaste);
    EXPECT_EQ(counts.lost_paths, 0u);
    EXPECT_EQ(counts.cut_paths, 0u);
    expect_furnace_is_one(built);
}

double measure_volume_mm3(TriangleMesh const& mesh)
{
    double volume = 0;
    for (auto const& t : mesh.triangles) {
        Vec3 const a = mesh.positions_mm[t[0]], b = mesh.positions_mm[t[1]], c = mesh.positions_mm[t[2]];
        volume += static_cast<double>(dot(a, cross(b, c))) / 6;
    }
    return volume;
}

/// Radiance L outside is n^2 L in a solid of index n (S. Blanco & R. Fournier 2003): solid by solid, of n^2 times the
/// length that each would have alone.
TEST(NestedSolids, MeanCollisionsAreNSquaredTimesTheVolumeOfEach)
{
    std::vector<MadeSolid> const solids = make_nest();
    double const index[] = {1.5, 1.2, 1.0, 1.7, 1.5, 1.4};
    std::size_t const around[] = {9, 0, 1, 2, 0, 9};
    double volume_mm3[6], collisions = 0;
    for (std::size_t i = 0; i < 6; ++i) volume_mm3[i] = measure_volume_mm3(solids[i].mesh);
    for (std::size_t i = 0; i < 6; ++i) {
        double own = volume_mm3[i];
        for (std::size_t j = 0; j < 6; ++j) own -= around[j] == i ? volume_mm3[j] : 0;
        collisions += static_cast<double>(solids[i].medium.sigma_t[0]) * index[i] * index[i] * own;
    }
    PackedVolume const volume = pack_solids(solids);
    RenderScene const built(make_scene(volume), volume, nullptr, 3);
    auto const got = follow_paths<NestedMedium>(built.view(), EntryFaces::all, 60000 / kHaste);
    Vec3 const size_mm = built.view().medium.size_voxels * built.view().surface.pitch_mm;
    double const surface =
        2 * static_cast<double>(size_mm.x * size_mm.y + size_mm.y * size_mm.z + size_mm.z * size_mm.x);
    expect_truth(got.collisions, 4 * collisions / surface, 0, "collisions");
    EXPECT_EQ(got.lost, 0u);
}

/// Boxes: the same body with interfaces at faces of voxels.
TEST(NestedSolids, BoxInABoxHasTheRadianceOfInterfacesAtVoxels)
{
    std::vector<Material> const media{make_medium("outer", 2, 0.2f, 0.5f), make_medium("inner", 9, 0.05f)};
    PackedVolume const nested =
        pack_solids({{make_box({0, 0, 0}, {2, 2, 2}), media[0], make_dielectric(1.3)},
                     {make_box({0.6f, 0.4f, 0.8f}, {1.6f, 1.4f, 1.8f}), media[1], make_dielectric(1.7, 0, 1.3)}});
    VolumeMeta meta;
    meta.dims = {10, 10, 10};
    meta.pitch_mm = {0.2f, 0.2f, 0.2f};
    meta.filter = Filter::nearest;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    auto const label = [](int x, int y, int z) { return x > 2 && x < 8 && y > 1 && y < 7 && z > 3 && z < 9 ? 1 : 0; };
    PackedVolume const voxels = make_volume(meta, {.label = label}, media);
    Scene scene = make_scene(voxels, 16, 16);
    scene.environment = {EnvironmentKind::hemispheres, {1.0f}, {0.2f}, {}, 4, 0};
    Scene of_nested = scene;
    of_nested.volume_checksum = nested.data_checksum();
    scene.boundary = {BoundaryKind::smooth, 1.0, 1.0, 0};
    scene.material_ior = {1.3f, 1.7f};
    expect_equal_means(measure_radiance(of_nested, nested, 1024 / kHaste, 8)[0],
                       measure_radiance(scene, voxels, 1024 / kHaste)[0], "radiance");
}

/// Paths of scenes with emitters, with a medium by solid, have the mean of the others.
TEST(NestedSolids, OneLikeWhatIsAroundItChangesNoMean)
{
    MadeSolid const outer{make_icosphere(1, 8), make_medium("milk", 5, 0.1f, 0.3f), make_dielectric(1.4)};
    MadeSolid const inner{make_box({-0.4f, -0.3f, -0.5f}, {0.3f, 0.5f, 0.4f}), outer.medium,
                          make_dielectric(1.4, 0, 1.4)};
    PackedVolume const alone = pack_solids({outer}), with = pack_solids({outer, inner});
    auto const measure = [&](PackedVolume const& volume, std::uint64_t seed) {
        Scene scene = make_scene(volume, 16, 16);
        scene.environment = {EnvironmentKind::hemispheres, {1.0f}, {0.2f}, {}, 4, 0};
        return measure_radiance(scene, volume, 1024 / kHaste, seed)[0];
    };
    expect_equal_means(measure(with, 8), measure(alone, 7), "radiance");
}

/// A gap of air and a plate in glass: wide, so that no ray reaches the sides.
TEST(NestedSolids, PlatesInGlassTransmitAsStokesSays)
{
    std::vector<MadeSolid> const solids{
        {make_box({-20, -20, 0}, {20, 20, 3}), make_medium("glass", 0.1f, 1), make_dielectric(1.5)},
        {make_box({-19, -19, 0.5f}, {19, 19, 1}), make_medium("gap", 0), make_dielectric(1, 0, 1.5)},
        {make_box({-19, -19, 1.5f}, {19, 19, 2.5f}), make_medium("filter", 0.4f, 1), make_dielectric(1.8, 0, 1.5)}};
    std::vector<Layer> const layers{
        {1.5f, 0.1f, 0.5}, {1.8f, 0.4f, 1}, {1.5f, 0.1f, 0.5}, {1, 0, 0.5}, {1.5f, 0.1f, 0.5}};
    PackedVolume const volume = pack_solids(solids);
    for (double const degrees : {0.0, 40.0}) {
        double const angle = degrees * std::numbers::pi / 180;
        Scene scene = look_down(volume, 1, 32);
        scene.camera.target_world = {0, 0, 1.5};
        scene.camera.origin_world = {20 * std::sin(angle), 0, 1.5 + 20 * std::cos(angle)};
        scene.camera.up_world = {0, 1, 0};
        ReflectedShares const truth = sum_pile(layers, std::sin(angle));
        light_from_above(scene);
        expect_truth(measure_radiance(scene, volume, 256 / kHaste)[0], truth.reflected, 1e-6, "reflected");
        light_from_below(scene);
        expect_truth(measure_radiance(scene, volume, 256 / kHaste)[0], truth.transmitted, 1e-6, "transmitted");
    }
}

/// Index-matched surfaces let light rays pass, through one medium after the other.
TEST(NestedSolids, ConnectionsAndParticlesChangeNoMean)
{
    std::vector<MadeSolid> solids = make_matched_nest();
    PackedVolume const matched = pack_solids(solids);
    solids.push_back(
        {make_box({-0.9f, -0.9f, -0.9f}, {-0.7f, -0.7f, -0.7f}), make_medium("glass", 0.5f), make_dielectric(1.5)});
    PackedVolume const volume = pack_solids(solids);
    Scene scene = make_scene(volume, 16, 16);
    scene.environment = {EnvironmentKind::hemispheres, {2.0f}, {0.1f}, {}, 4, 0};
    Measurement const by_chance = measure_radiance(scene, volume, 512 / kHaste)[0];
    scene.nee = EnvironmentNee::on;
    expect_equal_means(measure_radiance(scene, volume, 512 / kHaste)[0], by_chance, "environment");

    Scene lit = make_scene(matched, 16, 16);
    add_emitter(lit, make_point({0.2, 0.1, 0.55}, 3)); // in the haze
    expect_integrators_agree(lit, matched, 1024, "point inside");
}

/// What returns the other way is what the depth limit cuts: all that arrives came straight through.
TEST(NestedSolids, LightTakesTheTimeOfEachSolidsIndex)
{
    std::vector<MadeSolid> const solids{
        {make_box({-2, -2, 0}, {2, 2, 3}), make_medium("glass", 0), make_dielectric(1.5)},
        {make_box({-1, -1, 1}, {1, 1, 2.25f}), make_medium("water", 0), make_dielectric(1.33, 0, 1.5)}};
    PackedVolume const volume = pack_solids(solids);
    Scene scene = make_pencil_scene(volume, {0.1, 0.2, 4}, 1);
    scene.depth_limit = 5;
    DetectedRender const render = render_detected(scene, volume, {make_disc({0.1, 0.2, 0}, 0.5)}, 20000 / kHaste);
    DetectedLight const& all = render.values[0].total[0];
    double const passes = std::pow(1 - reflect_fresnel(1, 1.5, 0), 2) * std::pow(1 - reflect_fresnel(1.5, 1.33, 0), 2);
    EXPECT_NEAR(all.weight.value, passes, 4 * all.weight.error);
    EXPECT_NEAR(all.optical_path_mm.value, 1 + 1.75 * 1.5 + 1.25 * 1.33, 1e-4);
    EXPECT_NEAR(all.partial_paths_mm[0].value, 1.75, 1e-4);
    EXPECT_NEAR(all.partial_paths_mm[1].value, 1.25, 1e-4);
}

TEST(NestedSolids, WhatDoesNotKnowThemIsRefused)
{
    PackedVolume const volume = pack_solids(make_nest());
    auto const expect_refused = [&](Scene const& scene, std::string_view said) {
        expect_error(ExitStatus::usage, {said}, [&] { RenderScene(scene, volume, nullptr, 7); });
    };
    Scene steps = make_scene(volume);
    steps.long_steps = LongSteps::spheres;
    expect_refused(steps, "--long-steps off");
    Scene probe = make_scene(volume);
    probe.camera.kind = CameraKind::probe;
    probe.camera.probe_target = ProbeTarget::texture;
    expect_refused(probe, "lie in others");
    Scene boundary = make_scene(volume);
    boundary.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    expect_refused(boundary, "boundaries of their own");
}

/// A walk in double precision that shares no code with the renderer: two balls about the origin.
class TwoBalls {
public:
    struct Ball {
        double radius_mm, ior, sigma_t, albedo;
    };

    TwoBalls(Ball outer, Ball inner) : balls_{outer, inner}, engine_(5) {}

    /// The share of parallel light, over a square of twice the outer radius, that is not absorbed.
    Measurement measure_left(int paths)
    {
        std::vector<double> left;
        for (int i = 0; i < paths; ++i) left.push_back(is_left() ? 1 : 0);
        return measure_mean(left);
    }

private:
    using Vector = std::array<double, 3>;
    static double dot_of(Vector const& a, Vector const& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
    double draw() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

    /// Distance to a sphere ahead, beyond a least one; infinite if there is none.
    double find_distance(double radius) const
    {
        double const along = dot_of(at_, towards_), rest = along * along - dot_of(at_, at_) + radius * radius;
        if (rest <= 0) return INFINITY;
        double const first = -along - std::sqrt(rest), last = -along + std::sqrt(rest);
        return first > 1e-9 ? first : last > 1e-9 ? last : INFINITY;
    }

    /// True if it goes through a sphere of `radius`, whose index is `inside` within and `outside` without.
    bool cross(double radius, double outside, double inside)
    {
        Vector normal{at_[0] / radius, at_[1] / radius, at_[2] / radius};
        bool const leaves = dot_of(towards_, normal) > 0;
        for (double& x : normal) x *= leaves ? -1 : 1; // against the ray
        double const ratio = leaves ? inside / outside : outside / inside;
        double const cosine = -dot_of(towards_, normal), sine2 = ratio * ratio * (1 - cosine * cosine);
        double reflectance = 1, behind = 0;
        if (sine2 < 1) {
            behind = std::sqrt(1 - sine2);
            double const s = (ratio * cosine - behind) / (ratio * cosine + behind);
            double const p = (cosine - ratio * behind) / (cosine + ratio * behind);
            reflectance = (s * s + p * p) / 2;
        }
        bool const passes = draw() >= reflectance;
        for (std::size_t i = 0; i < 3; ++i)
            towards_[i] = passes ? ratio * towards_[i] + (ratio * cosine - behind) * normal[i]
                                 : towards_[i] + 2 * cosine * normal[i];
        return passes;
    }

    void turn()
    {
        double const z = 2 * draw() - 1, azimuth = 2 * std::numbers::pi * draw(), across = std::sqrt(1 - z * z);
        towards_ = {across * std::cos(azimuth), across * std::sin(azimuth), z};
    }

    bool is_left()
    {
        double const reach = balls_[0].radius_mm;
        at_ = {reach * (2 * draw() - 1), reach * (2 * draw() - 1), 2 * reach};
        towards_ = {0, 0, -1};
        double const index[] = {1, balls_[0].ior, balls_[1].ior};
        for (int place = 0;;) { // 0 outside, 1 in the outer ball, 2 in the inner one
            double const to_outer = place < 2 ? find_distance(balls_[0].radius_mm) : INFINITY;
            double const to_inner = place > 0 ? find_distance(balls_[1].radius_mm) : INFINITY;
            double const to_surface = std::min(to_outer, to_inner);
            if (place == 0 && !(to_surface < INFINITY)) return true;
            double const sigma_t = place > 0 ? balls_[place - 1].sigma_t : 0;
            double const flight = sigma_t > 0 ? -std::log(1 - draw()) / sigma_t : INFINITY;
            double const way = std::min(flight, to_surface);
            for (std::size_t i = 0; i < 3; ++i) at_[i] += way * towards_[i];
            if (flight < to_surface) {
                if (draw() >= balls_[place - 1].albedo) return false;
                turn();
            } else if (to_outer < to_inner) {
                if (cross(balls_[0].radius_mm, index[0], index[1])) place = place == 0 ? 1 : 0;
            } else {
                if (cross(balls_[1].radius_mm, index[1], index[2])) place = place == 1 ? 2 : 1;
            }
        }
    }

    Ball balls_[2];
    std::mt19937_64 engine_;
    Vector at_{}, towards_{};
};

TEST(NestedSolids, ConcentricBallsAbsorbWhatAnIndependentWalkSays)
{
    PackedVolume const volume =
        pack_solids({{make_icosphere(1, 24), make_medium("outer", 1.5f, 0.1f), make_dielectric(1.33)},
                     {make_icosphere(0.6f, 24), make_medium("inner", 6, 0.3f), make_dielectric(1.6, 0, 1.33)}});
    Scene scene = look_down(volume, 2, 32);
    scene.camera.target_world = {0, 0, 0};
    scene.camera.origin_world = {0, 0, 3};
    scene.roulette_w_min = 0;
    Measurement const left = measure_radiance(scene, volume, 256 / kHaste)[0];
    TwoBalls walk({1, 1.33, 1.5, 0.9}, {0.6, 1.6, 6, 0.7});
    Measurement const truth = walk.measure_left(400000 / static_cast<int>(kHaste));
    // Volumes of the meshes are 0.2 % less than those of balls.
    expect_truth(left, truth.mean, 4 * truth.standard_error + 1e-3, "not absorbed");
}

} // namespace
} // namespace volpt::test
