// Colour differences against published values: Sharma, Wu & Dalal 2005, table 1.
#include "libvolpt/colour/delta_e.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

struct Pair {
    Colour one, two;
    double difference;
};

// clang-format off
constexpr Pair kSharma[] = {
    {{50.0000f, 2.6772f, -79.7751f}, {50.0000f, 0.0000f, -82.7485f}, 2.0425},
    {{50.0000f, 3.1571f, -77.2803f}, {50.0000f, 0.0000f, -82.7485f}, 2.8615},
    {{50.0000f, 2.8361f, -74.0200f}, {50.0000f, 0.0000f, -82.7485f}, 3.4412},
    {{50.0000f, -1.3802f, -84.2814f}, {50.0000f, 0.0000f, -82.7485f}, 1.0000},
    {{50.0000f, -1.1848f, -84.8006f}, {50.0000f, 0.0000f, -82.7485f}, 1.0000},
    {{50.0000f, -0.9009f, -85.5211f}, {50.0000f, 0.0000f, -82.7485f}, 1.0000},
    {{50.0000f, 0.0000f, 0.0000f}, {50.0000f, -1.0000f, 2.0000f}, 2.3669},
    {{50.0000f, -1.0000f, 2.0000f}, {50.0000f, 0.0000f, 0.0000f}, 2.3669},
    {{50.0000f, 2.4900f, -0.0010f}, {50.0000f, -2.4900f, 0.0009f}, 7.1792},
    {{50.0000f, 2.4900f, -0.0010f}, {50.0000f, -2.4900f, 0.0010f}, 7.1792},
    {{50.0000f, 2.4900f, -0.0010f}, {50.0000f, -2.4900f, 0.0011f}, 7.2195},
    {{50.0000f, 2.4900f, -0.0010f}, {50.0000f, -2.4900f, 0.0012f}, 7.2195},
    {{50.0000f, -0.0010f, 2.4900f}, {50.0000f, 0.0009f, -2.4900f}, 4.8045},
    {{50.0000f, -0.0010f, 2.4900f}, {50.0000f, 0.0010f, -2.4900f}, 4.8045},
    {{50.0000f, -0.0010f, 2.4900f}, {50.0000f, 0.0011f, -2.4900f}, 4.7461},
    {{50.0000f, 2.5000f, 0.0000f}, {50.0000f, 0.0000f, -2.5000f}, 4.3065},
    {{50.0000f, 2.5000f, 0.0000f}, {73.0000f, 25.0000f, -18.0000f}, 27.1492},
    {{50.0000f, 2.5000f, 0.0000f}, {61.0000f, -5.0000f, 29.0000f}, 22.8977},
    {{50.0000f, 2.5000f, 0.0000f}, {56.0000f, -27.0000f, -3.0000f}, 31.9030},
    {{50.0000f, 2.5000f, 0.0000f}, {58.0000f, 24.0000f, 15.0000f}, 19.4535},
    {{50.0000f, 2.5000f, 0.0000f}, {50.0000f, 3.1736f, 0.5854f}, 1.0000},
    {{50.0000f, 2.5000f, 0.0000f}, {50.0000f, 3.2972f, 0.0000f}, 1.0000},
    {{50.0000f, 2.5000f, 0.0000f}, {50.0000f, 1.8634f, 0.5757f}, 1.0000},
    {{50.0000f, 2.5000f, 0.0000f}, {50.0000f, 3.2592f, 0.3350f}, 1.0000},
    {{60.2574f, -34.0099f, 36.2677f}, {60.4626f, -34.1751f, 39.4387f}, 1.2644},
    {{63.0109f, -31.0961f, -5.8663f}, {62.8187f, -29.7946f, -4.0864f}, 1.2630},
    {{61.2901f, 3.7196f, -5.3901f}, {61.4292f, 2.2480f, -4.9620f}, 1.8731},
    {{35.0831f, -44.1164f, 3.7933f}, {35.0232f, -40.0716f, 1.5901f}, 1.8645},
    {{22.7233f, 20.0904f, -46.6940f}, {23.0331f, 14.9730f, -42.5619f}, 2.0373},
    {{36.4612f, 47.8580f, 18.3852f}, {36.2715f, 50.5065f, 21.2231f}, 1.4146},
    {{90.8027f, -2.0831f, 1.4410f}, {91.1528f, -1.6435f, 0.0447f}, 1.4441},
    {{90.9257f, -0.5406f, -0.9208f}, {88.6381f, -0.8985f, -0.7239f}, 1.5381},
    {{6.7747f, -0.2908f, -2.4247f}, {5.8714f, -0.0985f, -2.2286f}, 0.6377},
    {{2.0776f, 0.0795f, -1.1350f}, {0.9033f, -0.0636f, -0.5514f}, 0.9082},
};
// clang-format on

double measure(ColourDistance distance, Colour test, Colour reference)
{
    float result = 0;
    distance({&test[0], &test[1], &test[2]}, {&reference[0], &reference[1], &reference[2]}, 1, &result);
    return result;
}

TEST(DeltaE, Ciede2000GivesThePublishedValuesBothWays)
{
    static_assert(std::size(kSharma) == 34);
    for (Pair const& pair : kSharma) {
        EXPECT_NEAR(measure(measure_de2000, pair.one, pair.two), pair.difference, 1e-4);
        EXPECT_NEAR(measure(measure_de2000, pair.two, pair.one), pair.difference, 1e-4);
    }
}

TEST(DeltaE, OlderFormulasGiveWhatTheirEquationsSay)
{
    EXPECT_NEAR(measure(measure_de76, {50, 3, 4}, {52, 0, 0}), std::sqrt(29.0), 1e-6);
    // From a standard of chroma 5 to chroma 10 of the same hue: 5 / (1 + 0.045 * 5).
    EXPECT_NEAR(measure(measure_de94, {50, 6, 8}, {50, 3, 4}), 5 / 1.225, 1e-5);
    EXPECT_NEAR(measure(measure_de94, {50, 3, 4}, {50, 6, 8}), 5 / 1.45, 1e-5);
    // A quarter turn of chroma 5: hue difference 5 sqrt(2) / (1 + 0.015 * 5).
    EXPECT_NEAR(measure(measure_de94, {50, 0, 5}, {50, 5, 0}), 5 * std::sqrt(2.0) / 1.075, 1e-5);
}

TEST(DeltaE, WhiteAndGreysHaveNoChroma)
{
    for (float const grey : {0.001f, 0.18f, 1.0f}) {
        Colour const lab = to_lab(to_relative_xyz({grey, grey, grey}));
        EXPECT_NEAR(lab[1], 0, 2e-3);
        EXPECT_NEAR(lab[2], 0, 2e-3);
    }
    EXPECT_NEAR(to_lab(to_relative_xyz({1, 1, 1}))[0], 100, 1e-3);
    EXPECT_NEAR(to_lab(to_relative_xyz({0.18f, 0.18f, 0.18f}))[0], 49.496, 1e-3);
}

} // namespace
} // namespace volpt::test
