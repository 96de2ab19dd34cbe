// Packed volumes with other curves, and cut to a box.
#include "libvolpt/medium/remap/remapped_volume.h"

#include "tests/support/expect_error.h"
#include "tests/support/make_volume.h"

namespace volpt::test {
namespace {

VolumeMeta make_remap_meta(Encoding encoding)
{
    VolumeMeta meta = density_meta({11, 9, 13}, Filter::trilinear, encoding);
    if (encoding == Encoding::u8) meta.density_value_scale = 1.0f / 255;
    meta.pitch_mm = {0.5f, 1, 2};
    meta.placement.rotation = {0, 1, 0, 1, 0, 0, 0, 0, -1};
    meta.placement.origin_world_mm = {10, 20, 30};
    return meta;
}

float make_remap_density(int x, int y, int z)
{
    return static_cast<float>((x * 31 + y * 57 + z * 91) % 256) / 255;
}

PackedVolume make_remap_volume(Encoding encoding)
{
    return make_volume(make_remap_meta(encoding), {.density = make_remap_density});
}

PackedVolume pack_remapped(PackedVolume volume, RemapOptions options, int threads = 1)
{
    TempFolder const folder;
    auto const stream = make_remapped_volume(std::move(volume), std::move(options));
    pack_volume(*stream, folder / "preview.vpk", {}, {}, find_layer_memory(), threads);
    return PackedVolume::open(folder / "preview.vpk", VerifyLevel::full);
}

float read_density(PackedVolume const& volume, int x, int y, int z)
{
    VolumeView const view = volume.view();
    return read_stored(view.density, view, x, y, z);
}

template <typename Visit>
void visit_voxels(PackedVolume const& volume, Visit visit)
{
    auto const& dims = volume.meta().dims;
    for (int z = 0; z < dims[2]; ++z)
        for (int y = 0; y < dims[1]; ++y)
            for (int x = 0; x < dims[0]; ++x) visit(x, y, z);
}

TEST(RemappedVolume, AnIdentityKeepsTheDensitiesWithinTheirCode)
{
    for (Encoding const encoding : {Encoding::u8, Encoding::f32}) {
        RemapOptions options;
        options.opacity.emplace(std::vector<PiecewiseCurve::Point>{{0, 0}, {0.5, 0.5}, {1, 1}}, "curve");
        PackedVolume const before = make_remap_volume(encoding);
        PackedVolume const after = pack_remapped(make_remap_volume(encoding), options);
        double const tolerance = encoding == Encoding::f32 ? 1e-7 : 0.5 / 65535 + 1e-7;
        visit_voxels(before, [&](int x, int y, int z) {
            EXPECT_NEAR(read_density(after, x, y, z), read_density(before, x, y, z), tolerance);
        });
        EXPECT_EQ(after.meta().placement.origin_world_mm, before.meta().placement.origin_world_mm);
    }
}

TEST(RemappedVolume, WithoutChangesItIsTheSameVolume)
{
    EXPECT_EQ(pack_remapped(make_remap_volume(Encoding::u8), {}).data_checksum(),
              make_remap_volume(Encoding::u8).data_checksum());
}

TEST(RemappedVolume, BothCurvesTakeThePackedDensity)
{
    RemapOptions options;
    options.opacity.emplace(std::vector<PiecewiseCurve::Point>{{0, 1}, {1, 0}}, "opacity");
    options.albedo.emplace(std::vector<PiecewiseCurve::Point>{{0, 0.25}, {1, 0.75}}, "albedo");
    for (int const threads : {1, 3}) {
        PackedVolume const volume = pack_remapped(make_remap_volume(Encoding::f32), options, threads);
        VolumeView const view = volume.view();
        visit_voxels(volume, [&](int x, int y, int z) {
            float const density = make_remap_density(x, y, z);
            EXPECT_NEAR(read_density(volume, x, y, z), 1 - density, 1e-6);
            EXPECT_NEAR(read_stored(view.one_minus_albedo, view, x, y, z), 0.75f - 0.5f * density, 1e-3);
        });
    }
}

TEST(RemappedVolume, ABoxOfVoxelsStaysWhereItIsInTheWorld)
{
    RemapOptions options;
    options.crop = Crop{{2, 3, 5}, {11, 4, 12}};
    PackedVolume const volume = pack_remapped(make_remap_volume(Encoding::u8), options);
    EXPECT_EQ(volume.meta().dims, (std::array{9, 1, 7}));
    // The axes of the box: y, x and -z of the world.
    EXPECT_EQ(volume.meta().placement.origin_world_mm, (std::array<double, 3>{10 + 3 * 1, 20 + 2 * 0.5, 30 - 5 * 2}));
    PackedVolume const before = make_remap_volume(Encoding::u8);
    visit_voxels(volume, [&](int x, int y, int z) {
        EXPECT_EQ(read_density(volume, x, y, z), read_density(before, x + 2, y + 3, z + 5));
    });
}

TEST(RemappedVolume, LabelsCanBeCroppedButHaveNoCurves)
{
    VolumeMeta meta;
    meta.dims = {4, 2, 2};
    meta.filter = Filter::nearest;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    std::vector<Material> const materials{{"A", {5}, {0}, 0}, {"B", {1}, {0}, 0}};
    auto const make = [&] { return make_volume(meta, {.label = [](int x, int, int) { return x % 2; }}, materials); };
    RemapOptions options;
    options.crop = Crop{{1, 0, 0}, {3, 2, 1}};
    PackedVolume const volume = pack_remapped(make(), options);
    VolumeView const view = volume.view();
    visit_voxels(volume, [&](int x, int y, int z) {
        EXPECT_EQ(read_stored(view.label, view, x, y, z), static_cast<float>((x + 1) % 2));
    });
    options.opacity.emplace(std::vector<PiecewiseCurve::Point>{{0, 1}, {1, 0}}, "opacity");
    expect_error(ExitStatus::usage, {"materials"}, [&] { make_remapped_volume(make(), options); });
}

TEST(RemappedVolume, BoxesOutsideAndAlbedosAboveOneAreRefused)
{
    for (auto const& crop : {Crop{{0, 0, 0}, {12, 9, 13}}, Crop{{0, 4, 0}, {11, 4, 13}}, Crop{{0, 0, -1}, {1, 1, 1}}}) {
        RemapOptions options;
        options.crop = crop;
        expect_error(ExitStatus::usage, {"the crop"},
                     [&] { make_remapped_volume(make_remap_volume(Encoding::u8), options); });
    }
    RemapOptions options;
    options.albedo.emplace(std::vector<PiecewiseCurve::Point>{{0, 1}, {1, 1.5}}, "albedo");
    expect_error(ExitStatus::usage, {"1.5"}, [&] { make_remapped_volume(make_remap_volume(Encoding::u8), options); });
}

} // namespace
} // namespace volpt::test
