// Noise in colours against direct resampling, and the local form of CIEDE2000 against the formula itself.
#include "libvolpt/colour/colour_noise.h"
#include "libvolpt/colour/delta_e.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace volpt::test {
namespace {

Colour to_floats(Triple const& lab)
{
    return {static_cast<float>(lab[0]), static_cast<float>(lab[1]), static_cast<float>(lab[2])};
}

double measure(Triple const& one, Triple const& two)
{
    Colour a = to_floats(one), b = to_floats(two);
    float difference = 0;
    measure_de2000({&a[0], &a[1], &a[2]}, {&b[0], &b[1], &b[2]}, 1, &difference);
    return static_cast<double>(difference);
}

TEST(ColourNoise, LocalFormIsCiede2000OfSmallSteps)
{
    for (Triple const lab :
         {Triple{50, 2.5, -30}, Triple{80, -40, 60}, Triple{30, 20, -70}, Triple{95, 0, 0}, Triple{60, 70, 3}}) {
        Matrix3 const metric = differentiate_de2000(lab);
        for (Triple const step :
             {Triple{0.1, 0, 0}, Triple{0, 0.1, 0}, Triple{0, 0, 0.1}, Triple{0, 0.1, -0.1}, Triple{0.1, 0.1, 0.1}}) {
            Triple const turned = metric * step;
            double const local = std::sqrt(step[0] * turned[0] + step[1] * turned[1] + step[2] * turned[2]);
            Triple const ahead{lab[0] + step[0], lab[1] + step[1], lab[2] + step[2]};
            EXPECT_NEAR(measure(lab, ahead) / local, 1, 0.01) << lab[0] << " " << lab[1] << " " << lab[2];
        }
    }
}

struct Resampled {
    Triple lab_error;
    double de2000;
};

/// Draws the bands again and again from normal laws: independent ones, or all from one number.
Resampled resample(std::span<Triple const> weights, std::span<double const> values, std::span<double const> errors,
                   bool together)
{
    constexpr int kDraws = 10000;
    auto const colour_of = [&](std::span<double const> bands) {
        return propagate_noise(weights, bands, std::vector<double>(bands.size(), 0.0), BandNoise::independent).lab;
    };
    Triple const centre = colour_of(values);
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    Resampled result{};
    Triple squares{};
    for (int draw = 0; draw < kDraws; ++draw) {
        std::vector<double> bands(values.begin(), values.end());
        double const common = normal(random);
        for (std::size_t band = 0; band < bands.size(); ++band)
            bands[band] += errors[band] * (together ? common : normal(random));
        Triple const lab = colour_of(bands);
        for (std::size_t i = 0; i < 3; ++i) squares[i] += (lab[i] - centre[i]) * (lab[i] - centre[i]) / kDraws;
        result.de2000 += measure(lab, centre) / kDraws;
    }
    for (std::size_t i = 0; i < 3; ++i) result.lab_error[i] = std::sqrt(squares[i]);
    return result;
}

struct Case {
    std::vector<float> wavelengths_nm;
    std::vector<double> values;
    double relative_error;
};

std::vector<Case> make_cases()
{
    std::vector<Case> cases;
    for (double const error : {0.01, 0.03, 0.1}) {
        cases.push_back({{}, {0.5}, error});
        cases.push_back({{}, {0.81, 0.88, 0.80}, error});
        cases.push_back({{}, {0.04, 0.09, 0.42}, error});
        cases.push_back({{}, {0.05, 0.05, 0.05}, error});
        cases.push_back({{450, 550, 650}, {0.2, 0.5, 0.7}, error});
        Case spectral{{}, {}, error};
        for (int i = 0; i < 36; ++i) {
            spectral.wavelengths_nm.push_back(380.0f + 10.0f * static_cast<float>(i));
            spectral.values.push_back(0.4 + 0.3 * std::sin(0.2 * i));
        }
        cases.push_back(spectral);
    }
    return cases;
}

std::vector<double> scale(std::vector<double> values, double factor)
{
    for (double& value : values) value *= factor;
    return values;
}

std::vector<double> square(std::vector<double> values)
{
    for (double& value : values) value *= value;
    return values;
}

TEST(ColourNoise, IndependentBandsGiveWhatResamplingGives)
{
    for (Case const& test : make_cases())
        for (Illuminant const illuminant : {Illuminant::d50, Illuminant::d65}) {
            auto const weights = make_band_weights(test.values.size(), test.wavelengths_nm, illuminant);
            std::vector<double> const errors = scale(test.values, test.relative_error);
            NoisyColour const colour = propagate_noise(weights, test.values, square(errors), BandNoise::independent);
            Resampled const drawn = resample(weights, test.values, errors, false);
            // 10,000 draws leave 1.4 %, Patnaik's law 2.5 %; with much noise, greys gain chroma, which CIEDE2000 weighs
            // down.
            double const tolerance = test.relative_error < 0.05 ? 0.04 : 0.1;
            for (std::size_t i = 0; i < 3; ++i)
                EXPECT_NEAR(colour.lab_error[i], drawn.lab_error[i], 0.04 * drawn.lab_error[i] + 1e-3)
                    << test.values.size() << " " << i;
            EXPECT_NEAR(colour.de2000 / drawn.de2000, 1, tolerance)
                << test.values.size() << " bands, " << test.relative_error;
        }
}

TEST(ColourNoise, SharedPathsAreBoundedFromAbove)
{
    for (Case const& test : make_cases()) {
        auto const weights = make_band_weights(test.values.size(), test.wavelengths_nm, Illuminant::d65);
        std::vector<double> const errors = scale(test.values, test.relative_error);
        NoisyColour const bound = propagate_noise(weights, test.values, square(errors), BandNoise::shared);
        for (bool const together : {false, true}) {
            Resampled const drawn = resample(weights, test.values, errors, together);
            EXPECT_GT(bound.de2000 * 1.02, drawn.de2000) << test.values.size() << " bands, together: " << together;
            for (std::size_t i = 0; i < 3; ++i) EXPECT_GT(bound.lab_error[i] * 1.04 + 1e-3, drawn.lab_error[i]);
        }
    }
}

TEST(ColourNoise, NoNoiseIsNoDifference)
{
    auto const weights = make_band_weights(3, {}, Illuminant::d65);
    for (BandNoise const noise : {BandNoise::independent, BandNoise::shared}) {
        NoisyColour const colour =
            propagate_noise(weights, std::vector{0.5, 0.2, 0.1}, std::vector{0.0, 0.0, 0.0}, noise);
        EXPECT_EQ(colour.de2000, 0);
        EXPECT_EQ(colour.lab_error, (Triple{0, 0, 0}));
    }
}

} // namespace
} // namespace volpt::test
