// Surfaces around a solid: no light is lost among them, and what they reflect is what formulas say.
#include "tests/statistical/measure.h"
#include "tests/support/make_surroundings.h"

#include <map>

namespace volpt::test {
namespace {

/// A camera that sees what lies in and around the cube of make_object_medium, from above.
Scene make_wide_scene(PackedVolume const& volume)
{
    Scene scene = make_scene(volume);
    scene.camera.origin_world = {-6, -9, 7};
    scene.camera.target_world = {1, 1, 0.6};
    scene.camera.fov_x_deg = 40;
    return scene;
}

TriangleMesh make_solid()
{
    return move_mesh(make_bumpy_sphere(0.8f, 12, 0.4f), {1, 1, 1});
}

/// Two walls of their own thickness, a slab that stands open, and spheres that touch each other and the walls.
SurroundingShapes make_room(BsdfView const& bsdf)
{
    SurroundingShapes shapes;
    add_mesh(shapes, make_box({-4, 3, 0}, {5, 3.5f, 3}), bsdf);
    add_mesh(shapes, make_box({3.5f, -3, 0}, {4, 3, 3}), bsdf);
    TriangleMesh open = make_box({-3, -2, 0.2f}, {-1, 2, 0.4f});
    open.triangles.resize(10);
    add_mesh(shapes, open, bsdf);
    add_sphere(shapes, {{-2, 1, 1.4f}, 1.0f}, bsdf);
    add_sphere(shapes, {{2.5f, 2, 1}, 1.0f}, bsdf);
    add_sphere(shapes, {{1, -1.5f, 0.5f}, 0.5f}, bsdf);
    return shapes;
}

std::map<std::string, BsdfView> list_lossless_bsdfs()
{
    BsdfView rough = make_bsdf(BsdfKind::dielectric);
    rough.boundary.kind = BoundaryKindView::rough;
    rough.boundary.alpha = 0.3f;
    return {{"diffuse", make_bsdf(BsdfKind::diffuse)},
            {"mirror", make_bsdf(BsdfKind::conductor)},
            {"dielectric", make_bsdf(BsdfKind::dielectric)},
            {"rough dielectric", rough},
            {"thin dielectric", make_bsdf(BsdfKind::thin_dielectric)},
            {"null", make_bsdf(BsdfKind::null)}};
}

TEST(Surroundings, WhiteFurnaceGivesOneInEverySampleAndLosesNoPath)
{
    PackedVolume const volume = make_object_medium(8, 0);
    std::uint32_t const samples = 30 / kHaste + 1;
    for (auto const& [name, bsdf] : list_lossless_bsdfs())
        for (GroundKind const ground : {GroundKind::none, GroundKind::diffuse}) {
            Scene scene = make_wide_scene(volume);
            scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
            scene.ground.kind = ground;
            scene.ground.albedo = {1.0f};
            SurroundedScene const built(scene, volume, make_solid(), make_room(bsdf));
            ObjectSums const got = render_object(built.view(), samples, list_cpu_kernels().front());
            auto const one = static_cast<std::uint64_t>(static_cast<double>(built.view().sum_scale));
            for (std::uint64_t const sum : got.planes.sums) ASSERT_EQ(sum, samples * one) << name;
            EXPECT_EQ(got.counts.lost_paths, 0u) << name;
            EXPECT_EQ(got.counts.cut_paths, 0u) << name;
            // Null surfaces are no events: what is left is the solid, the ground and the escape.
            std::uint64_t const least_twice = bsdf.kind == BsdfKind::null ? 3 : 5;
            EXPECT_GT(2 * got.counts.extensions, least_twice * got.counts.paths) << name;
        }
}

TEST(Surroundings, GroundReflectsItsAlbedo)
{
    PackedVolume const volume = make_object_medium(0, 0);
    Scene scene = make_wide_scene(volume);
    scene.camera.fov_x_deg = 5;
    scene.ground.kind = GroundKind::diffuse;
    scene.ground.albedo = {0.625f};
    Film const film = render_scene(scene, volume, {0, 4}, {}, 7);
    FilmSummary const summary = summarize_film(film);
    EXPECT_FLOAT_EQ(static_cast<float>(summary.mean[0]), 0.625f);
    EXPECT_FLOAT_EQ(static_cast<float>(summary.standard_error[0]), 0.0f);
}

TEST(Surroundings, HalfOfACheckeredGroundHasEachAlbedo)
{
    PackedVolume const volume = make_object_medium(0, 0);
    Scene scene = make_wide_scene(volume);
    scene.camera.kind = CameraKind::orthographic;
    scene.camera.origin_world = {1, 1, 9};
    scene.camera.target_world = {1, 1, 0};
    scene.camera.up_world = {0, 1, 0};
    scene.camera.ortho_width_mm = 16;
    scene.ground.kind = GroundKind::checker;
    scene.ground.albedo = {0.75f};
    scene.ground.other_albedo = {0.5f};
    scene.ground.check_mm = 1;
    auto const mean = measure_radiance(scene, volume, 64 / kHaste + 1).front();
    expect_truth(mean, 0.625, 0, "16 x 12 squares");
}

TEST(Surroundings, BlackGroundIsTheDarkLowerHemisphere)
{
    PackedVolume const volume = make_object_medium(6, 0.05f);
    Scene scene = make_wide_scene(volume);
    scene.environment.kind = EnvironmentKind::hemispheres;
    scene.environment.below = {0.0f};
    scene.environment.up_axis = 4;
    for (BoundarySpec const& boundary : {BoundarySpec{}, BoundarySpec{BoundaryKind::smooth, 1.5, 1.0, 0}}) {
        scene.boundary = boundary;
        scene.ground.kind = GroundKind::none;
        auto const box = measure_radiance(scene, volume, 600 / kHaste, 3).front();
        scene.ground.kind = GroundKind::diffuse;
        scene.ground.albedo = {0.0f};
        auto const on_ground = measure_radiance(scene, volume, 600 / kHaste, 4).front();
        expect_equal_means(box, on_ground, "boundary " + std::to_string(static_cast<int>(boundary.kind)));
    }
}

/// Seen from above along -z, in light from above alone.
Measurement measure_sphere_from_above(BsdfView const& bsdf)
{
    PackedVolume const volume = make_object_medium(0, 0);
    Scene scene = make_scene(volume, 24, 24);
    scene.camera.kind = CameraKind::orthographic;
    scene.camera.origin_world = {6, 6, 4}; // parallel cameras are moved to the volume
    scene.camera.target_world = {6, 6, 0};
    scene.camera.up_world = {0, 1, 0};
    scene.camera.ortho_width_mm = 4;
    scene.environment.kind = EnvironmentKind::hemispheres;
    scene.environment.below = {0.0f};
    scene.environment.up_axis = 4;
    SurroundingShapes shapes;
    add_sphere(shapes, {{6, 6, 1}, 2.0f}, bsdf);
    SurroundedScene const built(scene, volume, make_solid(), shapes);
    std::vector<double> batches;
    for (std::uint32_t batch = 0; batch < 40; ++batch) {
        TileSums sums(24 * 24);
        PathCounts counts;
        std::uint32_t const samples = 64 / kHaste;
        list_cpu_kernels().front().render(built.view(), {0, 0, 24, 24, batch * samples, samples}, sums.view(), counts,
                                          {});
        double total = 0;
        for (std::uint64_t const sum : sums.sums) total += static_cast<double>(sum);
        batches.push_back(total / (24 * 24 * samples * static_cast<double>(built.view().sum_scale)));
    }
    return measure_mean(batches);
}

TEST(Surroundings, SpheresReflectWhatFormulasSay)
{
    double const disc = 3.14159265358979 / 4; // of the picture
    // A mirror shows the upper hemisphere within 45 degrees of its top: half of the disc.
    expect_truth(measure_sphere_from_above(make_bsdf(BsdfKind::conductor)), disc / 2, 0, "mirror");
    // The irradiance at cosine c of the zenith angle is (1 + c) / 2 of the full one; the mean of c over the disc is
    // 2/3.
    expect_truth(measure_sphere_from_above(make_bsdf(BsdfKind::diffuse, 0.5f)), disc * 0.5 * 5 / 6, 0, "diffuse");
}

} // namespace
} // namespace volpt::test
