// Clearance is the distance from a brick to the nearest that is not the same constant, never more.
#include "libvolpt/volume/clearance/clearance.h"

#include "libvolpt/core/advance.hd.h"
#include "libvolpt/core/phase_function.hd.h"
#include "libvolpt/volume/clearance/distance_transform.h"
#include "libvolpt/volume/vpk_layout.h"
#include "tests/volume/volume_samples.h"

namespace volpt {
namespace {

using namespace test;

struct ClearanceCase {
    std::string name;
    std::array<int, 3> dims;
    std::array<float, 3> pitch_mm;
    Filter filter;
    std::uint32_t wrapped_axes;
};

void PrintTo(ClearanceCase const& tested, std::ostream* out)
{
    *out << tested.name;
}

/// Whole bricks of three labels, a few of them mixed: `rarity` of them is not label 0.
int patchy_label(int x, int y, int z, float rarity)
{
    float const u = noise(x / 8, y / 8, z / 8);
    if (u >= rarity) return 0;
    return u < rarity / 2 ? 1 + (u < rarity / 4 ? 1 : 0) : (x + y + z) % 8 == 0 ? 1 : 0;
}

/// Label of a brick whose voxels are all equal, -1 otherwise, by its voxels.
template <typename Label>
int find_constant(std::array<int, 3> dims, std::array<int, 3> brick, Label&& label)
{
    int const first = label(8 * brick[0], 8 * brick[1], 8 * brick[2]);
    bool is_constant = true;
    for_each_voxel({8, 8, 8}, [&](int x, int y, int z) {
        std::array<int, 3> const at{8 * brick[0] + x, 8 * brick[1] + y, 8 * brick[2] + z};
        if (at[0] < dims[0] && at[1] < dims[1] && at[2] < dims[2]) is_constant &= label(at[0], at[1], at[2]) == first;
    });
    return is_constant ? first : -1;
}

/// Squared distance between the boxes of bricks a and b, `copy` volumes further on, less the jitter's reach.
long double find_gap_square(ClearanceCase const& c, std::array<int, 3> a, std::array<int, 3> b, std::array<int, 3> copy)
{
    long double sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        auto const low = [&](int brick) { return 8 * brick; };
        auto const high = [&](int brick) { return std::min(8 * brick + 8, c.dims[axis]); };
        int const shift = copy[axis] * c.dims[axis];
        int const gap = std::max({low(b[axis]) + shift - high(a[axis]), low(a[axis]) - high(b[axis]) - shift, 0});
        long double const left = gap - (c.filter == Filter::trilinear ? 0.5L : 0.0L);
        if (left > 0) sum += left * c.pitch_mm[axis] * left * c.pitch_mm[axis];
    }
    return sum;
}

struct Brick {
    std::array<int, 3> at;
    int constant;
};

std::vector<Brick> list_bricks(ClearanceCase const& c, float rarity)
{
    std::vector<Brick> bricks;
    auto const label = [&](int x, int y, int z) { return patchy_label(x, y, z, rarity); };
    for_each_voxel({(c.dims[0] + 7) / 8, (c.dims[1] + 7) / 8, (c.dims[2] + 7) / 8}, [&](int x, int y, int z) {
        bricks.push_back({{x, y, z}, find_constant(c.dims, {x, y, z}, label)});
    });
    return bricks;
}

/// By all pairs, and the copies beside along wrapped axes; infinity if there is nothing else.
long double find_clearance(ClearanceCase const& c, std::vector<Brick> const& bricks, Brick const& brick)
{
    if (brick.constant < 0) return 0;
    long double least = std::numeric_limits<long double>::infinity();
    for (Brick const& other : bricks) {
        if (other.constant == brick.constant) continue;
        for_each_voxel({3, 3, 3}, [&](int x, int y, int z) {
            std::array<int, 3> const copy{x - 1, y - 1, z - 1};
            for (std::size_t axis = 0; axis < 3; ++axis)
                if (copy[axis] != 0 && (c.wrapped_axes >> axis & 1u) == 0) return;
            least = std::min(least, find_gap_square(c, brick.at, other.at, copy));
        });
    }
    return std::sqrt(least);
}

class LabelClearance : public testing::TestWithParam<ClearanceCase> {};

TEST_P(LabelClearance, IsTheDistanceRoundedDown)
{
    ClearanceCase const& c = GetParam();
    for (float rarity : {0.3f, 0.02f, 0.004f}) {
        VolumeMeta meta = label_meta(c.dims, c.filter);
        meta.pitch_mm = c.pitch_mm;
        PackedVolume const volume = make_volume(
            meta, {.label = [&](int x, int y, int z) { return patchy_label(x, y, z, rarity); }}, three_inks());
        std::vector<float> const clearance_mm = compute_clearance_mm(volume.view(), c.wrapped_axes);
        std::vector<Brick> const bricks = list_bricks(c, rarity);
        ASSERT_EQ(clearance_mm.size(), bricks.size());
        int away = 0;
        for (std::size_t i = 0; i < bricks.size(); ++i) {
            long double const due = find_clearance(c, bricks, bricks[i]);
            if (std::isinf(due)) {
                EXPECT_EQ(clearance_mm[i], kUnboundedClearance_mm);
                continue;
            }
            EXPECT_LE(clearance_mm[i], due) << i;
            EXPECT_GE(clearance_mm[i], due * (1 - 4e-7L)) << i; // three roundings of squares, one of the root
            away += due > 0;
        }
        EXPECT_TRUE(rarity > 0.1f || away > 0);
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, LabelClearance,
    testing::Values(ClearanceCase{"nearest", {90, 50, 41}, {1, 1, 1}, Filter::nearest, 0},
                    ClearanceCase{"trilinear_printer", {90, 57, 60}, {0.0423f, 0.0847f, 0.027f}, Filter::trilinear, 0},
                    ClearanceCase{"wrapped_xy", {81, 49, 64}, {0.0423f, 0.0847f, 0.027f}, Filter::trilinear, 3},
                    ClearanceCase{"wrapped_yz_nearest", {65, 70, 44}, {0.3f, 0.2f, 0.1f}, Filter::nearest, 6},
                    ClearanceCase{"wrapped_one_brick_deep", {7, 100, 66}, {2, 0.5f, 0.7f}, Filter::trilinear, 5},
                    ClearanceCase{"flat", {170, 170, 3}, {0.1f, 0.1f, 5}, Filter::trilinear, 0}),
    [](testing::TestParamInfo<ClearanceCase> const& tested) { return tested.param.name; });

/// A point of the brick's box, in voxels, often on its faces.
Vec3 pick_point(VolumeView const& view, std::array<int, 3> brick, Rng& rng)
{
    auto const pick = [&](std::size_t axis) {
        float const low = 8.0f * static_cast<float>(brick[axis]);
        float const high = std::min(low + 8, static_cast<float>(view.dims[axis]));
        float const u = std::clamp(1.5f * to_unit(rng.draw()) - 0.25f, 0.0f, 1.0f);
        return low + u * (high - low);
    };
    float const x = pick(0);
    float const y = pick(1);
    return {x, y, pick(2)};
}

TEST(Clearance, NoJitteredLookupInTheBallNamesAnythingElse)
{
    std::array<int, 3> const dims{90, 57, 60};
    VolumeMeta meta = label_meta(dims, Filter::trilinear);
    meta.pitch_mm = {0.0423f, 0.0847f, 0.027f};
    PackedVolume const volume =
        make_volume(meta, {.label = [](int x, int y, int z) { return patchy_label(x, y, z, 0.02f); }}, three_inks());
    VolumeView const view = volume.view();
    MediumView medium;
    set_size(medium, {90, 57, 60});
    medium.jitter = 0x1p-11f;
    std::copy_n(view.brick_counts, 3, medium.brick_counts);
    Rng rng = seed_rng(31, 0, 0, 0);
    int lookups = 0;
    for_each_voxel({12, 8, 8}, [&](int x, int y, int z) {
        int const brick = (z * 8 + y) * 12 + x;
        for (int i = 0; i < 300; ++i) {
            Vec3 const from = pick_point(view, {x, y, z}, rng);
            std::uint32_t const cosine_bits = rng.draw();
            Vec3 const towards = sample_isotropic(cosine_bits, rng.draw());
            float const radius_mm = (1 - 1e-5f) * view.clearance_mm[brick]; // positions are floats
            Vec3 const at{from.x + radius_mm * towards.x / meta.pitch_mm[0],
                          from.y + radius_mm * towards.y / meta.pitch_mm[1],
                          from.z + radius_mm * towards.z / meta.pitch_mm[2]};
            if (radius_mm == 0 || !is_inside(at, medium.size_voxels)) continue;
            std::uint32_t const* const named = view.label.table + 2 * pick_voxel(medium, at, rng.draw()).brick;
            ASSERT_EQ(named[0], kConstantBrick);
            ASSERT_EQ(named[1], view.label.table[2 * brick + 1]);
            ++lookups;
        }
    });
    EXPECT_GT(lookups, 10000);
}

TEST(Clearance, EveryPlaneCounts)
{
    VolumeMeta meta = density_meta({80, 8, 8}, Filter::nearest);
    meta.albedo = Source::plane;
    PackedVolume const volume =
        make_volume(meta, {.density = [](int, int, int) { return 2.0f; },
                           .one_minus_albedo = [](int x, int, int, int) { return x < 40 ? 0.25f : 0.5f; }});
    for (int brick = 0; brick < 10; ++brick) {
        auto const due = static_cast<float>(8 * (brick < 5 ? 4 - brick : brick - 5));
        EXPECT_EQ(volume.view().clearance_mm[brick], due) << brick;
    }
}

TEST(Clearance, OfOneConstantIsUnbounded)
{
    PackedVolume const volume = make_volume(density_meta({17, 9, 8}), {.density = [](int, int, int) { return 2.0f; }});
    for (std::uint32_t wrapped_axes : {0u, 3u, 5u, 6u})
        EXPECT_EQ(compute_clearance_mm(volume.view(), wrapped_axes), std::vector<float>(6, kUnboundedClearance_mm));
    double const distance_mm = 1e6;
    EXPECT_EQ(measure_clearance_shares(volume.view(), {&distance_mm, 1}), std::vector<double>{1.0});
}

TEST(Clearance, WithoutPlanesIsAbsent)
{
    VolumeMeta meta;
    meta.dims = {64, 64, 64};
    PackedVolume const volume = make_volume(meta);
    EXPECT_EQ(volume.view().clearance_mm, nullptr);
    EXPECT_TRUE(compute_clearance_mm(volume.view(), 0).empty());
}

TEST(Clearance, IsStoredOnlyWhereABrickHasAny)
{
    auto const with_spot = [](int spot) {
        return make_volume(density_meta({32, 8, 8}),
                           {.density = [=](int x, int, int) { return x == spot ? 1.0f : 2.0f; }});
    };
    PackedVolume const far = with_spot(0);
    ASSERT_NE(far.view().clearance_mm, nullptr);
    EXPECT_EQ(std::vector<float>(far.view().clearance_mm, far.view().clearance_mm + 4),
              (std::vector<float>{0, 0, 7.5f, 15.5f}));
    EXPECT_EQ(make_volume(density_meta({24, 8, 8}), {.density = [](int x, int, int) { return x == 9 ? 1.0f : 2.0f; }})
                  .view()
                  .clearance_mm,
              nullptr);
    // Computed at need, the same: of 32 layers along x, the last 8 and 16.
    double const distances_mm[] = {0.1, 7.5, 7.6, 16};
    EXPECT_EQ(measure_clearance_shares(far.view(), distances_mm), (std::vector<double>{0.5, 0.5, 0.25, 0}));
    VolumeView without = far.view();
    without.clearance_mm = nullptr;
    EXPECT_EQ(measure_clearance_shares(without, distances_mm), measure_clearance_shares(far.view(), distances_mm));
}

TEST(RoundDown, IsTheLargestFloatNotAbove)
{
    EXPECT_EQ(round_down(0.1), std::nextafter(0.1f, 0.0f));
    EXPECT_EQ(round_down(0.3), 0.3f > 0.3 ? std::nextafter(0.3f, 0.0f) : 0.3f);
    EXPECT_EQ(round_down(0.375), 0.375f);
    EXPECT_EQ(round_down(1e300), std::numeric_limits<float>::max());
    EXPECT_EQ(round_down(1e-300), 0.0f);
}

} // namespace
} // namespace volpt
