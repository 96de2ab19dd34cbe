// Probes of a mesh's texture: a cuboid of 12 triangles measures what the faces of the box measure, and notches are
// dark.
#include "tests/statistical/measure.h"
#include "tests/support/make_probed_object.h"

namespace volpt::test {
namespace {

constexpr std::array<float, 3> kSize_mm{2, 1, 0.5f};
constexpr std::uint32_t kCell = 10; // texels along a chart's cell; the chart has 8

PackedVolume make_cuboid_box(VolumeMeta meta)
{
    meta.dims = {8, 4, 2};
    meta.pitch_mm = {0.25f, 0.25f, 0.25f};
    return make_volume(meta);
}

/// Charts of the faces -z +z -y +y -x +x in this order, in 3 columns and 2 rows.
TriangleMesh make_cuboid()
{
    return chart_rectangles(make_box({0, 0, 0}, {kSize_mm[0], kSize_mm[1], kSize_mm[2]}), 3, 2);
}

/// edge x edge texels, from (left, top) on.
struct TexelSquare {
    std::uint32_t left, top, edge;
};

/// All texels, or those of the four corners, which are alike.
enum class Texels { all, corners };

Measurement measure_texels(Film const& film, TexelSquare const& square, Texels texels)
{
    double sum = 0, variance = 0, count = 0;
    auto const is_in = [&](std::uint32_t x) { return texels == Texels::all || x == 0 || x + 1 == square.edge; };
    for (std::uint32_t y = 0; y < square.edge; ++y)
        for (std::uint32_t x = 0; x < square.edge; ++x) {
            if (!is_in(x) || !is_in(y)) continue;
            std::size_t const i = std::size_t{square.top + y} * film.width() + square.left + x;
            PixelSums const pixel{film.sums[i], film.squares[i], film.samples_at(square.left + x, square.top + y)};
            sum += mean_of(pixel, film.sum_log2());
            variance += variance_of_mean(pixel, film.sum_log2(), film.square_log2());
            count += 1;
        }
    return {sum / count, std::sqrt(variance) / count};
}

TexelSquare find_chart(Film const& film, std::uint32_t chart, std::uint32_t columns)
{
    std::uint32_t const rows = film.height() / kCell;
    return {chart % columns * kCell + 1, (rows - 1 - chart / columns) * kCell + 1, kCell - 2};
}

struct CuboidCase {
    float extinction_per_mm, one_minus_albedo, g;
    BoundarySpec boundary;
};

TEST(TextureProbes, CuboidOfTrianglesMeasuresWhatFacesOfTheBoxMeasure)
{
    BoundarySpec const smooth{BoundaryKind::smooth, 1.5, 1.0, 0};
    BoundarySpec rough{BoundaryKind::rough, 1.4, 1.0, 0.3}, matte = smooth;
    rough.microfacets = Microfacets::multiple;
    matte.specular = Specular::excluded;
    std::vector<CuboidCase> const cases{
        {3, 0.2f, 0.3f, smooth}, {8, 0, 0, {}}, {2, 0.1f, 0, rough}, {4, 0.05f, 0, matte}};
    std::uint32_t const samples = 512 / kHaste;
    for (CuboidCase const& c : cases) {
        PackedVolume const object = make_object(make_cuboid(), make_constant_meta(c.one_minus_albedo, c.g));
        PackedVolume const box = make_cuboid_box(make_constant_meta(c.one_minus_albedo, c.g));
        for (ProbeView const view : {ProbeView::normal, ProbeView::diffuse}) {
            Scene scene = make_texture_probe(object, 3 * kCell, 2 * kCell, c.extinction_per_mm);
            scene.camera.view = view;
            scene.boundary = c.boundary;
            Film const film = render_scene(scene, object, {0, samples});
            constexpr std::uint32_t kFaces[] = {5, 4, 3, 2, 1, 0}; // of the charts
            for (std::uint32_t chart = 0; chart < 6; ++chart) {
                Scene of_face = make_probe(box, kCell - 2, kCell - 2);
                of_face.scale = c.extinction_per_mm;
                of_face.camera.view = view;
                of_face.camera.probe_face = kFaces[chart];
                of_face.boundary = c.boundary;
                Film const expected = render_scene(of_face, box, {0, samples});
                for (Texels const texels : {Texels::all, Texels::corners})
                    expect_equal_means(measure_texels(film, find_chart(film, chart, 3), texels),
                                       measure_texels(expected, {0, 0, kCell - 2}, texels),
                                       "chart " + std::to_string(chart) + ", view " +
                                           std::to_string(static_cast<int>(view)) + ", extinction " +
                                           std::to_string(c.extinction_per_mm));
            }
        }
    }
}

TEST(TextureProbes, OpaqueConvexObjectsReflectLocallyAndNotchesAreShadowed)
{
    PackedVolume const object = make_object(chart_rectangles(make_notched_block(4), 8, 1), make_constant_meta(0.02f));
    std::uint32_t const samples = 128 / kHaste;
    constexpr std::uint32_t kBelow = 0, kRightTip = 2, kRightWall = 3, kFloor = 4, kLeftWall = 5, kLeftTip = 6;
    for (ProbeView const view : {ProbeView::normal, ProbeView::diffuse}) {
        Scene scene = make_texture_probe(object, 8 * kCell, kCell, 60);
        scene.camera.view = view;
        scene.boundary = {};
        Film const film = render_scene(scene, object, {0, samples});
        auto const measure = [&](std::uint32_t chart) {
            return measure_texels(film, find_chart(film, chart, 8), Texels::all);
        };
        expect_equal_means(measure(kRightTip), measure(kLeftTip), "tips");
        expect_equal_means(measure(kRightWall), measure(kLeftWall), "walls");
        EXPECT_LT(measure(kFloor).mean, 0.8 * measure(kBelow).mean);
        EXPECT_LT(measure(kRightWall).mean, 0.8 * measure(kBelow).mean);
        EXPECT_GT(measure(kRightTip).mean, 0.95 * measure(kBelow).mean);
    }
}

} // namespace
} // namespace volpt::test
