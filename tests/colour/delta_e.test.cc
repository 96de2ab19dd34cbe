// Colour differences against published values.
#include "libvolpt/colour/delta_e.h"

#include "tests/colour/sharma_pairs.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

double measure(ColourDistance distance, Colour test, Colour reference)
{
    float result = 0;
    distance({&test[0], &test[1], &test[2]}, {&reference[0], &reference[1], &reference[2]}, 1, &result);
    return result;
}

TEST(DeltaE, Ciede2000GivesThePublishedValuesBothWays)
{
    for (SharmaPair const& pair : kSharma) {
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
