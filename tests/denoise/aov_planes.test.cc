// Planes beside a picture, against the volume's own geometry.
#include "libvolpt/denoise/aov/aov_planes.h"

#include "libvolpt/core/camera.hd.h"
#include "libvolpt/scene/camera_view.h"
#include "tests/support/make_nested_solids.h"
#include "tests/support/make_scene.h"

#include <gtest/gtest.h>

#include <cmath>

namespace volpt::test {
namespace {

/// Turned by 30 degrees about z and moved; 8 x 6 x 4 mm.
VolumeMeta make_turned_meta(bool is_mirrored = false)
{
    VolumeMeta meta;
    meta.dims = {16, 12, 8};
    meta.pitch_mm = {0.5f, 0.5f, 0.5f};
    double const c = std::sqrt(0.75), s = 0.5;
    meta.placement.rotation = {c, -s, 0, s, c, 0, 0, 0, is_mirrored ? -1.0 : 1.0};
    meta.placement.origin_world_mm = {100, -50, 20};
    meta.scale = 30;
    meta.constant_one_minus_albedo = {0.25f};
    return meta;
}

Scene make_surface_scene(PackedVolume const& volume, std::uint32_t width, std::uint32_t height)
{
    Scene scene = make_scene(volume, width, height);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    return scene;
}

Image make_planes(std::vector<Aov> const& aovs, Scene const& scene, PackedVolume const& volume, int threads = 1)
{
    RenderScene const built(scene, volume, nullptr, 7);
    return make_aov_planes(aovs, built, volume, Illuminant::d65, threads);
}

Scene look_along_z(PackedVolume const& volume, double width_mm, std::uint32_t pixels)
{
    Scene scene = make_scene(volume, pixels, pixels);
    scene.camera = {};
    scene.camera.kind = CameraKind::orthographic;
    scene.camera.up_world = {0, 1, 0};
    scene.camera.target_world = {width_mm / 2, width_mm / 2, 0};
    scene.camera.origin_world = {width_mm / 2, width_mm / 2, 50};
    scene.camera.ortho_width_mm = width_mm;
    return scene;
}

/// Row vector (x, y, z, 1) times the matrix.
std::array<double, 4> transform(Vec3d const& point, Matrix4 const& matrix)
{
    std::array<double, 4> result;
    for (std::size_t j = 0; j < 4; ++j)
        result[j] = point[0] * static_cast<double>(matrix[j]) + point[1] * static_cast<double>(matrix[4 + j]) +
                    point[2] * static_cast<double>(matrix[8 + j]) + static_cast<double>(matrix[12 + j]);
    return result;
}

Vec3d place(VolumeMeta const& meta, Vec3d const& box_mm)
{
    auto const& r = meta.placement.rotation;
    Vec3d world = meta.placement.origin_world_mm;
    for (std::size_t row = 0; row < 3; ++row)
        world[row] += r[3 * row] * box_mm[0] + r[3 * row + 1] * box_mm[1] + r[3 * row + 2] * box_mm[2];
    return world;
}

std::vector<Scene> make_cameras(PackedVolume const& volume)
{
    Scene const perspective = make_surface_scene(volume, 240, 160);
    Scene parallel = perspective, lens = perspective;
    parallel.camera.kind = CameraKind::orthographic;
    parallel.camera.ortho_width_mm = 14;
    for (std::size_t i = 0; i < 3; ++i) // rays of such a camera begin near the volume
        parallel.camera.origin_world[i] += 30 * (parallel.camera.origin_world[i] - parallel.camera.target_world[i]);
    lens.camera.lens_radius_mm = 0.5;
    lens.camera.focus_distance_mm = 20;
    return {perspective, parallel, lens};
}

TEST(AovPlanes, PointThroughWorldToNdcFallsOnThePixelOfItsDepth)
{
    PackedVolume const box = make_volume(make_turned_meta());
    // On the top and on the front, which the default view sees, off their middles.
    std::vector<Vec3d> const points{{1.3, 4.1, 4}, {6.7, 1.2, 4}, {2.2, 0, 0.9}, {6.1, 0, 3.2}, {0, 1.1, 2.5}};
    for (Scene const& scene : make_cameras(box)) {
        CameraMatrices const matrices = *make_camera_matrices(scene);
        Image const planes = make_planes({Aov::depth}, scene, box);
        std::vector<float> const& depth = planes.find("depth.Z")->values;
        for (Vec3d const& point : points) {
            Vec3d const world = place(box.meta(), point);
            auto const ndc = transform(world, matrices.world_to_ndc);
            double const x = ndc[0] / ndc[3] * scene.width, y = ndc[1] / ndc[3] * scene.height;
            ASSERT_TRUE(x > 0 && x < scene.width && y > 0 && y < scene.height) << x << " " << y;
            double const expected = transform(world, matrices.world_to_camera)[2];
            // A pixel is about 0.1 mm wide, and the faces are oblique.
            EXPECT_NEAR(
                static_cast<double>(depth[static_cast<std::size_t>(y) * scene.width + static_cast<std::size_t>(x)]),
                expected, 0.12);
        }
    }
}

TEST(AovPlanes, DepthPutsEveryPixelOnTheBox)
{
    for (bool const is_mirrored : {false, true}) {
        PackedVolume const box = make_volume(make_turned_meta(is_mirrored));
        for (Scene const& scene : make_cameras(box)) {
            Matrix4 const to_camera = make_camera_matrices(scene)->world_to_camera;
            Image const planes = make_planes({Aov::depth}, scene, box);
            bool const is_parallel = scene.camera.kind == CameraKind::orthographic;
            double const half_width =
                is_parallel ? scene.camera.ortho_width_mm / 2 : std::tan(scene.camera.fov_x_deg / 2 * M_PI / 180);
            std::size_t seen = 0;
            for (std::uint32_t y = 0; y < scene.height; ++y)
                for (std::uint32_t x = 0; x < scene.width; ++x) {
                    auto const depth =
                        static_cast<double>(planes.find("depth.Z")->values[std::size_t{y} * scene.width + x]);
                    if (depth == static_cast<double>(kNoDepth_mm)) continue;
                    ++seen;
                    double const reach = is_parallel ? half_width : half_width * depth;
                    double const right = ((x + 0.5) / scene.width * 2 - 1) * reach;
                    double const up = (1 - (y + 0.5) / scene.height * 2) * reach * scene.height / scene.width;
                    Vec3d world = scene.camera.origin_world;
                    for (std::size_t i = 0; i < 3; ++i)
                        world[i] += right * static_cast<double>(to_camera[4 * i]) +
                                    up * static_cast<double>(to_camera[4 * i + 1]) +
                                    depth * static_cast<double>(to_camera[4 * i + 2]);
                    Vec3d from_corner;
                    for (std::size_t i = 0; i < 3; ++i)
                        from_corner[i] = world[i] - box.meta().placement.origin_world_mm[i];
                    Vec3d const point = turn_into_box(box.meta().placement, from_corner), size{8, 6, 4};
                    double nearest = 1e9;
                    for (std::size_t i = 0; i < 3; ++i) {
                        ASSERT_GT(point[i], -2e-3);
                        ASSERT_LT(point[i], size[i] + 2e-3);
                        nearest = std::min({nearest, std::abs(point[i]), std::abs(point[i] - size[i])});
                    }
                    ASSERT_LT(nearest, 2e-3);
                }
            EXPECT_GT(seen, planes.pixel_count() / 10);
            EXPECT_LT(seen, planes.pixel_count());
        }
    }
}

TEST(AovPlanes, NormalsAreThoseOfTheWorld)
{
    PackedVolume const box = make_volume(make_turned_meta());
    Scene const scene = make_surface_scene(box, 120, 90);
    Image const planes = make_planes({Aov::normal}, scene, box);
    CameraMatrices const matrices = *make_camera_matrices(scene);
    double const c = std::sqrt(0.75), s = 0.5;
    struct Seen {
        Vec3d point_mm, normal;
    };
    for (Seen const& seen : {Seen{{4, 3, 4}, {0, 0, 1}}, Seen{{4, 0, 2}, {s, -c, 0}}, Seen{{0, 3, 2}, {-c, -s, 0}}}) {
        auto const ndc = transform(place(box.meta(), seen.point_mm), matrices.world_to_ndc);
        auto const x = static_cast<std::size_t>(ndc[0] / ndc[3] * scene.width);
        auto const y = static_cast<std::size_t>(ndc[1] / ndc[3] * scene.height);
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_NEAR(static_cast<double>(planes.find(std::string("N.") + "XYZ"[i])->values[y * scene.width + x]),
                        seen.normal[i], 1e-5)
                << i;
    }
    EXPECT_EQ(planes.find("N.X")->values[0], 0);
}

TEST(AovPlanes, LabelIsThatOfTheFirstMaterialOnTheRay)
{
    VolumeMeta meta = density_meta({12, 12, 12}, Filter::nearest);
    meta.scale = 1;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    std::vector<Material> const materials{make_medium("air", 0), make_medium("resin", 5), make_medium("ink", 8)};
    // The upper half is air but for a column of ink; below it, ink where x is small.
    PackedVolume const volume = make_volume(
        meta, {.label = [](int x, int y, int z) { return z >= 6 ? (x == 10 && y == 3 ? 2 : 0) : (x < 4 ? 2 : 1); }},
        materials);
    Image const planes = make_planes({Aov::label, Aov::depth}, look_along_z(volume, 14, 14), volume);
    auto const at = [&](char const* name, std::size_t x, std::size_t y) {
        return planes.find(name)->values[(13 - y) * 14 + x];
    };
    EXPECT_EQ(at("label.Y", 2, 7), 2);
    EXPECT_EQ(at("label.Y", 7, 7), 1);
    EXPECT_EQ(at("label.Y", 10, 3), 2);
    EXPECT_EQ(at("label.Y", 10, 4), 1);
    EXPECT_EQ(at("label.Y", 13, 7), kNoLabel);
    EXPECT_EQ(at("depth.Z", 13, 7), kNoDepth_mm);
    // 50 mm above z 0, to z 6, and there to the mean free path.
    EXPECT_NEAR(at("depth.Z", 7, 7), 44 + 1.0f / 5, 1e-3f);
    EXPECT_NEAR(at("depth.Z", 10, 3), 38 + 1.0f / 8, 1e-3f);
    auto const said = std::ranges::find(planes.metadata, "aov.label", &std::pair<std::string, std::string>::first);
    ASSERT_NE(said, planes.metadata.end());
    EXPECT_EQ(said->second, "label.Y: 0 air, 1 resin, 2 ink");
}

TEST(AovPlanes, ObliqueRaysMeetTheVoxelThatTheyEnter)
{
    VolumeMeta meta = density_meta({40, 40, 40}, Filter::nearest);
    meta.scale = 1;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    std::vector<Material> const materials{make_medium("a", 5), make_medium("b", 5)};
    auto const label = [](int x, int y, int z) { return (x + y + z) % 2; };
    PackedVolume const volume = make_volume(meta, {.label = label}, materials);
    Scene const scene = make_surface_scene(volume, 90, 60);
    Image const planes = make_planes({Aov::label, Aov::depth}, scene, volume);
    RenderScene const built(scene, volume, nullptr, 7);
    std::size_t seen = 0;
    for (std::uint32_t y = 0; y < scene.height; ++y)
        for (std::uint32_t x = 0; x < scene.width; ++x) {
            std::size_t const pixel = std::size_t{y} * scene.width + x;
            if (planes.find("label.Y")->values[pixel] == kNoLabel) continue;
            BoxEntry const entry =
                enter_box(make_camera_ray(built.view(), static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f),
                          built.view().medium.inv_pitch, built.view().medium.size_voxels);
            auto const cell = [](float at) { return std::min(static_cast<int>(at), 39); };
            EXPECT_EQ(planes.find("label.Y")->values[pixel],
                      static_cast<float>(label(cell(entry.position.x), cell(entry.position.y), cell(entry.position.z))))
                << x << "," << y;
            ++seen;
        }
    EXPECT_GT(seen, 500u);
}

TEST(AovPlanes, SolidInAnotherHasItsOwnMaterial)
{
    PackedVolume const nest = pack_solids(make_nest());
    Scene scene = make_scene(nest, 60, 40);
    scene.camera = frame_volume_from(nest.meta(), 40.0 / 60, {1, -0.4, 0.3}, 30);
    Image const planes = make_planes({Aov::label}, scene, nest);
    auto const count = [&](std::string const& name) {
        auto const material = std::ranges::find(nest.materials(), name, &Material::name);
        if (material == nest.materials().end()) return std::ptrdiff_t{0};
        return std::ranges::count(planes.find("label.Y")->values,
                                  static_cast<float>(material - nest.materials().begin()));
    };
    EXPECT_GT(count("resin"), 0);
    EXPECT_GT(count("apart"), 0);
    EXPECT_EQ(count("ball"), 0);
}

TEST(AovPlanes, AlbedoIsNamedLikeTheBeauty)
{
    PackedVolume const grey = make_volume(make_turned_meta());
    Image const of_grey = make_planes({Aov::albedo}, make_surface_scene(grey, 40, 30), grey);
    ASSERT_NE(of_grey.find("albedo.Y"), nullptr);
    EXPECT_NEAR(of_grey.find("albedo.Y")->values[15 * 40 + 20], 0.75f, 1e-3f);
    VolumeMeta meta = make_turned_meta();
    meta.band_numbers = {0, 1, 2, 3};
    meta.wavelengths_nm = {450, 520, 600, 650};
    meta.constant_extinction = {1, 1, 1, 1};
    meta.constant_one_minus_albedo = {0.5f, 0.5f, 0.5f, 0.5f};
    PackedVolume const spectral = make_volume(meta);
    Scene scene = make_surface_scene(spectral, 40, 30);
    scene.wavelengths_nm = meta.wavelengths_nm;
    Image const of_spectral = make_planes({Aov::albedo}, scene, spectral);
    ASSERT_EQ(of_spectral.channels.size(), 3u);
    for (char const* const name : {"albedo.R", "albedo.G", "albedo.B"})
        EXPECT_NEAR(of_spectral.find(name)->values[15 * 40 + 20], 0.5f, 1e-3f) << name;
}

TEST(AovPlanes, WhatASceneLacksIsSaid)
{
    PackedVolume const grey = make_volume(make_turned_meta());
    Scene const probe = make_probe(grey), camera = make_scene(grey);
    EXPECT_NE(find_aov_problem(Aov::depth, probe, grey), "");
    EXPECT_EQ(find_aov_problem(Aov::depth, camera, grey), "");
    EXPECT_NE(find_aov_problem(Aov::label, camera, grey), "");
    EXPECT_EQ(find_aov_problem(Aov::label, camera, make_inks()), "");
    EXPECT_EQ(find_aov_problem(Aov::normal, probe, grey), "");
}

TEST(AovPlanes, NoBitDependsOnThreads)
{
    PackedVolume const inks = make_inks();
    std::vector<Aov> const all{Aov::depth, Aov::normal, Aov::albedo, Aov::label};
    Scene const scene = make_scene(inks, 50, 40);
    Image const one = make_planes(all, scene, inks, 1), many = make_planes(all, scene, inks, 3);
    ASSERT_EQ(one.channels.size(), 8u);
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < one.channels.size(); ++i) {
        EXPECT_EQ(one.channels[i].values, many.channels[i].values) << one.channels[i].name;
        bytes += one.channels[i].values.size() * sizeof(float);
    }
    EXPECT_GE(count_aov_bytes(all, scene), 2 * bytes);
    EXPECT_EQ(count_aov_bytes(std::vector<Aov>{Aov::depth}, scene), bytes / 4);
}

} // namespace
} // namespace volpt::test
