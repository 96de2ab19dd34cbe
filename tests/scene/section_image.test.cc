// Sections across any axis: which voxel is where, colours, and what a voxel says.
#include "libvolpt/scene/section_image.h"

#include "tests/support/expect_error.h"
#include "tests/support/make_volume.h"

#include <nlohmann/json.hpp>
#include <set>

namespace volpt::test {
namespace {

PackedVolume make_counted_volume(VolumeMeta const& meta)
{
    return make_volume(meta, {.density = [](int x, int y, int z) { return static_cast<float>(x + 16 * y + 256 * z); }});
}

TEST(SectionImage, EveryPixelIsTheVoxelThatTheSectionNames)
{
    PackedVolume const volume = make_counted_volume(density_meta({3, 5, 9}));
    float const white = volume.view().global_majorant[0];
    for (VolumeAxis const axis : {VolumeAxis::x, VolumeAxis::y, VolumeAxis::z}) {
        VolumeSection const section(volume, axis, 2);
        Image const image = draw_section(volume, section, section.columns(), section.rows());
        ASSERT_EQ(image.width, section.columns());
        ASSERT_EQ(image.height, section.rows());
        std::set<std::array<int, 3>> voxels;
        for (int row = 0; row < image.height; ++row)
            for (int column = 0; column < image.width; ++column) {
                auto const voxel = section.find_voxel(column, row);
                EXPECT_EQ(voxel[static_cast<std::size_t>(axis)], 2);
                voxels.insert(voxel);
                auto const density = static_cast<float>(voxel[0] + 16 * voxel[1] + 256 * voxel[2]);
                EXPECT_EQ(image.channels[0].values[static_cast<std::size_t>(row * image.width + column)],
                          density / white);
            }
        EXPECT_EQ(voxels.size(), image.pixel_count());
    }
}

TEST(SectionImage, TheWorldsUpIsUpWhereRowsRunAlongZ)
{
    VolumeMeta meta = density_meta({3, 5, 9});
    PackedVolume const upright = make_counted_volume(meta);
    EXPECT_EQ(VolumeSection(upright, VolumeAxis::y, 1).find_voxel(2, 0), (std::array{2, 1, 8}));
    EXPECT_EQ(VolumeSection(upright, VolumeAxis::z, 1).find_voxel(2, 0), (std::array{2, 0, 1}));
    meta.placement.rotation = {1, 0, 0, 0, -1, 0, 0, 0, -1};
    PackedVolume const turned = make_counted_volume(meta);
    EXPECT_EQ(VolumeSection(turned, VolumeAxis::x, 1).find_voxel(2, 0), (std::array{1, 2, 0}));
}

TEST(SectionImage, LargeSectionsAreDrawnByEvenlySpacedVoxels)
{
    PackedVolume const volume = make_counted_volume(density_meta({3, 5, 9}));
    Image const image = draw_section(volume, VolumeSection(volume, VolumeAxis::x, 0), 3, 3);
    EXPECT_EQ(image.width, 3);
    EXPECT_EQ(image.height, 3);
    float const white = volume.view().global_majorant[0];
    EXPECT_EQ(image.channels[0].values[4], (16.0f * 2 + 256.0f * 4) / white);
}

TEST(SectionImage, PicturesHaveTheProportionsOfTheWorld)
{
    VolumeMeta meta = density_meta({30, 50, 90});
    meta.pitch_mm = {1, 2, 0.5f};
    PackedVolume const volume = make_volume(meta, {.density = [](int, int, int) { return 1.0f; }});
    VolumeSection const across_x(volume, VolumeAxis::x, 0), across_z(volume, VolumeAxis::z, 0);
    EXPECT_EQ(choose_picture_size(across_x, 1000), (std::array{200, 90}));
    EXPECT_EQ(choose_picture_size(across_x, 100), (std::array{100, 45}));
    EXPECT_EQ(choose_picture_size(across_z, 1), (std::array{1, 1}));
}

TEST(SectionImage, SectionsOutsideAreRefused)
{
    PackedVolume const volume = make_counted_volume(density_meta({3, 5, 9}));
    expect_error(ExitStatus::usage, {"section 3 across x", "0 to 2"}, [&] { VolumeSection(volume, VolumeAxis::x, 3); });
    expect_error(ExitStatus::usage, {"-1"}, [&] { VolumeSection(volume, VolumeAxis::z, -1); });
}

VolumeMeta make_ink_meta()
{
    VolumeMeta meta;
    meta.dims = {4, 2, 2};
    meta.filter = Filter::nearest;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    return meta;
}

TEST(SectionImage, AlikeMaterialsHaveDistinctColours)
{
    std::vector<Material> const materials{
        {"white", {5}, {0}, 0}, {"clear", {0.1f}, {0}, 0}, {"core", {4}, {0.01f}, 0}, {"air", {0}, {0}, 0}};
    PackedVolume const volume = make_volume(make_ink_meta(), {.label = [](int x, int, int) { return x; }}, materials);
    auto const colours = choose_distinct_colours(volume);
    EXPECT_EQ(colours[0], (PaintColour{1, 1, 1}));
    for (std::size_t i = 0; i < colours.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(colours[i], colours[j]);
    EXPECT_EQ(describe_voxel(volume, {2, 0, 1}).dump(), R"({"voxel":[2,0,1],"material":"core"})");
}

TEST(SectionImage, AVoxelTellsItsDensity)
{
    PackedVolume const volume = make_counted_volume(density_meta({3, 5, 9}));
    EXPECT_EQ(describe_voxel(volume, {2, 1, 1}).dump(), R"({"voxel":[2,1,1],"density":274.0})");
}

TEST(SectionImage, AVoxelTellsItsAlbedoByBand)
{
    VolumeMeta meta = density_meta({3, 5, 9});
    set_three_bands(meta);
    meta.albedo = Source::plane;
    meta.albedo_encoding = Encoding::f32;
    PackedVolume const volume = make_volume(
        meta, {.density = [](int, int, int) { return 2.0f; },
               .one_minus_albedo = [](int x, int, int, int band) { return 0.125f * static_cast<float>(x + band); }});
    EXPECT_EQ(describe_voxel(volume, {2, 1, 1}).dump(), R"({"voxel":[2,1,1],"density":2.0,"albedo":[0.75,0.625,0.5]})");
}

} // namespace
} // namespace volpt::test
