// What stratified starts of paths do to films: less noise where pixels are cut by edges, the same means, and standard
// errors that are upper bounds.
#include "libvolpt/core/extend_path.hd.h"
#include "libvolpt/film/film_stats.h"
#include "tests/statistical/measure.h"

namespace volpt::test {
namespace {

constexpr std::uint32_t kPicture = 16; // pixels along a side
constexpr double kWidth = 1.7;         // of the picture, mm; the cube's sides are 1 mm

/// A cube that absorbs all light, before a light of radiance 1.
PackedVolume make_black_cube()
{
    return make_bare_cube(1e4f, 1.0f);
}

/// Seen from above, sides along the rows and columns.
Scene make_silhouette(PackedVolume const& cube)
{
    Scene scene = make_scene(cube, kPicture, kPicture);
    scene.camera = {};
    scene.camera.kind = CameraKind::orthographic;
    scene.camera.origin_world = {0.5, 0.5, 5};
    scene.camera.target_world = {0.5, 0.5, 0};
    scene.camera.up_world = {0, 1, 0};
    scene.camera.ortho_width_mm = kWidth;
    return scene;
}

/// The part of pixel `at` of a row or column that lies on the cube.
double cover(std::uint32_t at)
{
    double const pixel = kWidth / kPicture, begin = at * pixel - kWidth / 2;
    return std::max(0.0, std::min(begin + pixel, 0.5) - std::max(begin, -0.5)) / pixel;
}

/// Mean of pixel (x, y) of a film of one band.
double mean_at(Film const& film, std::uint32_t x, std::uint32_t y)
{
    return std::ldexp(static_cast<double>(film.sums[y * film.width() + x]), -film.sum_log2()) /
           static_cast<double>(film.samples_at(x, y));
}

TEST(Stratification, StraightEdgesAreOffByLessThanOneSample)
{
    PackedVolume const cube = make_black_cube();
    for (SampleRange const samples : {SampleRange{0, 1}, SampleRange{0, 16}, SampleRange{32, 16}, SampleRange{0, 64},
                                      SampleRange{192, 64}, SampleRange{0, 256}}) {
        Film const film = render_scene(make_silhouette(cube), cube, samples);
        for (std::uint32_t y = 0; y < kPicture; ++y)
            for (std::uint32_t x = 0; x < kPicture; ++x) {
                bool const corner = cover(x) > 0 && cover(x) < 1 && cover(y) > 0 && cover(y) < 1;
                if (corner) continue;
                ASSERT_LT(std::abs(mean_at(film, x, y) - (1 - cover(x) * cover(y))),
                          1.001 / static_cast<double>(samples.count))
                    << x << ", " << y << ", " << samples.count << " samples";
            }
    }
}

TEST(Stratification, EdgesAndCornersKeepTheirMean)
{
    PackedVolume const cube = make_black_cube();
    Scene const scene = make_silhouette(cube);
    constexpr std::uint64_t kSeeds = 400 / kHaste;
    for (SampleRange const samples : {SampleRange{0, 1}, SampleRange{0, 5}, SampleRange{3, 4}}) {
        std::vector<double> edge, corner;
        for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
            Film const film = render_scene(scene, cube, samples, {}, seed);
            edge.push_back(mean_at(film, 3, 8));
            corner.push_back(mean_at(film, 12, 12));
        }
        ASSERT_GT(cover(3), 0.1);
        ASSERT_LT(cover(3), 0.9);
        expect_truth(measure_mean(edge), 1 - cover(3), 0, "edge");
        expect_truth(measure_mean(corner), 1 - cover(12) * cover(12), 0, "corner");
    }
}

TEST(Stratification, BehindAWeakBoundaryTheFirstFlightAndItsScatteringAreStratified)
{
    PackedVolume const print = make_print();
    for (BoundarySpec const& boundary : {BoundarySpec{}, BoundarySpec{BoundaryKind::smooth, 1.1, 1.0, 0},
                                         BoundarySpec{BoundaryKind::rough, 1.1, 1.0, 0.2},
                                         BoundarySpec{.kind = BoundaryKind::rough,
                                         .int_ior = 1.1,
                                         .ext_ior = 1.0,
                                         .alpha = 0.2,
                                         .microfacets = Microfacets::multiple}}) {
        Scene scene = make_scene(print);
        scene.boundary = boundary;
        RenderScene const built(scene, print, nullptr, 11);
        SceneView const& view = built.view();
        std::uint32_t entered = 0, stratified = 0;
        for (std::uint32_t sample = 0; sample < 512; ++sample) {
            PathId const id{16, 12, sample, 0, 0};
            auto path = start_path<3>(view, id);
            PathCounts counts;
            if (path.stage == Stage::entering) leave_or_enter(view, path, counts);
            if (path.stage != Stage::inside) continue;
            ++entered;
            path.rng.draw();
            std::uint32_t const depth = path.rng.draw();
            std::uint32_t const cosine = path.rng.draw();
            std::uint32_t const azimuth = path.rng.draw();
            SampleSequence sequence(seed_pixel_keys(11, id.y * view.width + id.x, 0), sample);
            sequence.draw_first_pair();
            Pair32 const pair = sequence.draw_next_pair();
            stratified += depth == pair.x && cosine == pair.y && azimuth == sequence.draw_next_number();
        }
        EXPECT_GT(entered, 400u);
        bool const many = boundary.microfacets == Microfacets::multiple; // where some paths meet further facets
        EXPECT_GE(stratified, many ? entered * 3 / 4 : entered) << view.draws_before_stratified;
    }
}

TEST(Stratification, AtAStrongBoundaryItsFirstDrawsAreStratified)
{
    PackedVolume const print = make_print();
    for (Microfacets const facets : {Microfacets::single, Microfacets::multiple}) {
        Scene scene = make_scene(print);
        scene.boundary = {
            .kind = BoundaryKind::rough, .int_ior = 1.5, .ext_ior = 1.0, .alpha = 0.2, .microfacets = facets};
        RenderScene const rough(scene, print, nullptr, 11);
        EXPECT_EQ(rough.view().draws_before_stratified, facets == Microfacets::multiple ? 1u : 0u);
        scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
        RenderScene const smooth(scene, print, nullptr, 11);
        EXPECT_EQ(smooth.view().draws_before_stratified, 0u);
    }
}

TEST(Stratification, StandardErrorIsAnUpperBound)
{
    // Of single pixels: their spread over seeds against what films say. In the cloud little of the noise is due to how
    // paths start, so both are nearly equal; around the black cube all of it is.
    constexpr std::uint64_t kSeeds = 48 / std::min(kHaste, 4u);
    struct Case {
        PackedVolume volume;
        Scene scene;
        double least, most; ///< of spread squared over standard error squared
    };
    std::vector<Case> cases;
    PackedVolume cube = make_black_cube();
    Scene const silhouette = make_silhouette(cube);
    cases.push_back({std::move(cube), silhouette, 0.0, 0.3});
    PackedVolume cloud = make_cloud();
    Scene const view = make_scene(cloud, 24, 18);
    cases.push_back({std::move(cloud), view, 0.3, 1.02});
    for (Case const& c : cases) {
        std::vector<double> sums, squares;
        double said = 0, spread = 0;
        for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
            Film const film = render_scene(c.scene, c.volume, {0, 32}, {}, seed);
            sums.resize(film.sums.size());
            squares.resize(film.sums.size());
            visit_pixels(film, 0, [&](std::size_t pixel, PixelSums const& at, std::size_t) {
                double const mean = mean_of(at, film.sum_log2());
                sums[pixel] += mean;
                squares[pixel] += mean * mean;
                said += variance_of_mean(at, film.sum_log2(), film.square_log2()) / kSeeds;
            });
        }
        for (std::size_t i = 0; i < sums.size(); ++i)
            spread += (squares[i] - sums[i] * sums[i] / kSeeds) / (kSeeds - 1);
        EXPECT_LT(spread / said, c.most);
        EXPECT_GE(spread / said, c.least);
    }
}

} // namespace
} // namespace volpt::test
