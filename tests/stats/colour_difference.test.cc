#include "libvolpt/stats/metrics/figures.h"

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

} // namespace
} // namespace volpt::test
