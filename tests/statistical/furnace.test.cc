// The white furnace: what absorbs nothing, in light of 1 from everywhere, is 1 everywhere, to the last bit of the film.
#include "tests/statistical/measure.h"

namespace volpt::test {
namespace {

constexpr std::uint64_t kSamples = 12;

PackedVolume make_white_cloud(Filter filter)
{
    return make_volume(cloud_meta(filter), {.density = cloud_density});
}

PackedVolume make_white_inks()
{
    VolumeMeta meta = cloud_meta();
    meta.band_numbers = {0, 1, 2};
    meta.scale = 1.0f;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    std::vector<Material> const inks{{"a", {9.0f, 4.5f, 7.5f}, {0, 0, 0}, 0.4f},
                                     {"b", {2.0f, 0.0f, 19.0f}, {0, 0, 0}, -0.7f}};
    return make_volume(meta, {.label = [](int x, int y, int z) { return (x / 4 + y / 3 + z) % 2; }}, inks);
}

/// Every pixel of every band holds `samples` times the fixed-point 1, in sums and squares.
void expect_exactly_one(Scene const& scene, PackedVolume const& volume, LightImage const* light = nullptr)
{
    Film const film = render_scene(scene, volume, {0, kSamples}, {}, 7, light);
    ASSERT_GT(film.statistics.extensions, film.statistics.paths) << "nothing scattered, nothing tested";
    for (std::uint64_t const sum : film.sums) ASSERT_EQ(sum, kSamples << film.sum_log2());
    for (std::uint64_t const square : film.squares) ASSERT_EQ(square, kSamples << film.square_log2());
}

/// All anisotropies, boundaries and majorants.
void expect_furnace(PackedVolume const& volume)
{
    for (float const g : {-0.5f, 0.0f, 0.9f})
        for (double const ior : {1.0, 1.5, 1.0 / 1.3})
            for (MajorantKind const majorant : {MajorantKind::local, MajorantKind::global}) {
                Scene scene = make_scene(volume);
                scene.override_g = true;
                scene.g = g;
                scene.majorant = majorant;
                if (ior != 1) scene.boundary = {BoundaryKind::smooth, ior, 1.0, 0};
                SCOPED_TRACE(testing::Message()
                             << "g " << g << ", ior " << ior << ", majorant " << static_cast<int>(majorant));
                expect_exactly_one(scene, volume);
            }
}

TEST(Furnace, HomogeneousCubeIsOne)
{
    expect_furnace(make_bare_cube());
}

TEST(Furnace, TrilinearCloudIsOne)
{
    expect_furnace(make_white_cloud(Filter::trilinear));
}

TEST(Furnace, NearestCloudIsOne)
{
    expect_furnace(make_white_cloud(Filter::nearest));
}

TEST(Furnace, ChromaticMaterialsAreOne)
{
    expect_furnace(make_white_inks());
    PackedVolume const volume = make_white_inks();
    expect_exactly_one(make_scene(volume), volume); // with the materials' own anisotropies
}

TEST(Furnace, PrintedAlbedoIsOne)
{
    VolumeMeta meta = cloud_meta();
    meta.extinction = Source::constant;
    set_three_bands(meta);
    meta.albedo = Source::plane;
    expect_furnace(make_volume(meta, {.one_minus_albedo = [](int, int, int, int) { return 0.0f; }}));
}

TEST(Furnace, AnImageOfOnesAndTwoEqualHemispheresAreOne)
{
    PackedVolume const volume = make_white_cloud(Filter::trilinear);
    Scene scene = make_scene(volume);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    scene.environment = {EnvironmentKind::hemispheres, {1.0f}, {1.0f}, {}, 1, 0};
    expect_exactly_one(scene, volume);
    Image picture = make_image(32, 16, Transfer::linear, {"Y"});
    std::ranges::fill(picture.channels[0].values, 1.0f);
    LightImage const light = make_light_image(picture, volume.meta().band_numbers, "ones");
    scene.environment = {EnvironmentKind::image, {1.0f}, {}, light.checksum, 2, 33};
    expect_exactly_one(scene, volume, &light);
}

TEST(Furnace, TwoOppositeLightsShareItToTheBit)
{
    // Every path of a white medium ends in one light or the other, whole.
    PackedVolume const volume = make_white_cloud(Filter::trilinear);
    Scene scene = make_scene(volume);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    light_from_above(scene);
    Film const above = render_scene(scene, volume, {0, kSamples});
    light_from_below(scene);
    Film const below = render_scene(scene, volume, {0, kSamples});
    for (std::size_t i = 0; i < above.sums.size(); ++i)
        ASSERT_EQ(above.sums[i] + below.sums[i], kSamples << above.sum_log2());
    EXPECT_GT(measure_radiance(above)[0].mean, 0.1);
    EXPECT_GT(measure_radiance(below)[0].mean, 0.1);
}

TEST(Furnace, FacetsThatScatterToEachOtherLoseNothing)
{
    PackedVolume const cube = make_bare_cube();
    PackedVolume const cloud = make_white_cloud(Filter::trilinear);
    for (double const alpha : {0.0, 0.05, 0.1, 0.2, 0.5, 1.0})
        for (double const ior : {1.05, 1.5, 2.4}) {
            SCOPED_TRACE(testing::Message() << "alpha " << alpha << ", ior " << ior);
            Scene scene = make_scene(cube);
            scene.boundary = {
                .kind = BoundaryKind::rough, .int_ior = ior, .alpha = alpha, .microfacets = Microfacets::multiple};
            expect_exactly_one(scene, cube);
            Scene inside = scene;
            inside.camera.kind = CameraKind::perspective;
            inside.camera.origin_world = {0.5, 0.5, 0.5};
            inside.camera.target_world = {1, 0.7, 0.8};
            expect_exactly_one(inside, cube);
            Scene clouded = make_scene(cloud);
            clouded.boundary = scene.boundary;
            expect_exactly_one(clouded, cloud);
        }
}

TEST(Furnace, AWhiteSlabOnAMirrorReflectsAllThroughManyFacets)
{
    PackedVolume const volume = make_bare_cube();
    for (double const alpha : {0.05, 0.1, 0.2, 1.0})
        for (ProbeView const view : {ProbeView::normal, ProbeView::diffuse})
            for (Backing const backing : {Backing::mirror, Backing::white}) {
                SCOPED_TRACE(testing::Message() << "alpha " << alpha);
                Scene scene = make_probe(volume, 16, 16);
                scene.camera.view = view;
                scene.boundary = {BoundaryKind::rough, 1.5, 1.0, alpha};
                scene.boundary.microfacets = Microfacets::multiple;
                scene.boundary.backing = backing;
                scene.boundary.sides = Sides::periodic;
                expect_exactly_one(scene, volume);
                scene.boundary.microfacets = Microfacets::single;
                EXPECT_LT(measure_radiance(scene, volume, kSamples)[0].mean, 0.97);
            }
}

TEST(Furnace, ASingleFacetGainsNothing)
{
    // It loses what it sends into its neighbour; it must never gain.
    PackedVolume const volume = make_bare_cube();
    struct {
        double alpha, least;
    } const roughnesses[] = {{0.05, 0.98}, {0.3, 0.8}, {1.0, 0.6}};
    for (auto const [alpha, least] : roughnesses) {
        Scene scene = make_scene(volume);
        scene.boundary = {BoundaryKind::rough, 1.5, 1.0, alpha};
        scene.roulette_w_min = 0;
        Film const film = render_scene(scene, volume, {0, kSamples});
        for (std::uint64_t const sum : film.sums) ASSERT_LE(sum, kSamples << film.sum_log2()) << alpha;
        EXPECT_LT(measure_radiance(film)[0].mean, 1.0);
        EXPECT_GT(measure_radiance(film)[0].mean, least) << alpha;
    }
}

} // namespace
} // namespace volpt::test
