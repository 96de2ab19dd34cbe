// Colour differences of images.
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/stats/metrics/figures.h"
#include "tests/colour/sharma_pairs.h"

#include <array>
#include <gtest/gtest.h>

namespace volpt::test {
namespace {

TEST(DeltaE, GreyImagesAreColoursWithoutHue)
{
    Image test = make_image(3, 2, Transfer::linear, {"Y"});
    Image const reference = test;
    test.channels[0].values.assign(6, 1.0f);
    for (ColourDistance const distance : {measure_de76, measure_de94, measure_de2000})
        EXPECT_NEAR(measure_colours("de", test, reference, {}, distance).values[0].value, 100, 1e-3);
}

/// CIE 15:2004, the inverse of to_lab, for values of L* above 8, and the straight part below.
std::array<double, 3> to_linear_rgb_of_lab(Colour const& lab)
{
    double const y = (static_cast<double>(lab[0]) + 16) / 116;
    Triple const f{y + static_cast<double>(lab[1]) / 500, y, y - static_cast<double>(lab[2]) / 200};
    Triple xyz{};
    constexpr double kKnee = 6.0 / 29;
    for (std::size_t i = 0; i < 3; ++i)
        xyz[i] = f[i] > kKnee ? f[i] * f[i] * f[i] : 3 * kKnee * kKnee * (f[i] - 4.0 / 29);
    return kRelativeXyzToRgb * xyz;
}

Image make_row(Colour SharmaPair::*side)
{
    Image image = make_image(static_cast<int>(std::size(kSharma)), 1, Transfer::linear, {"R", "G", "B"});
    for (std::size_t i = 0; i < std::size(kSharma); ++i) {
        std::array<double, 3> const rgb = to_linear_rgb_of_lab(kSharma[i].*side);
        for (std::size_t c = 0; c < 3; ++c) image.channels[c].values[i] = static_cast<float>(rgb[c]);
    }
    return image;
}

/// As a file of 32-bit floats holds it.
Image store(Image const& image)
{
    return decode_image(encode_image(image, ".pfm"), "pairs.pfm");
}

TEST(DeltaE, PublishedPairsKeepTheirDifferencesAsLinearRgbInAFile)
{
    std::vector<float> const map = map_colour_differences(
        store(make_row(&SharmaPair::one)), store(make_row(&SharmaPair::two)), measure_de2000, Illuminant::d65, 1);
    for (std::size_t i = 0; i < map.size(); ++i) {
        // The hues of the pair (0, -.001, 2.49), (0, .001, -2.49) differ by 180 degrees: the last bit of a float
        // decides on which side of it, and so between this value and that of the next pair of the table.
        constexpr std::size_t kOpposite = 13;
        double const other = i == kOpposite ? kSharma[i + 1].difference : kSharma[i].difference;
        double const apart = std::min(std::abs(static_cast<double>(map[i]) - kSharma[i].difference),
                                      std::abs(static_cast<double>(map[i]) - other));
        EXPECT_LT(apart, 1.5e-4) << "pair " << i + 1 << ": " << map[i];
    }
}

} // namespace
} // namespace volpt::test
