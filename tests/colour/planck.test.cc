// Planck's law against Wien's and Stefan and Boltzmann's, and the colours of black bodies.
#include "libvolpt/colour/planck.h"

#include "libvolpt/colour/colour_space.h"
#include "tests/support/expect_error.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <span>

namespace volpt::test {
namespace {

TEST(Planck, IntegralIsStefanAndBoltzmanns)
{
    for (double const temperature_k : {900.0, 3000.0}) {
        double sum = 0;
        double const step_nm = 5;
        for (double nm = 50; nm < 400000; nm += step_nm) sum += step_nm * compute_planck_radiance(nm, temperature_k);
        double const per_mm2 = 5.670374419e-8 * std::pow(temperature_k, 4) * 1e-6 / std::numbers::pi;
        EXPECT_NEAR(sum, per_mm2, 1e-4 * per_mm2) << temperature_k;
    }
}

TEST(Planck, MaximumIsWiens)
{
    double const temperature_k = 4000, peak_nm = 2.897771955e6 / temperature_k;
    double const peak = compute_planck_radiance(peak_nm, temperature_k);
    EXPECT_GT(peak, compute_planck_radiance(peak_nm - 2, temperature_k));
    EXPECT_GT(peak, compute_planck_radiance(peak_nm + 2, temperature_k));
}

TEST(Planck, NothingIsEmittedAtZeroKelvinOrBelow)
{
    EXPECT_EQ(compute_planck_radiance(500, 0), 0);
    EXPECT_EQ(compute_planck_radiance(500, -10), 0);
    EXPECT_EQ(compute_planck_radiance(500, 1), 0); // exp overflows
    EXPECT_EQ(compute_blackbody(3, {}, 0), (std::vector<double>{0, 0, 0}));
}

/// Chromaticities on the Planckian locus: CIE 15, T = 2856 K is illuminant A, x .4476, y .4074.
TEST(Planck, IlluminantAHasItsChromaticity)
{
    auto const rgb = compute_blackbody(3, {}, 2855.5);
    Triple xyz = kRgbToRelativeXyz * Triple{rgb[0], rgb[1], rgb[2]};
    Triple const white = white_xyz(Illuminant::d65);
    for (std::size_t i = 0; i < 3; ++i) xyz[i] *= white[i];
    double const sum = xyz[0] + xyz[1] + xyz[2];
    EXPECT_NEAR(xyz[0] / sum, 0.4476, 3e-4);
    EXPECT_NEAR(xyz[1] / sum, 0.4074, 3e-4);
    EXPECT_NEAR(compute_blackbody(1, {}, 2855.5)[0], xyz[1], 1e-9 * xyz[1]);
}

/// The Sun's photosphere, 5772 K: about 1.9e9 cd/m2.
/// CIE 15 again, by three bands and by 36; of the luminance of white, which one band alone is.
TEST(Planck, ColourIsThatOfTheLightOnWhiteAtOneLuminance)
{
    std::vector<float> wavelengths_nm;
    for (int i = 0; i < 36; ++i) wavelengths_nm.push_back(380.0f + 10.0f * static_cast<float>(i));
    Triple const white = white_xyz(Illuminant::d65);
    for (std::span<float const> const wavelengths :
         {std::span<float const>(), std::span<float const>(wavelengths_nm)}) {
        std::size_t const bands = wavelengths.empty() ? 3 : wavelengths.size();
        auto const colour = compute_blackbody_colour(bands, wavelengths, 2855.5);
        auto const weights = make_band_weights(bands, wavelengths, Illuminant::d65);
        Triple xyz{};
        for (std::size_t band = 0; band < bands; ++band)
            for (std::size_t i = 0; i < 3; ++i) xyz[i] += weights[band][i] * colour[band] * white[i];
        EXPECT_NEAR(xyz[1], 1, 1e-9) << bands;
        EXPECT_NEAR(xyz[0] / (xyz[0] + xyz[1] + xyz[2]), 0.4476, 1e-3) << bands;
        EXPECT_NEAR(xyz[1] / (xyz[0] + xyz[1] + xyz[2]), 0.4074, 1e-3) << bands;
    }
    EXPECT_EQ(compute_blackbody_colour(1, {}, 2700), std::vector<double>{1});
    expect_error(ExitStatus::usage, {"4 bands have no wavelengths"}, [] { compute_blackbody_colour(4, {}, 2000); });
}

TEST(Planck, LuminanceOfTheSun)
{
    double const luminance = compute_blackbody(1, {}, 5772)[0] * 683 * 1e6;
    EXPECT_NEAR(luminance, 1.9e9, 0.1e9);
}

TEST(Planck, FlamesAreRedAndHaveNoNegativeBlue)
{
    auto const rgb = compute_blackbody(3, {}, 1500);
    EXPECT_GT(rgb[0], 2 * rgb[1]);
    EXPECT_GT(rgb[1], 0);
    EXPECT_EQ(rgb[2], 0);
}

TEST(Planck, BandsWithWavelengthsAreSpectral)
{
    std::vector<float> const wavelengths_nm{450, 550, 700, 900};
    auto const radiance = compute_blackbody(4, wavelengths_nm, 2000);
    ASSERT_EQ(radiance.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(radiance[i], compute_planck_radiance(static_cast<double>(wavelengths_nm[i]), 2000));
    expect_error(ExitStatus::usage, {"4 bands have no wavelengths"}, [] { compute_blackbody(4, {}, 2000); });
}

} // namespace
} // namespace volpt::test
