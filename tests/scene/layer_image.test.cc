// Layers as pictures: colours of materials, and which way up.
#include "libvolpt/scene/layer_image.h"

#include "libvolpt/sys/error.h"
#include "tests/support/make_volume.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

VolumeMeta spectral_meta()
{
    VolumeMeta meta;
    meta.dims = {2, 3, 1};
    meta.filter = Filter::nearest;
    meta.band_numbers = {0, 1, 2, 3};
    meta.wavelengths_nm = {450, 520, 590, 660};
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    return meta;
}

/// Row y = 0 is red, the others are white.
PackedVolume make_spectral_print(VolumeMeta const& meta)
{
    std::vector<Material> const materials{{"white", {5, 5, 5, 5}, {0, 0, 0, 0}, 0},
                                          {"red", {5, 5, 5, 5}, {1, 1, 0.5f, 0}, 0}};
    return make_volume(meta, {.label = [](int, int y, int) { return y == 0 ? 1 : 0; }}, materials);
}

TEST(LayerImage, MaterialsWithoutAColourHaveThatOfTheirSpectrum)
{
    auto const colours = choose_material_colours(make_spectral_print(spectral_meta()));
    for (float const value : colours[0]) EXPECT_NEAR(value, 1, 1e-3);
    EXPECT_GT(colours[1][0], 0.8f);
    EXPECT_LT(colours[1][1], 0.4f);
    EXPECT_LT(colours[1][2], 0.1f);
}

TEST(LayerImage, PrintsAreShownWithTheWorldsUpUp)
{
    VolumeMeta meta = spectral_meta();
    Image const upright = draw_layer(make_spectral_print(meta), 0, LayerLook::shown);
    meta.placement.rotation = {1, 0, 0, 0, -1, 0, 0, 0, -1};
    Image const turned = draw_layer(make_spectral_print(meta), 0, LayerLook::shown);
    std::vector<float> const &low = upright.find("G")->values, &high = turned.find("G")->values;
    EXPECT_LT(low[4], 0.5f) << "y = 0 is the lowest row where y points up";
    EXPECT_GT(low[0], 0.9f);
    EXPECT_LT(high[0], 0.5f) << "and the uppermost where it points down";
    EXPECT_GT(high[4], 0.9f);
}

TEST(LayerImage, OblongPixelsAreRepeatedUntilTheyAreSquares)
{
    Image picture = make_image(3, 2, Transfer::srgb, {"Y"});
    picture.channels[0].values = {1, 2, 3, 4, 5, 6};
    auto const expect_drawn = [&](std::array<float, 2> pixel_mm, int width, std::vector<float> const& values) {
        Image const squares = repeat_to_squares(picture, pixel_mm);
        EXPECT_EQ(squares.width, width);
        EXPECT_EQ(squares.channels[0].values, values);
    };
    expect_drawn({0.1f, 0.1f}, 3, {1, 2, 3, 4, 5, 6});
    expect_drawn({0.0423f, 0.0847f}, 3, {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6});
    expect_drawn({0.15f, 0.1f}, 5, {1, 1, 2, 3, 3, 4, 4, 5, 6, 6});
    EXPECT_THROW(repeat_to_squares(picture, {1000, 0.01f}), Error) << "300000 pixels are more than a picture has";
    Image const large = make_image(5000, 5000, Transfer::srgb, {"Y"});
    EXPECT_THROW(repeat_to_squares(large, {13, 1}), Error) << "65000 x 5000 pixels are too many";
}

TEST(LayerImage, AirWithoutAColourIsNeitherWhiteNorBlack)
{
    VolumeMeta meta = spectral_meta();
    std::vector<Material> const materials{{"white", {5, 5, 5, 5}, {0, 0, 0, 0}, 0},
                                          {"air", {0, 0, 0, 0}, {0, 0, 0, 0}, 0}};
    auto const volume = make_volume(meta, {.label = [](int, int y, int) { return y == 0 ? 1 : 0; }}, materials);
    Image const layer = draw_layer(volume, 0, LayerLook::shown);
    EXPECT_EQ(layer.find("G")->values[4], 0.5f);
    EXPECT_GT(layer.find("G")->values[0], 0.9f);
}

} // namespace
} // namespace volpt::test
