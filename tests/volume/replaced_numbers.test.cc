// NaN and numbers out of range are replaced and counted, however the layers are read.
#include "libvolpt/volume/source/replaced_numbers.h"
#include "libvolpt/volume/source/cropped_source.h"
#include "libvolpt/volume/source/downsampled_source.h"
#include "tests/support/expect_error.h"
#include "tests/support/listed_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace volpt::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinite = std::numeric_limits<float>::infinity(),
                kLargest = std::numeric_limits<float>::max();

std::unique_ptr<VolumeSource> make_source(NumberReplacement const& replacement)
{
    return replace_numbers(
        std::make_unique<ListedSource>(describe_listed({2, 2, 2}),
                                       std::vector<float>{kNan, 1, -2, kInfinite, 5, -kInfinite, kNan, 8}),
        replacement);
}

std::vector<float> read(VolumeSource& source)
{
    auto const [nx, ny, nz] = source.meta().dims;
    std::vector<float> values(static_cast<std::size_t>(nx * ny * nz));
    source.read_slab(0, nz, values);
    return values;
}

std::string notices(VolumeSource const& source)
{
    return fmt::format("{}", fmt::join(source.list_notices(), "; "));
}

TEST(ReplacedNumbers, NanBecomesTheValue)
{
    auto const source = make_source({.nan = -1000.0f, .range = {}});
    EXPECT_EQ(read(*source), (std::vector<float>{-1000, 1, -2, kInfinite, 5, -kInfinite, -1000, 8}));
    EXPECT_EQ(notices(*source), "listed: 2 NaN became -1000");
}

TEST(ReplacedNumbers, NumbersBeyondBecomeTheEnds)
{
    auto const densities = make_source({.nan = 0.0f, .range = {{0, kLargest}}});
    EXPECT_EQ(read(*densities), (std::vector<float>{0, 1, 0, kLargest, 5, 0, 0, 8}));
    EXPECT_EQ(notices(*densities),
              "listed: 2 NaN became 0; listed: 2 numbers below 0 became 0; listed: 1 infinite numbers "
              "became 3.40282e+38");
    auto const mapped = make_source({.nan = {}, .range = {{-kLargest, kLargest}}});
    auto const values = read(*mapped);
    EXPECT_TRUE(std::isnan(values[0]));
    EXPECT_EQ(values[2], -2);
    EXPECT_EQ(values[5], -kLargest);
    EXPECT_EQ(notices(*mapped),
              "listed: 1 infinite numbers became -3.40282e+38; listed: 1 infinite numbers became 3.40282e+38");
}

TEST(ReplacedNumbers, AreCountedOnceHoweverTheyAreRead)
{
    auto const source = make_source({.nan = 0.0f, .range = {}});
    EXPECT_TRUE(source->list_notices().empty());
    std::vector<float> layer(4);
    for (int z : {0, 1, 0, 1, 1}) source->read_slab(z, 1, layer);
    EXPECT_EQ(notices(*source), "listed: 2 NaN became 0");
    auto const cropped =
        replace_numbers(crop_source(make_source({}), {{0, 0, 1}, {2, 2, 2}}, {}), {.nan = 3.0f, .range = {}});
    EXPECT_EQ(read(*cropped), (std::vector<float>{5, -kInfinite, 3, 8}));
    EXPECT_EQ(notices(*cropped), "listed: 1 NaN became 3");
    auto const smaller =
        downsample_source(make_source({.nan = 0.0f, .range = {{0, 8}}}), {2, 2, 2}, BlockValue::mean, {}, 1 << 20);
    EXPECT_EQ(read(*smaller), (std::vector<float>{22.0f / 8}));
    EXPECT_EQ(smaller->list_notices().size(), 3u) << "those of the source";
}

} // namespace
} // namespace volpt::test
