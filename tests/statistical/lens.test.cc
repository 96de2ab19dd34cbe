// A thin lens: what is out of focus is a disc of the predicted size, what is in focus is as sharp as through a pinhole.
#include "tests/statistical/measure.h"

namespace volpt::test {
namespace {

constexpr std::uint32_t kLensEdge = 81;
constexpr double kWidthMm = 8.1; // of what is seen in the plane of the target
constexpr double kDistanceMm = 20;
constexpr double kTargetMm = 0.4;

/// A black tile before a white sky, its front face at the camera's distance and in the middle of the picture.
PackedVolume make_target()
{
    VolumeMeta meta;
    meta.dims = {1, 1, 1};
    meta.pitch_mm = {static_cast<float>(kTargetMm), static_cast<float>(kTargetMm), 0.01f};
    meta.scale = 1e4f;
    meta.constant_one_minus_albedo = {1};
    return make_volume(meta);
}

Scene look_at_target(PackedVolume const& target, double lens_radius_mm, double focus_mm)
{
    Scene scene = make_scene(target, kLensEdge, kLensEdge);
    scene.camera = {};
    scene.camera.kind = CameraKind::perspective;
    scene.camera.target_world = {kTargetMm / 2, kTargetMm / 2, 0};
    scene.camera.origin_world = {kTargetMm / 2, kTargetMm / 2, 0.01 + kDistanceMm};
    scene.camera.fov_x_deg = 2 * std::atan(kWidthMm / 2 / kDistanceMm) * 180 / std::acos(-1.0);
    scene.camera.lens_radius_mm = lens_radius_mm;
    scene.camera.focus_distance_mm = focus_mm;
    return scene;
}

/// What is missing from white, in mm^2 of the target's plane, and its moments about the middle.
struct Shadow {
    double area = 0, second_moment = 0; ///< the moment over the area: mean of x^2 and of y^2 in mm^2
    double beyond = 0;                  ///< area farther from the middle than `limit_mm`
};

Shadow measure_shadow(Film const& film, double limit_mm)
{
    Shadow shadow;
    double const pixel_mm = kWidthMm / kLensEdge;
    visit_pixels(film, 0, {0, static_cast<int>(kLensEdge)}, [&](std::size_t i, PixelSums const& pixel, std::size_t) {
        double const dark = (1 - mean_of(pixel, film.sum_log2())) * pixel_mm * pixel_mm;
        double const x = (static_cast<double>(i % kLensEdge) - kLensEdge / 2) * pixel_mm;
        double const y = (static_cast<double>(i / kLensEdge) - kLensEdge / 2) * pixel_mm;
        shadow.area += dark;
        shadow.second_moment += dark * (x * x + y * y) / 2;
        if (std::sqrt(x * x + y * y) > limit_mm) shadow.beyond += dark;
    });
    shadow.second_moment /= shadow.area;
    return shadow;
}

TEST(Lens, OutOfFocusATargetIsADiscOfThePredictedCircleOfConfusion)
{
    PackedVolume const target = make_target();
    for (auto const& [radius_mm, focus_mm] : {std::pair{1.0, 10.0}, {1.0, 40.0}, {2.0, 15.0}, {3.0, 200.0}}) {
        SCOPED_TRACE(testing::Message() << "radius " << radius_mm << " focus " << focus_mm);
        Scene const scene = look_at_target(target, radius_mm, focus_mm);
        // Radius of the circle of confusion in the target's plane, by similar triangles.
        double const circle_mm = radius_mm * std::abs(kDistanceMm - focus_mm) / focus_mm;
        Shadow const shadow =
            measure_shadow(render_scene(scene, target, {0, 1024 / kHaste}, {}, 7), circle_mm + 0.75 * kTargetMm);
        EXPECT_NEAR(shadow.area / (kTargetMm * kTargetMm), 1, 0.02);
        // Of a uniform disc r^2 / 4, of the target and of a pixel w^2 / 12.
        double const pixel_mm = kWidthMm / kLensEdge;
        double const expected = circle_mm * circle_mm / 4 + (kTargetMm * kTargetMm + pixel_mm * pixel_mm) / 12;
        EXPECT_NEAR(shadow.second_moment / expected, 1, 0.03);
        EXPECT_EQ(shadow.beyond, 0);
    }
}

TEST(Lens, InFocusATargetIsAsSharpAsThroughAPinhole)
{
    PackedVolume const target = make_target();
    // The tile's other face is 0.01 mm farther.
    auto const beyond = [&](double radius_mm) {
        Scene const scene = look_at_target(target, radius_mm, kDistanceMm);
        return measure_shadow(render_scene(scene, target, {0, 256 / kHaste}, {}, 7), 0.75 * kTargetMm);
    };
    Shadow const pinhole = beyond(0), lens = beyond(2);
    EXPECT_NEAR(lens.area / pinhole.area, 1, 0.02);
    EXPECT_NEAR(lens.second_moment / pinhole.second_moment, 1, 0.02);
    EXPECT_EQ(lens.beyond, 0);
}

} // namespace
} // namespace volpt::test
