// Probes of a mesh's texture: the same bits from every kernel and partition, coverage, and refusals.
#include "libvolpt/core/surface/texel_start.hd.h"
#include "libvolpt/cpu/cpu_backend.h"
#include "libvolpt/cpu/path_cursor.h"
#include "libvolpt/sys/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_probed_object.h"
#include "tests/support/merge_films.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr SampleRange kTexelSamples{0, 6};

PackedVolume make_notched_object(std::uint32_t bands)
{
    VolumeMeta meta = make_constant_meta(0.05f, 0.3f);
    if (bands == 3) set_three_bands(meta);
    return make_object(chart_rectangles(make_notched_block(2), 4, 2), meta);
}

Scene make_notched_probe(PackedVolume const& object, ProbeView view)
{
    Scene scene = make_texture_probe(object, 70, 37, 3);
    scene.camera.view = view;
    return scene;
}

/// Path by path, as the contract of start_path_at_texel says, in the medium of make_notched_object.
template <int bands>
TileSums extend_one_by_one(SceneView const& view, std::uint32_t samples)
{
    std::size_t const plane = std::size_t{view.width} * view.height;
    TileSums sums(plane * view.bands);
    PathCounts counts;
    using M = Medium<bands, Extinction::bare, MajorantGrid::global, Steps::plain, Surfaces::triangles>;
    EXPECT_EQ(view.medium.extinction, Extinction::bare);
    for (PathCursor cursor({0, 0, view.width, view.height, 0, samples}, 1); !cursor.done();) {
        TexelStart<bands> start = start_path_at_texel<bands>(view, cursor.take());
        PathState<bands>& path = start.path;
        if (path.stage != Stage::ended) meet_triangle(view, start.hit, path, counts);
        while (path.stage != Stage::ended) extend_path<M>(view, path, counts);
        keep_light_from_above(start.normal, path);
        add_to_sums(view, path, sums.view(), plane);
    }
    return sums;
}

TEST(TextureProbe, EveryKernelGivesTheBitsOfExtendPath)
{
    for (std::uint32_t const bands : {1u, 3u}) {
        PackedVolume const object = make_notched_object(bands);
        for (ProbeView const view : {ProbeView::normal, ProbeView::diffuse}) {
            Scene const scene = make_notched_probe(object, view);
            RenderScene const built(scene, object, nullptr, 7);
            TileSums const expected =
                bands == 3 ? extend_one_by_one<3>(built.view(), 6) : extend_one_by_one<1>(built.view(), 6);
            std::optional<Hash128> hash;
            for (CpuKernel const& kernel : list_cpu_kernels()) {
                Film const film = render_scene(scene, object, kTexelSamples, {.cpu_backend = std::string(kernel.name)});
                EXPECT_EQ(film.sums, expected.sums) << kernel.name;
                if (!hash) hash = hash_film(film);
                EXPECT_EQ(hash_film(film), *hash) << kernel.name;
            }
        }
    }
}

TEST(TextureProbe, FilmDoesNotDependOnThreadsTilesOrParts)
{
    PackedVolume const object = make_notched_object(1);
    Scene const scene = make_notched_probe(object, ProbeView::diffuse);
    Film const whole = render_scene(scene, object, kTexelSamples);
    EXPECT_EQ(hash_film(render_scene(scene, object, kTexelSamples, {.threads = 3, .tile_size = 16})), hash_film(whole));
    Film const merged = merge_films({render_scene(scene, object, {4, 2}), render_scene(scene, object, {0, 4})});
    EXPECT_EQ(hash_film(merged), hash_film(whole));
    EXPECT_EQ(render_reference(object, whole, nullptr, {}).coverage, whole.coverage);
}

TEST(TextureProbe, CoverageIsThatOfTheChartsAndUncoveredTexelsAreBlack)
{
    PackedVolume const object = make_notched_object(1);
    Scene const scene = make_texture_probe(object, 41, 23, 3); // edges of charts lie within texels
    Film const film = render_scene(scene, object, {0, 64});
    double hits = 0;
    for (std::size_t i = 0; i < film.coverage.size(); ++i) {
        EXPECT_LE(film.coverage[i], 64u);
        if (film.coverage[i] == 0) {
            EXPECT_EQ(film.sums[i], 0u);
        }
        EXPECT_LE(film.sums[i], film.coverage[i] << film.sum_log2());
        hits += static_cast<double>(film.coverage[i]);
    }
    double const size = 1 - 2 * static_cast<double>(kChartMargin);
    EXPECT_NEAR(hits / (41.0 * 23 * 64), size * size, 0.002); // 8 charts in 8 cells; stratified
}

TEST(TextureProbe, NeedsAMeshWithTextureCoordinates)
{
    PackedVolume const cube = make_bare_cube();
    Scene scene = make_texture_probe(cube, 8, 8, 1);
    expect_error(ExitStatus::usage, {"no mesh bounds this volume", "--probe top"},
                 [&] { RenderScene const built(scene, cube, nullptr, 1); });
    PackedVolume const plain = make_object(make_box({0, 0, 0}, {1, 1, 1}), make_constant_meta(0));
    scene = make_texture_probe(plain, 8, 8, 1);
    expect_error(ExitStatus::usage, {"the mesh has no texture coordinates", "unwrap"},
                 [&] { RenderScene const built(scene, plain, nullptr, 1); });
    scene.camera.probe_target = ProbeTarget::face;
    expect_error(ExitStatus::usage, {"a mesh bounds this volume", "--probe uv"},
                 [&] { RenderScene const built(scene, plain, nullptr, 1); });
}

TEST(TextureProbe, SceneHasNoFaceBackingOrSides)
{
    Scene scene;
    scene.volume_checksum = {1, 2};
    scene.width = scene.height = 8;
    scene.bands = 1;
    scene.camera.kind = CameraKind::probe;
    Hash128 const face = hash_scene(scene);
    scene.camera.probe_target = ProbeTarget::texture;
    Hash128 const texture = hash_scene(scene);
    EXPECT_NE(texture, face);
    scene.camera.probe_face = 2;
    scene.boundary.backing = Backing::white;
    scene.boundary.sides = Sides::periodic;
    EXPECT_EQ(hash_scene(scene), texture);
    scene.camera.view = ProbeView::diffuse;
    EXPECT_NE(hash_scene(scene), texture);
    EXPECT_TRUE(counts_coverage(scene));
    scene.camera.probe_target = ProbeTarget::face;
    EXPECT_FALSE(counts_coverage(scene));
}

} // namespace
} // namespace volpt::test
