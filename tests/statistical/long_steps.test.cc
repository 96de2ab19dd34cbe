// Long steps have the expectations of plain walks: by angle and place, with several g, in a cloud; energy comes back
// whole.
#include "libvolpt/film/film_image.h"
#include "tests/statistical/stepped.h"

namespace volpt::test {
namespace {

/// Mean of the pixels that `pick` numbers alike, by that number; negative ones do not count.
template <class Pick>
std::vector<Measurement> measure_groups(Film const& film, std::string const& band, std::size_t groups, Pick&& pick)
{
    Image const image = film_to_image(film);
    std::vector<Measurement> means(groups);
    std::vector<double> counts(groups);
    for (std::uint32_t y = 0; y < film.height(); ++y)
        for (std::uint32_t x = 0; x < film.width(); ++x) {
            int const group = pick(x, y);
            if (group < 0) continue;
            std::size_t const at = std::size_t{y} * film.width() + x;
            auto const error = static_cast<double>(image.find("standard_error." + band)->values[at]);
            means.at(static_cast<std::size_t>(group)).mean += static_cast<double>(image.find(band)->values[at]);
            means[static_cast<std::size_t>(group)].standard_error += error * error;
            counts[static_cast<std::size_t>(group)] += 1;
        }
    for (std::size_t i = 0; i < groups; ++i)
        means[i] = {means[i].mean / counts[i], std::sqrt(means[i].standard_error) / counts[i]};
    return means;
}

/// Each mean and, by chi-square, all of them.
void expect_equal_groups(std::vector<Measurement> const& stepped, std::vector<Measurement> const& plain,
                         std::string const& what)
{
    double chi_squared = 0;
    for (std::size_t i = 0; i < stepped.size(); ++i) {
        expect_equal_means(stepped[i], plain[i], what + ", group " + std::to_string(i));
        double const spread = std::hypot(stepped[i].standard_error, plain[i].standard_error);
        chi_squared += (stepped[i].mean - plain[i].mean) * (stepped[i].mean - plain[i].mean) / (spread * spread);
    }
    double const n = static_cast<double>(stepped.size());
    EXPECT_LT(chi_squared, n + 4 * std::sqrt(2 * n)) << what;
}

TEST(LongStepsTruth, ReflectanceByAngleIsThatOfPlainWalks)
{
    // By reciprocity, what is seen along a direction is what leaves along it: rings of pixels are polar angles up to 79
    // degrees.
    for (float const g : list_anisotropies())
        for (BoundaryKind const kind : {BoundaryKind::none, BoundaryKind::smooth}) {
            PackedVolume const volume = make_slab(400, 3, {0}, {"resin", {10}, {0.005f}, g});
            Scene scene = look_down(volume, 1, 32);
            scene.camera.kind = CameraKind::perspective;
            scene.camera.fov_x_deg = 150;
            if (kind == BoundaryKind::smooth) scene.boundary = {kind, 1.5, 1.0, 0};
            light_from_above(scene);
            auto const ring = [](std::uint32_t x, std::uint32_t y) {
                return static_cast<int>(std::hypot(x - 15.5, y - 15.5) / 22.0 * 8);
            };
            std::string const what =
                "g " + std::to_string(g) + (kind == BoundaryKind::none ? ", no boundary" : ", smooth");
            expect_equal_groups(measure_groups(render_banks(scene, volume, 1, 64), "Y", 8, ring),
                                measure_groups(render_plain(scene, volume, 64), "Y", 8, ring), what);
        }
}

/// White of 20/mm, 9.6 x 4.8 x 3.2 mm in voxels of 0.1 mm; black at 16 <= x < 32 in the whole depth, so that a seam
/// lies in white but not in its middle, and a black disc of 6 voxels' radius, one voxel deep, about (64, 24). Its two
/// bands are chromatic.
PackedVolume make_edge_and_dot(Filter filter)
{
    VolumeMeta meta = density_meta({96, 48, 32}, filter);
    meta.pitch_mm = {0.1f, 0.1f, 0.1f};
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    meta.band_numbers = {0, 1};
    meta.constant_extinction = {1, 1};
    meta.constant_one_minus_albedo = {0, 0};
    std::vector<Material> const inks{{"white", {20.0f, 8.0f}, {0.001f, 0.0005f}, 0.4f},
                                     {"black", {20.0f, 30.0f}, {0.65f, 0.4f}, 0.4f}};
    auto const label = [](int x, int y, int z) {
        bool const in_dot = z == 31 && (x - 64) * (x - 64) + (y - 24) * (y - 24) < 36;
        return (x >= 16 && x < 32) || in_dot ? 1 : 0;
    };
    return make_volume(meta, {.label = label}, inks);
}

TEST(LongStepsTruth, LightSpreadsAcrossAnEdgeAndADotAsInPlainWalks)
{
    for (Filter const filter : {Filter::nearest, Filter::trilinear}) {
        PackedVolume const volume = make_edge_and_dot(filter);
        Scene scene = probe_endless(volume, 48);
        scene.width = 96;
        Film const stepped = render_banks(scene, volume, 2, 32);
        Film const plain = render_plain(scene, volume, 64);
        EXPECT_GT(count_per_path(stepped.long_steps.steps, stepped), 1);
        auto const by_edge = [](std::uint32_t x, std::uint32_t y) {
            return y < 12 || y >= 36 ? static_cast<int>(x) : -1;
        };
        auto const by_dot = [](std::uint32_t x, std::uint32_t y) {
            return x < 48 || x >= 80 ? -1 : static_cast<int>(std::min(11.0, std::hypot(x - 63.5, y - 23.5)));
        };
        for (std::string const band : {"band0", "band1"}) {
            expect_equal_groups(measure_groups(stepped, band, 96, by_edge), measure_groups(plain, band, 96, by_edge),
                                "edge, " + band);
            expect_equal_groups(measure_groups(stepped, band, 12, by_dot), measure_groups(plain, band, 12, by_dot),
                                "dot, " + band);
        }
    }
}

TEST(LongStepsTruth, EveryMaterialOfALabelVolumeHasItsOwnAnisotropy)
{
    // Six columns of as many values of g, two more than have banks, and one of an albedo below 1/2 in one band.
    VolumeMeta meta = density_meta({128, 24, 24}, Filter::nearest);
    meta.pitch_mm = {0.1f, 0.1f, 0.1f};
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    meta.band_numbers = {0, 1, 2};
    meta.constant_extinction.assign(3, 1.0f);
    meta.constant_one_minus_albedo.assign(3, 0.0f);
    std::vector<Material> materials;
    for (float const g : {-0.5f, 0.0f, 0.4f, 0.9f, 0.8f, -0.8f})
        materials.push_back({"g " + std::to_string(g), {10.0f, 20.0f, 15.0f}, {0.003f, 0.01f, 0.05f}, g});
    materials[2].one_minus_albedo[2] = 0.6f;
    // The first four fill more than the last two.
    auto const label = [](int x, int, int) { return x < 96 ? x / 24 : x < 112 ? 4 : 5; };
    PackedVolume const volume = make_volume(meta, {.label = label}, materials);
    Scene const scene = probe_endless(volume, 64);
    auto const column = [&](std::uint32_t x, std::uint32_t) { return label(static_cast<int>(2 * x), 0, 0); };
    Film const stepped = render_banks(scene, volume, 1, 64);
    Film const plain = render_plain(scene, volume, 64);
    EXPECT_GT(count_per_path(stepped.long_steps.steps, stepped), 0.5);
    for (std::string const band : {"R", "G", "B"})
        expect_equal_groups(measure_groups(stepped, band, 6, column), measure_groups(plain, band, 6, column), band);
}

TEST(LongStepsTruth, ACloudWithAnEmptySurroundLooksAsInPlainWalks)
{
    // Trilinear density with dense constant bricks inside and empty ones around; three bands on one path.
    VolumeMeta meta = density_meta({88, 80, 72}, Filter::trilinear, Encoding::f16);
    meta.pitch_mm = {0.1f, 0.11f, 0.12f};
    meta.scale = 5;
    meta.g = 0.3f;
    meta.band_numbers = {0, 1, 2};
    meta.constant_extinction.assign(3, 1.0f);
    meta.constant_one_minus_albedo.assign(3, 0.0f);
    meta.albedo = Source::plane;
    meta.albedo_encoding = Encoding::f16;
    auto const depth = [](int x, int y, int z) { // voxels from the core's surface, negative outside
        return static_cast<float>(std::min({x - 8, 79 - x, y - 8, 71 - y, z - 8, 63 - z}));
    };
    PackedVolume const volume = make_volume(
        meta, {.density = [&](int x, int y, int z) { return std::clamp(0.25f * depth(x, y, z), 0.0f, 1.0f); },
               .one_minus_albedo =
                   [&](int x, int y, int z, int band) {
                       return depth(x, y, z) < 6 ? 0.004f * static_cast<float>((x / 4 + y / 4 + z / 4) % 3)
                                                 : 0.001f + 0.02f * static_cast<float>(band);
                   }});
    Scene scene = look_down(volume, 10, 32);
    scene.environment = {EnvironmentKind::hemispheres, {1.0f, 0.8f, 0.6f}, {0.1f}, {}, 4, 0};
    Film const stepped = render_banks(scene, volume, 2, 64);
    Film const plain = render_plain(scene, volume, 128);
    EXPECT_GT(count_per_path(stepped.long_steps.steps, stepped), 0.1);
    auto const tile = [](std::uint32_t x, std::uint32_t y) { return static_cast<int>(y / 4 * 8 + x / 4); };
    for (std::string const band : {"R", "G", "B"})
        expect_equal_groups(measure_groups(stepped, band, 64, tile), measure_groups(plain, band, 64, tile), band);
}

TEST(LongStepsTruth, AlbedoOneSendsAllEnergyBackInEveryTexel)
{
    for (ProbeView const view : {ProbeView::normal, ProbeView::diffuse})
        for (Backing const backing : {Backing::white, Backing::mirror})
            for (Sides const sides : {Sides::periodic, Sides::boundary}) {
                PackedVolume const volume = make_slab(2, 2, {0, 1, 2}, {"lossless", {4, 8, 16}, {0, 0, 0}, 0.4f});
                Scene scene = make_probe(volume);
                scene.camera.view = view;
                scene.boundary.backing = backing;
                scene.boundary.sides = sides;
                Film const film = render_banks(scene, volume, 1, 2 * kHaste);
                EXPECT_GT(film.long_steps.steps, film.statistics.paths);
                std::uint64_t const whole = std::uint64_t{2} << film.sum_log2();
                for (std::uint64_t const sum : film.sums)
                    ASSERT_TRUE(sum == whole || (sides == Sides::boundary && sum < whole));
            }
    // In a furnace nothing gets lost at the sides, either.
    PackedVolume const volume = make_slab(2, 2, {0, 1, 2}, {"lossless", {4, 8, 16}, {0, 0, 0}, 0.4f});
    Scene scene = make_scene(volume);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    Film const film = render_banks(scene, volume, 1, 2 * kHaste);
    EXPECT_GT(film.long_steps.steps, film.statistics.paths);
    for (std::uint64_t const sum : film.sums) ASSERT_EQ(sum, std::uint64_t{2} << film.sum_log2());
}

} // namespace
} // namespace volpt::test
