// Synthetic volumes and print slabs against their definitions.
#include "libvolpt/print/make_volume.h"
#include "libvolpt/print/print_slab.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace volpt {
namespace {

std::vector<float> read_densities(MadeShape shape, std::array<int, 3> dims)
{
    auto const stream = make_volume({.shape = shape, .dims = dims});
    auto const slab = stream->read_slab(0, dims[2]);
    return {slab.density.begin(), slab.density.end()};
}

TEST(MakeVolume, HomogeneousBoxesFetchNothingAndAreCentred)
{
    auto const stream = make_volume(
        {.dims = {2, 4, 8}, .pitch_mm = {1, 0.5f, 3}, .sigma_t = {100}, .one_minus_albedo = {0, 0.5, 1}, .g = 0.4f});
    VolumeMeta const& meta = stream->meta();
    EXPECT_EQ(meta.extinction, Source::constant);
    EXPECT_EQ(meta.albedo, Source::constant);
    EXPECT_EQ(meta.scale, 100.0f);
    EXPECT_EQ(meta.constant_extinction, (std::vector<float>{1, 1, 1}));
    EXPECT_EQ(meta.constant_one_minus_albedo, (std::vector<float>{0, 0.5f, 1}));
    EXPECT_EQ(meta.g, 0.4f);
    EXPECT_EQ(meta.placement.origin_world_mm, (std::array<double, 3>{-1, -1, -12}));
    EXPECT_TRUE(stream->read_slab(0, 8).density.empty());
}

TEST(MakeVolume, ExtinctionByBandLiesInTheConstants)
{
    auto const stream = make_volume({.shape = MadeShape::slab, .sigma_t = {6, 9, 24}});
    EXPECT_EQ(stream->meta().scale, 1.0f);
    EXPECT_EQ(stream->meta().constant_extinction, (std::vector<float>{6, 9, 24}));
    EXPECT_EQ(stream->meta().constant_one_minus_albedo, (std::vector<float>{0.1f, 0.1f, 0.1f}));
    EXPECT_THROW(make_volume({.shape = MadeShape::sphere, .sigma_t = {6, 9, 24}}), Error);
    EXPECT_THROW(make_volume({.sigma_t = {6, 9, 24}, .one_minus_albedo = {0, 0}}), Error);
}

TEST(MakeVolume, SphereHasItsVolumeAndSymmetry)
{
    auto const density = read_densities(MadeShape::sphere, {64, 64, 64});
    double sum = 0;
    for (float const d : density) sum += static_cast<double>(d);
    EXPECT_NEAR(sum / (64 * 64 * 64), 3.14159265 / 6, 0.002);
    EXPECT_TRUE(std::equal(density.begin(), density.end(), density.rbegin()));
    EXPECT_EQ(density[0], 0.0f);
}

TEST(MakeVolume, CheckerCellsAreEightVoxels)
{
    auto const density = read_densities(MadeShape::checker, {17, 9, 9});
    for (std::size_t z = 0; z < 9; ++z)
        for (std::size_t y = 0; y < 9; ++y)
            for (std::size_t x = 0; x < 17; ++x)
                ASSERT_EQ(density[(z * 9 + y) * 17 + x], (x / 8 + y / 8 + z / 8) % 2 == 0 ? 1.0f : 0.0f);
}

TEST(MakeVolume, NoiseIsSmoothInRangeAndTheSameInAnySlab)
{
    auto const density = read_densities(MadeShape::noise, {32, 16, 24});
    auto const [low, high] = std::minmax_element(density.begin(), density.end());
    EXPECT_GE(*low, 0.0f);
    EXPECT_LE(*high, 1.0f);
    EXPECT_GT(*high - *low, 0.5f);
    for (std::size_t i = 1; i < 32; ++i) EXPECT_LT(std::abs(density[i] - density[i - 1]), 0.25f);
    auto const stream = make_volume({.shape = MadeShape::noise, .dims = {32, 16, 24}});
    auto const slab = stream->read_slab(7, 3);
    EXPECT_TRUE(std::equal(slab.density.begin(), slab.density.end(), density.begin() + 7 * 32 * 16));
    float const step = stream->meta().density_value_scale;
    for (float const d : density) ASSERT_EQ(std::round(d / step) * step, d);
}

/// 2x3 texels, all different: R = column, G = row, B = 255.
Image make_texture()
{
    Image image;
    image.width = 2;
    image.height = 3;
    for (auto const* name : {"R", "G", "B"}) image.add_channel(name);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 2; ++column) {
            auto const at = static_cast<std::size_t>(row * 2 + column);
            image.channels[0].values[at] = static_cast<float>(column * 10) / 255.0f;
            image.channels[1].values[at] = static_cast<float>(row * 20) / 255.0f;
            image.channels[2].values[at] = 1.0f;
        }
    return image;
}

/// Albedo of a voxel in 1/255.
std::array<double, 3> albedo_at(VoxelStream& stream, int x, int y, int z)
{
    auto const slab = stream.read_slab(z, 1);
    std::array<double, 3> albedo{};
    auto const voxel = static_cast<std::size_t>(y * stream.meta().dims[0] + x);
    for (std::size_t band = 0; band < 3; ++band)
        albedo[band] = 255 * (1 - static_cast<double>(slab.one_minus_albedo[voxel * 3 + band]));
    return albedo;
}

TEST(PrintSlab, TextureStandsUprightOnEverySide)
{
    // By side: the voxels where the picture's top left and top right texels lie, seen from outside.
    struct Case {
        std::uint32_t side;
        std::array<int, 3> dims;
        std::array<int, 3> top_left;
        std::array<int, 3> top_right;
        std::array<int, 3> opposite;
    };
    for (auto const& c :
         {Case{4, {2, 3, 10}, {0, 2, 9}, {1, 2, 9}, {0, 2, 0}}, Case{5, {2, 3, 10}, {1, 2, 0}, {0, 2, 0}, {1, 2, 9}},
          Case{0, {10, 3, 2}, {9, 2, 1}, {9, 2, 0}, {0, 2, 1}}, Case{1, {10, 3, 2}, {0, 2, 0}, {0, 2, 1}, {9, 2, 0}},
          Case{2, {2, 10, 3}, {0, 9, 0}, {1, 9, 0}, {0, 0, 0}}, Case{3, {2, 10, 3}, {0, 0, 2}, {1, 0, 2}, {0, 9, 2}}}) {
        PrintOptions options;
        options.dims = c.dims;
        options.side_axis = c.side;
        options.base_albedo = {0.2};
        auto const stream = make_print_slab(make_texture(), options);
        auto const at = [&](std::array<int, 3> const& v) { return albedo_at(*stream, v[0], v[1], v[2]); };
        EXPECT_NEAR(at(c.top_left)[0], 0, 1e-4) << c.side;
        EXPECT_NEAR(at(c.top_left)[1], 0, 1e-4) << c.side;
        EXPECT_NEAR(at(c.top_right)[0], 10, 1e-4) << c.side;
        EXPECT_NEAR(at(c.top_right)[1], 0, 1e-4) << c.side;
        EXPECT_NEAR(at(c.opposite)[0], 51, 1e-4) << c.side;
    }
}

TEST(PrintSlab, InkShareIsRoundedToLayersAndEightBitsStayExact)
{
    PrintOptions options;
    options.dims = {2, 3, 20};
    options.ink_share = 0.12;
    options.base_albedo = {1};
    options.sigma_t = 20;
    auto const stream = make_print_slab(make_texture(), options);
    EXPECT_EQ(stream->meta().albedo_encoding, Encoding::u8);
    EXPECT_EQ(stream->meta().extinction, Source::constant);
    EXPECT_EQ(stream->meta().scale, 20.0f);
    EXPECT_EQ(stream->read_slab(17, 1).one_minus_albedo[0], 0.0f);
    EXPECT_EQ(stream->read_slab(18, 1).one_minus_albedo[0], 1.0f);
    EXPECT_EQ(stream->read_slab(18, 1).one_minus_albedo[3], static_cast<float>(245) * (1.0f / 255.0f));
    options.base_albedo = {0.9997};
    auto const white = make_print_slab(make_texture(), options);
    EXPECT_EQ(white->meta().albedo_encoding, Encoding::f16);
    EXPECT_FLOAT_EQ(white->read_slab(0, 1).one_minus_albedo[0], 3e-4f);
}

TEST(PrintSlab, SmallerTexelsAreAveragedAndLargerOnesRepeated)
{
    PrintOptions options;
    options.dims = {1, 6, 1};
    options.ink_share = 1;
    auto const stream = make_print_slab(make_texture(), options);
    EXPECT_NEAR(albedo_at(*stream, 0, 5, 0)[0], 5, 1e-4);                                              // both columns
    for (int y = 0; y < 6; ++y) EXPECT_NEAR(albedo_at(*stream, 0, y, 0)[1], 20 * ((5 - y) / 2), 1e-4); // rows twice
    options.dims = {2, 2, 1};
    auto const uneven = make_print_slab(make_texture(), options);
    EXPECT_NEAR(albedo_at(*uneven, 0, 1, 0)[1], (1.0 * 0 + 0.5 * 20) / 1.5, 1e-4);
    EXPECT_NEAR(albedo_at(*uneven, 0, 0, 0)[1], (0.5 * 20 + 1.0 * 40) / 1.5, 1e-4);
}

TEST(PrintSlab, AlphaBlendsOverTheBaseAndSrgbIsDecoded)
{
    Image texture = make_image(1, 1, Transfer::srgb, {"Y", "A"});
    texture.channels[0].values[0] = 0.5f;
    texture.channels[1].values[0] = 0.25f;
    PrintOptions options;
    options.ink_share = 1;
    options.base_albedo = {1, 0.5, 0};
    auto const linear = make_print_slab(texture, options);
    EXPECT_NEAR(albedo_at(*linear, 0, 0, 0)[0] / 255, 0.25 * 0.5 + 0.75, 1e-6);
    EXPECT_NEAR(albedo_at(*linear, 0, 0, 0)[2] / 255, 0.25 * 0.5, 1e-6);
    options.transfer = TextureTransfer::srgb;
    texture.channels[1].values[0] = 1;
    EXPECT_NEAR(albedo_at(*make_print_slab(texture, options), 0, 0, 0)[0] / 255, 0.21404, 1e-5);
}

TEST(PrintSlab, PremultipliedColoursAreNotMultipliedByAlphaAgain)
{
    Image texture = make_image(1, 1, Transfer::linear, {"Y", "A"});
    texture.channels[0].values[0] = 0.125f;
    texture.channels[1].values[0] = 0.25f;
    PrintOptions options;
    options.ink_share = 1;
    options.base_albedo = {1, 0.5, 0};
    EXPECT_NEAR(albedo_at(*make_print_slab(texture, options), 0, 0, 0)[2] / 255, 0.125, 1e-6);
    EXPECT_NEAR(albedo_at(*make_print_slab(texture, options), 0, 0, 0)[0] / 255, 0.125 + 0.75, 1e-6);
}

} // namespace
} // namespace volpt
