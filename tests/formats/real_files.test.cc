// Public MetaImages against the dims, spacing and range that independent readers (NumPy, ITK) found in them.
#include "formats/raw/reader.h"
#include "formats/reader.h"
#include "libvolpt/sys/error.h"
#include "tests/support/expect_error.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

namespace volpt {
namespace {

using test::expect_error;

struct KnownFile {
    char const* path;
    std::array<int, 3> dims;
    std::array<double, 3> spacing;
    float low;
    float high;
};

KnownFile const kKnown[] = {
    {"elastix/3DCT_lung.mha", {115, 157, 129}, {1.366, 1.366, 2.5}, -1255, 1474},
    {"itk/fuel.mha", {68, 68, 68}, {1, 1, 1}, 0, 255},
    {"itk/hydrogenAtom.mha", {128, 128, 128}, {1, 1, 1}, 0, 250},
    {"itk/silicium.mha", {104, 40, 40}, {1, 1, 1}, 0, 255},
    {"itk-ultrasound/MouseLiverB.mha", {128, 512, 4}, {0.1, 0.038575299999999993, 0.1}, 0, 255},
    {"pyvista-data/HeadMRVolume.mhd", {48, 62, 42}, {4, 4, 4}, 0, 255},
    {"pyvista-data/headsq_64x64x93.mhd", {64, 64, 93}, {3.2, 3.2, 1.5}, 0, 3926},
    {"plus-toolkit/vtkVolumeReconstructorFloatType1OutputCompare.mha", {145, 47, 100}, {0.5, 0.5, 0.5}, 0, 249.748f},
    {"metaimageformat-jl/example.mhd", {8, 9, 5}, {25, 20, 40}, 290, 64970},
    {"metaimage-odin/test_001.mha", {32, 32, 18}, {13.75, 13.75, 19.861110687255859}, 0, 5},
    {"metaimage-odin/test_001.mhd", {32, 32, 18}, {13.75, 13.75, 19.861110687255859}, 0, 5},
    {"metaimage-odin/test_001_crlf.mhd", {32, 32, 18}, {13.75, 13.75, 19.861110687255859}, 0, 5},
    {"metaimage-odin/test_001_uncompressed.mha", {32, 32, 18}, {13.75, 13.75, 19.861110687255859}, 0, 5},
    {"metaimage-odin/test_001_uncompressed.mhd", {32, 32, 18}, {13.75, 13.75, 19.861110687255859}, 0, 5},
    {"metaimage-odin/test_002.mha", {4, 4, 2}, {110, 110, 178.75}, 0, 4},
    {"grand-challenge/image16bit.mha", {256, 128, 64}, {1, 1, 1}, 0, 0},
    {"grand-challenge/image10x10x10.mha", {10, 10, 10}, {1, 1, 1}, 8.34119e-05f, 0.999185f},
    {"grand-challenge/image10x10x10-extra-stuff.mhd", {10, 10, 10}, {1, 1, 1}, 8.34119e-05f, 0.999185f},
    {"grand-challenge/image5x6x7.mhd", {5, 6, 7}, {1, 1, 1}, -10, 9},
};

class RealFiles : public testing::Test {
protected:
    void SetUp() override
    {
        char const* const folder = std::getenv("VOLPT_TEST_DATA");
        if (folder == nullptr) GTEST_SKIP() << "VOLPT_TEST_DATA is not set";
        data_ = folder;
    }
    std::filesystem::path data_;
};

TEST_F(RealFiles, DimsSpacingAndRangeAreTheKnownOnes)
{
    for (auto const& known : kKnown) {
        auto const source = open_volume_source(data_ / known.path);
        EXPECT_EQ(source->meta().dims, known.dims) << known.path;
        EXPECT_EQ(*source->meta().pitch_mm, known.spacing) << known.path;
        std::vector<float> values(static_cast<std::size_t>(known.dims[0]) * static_cast<std::size_t>(known.dims[1]) *
                                  static_cast<std::size_t>(known.dims[2]));
        source->read_slab(0, known.dims[2], values);
        auto const [low, high] = std::minmax_element(values.begin(), values.end());
        EXPECT_NEAR(*low, known.low, 1e-5 * std::abs(known.low)) << known.path;
        EXPECT_NEAR(*high, known.high, 1e-5 * std::abs(known.high)) << known.path;
    }
}

TEST_F(RealFiles, HeaderlessBuckyHasItsMean)
{
    auto const source =
        open_raw(data_ / "nvidia-cuda-samples/Bucky.raw", {32, 32, 32}, {ElementType::u8, ByteOrder::little});
    std::vector<float> values(32 * 32 * 32);
    source->read_slab(0, 32, values);
    double sum = 0;
    for (float const value : values) sum += static_cast<double>(value);
    EXPECT_NEAR(sum / 32768, 35.85, 0.005);
}

TEST_F(RealFiles, ThreeChannelsAreColours)
{
    auto const source = open_volume_source(data_ / "grand-challenge/image128x256x3RGB.mhd");
    EXPECT_EQ(source->meta().channels, 3);
    std::vector<float> values(std::size_t{3} * 128 * 256 * 3, 1.0f);
    source->read_slab(0, 3, values);
    EXPECT_EQ(*std::max_element(values.begin(), values.end()), 0.0f);
}

TEST_F(RealFiles, ForeignFormatsAreRefused)
{
    for (auto const* path : {"revamp-lfs-pointers/smoke.vol", "libpng/pngsuite/basn0g01.png"}) {
        SCOPED_TRACE(path);
        expect_error(ExitStatus::input, {}, [&] { open_volume_source(data_ / path); });
    }
}

} // namespace
} // namespace volpt
