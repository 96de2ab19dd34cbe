// What an absorbing medium lets through: exp of minus the integral of its extinction, by quadrature in double
// precision.
#include "libvolpt/film/film_stats.h"
#include "tests/statistical/measure.h"
#include "tests/support/goodness_of_fit.h"

namespace volpt::test {
namespace {

constexpr std::array<int, 3> kDims{20, 11, 10};
constexpr double kPitch[3] = {0.1f, 0.2f, 0.25f};
constexpr double kScale = 4;

float rugged_density(int x, int y, int z)
{
    if (x >= 8 && x < 12) return 0.0f;
    return static_cast<float>((x * 5 + y * 7 + z * 3) % 8) / 8.0f;
}

PackedVolume make_black_volume(Filter filter)
{
    VolumeMeta meta = density_meta(kDims, filter);
    for (std::size_t i = 0; i < 3; ++i) meta.pitch_mm[i] = static_cast<float>(kPitch[i]);
    meta.scale = static_cast<float>(kScale);
    meta.constant_one_minus_albedo = {1.0f};
    return make_volume(meta, {.density = rugged_density});
}

/// Density at a point in mm, interpolated between voxel centres, clamped at the border; or of the voxel that holds it.
double interpolate(Vec3d const& mm, Filter filter)
{
    int low[3];
    double fraction[3];
    for (std::size_t i = 0; i < 3; ++i) {
        double const voxels = mm[i] / kPitch[i];
        double const x =
            std::clamp(filter == Filter::trilinear ? voxels - 0.5 : std::floor(voxels), 0.0, kDims[i] - 1.0);
        low[i] = std::min(static_cast<int>(x), kDims[i] - 2);
        fraction[i] = x - low[i];
    }
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
        double weight = 1;
        int at[3];
        for (int i = 0; i < 3; ++i) {
            int const up = corner >> i & 1;
            at[i] = low[i] + up;
            weight *= up != 0 ? fraction[i] : 1 - fraction[i];
        }
        sum += weight * static_cast<double>(rugged_density(at[0], at[1], at[2]));
    }
    return sum;
}

/// exp(-integral) along the ray's part in the box, by the midpoint rule.
double transmit(Vec3d const& origin, Vec3d const& direction, Filter filter)
{
    double first = 0, last = 1e300;
    for (std::size_t i = 0; i < 3; ++i) {
        if (direction[i] == 0) continue;
        double const a = (0 - origin[i]) / direction[i], b = (kPitch[i] * kDims[i] - origin[i]) / direction[i];
        first = std::max(first, std::min(a, b));
        last = std::min(last, std::max(a, b));
    }
    constexpr int kSteps = 220; // a multiple of every dimension: along an axis, voxels share no step
    double depth = 0;
    for (int step = 0; step < kSteps; ++step) {
        double const t = first + (last - first) * (step + 0.5) / kSteps;
        depth += interpolate({origin[0] + t * direction[0], origin[1] + t * direction[1], origin[2] + t * direction[2]},
                             filter);
    }
    return std::exp(-kScale * depth * (last - first) / kSteps);
}

Vec3d cross(Vec3d const& a, Vec3d const& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vec3d unit(Vec3d const& a)
{
    double const length = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    return {a[0] / length, a[1] / length, a[2] / length};
}

/// Mean over a pixel of an orthographic picture; voxels that hold their points are either in a half of a pixel or not.
double transmit_pixel(Scene const& scene, std::uint32_t x, std::uint32_t y, Filter filter)
{
    CameraSpec const& camera = scene.camera;
    Vec3d direction{};
    for (std::size_t i = 0; i < 3; ++i) direction[i] = camera.target_world[i] - camera.origin_world[i];
    direction = unit(direction);
    Vec3d const right = unit(cross(direction, camera.up_world));
    Vec3d const up = cross(right, direction);
    int const rays = filter == Filter::nearest ? 2 : 16;
    double sum = 0;
    for (int ray = 0; ray < rays * rays; ++ray) {
        double const sx = (x + (ray % rays + 0.5) / rays) / scene.width - 0.5;
        double const sy = 0.5 - (y + (ray / rays + 0.5) / rays) / scene.height; // square pictures
        Vec3d origin{};
        for (std::size_t i = 0; i < 3; ++i)
            origin[i] = camera.origin_world[i] + camera.ortho_width_mm * (sx * right[i] + sy * up[i]);
        sum += transmit(origin, direction, filter);
    }
    return sum / (rays * rays);
}

constexpr std::uint32_t kEdge = 8;

Scene look_from(PackedVolume const& volume, Vec3d const& from, Vec3d const& up, double width_mm)
{
    Scene scene = make_scene(volume, kEdge, kEdge);
    scene.camera = {};
    scene.camera.kind = CameraKind::orthographic;
    scene.camera.ortho_width_mm = width_mm;
    for (std::size_t i = 0; i < 3; ++i) {
        scene.camera.target_world[i] = 0.5 * kPitch[i] * kDims[i];
        scene.camera.origin_world[i] = scene.camera.target_world[i] + 20 * from[i];
    }
    scene.camera.up_world = up;
    return scene;
}

/// Pixel by pixel (chi-square) and in the mean.
void expect_picture(Film const& film, std::uint64_t samples, std::vector<double> const& truth)
{
    double chi2 = 0, freedom = 0, truth_sum = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        double const difference = mean_of({film.sums[i], film.squares[i], samples}, film.sum_log2()) - truth[i];
        truth_sum += truth[i];
        if (truth[i] == 1) {
            EXPECT_EQ(difference, 0) << "nothing is in the way";
            continue;
        }
        chi2 += difference * difference * static_cast<double>(samples) / (truth[i] * (1 - truth[i]));
        freedom += 1;
    }
    EXPECT_LT(std::abs(chi2 - freedom) / std::sqrt(2 * freedom), 4) << "some pixels are off";
    expect_truth(measure_radiance(film)[0], truth_sum / static_cast<double>(truth.size()), 1e-4, "mean transmittance");
}

/// A picture of the middle, `width_mm` wide, with both majorants.
void expect_quadrature(PackedVolume const& volume, Filter filter, Vec3d const& from, Vec3d const& up, double width_mm)
{
    SCOPED_TRACE(testing::Message() << "filter " << static_cast<int>(filter) << ", from " << from[0] << ' ' << from[1]
                                    << ' ' << from[2]);
    constexpr std::uint64_t kSamples = 4096 / kHaste;
    Scene scene = look_from(volume, from, up, width_mm);
    std::vector<double> truth;
    for (std::uint32_t y = 0; y < kEdge; ++y)
        for (std::uint32_t x = 0; x < kEdge; ++x) truth.push_back(transmit_pixel(scene, x, y, filter));
    for (MajorantKind const majorant : {MajorantKind::local, MajorantKind::global}) {
        scene.majorant = majorant;
        expect_picture(render_scene(scene, volume, {0, kSamples}), kSamples, truth);
    }
}

TEST(Transmission, ABlackHeterogeneousMediumMatchesQuadrature)
{
    for (Filter const filter : {Filter::trilinear, Filter::nearest}) {
        PackedVolume const volume = make_black_volume(filter);
        // 0.1 mm a pixel: along the axes, voxels' edges fall between the quadrature's rays.
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (double const sign : {1.0, -1.0}) {
                Vec3d from{0, 0, 0}, up{0, 0, 0};
                from[axis] = sign;
                up[(axis + 1) % 3] = 1;
                expect_quadrature(volume, filter, from, up, 0.8);
            }
        if (filter == Filter::nearest) continue; // its edges cross the pixels of an oblique picture
        expect_quadrature(volume, filter, unit({0.3, -0.25, 0.9}), {0.3, 0.9, 0.2}, 0.5);
        expect_quadrature(volume, filter, unit({-0.4, 1.0, 0.35}), {0.3, 0.2, 0.9}, 0.5);
    }
}

TEST(Transmission, ATrilinearRampMatchesItsIntegral)
{
    // Two voxels of 1 mm along z, density 0 and 1: 0 up to 0.5 mm, then a ramp, 1 from 1.5 mm. Seen along x through 3
    // mm.
    VolumeMeta meta = density_meta({1, 1, 2});
    meta.pitch_mm = {3, 4, 1};
    meta.constant_one_minus_albedo = {1.0f};
    PackedVolume const volume = make_volume(meta, {.density = [](int, int, int z) { return static_cast<float>(z); }});
    for (float const scale : {0.1f, 1.0f, 5.0f}) {
        Scene scene = make_scene(volume, 64, 64);
        scene.scale = scale;
        scene.camera = {};
        scene.camera.kind = CameraKind::orthographic;
        scene.camera.ortho_width_mm = 2;
        scene.camera.origin_world = {-1, 2, 1};
        scene.camera.target_world = {1, 2, 1};
        scene.camera.up_world = {0, 0, 1};
        double const depth = 3 * static_cast<double>(scale);
        double const truth = (0.5 + 0.5 * std::exp(-depth) + (1 - std::exp(-depth)) / depth) / 2;
        expect_truth(measure_radiance(scene, volume, 64 / kHaste)[0], truth, 1e-6, "ramp");
    }
}

TEST(Transmission, TenuousVoxelsKeepTheirExtinctionUnderAHighMajorant)
{
    // 80,000 tentative collisions a ray, each real with probability 1e-9.
    VolumeMeta meta = density_meta({8, 8, 8}, Filter::nearest);
    meta.pitch_mm = {0.125f, 0.125f, 0.125f};
    meta.scale = 8e4f;
    meta.constant_one_minus_albedo = {1.0f};
    PackedVolume const volume =
        make_volume(meta, {.density = [](int x, int y, int z) { return x + y + z == 0 ? 1.0f : 1e-9f; }});
    Scene scene = make_scene(volume, 8, 8);
    scene.majorant = MajorantKind::global;
    scene.camera = {};
    scene.camera.kind = CameraKind::orthographic;
    scene.camera.origin_world = {0.5, 0.5, 5};
    scene.camera.target_world = {0.5, 0.5, 0};
    scene.camera.ortho_width_mm = 1;
    constexpr std::uint64_t kSamples = 32;
    Film const film = render_scene(scene, volume, {0, kSamples});
    std::uint64_t sum = 0, blocked = 0;
    for (std::uint64_t const pixel : film.sums) {
        sum += pixel;
        blocked += pixel == 0 ? 1u : 0u;
    }
    EXPECT_EQ(blocked, 1u) << "the pixel of the dense voxel";
    double const transmitted = static_cast<double>(sum) / static_cast<double>(63 * kSamples << film.sum_log2());
    EXPECT_NEAR(transmitted, std::exp(-8e4 * 1e-9), 1e-3);
}

TEST(Transmission, AHomogeneousMediumObeysBeerAndLambert)
{
    for (float const sigma_t : {0.1f, 1.0f, 4.0f}) {
        PackedVolume const volume = make_bare_cube(sigma_t, 1.0f);
        expect_truth(measure_radiance(look_down(volume, 0.5), volume, 64 / kHaste)[0],
                     std::exp(-static_cast<double>(sigma_t)), 1e-6, "cube");
    }
}

} // namespace
} // namespace volpt::test
