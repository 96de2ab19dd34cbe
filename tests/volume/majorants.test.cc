// Local majorants bound every stored extinction that a lookup inside their brick can meet, and are no larger than that.
#include "tests/volume/volume_samples.h"

namespace volpt {
namespace {

using namespace test;

/// The largest value over the brick's voxels and `margin` more on each side, by brute force.
template <typename Value>
float find_largest(std::array<int, 3> dims, std::array<int, 3> brick, int margin, Value&& value)
{
    float largest = 0.0f;
    for_each_voxel(dims, [&](int x, int y, int z) {
        std::array<int, 3> const voxel{x, y, z};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (voxel[axis] < 8 * brick[axis] - margin || voxel[axis] > 8 * brick[axis] + 7 + margin) return;
        }
        largest = std::max(largest, value(x, y, z));
    });
    return largest;
}

template <typename Value>
void expect_exact_majorants(PackedVolume const& volume, std::uint32_t band, int margin, Value&& value)
{
    VolumeView const view = volume.view();
    auto const& dims = volume.meta().dims;
    int const bricks = view.brick_counts[0] * view.brick_counts[1] * view.brick_counts[2];
    float global = 0.0f;
    for (int i = 0; i < bricks; ++i) {
        std::array<int, 3> const brick{i % view.brick_counts[0], i / view.brick_counts[0] % view.brick_counts[1],
                                       i / view.brick_counts[0] / view.brick_counts[1]};
        float const largest = find_largest(dims, brick, margin, value);
        EXPECT_EQ(view.local_majorants[static_cast<int>(view.majorant_index[band]) * bricks + i], largest) << i;
        global = std::max(global, largest);
    }
    EXPECT_EQ(view.global_majorant[band], global);
}

struct MajorantCase {
    Encoding encoding;
    Filter filter;
    std::array<int, 3> dims;
};

std::string name_case(testing::TestParamInfo<MajorantCase> const& info)
{
    auto const& [encoding, filter, dims] = info.param;
    return name_of(encoding) + (filter == Filter::nearest ? "_nearest_" : "_trilinear_") + std::to_string(dims[0]) +
           "x" + std::to_string(dims[1]) + "x" + std::to_string(dims[2]);
}

class DensityMajorants : public testing::TestWithParam<MajorantCase> {};

TEST_P(DensityMajorants, EqualTheLargestStoredValueInReach)
{
    auto const& [encoding, filter, dims] = GetParam();
    VolumeMeta meta = density_meta(dims, filter, encoding);
    meta.density_value_scale = encoding == Encoding::u8 ? 1.0f / 255.0f : 1.0f / 65535.0f;
    // Rare peaks, so that most bricks owe their majorant to one voxel, often a neighbour's.
    auto const density = [](int x, int y, int z) { return std::pow(noise(x, y, z), 40.0f); };
    PackedVolume const volume = make_volume(meta, {.density = density});
    VolumeView const view = volume.view();
    EXPECT_TRUE(view.grey_extinction);
    EXPECT_EQ(view.majorant_bands, 1u);
    expect_exact_majorants(volume, 0, filter == Filter::trilinear ? 1 : 0,
                           [&](int x, int y, int z) { return read_stored(view.density, view, x, y, z); });
}

INSTANTIATE_TEST_SUITE_P(All, DensityMajorants,
                         testing::Values(MajorantCase{Encoding::u8, Filter::trilinear, {27, 17, 33}},
                                         MajorantCase{Encoding::u16, Filter::trilinear, {24, 24, 24}},
                                         MajorantCase{Encoding::f16, Filter::trilinear, {9, 40, 8}},
                                         MajorantCase{Encoding::f32, Filter::trilinear, {17, 17, 9}},
                                         MajorantCase{Encoding::f32, Filter::nearest, {17, 17, 25}},
                                         MajorantCase{Encoding::u8, Filter::trilinear, {1, 1, 1}}),
                         name_case);

TEST(MaterialMajorants, OnePlaneForEachDistinctBand)
{
    std::vector<Material> const inks = three_inks();
    auto const label = [](int x, int y, int z) {
        return noise(x, y, z) < 0.003f ? 0 : noise(x, y, z) > 0.995f ? 2 : 1;
    };
    for (Filter filter : {Filter::nearest, Filter::trilinear}) {
        PackedVolume const volume = make_volume(label_meta({25, 18, 19}, filter), {.label = label}, inks);
        VolumeView const view = volume.view();
        EXPECT_FALSE(view.grey_extinction);
        EXPECT_EQ(view.majorant_bands, 2u);
        EXPECT_EQ(view.majorant_index[0], view.majorant_index[2]);
        for (std::uint32_t band = 0; band < 3; ++band) {
            expect_exact_majorants(volume, band, filter == Filter::trilinear ? 1 : 0, [&](int x, int y, int z) {
                return inks[static_cast<std::size_t>(label(x, y, z))].sigma_t[band];
            });
        }
    }
}

TEST(MaterialMajorants, EqualBandsMakeTheVolumeGrey)
{
    std::vector<Material> inks = three_inks();
    for (Material& ink : inks) ink.sigma_t.assign(3, ink.sigma_t[0]);
    PackedVolume const volume =
        make_volume(label_meta({9, 9, 9}), {.label = [](int x, int, int) { return x % 3; }}, inks);
    EXPECT_TRUE(volume.view().grey_extinction);
    EXPECT_EQ(volume.view().majorant_bands, 1u);
}

TEST(Majorants, EmptyVolumeIsValid)
{
    PackedVolume const volume = make_volume(density_meta({9, 9, 9}), {.density = [](int, int, int) { return -0.0f; }});
    EXPECT_EQ(volume.view().global_majorant[0], 0.0f);
    EXPECT_EQ(volume.statistics().mean_majorant_ratio, 0.0);
    EXPECT_EQ(volume.statistics().mean_extinction_ratio, 0.0);
}

TEST(Majorants, RatiosSayHowTightTheyAre)
{
    auto const half_full = [](int x, int, int) { return x < 8 ? 4.0f : 1.0f; };
    PackedVolume const nearest = make_volume(density_meta({16, 8, 8}, Filter::nearest), {.density = half_full});
    EXPECT_DOUBLE_EQ(nearest.statistics().mean_majorant_ratio, 0.625);
    EXPECT_DOUBLE_EQ(nearest.statistics().mean_extinction_ratio, 0.625);
    PackedVolume const trilinear = make_volume(density_meta({16, 8, 8}), {.density = half_full});
    EXPECT_DOUBLE_EQ(trilinear.statistics().mean_majorant_ratio, 1.0);
    EXPECT_DOUBLE_EQ(trilinear.statistics().mean_extinction_ratio, 0.625);
}

} // namespace
} // namespace volpt
