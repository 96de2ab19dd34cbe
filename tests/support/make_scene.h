// Volumes and scenes for tests of the renderer, and renders of them.
#pragma once

#include "libvolpt/render/render_film.h"
#include "libvolpt/scene/camera_view.h"
#include "libvolpt/scene/light_image.h"
#include "tests/support/make_volume.h"

#include <array>
#include <optional>

namespace volpt::test {

/// A 3/4 view of the whole volume in constant light, without a boundary.
inline Scene make_scene(PackedVolume const& volume, std::uint32_t width = 32, std::uint32_t height = 24)
{
    Scene scene;
    scene.volume_checksum = volume.data_checksum();
    scene.bands = volume.meta().bands();
    scene.scale = volume.meta().scale;
    scene.width = width;
    scene.height = height;
    scene.camera = frame_volume(volume.meta(), static_cast<double>(height) / width);
    return scene;
}

/// A camera inside an empty volume with a smooth boundary: most of the light is reflected until its path is cut.
inline Scene make_trapped_scene(PackedVolume const& empty_cube)
{
    Scene scene = make_scene(empty_cube);
    scene.camera.origin_world = {0.5, 0.5, 0.5};
    scene.camera.target_world = {1, 1, 1};
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    return scene;
}

/// A probe of the top face (+z) through a smooth boundary of n 1.5.
inline Scene make_probe(PackedVolume const& volume, std::uint32_t width = 32, std::uint32_t height = 24)
{
    Scene scene = make_scene(volume, width, height);
    scene.camera = {};
    scene.camera.kind = CameraKind::probe;
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    return scene;
}

/// Six probes that together have every face, view, boundary, backing and kind of sides.
inline std::vector<Scene> make_probes(PackedVolume const& volume)
{
    std::vector<Scene> probes;
    for (std::uint32_t face = 0; face < 6; ++face) {
        Scene& scene = probes.emplace_back(make_probe(volume));
        scene.camera.probe_face = face;
        scene.camera.view = face % 2 == 0 ? ProbeView::diffuse : ProbeView::normal;
        if (face == 1 || face == 4) scene.boundary = {BoundaryKind::rough, 1.4, 1.0, 0.2};
        if (face == 4) scene.boundary.microfacets = Microfacets::multiple;
        if (face == 2 || face == 5) scene.boundary = {};
        scene.boundary.specular = face < 3 ? Specular::included : Specular::excluded;
        scene.boundary.backing = static_cast<Backing>(face % 3);
        scene.boundary.sides = face < 2 ? Sides::boundary : Sides::periodic;
    }
    return probes;
}

/// The density of a small cloud: it varies in some bricks; others are empty or constant.
inline float cloud_density(int x, int y, int z)
{
    if (x < 8) return 0.0f;
    if (y >= 16) return 0.5f;
    return static_cast<float>((x * 7 + y * 3 + z * 5) % 11) / 10.0f;
}

inline VolumeMeta cloud_meta(Filter filter = Filter::trilinear, Encoding encoding = Encoding::f32)
{
    VolumeMeta meta = density_meta({26, 21, 18}, filter, encoding);
    meta.pitch_mm = {0.1f, 0.12f, 0.15f};
    meta.scale = 8.0f;
    if (encoding == Encoding::u8) meta.density_value_scale = 1.0f / 255;
    if (encoding == Encoding::u16) meta.density_value_scale = 1.0f / 65535;
    return meta;
}

/// Cloud of one band with a constant albedo.
inline PackedVolume make_cloud(Filter filter = Filter::trilinear, Encoding encoding = Encoding::f32, float g = 0)
{
    VolumeMeta meta = cloud_meta(filter, encoding);
    meta.constant_one_minus_albedo = {0.05f};
    meta.g = g;
    return make_volume(meta, {.density = cloud_density});
}

/// Cloud of three bands with an albedo plane. The extinction is equal in all bands, so one path carries them all.
inline PackedVolume make_colour_cloud(Encoding albedo_encoding = Encoding::f16)
{
    VolumeMeta meta = cloud_meta();
    set_three_bands(meta);
    meta.albedo = Source::plane;
    meta.albedo_encoding = albedo_encoding;
    auto const loss = [](int x, int y, int z, int band) {
        return y >= 16 ? 0.001f : static_cast<float>((x + 2 * y + 3 * z + 5 * band) % 7) / 20.0f;
    };
    return make_volume(meta, {.density = cloud_density, .one_minus_albedo = loss});
}

/// A print: constant extinction, albedo plane of three bands.
inline PackedVolume make_print(Encoding albedo_encoding = Encoding::u8)
{
    VolumeMeta meta = cloud_meta();
    meta.extinction = Source::constant;
    set_three_bands(meta);
    meta.albedo = Source::plane;
    meta.albedo_encoding = albedo_encoding;
    auto const loss = [](int x, int y, int z, int band) {
        return z < 16 ? 0.0f : static_cast<float>((x / 3 + y / 2 + band) % 5) / 5.0f;
    };
    return make_volume(meta, {.one_minus_albedo = loss});
}

/// Labels of three inks whose extinction differs between the bands, so every band needs its own paths.
inline PackedVolume make_inks(Filter filter = Filter::trilinear)
{
    VolumeMeta meta = cloud_meta(filter);
    set_three_bands(meta);
    meta.scale = 1.0f;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    std::vector<Material> const inks{{"C", {9.0f, 4.5f, 7.5f}, {0.95f, 0.3f, 0.02f}, 0.4f},
                                     {"Y", {2.25f, 3.75f, 19.0f}, {0.003f, 0.005f, 0.85f}, -0.3f},
                                     {"W", {6.0f, 9.0f, 24.0f}, {0.0009f, 0.0003f, 0.001f}, 0.0f}};
    return make_volume(meta, {.label = [](int x, int y, int z) { return z < 8 ? 2 : (x / 4 + y / 3) % 3; }}, inks);
}

/// Extinction and albedo from any two sources, also in combinations that the format allows but no tool writes. The
/// extinction differs between the bands if materials give it.
inline PackedVolume make_mixed(Source extinction, Source albedo)
{
    VolumeMeta meta = cloud_meta();
    meta.band_numbers = {0, 1, 2};
    meta.scale = extinction == Source::material ? 1.0f : 8.0f;
    meta.extinction = extinction;
    meta.albedo = albedo;
    meta.constant_extinction = {1, 1, 1};
    meta.constant_one_minus_albedo = {0.02f, 0.1f, 0.3f};
    meta.albedo_encoding = Encoding::f32;
    std::vector<Material> const materials{{"a", {9.0f, 4.5f, 7.5f}, {0.5f, 0.3f, 0.02f}, 0.0f},
                                          {"b", {2.25f, 3.75f, 19.0f}, {0.003f, 0.005f, 0.25f}, 0.0f}};
    VoxelFunctions voxels;
    if (extinction == Source::plane) voxels.density = cloud_density;
    if (albedo == Source::plane)
        voxels.one_minus_albedo = [](int x, int y, int z, int band) {
            return static_cast<float>((x + y + z + band) % 5) / 10.0f;
        };
    bool const labelled = extinction == Source::material || albedo == Source::material;
    if (labelled) voxels.label = [](int x, int y, int z) { return (x / 5 + y / 4 + z / 3) % 2; };
    return make_volume(meta, voxels, labelled ? materials : std::vector<Material>{});
}

/// Calls `action(extinction, albedo)` for all nine pairs of sources.
template <typename Action>
void for_each_source_pair(Action&& action)
{
    for (Source const extinction : {Source::constant, Source::plane, Source::material})
        for (Source const albedo : {Source::constant, Source::plane, Source::material}) action(extinction, albedo);
}

/// What a roomy volume has below its upper fifth: two materials (or air beside one), or one everywhere.
enum class Below { two_parts, core };

/// Uniform regions, large enough for long steps, below a top that varies. Extinction and albedo come from any two
/// sources. Materials fill one half each; a density plane leaves one side empty. A voxel is about one mean free path.
inline PackedVolume make_roomy(Source extinction, Source albedo, std::uint32_t bands = 3,
                               Filter filter = Filter::trilinear, Below below = Below::two_parts)
{
    int const border_density = below == Below::core ? 0 : 8, border_label = below == Below::core ? 0 : 24;
    VolumeMeta meta = density_meta({48, 40, 40}, filter);
    meta.pitch_mm = {0.1f, 0.12f, 0.11f};
    meta.scale = extinction == Source::material ? 1.0f : 10.0f;
    meta.extinction = extinction;
    meta.albedo = albedo;
    meta.g = 0.3f;
    std::vector<Material> materials{{"a", {9.0f, 4.5f, 7.5f}, {0.001f, 0.3f, 0.02f}, 0.0f},
                                    {"b", {6.0f, 9.0f, 24.0f}, {0.0009f, 0.0003f, 0.001f}, 0.4f},
                                    {"c", {2.25f, 3.75f, 19.0f}, {0.003f, 0.005f, 0.85f}, -0.3f}};
    meta.band_numbers = {0, 1, 2};
    meta.constant_one_minus_albedo = {0.02f, 0.001f, 0.3f};
    meta.band_numbers.resize(bands);
    meta.constant_one_minus_albedo.resize(bands);
    meta.constant_extinction.assign(bands, 1.0f);
    for (Material& material : materials) {
        material.sigma_t.resize(bands);
        material.one_minus_albedo.resize(bands);
    }
    bool const labelled = extinction == Source::material || albedo == Source::material;
    if (labelled) meta.anisotropy = Source::material;
    VoxelFunctions voxels;
    if (extinction == Source::plane)
        voxels.density = [=](int x, int y, int z) {
            return z >= 32 ? static_cast<float>((x * 7 + y * 3 + z * 5) % 11) / 10 : x < border_density ? 0.0f : 1.0f;
        };
    if (albedo == Source::plane)
        voxels.one_minus_albedo = [](int x, int y, int z, int band) {
            return z >= 32 ? static_cast<float>((x + y + z + band) % 5) / 10 : 0.001f * static_cast<float>(band + 1);
        };
    if (labelled)
        voxels.label = [=](int x, int y, int z) { return z >= 32 ? (x / 5 + y / 4) % 3 : x < border_label ? 0 : 1; };
    return make_volume(meta, voxels, labelled ? materials : std::vector<Material>{});
}

/// A probe of the upper face of an endless print on a core of one material, for steps through layers.
struct PrintOnCore {
    PackedVolume volume;
    Scene scene;
};
inline PrintOnCore make_print_on_core(Source extinction, Source albedo, std::uint32_t bands = 3)
{
    PackedVolume volume = make_roomy(extinction, albedo, bands, Filter::trilinear, Below::core);
    Scene scene = make_probe(volume);
    scene.camera.probe_face = 5;
    scene.boundary.sides = Sides::periodic;
    scene.long_steps = LongSteps::layers;
    return {std::move(volume), std::move(scene)};
}

/// One constant voxel: rendering reads no voxel data.
inline PackedVolume make_bare_cube(float sigma_t = 20.0f, float one_minus_albedo = 0.0f, float g = 0.0f)
{
    VolumeMeta meta;
    meta.dims = {1, 1, 1};
    meta.scale = sigma_t;
    meta.constant_one_minus_albedo = {one_minus_albedo};
    meta.g = g;
    return make_volume(meta);
}

/// The film of these samples.
inline Film render_scene(Scene const& scene, PackedVolume const& volume, SampleRange samples,
                         RenderOptions options = {}, std::uint64_t seed = 7, LightImage const* light = nullptr)
{
    RenderScene const built(scene, volume, light, seed);
    Film film = make_film(built, seed);
    render_film(built, film, samples, options);
    return film;
}

struct StoppedRender {
    Film film;
    int stops = 0;
};

/// The same film from a render that a time limit stops again and again, at most 100 times.
inline StoppedRender render_with_stops(Scene const& scene, PackedVolume const& volume, SampleRange samples,
                                       std::uint64_t seed = 7)
{
    RenderScene const built(scene, volume, nullptr, seed);
    StoppedRender stopped{make_film(built, seed)};
    while (stopped.stops < 100 &&
           render_film(built, stopped.film, samples, {.time_limit_s = 1e-9}).end == RenderEnd::time_limit)
        ++stopped.stops;
    return stopped;
}

} // namespace volpt::test
