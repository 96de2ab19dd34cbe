// Colours of spectra against published whites and an independent program.
#include "libvolpt/colour/colour_space.h"

#include "libvolpt/sys/error.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace volpt::test {
namespace {

constexpr Illuminant kIlluminants[] = {Illuminant::d50, Illuminant::d65};

std::vector<float> list_wavelengths(float first_nm, float step_nm, std::size_t count)
{
    std::vector<float> wavelengths;
    for (std::size_t i = 0; i < count; ++i) wavelengths.push_back(first_nm + step_nm * static_cast<float>(i));
    return wavelengths;
}

Triple sum_bands(std::span<Triple const> weights, std::span<double const> values)
{
    Triple xyz{};
    for (std::size_t band = 0; band < weights.size(); ++band)
        for (std::size_t i = 0; i < 3; ++i) xyz[i] += weights[band][i] * values[band];
    return xyz;
}

void expect_near(Triple const& found, Triple const& wanted, double tolerance)
{
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], wanted[i], tolerance) << "component " << i;
}

TEST(ColourSpace, WhitesOfTheIlluminantsAreThePublished)
{
    // CIE 15:2004, table T.3, 2-degree observer.
    expect_near(white_xyz(Illuminant::d65), {0.9504, 1, 1.0888}, 5e-5);
    expect_near(white_xyz(Illuminant::d50), {0.9642, 1, 0.8251}, 5e-5);
}

TEST(ColourSpace, WhiteIsWhiteUnderEveryIlluminant)
{
    std::vector<std::vector<float>> const band_sets{
        {}, {550}, {450, 550, 650}, list_wavelengths(300, 20, 36), list_wavelengths(380, 10, 36), {1000, 1100}};
    for (Illuminant const illuminant : kIlluminants)
        for (std::vector<float> const& wavelengths : band_sets) {
            std::size_t const bands = wavelengths.empty() ? 3 : wavelengths.size();
            std::vector<Triple> const weights = make_band_weights(bands, wavelengths, illuminant);
            Triple const white = sum_bands(weights, std::vector<double>(bands, 1.0));
            expect_near(white, {1, 1, 1}, 1e-11);
            expect_near(to_lab(white), {100, 0, 0}, 1e-8);
            expect_near(kRelativeXyzToRgb * (adapt_to_d65(illuminant) * white), {1, 1, 1}, 1e-10);
        }
}

/// ColorChecker patches after N. Ohta, 380 to 730 nm; expected values from colour-science 0.4.7 (sd_to_XYZ, ASTM E308,
/// 1 nm, linear between the bands and constant beyond; XYZ_to_Lab; XYZ_to_sRGB with Bradford's transform).
struct Patch {
    std::vector<double> reflectance;
    struct {
        Triple xyz, lab, rgb;
    } d65, d50;
};
// clang-format off
Patch const kPatches[] = {
    {{0.048, 0.055, 0.065, 0.068, 0.064, 0.059, 0.055, 0.053, 0.052, 0.052, 0.054, 0.057, 0.061, 0.065, 0.070, 0.074, 0.076, 0.079,
      0.087, 0.100, 0.115, 0.129, 0.138, 0.146, 0.154, 0.163, 0.173, 0.188, 0.204, 0.222, 0.242, 0.261, 0.282, 0.305, 0.334, 0.372},
     {{0.10980928, 0.09720025, 0.06050863}, {37.33518176, 13.62835657, 15.63532163}, {0.17624485, 0.07844734, 0.05025846}},
     {{0.11696995, 0.10002309, 0.04580805}, {37.84657454, 15.41684726, 16.54265012}, {0.18234618, 0.07872562, 0.04989724}}},
    {{0.093, 0.134, 0.195, 0.238, 0.258, 0.281, 0.315, 0.352, 0.391, 0.434, 0.458, 0.457, 0.433, 0.392, 0.339, 0.282, 0.228, 0.180,
      0.141, 0.114, 0.097, 0.088, 0.080, 0.075, 0.073, 0.073, 0.073, 0.074, 0.076, 0.077, 0.075, 0.074, 0.072, 0.071, 0.075, 0.082},
     {{0.14503666, 0.19887234, 0.39492858}, {51.70947575, -24.66335164, -25.8912683}, {-0.03263651, 0.24891194, 0.38503569}},
     {{0.13349869, 0.18948458, 0.30311931}, {50.6268501, -28.52172308, -28.36488914}, {-0.03677856, 0.24255197, 0.39222383}}},
    {{0.060, 0.063, 0.065, 0.064, 0.064, 0.064, 0.065, 0.067, 0.069, 0.077, 0.092, 0.107, 0.123, 0.146, 0.193, 0.273, 0.374, 0.456,
      0.512, 0.554, 0.584, 0.609, 0.624, 0.635, 0.645, 0.654, 0.662, 0.672, 0.676, 0.678, 0.685, 0.690, 0.696, 0.698, 0.698, 0.701},
     {{0.46147715, 0.43110073, 0.08432774}, {71.62961576, 15.26948884, 65.83441156}, {0.79065284, 0.36504418, 0.02691132}},
     {{0.4979221, 0.44624131, 0.06544002}, {72.64370758, 19.05483425, 66.90548549}, {0.80670625, 0.36999622, 0.0256408}}},
};
// clang-format on

TEST(ColourSpace, SpectraHaveTheColoursOfAnIndependentProgram)
{
    std::vector<float> const wavelengths = list_wavelengths(380, 10, 36);
    for (Patch const& patch : kPatches)
        for (Illuminant const illuminant : kIlluminants) {
            auto const& expected = illuminant == Illuminant::d65 ? patch.d65 : patch.d50;
            Triple const relative = sum_bands(make_band_weights(36, wavelengths, illuminant), patch.reflectance);
            Triple const white = white_xyz(illuminant);
            // 5 nm against 1 nm: up to 1e-4 of the white.
            expect_near({relative[0] * white[0], relative[1] * white[1], relative[2] * white[2]}, expected.xyz, 1.5e-4);
            expect_near(to_lab(relative), expected.lab, 0.03);
            // sRGB's white has four digits of chromaticity there, the tables' own here: 5e-4 in blue.
            expect_near(kRelativeXyzToRgb * (adapt_to_d65(illuminant) * relative), expected.rgb, 6e-4);
        }
}

TEST(ColourSpace, RgbBandsKeepTheirColourUnderEveryIlluminant)
{
    for (Illuminant const illuminant : kIlluminants) {
        std::vector<Triple> const weights = make_band_weights(3, {}, illuminant);
        for (Triple const rgb : {Triple{0.8, 0.1, 0.3}, Triple{0.02, 0.5, 0.9}, Triple{-0.1, 1.2, 0}})
            expect_near(kRelativeXyzToRgb * (adapt_to_d65(illuminant) * sum_bands(weights, rgb)), rgb, 1e-10);
    }
}

TEST(ColourSpace, ReflectanceIsConstantBeyondTheEndsAndLinearBetween)
{
    // A ramp from 400 to 700 nm is the same ramp with a band in the middle.
    for (Illuminant const illuminant : kIlluminants) {
        Triple const two =
            sum_bands(make_band_weights(2, std::vector<float>{400, 700}, illuminant), std::vector{0.2, 0.8});
        Triple const three =
            sum_bands(make_band_weights(3, std::vector<float>{400, 500, 700}, illuminant), std::vector{0.2, 0.4, 0.8});
        expect_near(two, three, 1e-12);
        Triple const wider = sum_bands(make_band_weights(4, std::vector<float>{300, 400, 700, 900}, illuminant),
                                       std::vector{0.2, 0.2, 0.8, 0.8});
        expect_near(two, wider, 1e-12);
    }
}

TEST(ColourSpace, LabHasTheDerivativeThatItSays)
{
    for (Triple const xyz : {Triple{0.3, 0.2, 0.7}, Triple{0.003, 0.004, 0.002}, Triple{0.9, 1, 1.1}}) {
        Matrix3 const slopes = differentiate_lab(xyz);
        for (std::size_t i = 0; i < 3; ++i) {
            Triple above = xyz, below = xyz;
            above[i] += 1e-6;
            below[i] -= 1e-6;
            Triple const high = to_lab(above), low = to_lab(below);
            for (std::size_t j = 0; j < 3; ++j)
                EXPECT_NEAR(slopes[j][i], (high[j] - low[j]) / 2e-6, 1e-4 * (1 + std::abs(slopes[j][i])));
        }
    }
}

TEST(ColourSpace, BandsWithoutWavelengthsAreGreyOrRgb)
{
    EXPECT_TRUE(have_colour(1, {}));
    EXPECT_TRUE(have_colour(3, {}));
    EXPECT_FALSE(have_colour(2, {}));
    EXPECT_FALSE(have_colour(3, std::vector<float>{450, 550}));
    EXPECT_THROW(make_band_weights(5, {}, Illuminant::d65), Error);
}

} // namespace
} // namespace volpt::test
