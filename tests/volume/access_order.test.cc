// Bricks in another order hold the same voxels, the hottest first; needs no GPU.
#include "libvolpt/core/lookup.hd.h"
#include "libvolpt/volume/paging/volume_split.h"
#include "tests/support/make_scene.h"

#include <gtest/gtest.h>
#include <numeric>

namespace volpt::test {
namespace {

struct PlaneCase {
    char const* name;
    PackedVolume volume;
    PlaneView VolumeView::*plane;
};

/// One of each encoding, with bricks that are constant, records of one and of several channels, and labels.
std::vector<PlaneCase> const& list_planes()
{
    static std::vector<PlaneCase> const planes = [] {
        std::vector<PlaneCase> made;
        for (Encoding const encoding : {Encoding::u8, Encoding::u16, Encoding::f16, Encoding::f32})
            made.push_back({"density", make_cloud(Filter::trilinear, encoding), &VolumeView::density});
        made.push_back({"albedo f16", make_colour_cloud(Encoding::f16), &VolumeView::one_minus_albedo});
        made.push_back({"albedo u8", make_print(Encoding::u8), &VolumeView::one_minus_albedo});
        made.push_back({"label", make_inks(), &VolumeView::label});
        return made;
    }();
    return planes;
}

/// Lookups without any order in space.
std::vector<std::uint32_t> make_lookups(std::size_t bricks, std::uint32_t factor)
{
    std::vector<std::uint32_t> lookups;
    for (std::uint32_t brick = 0; brick < bricks; ++brick) lookups.push_back(brick * factor % 17 * 10);
    return lookups;
}

std::size_t count_bricks(VolumeView const& volume)
{
    return std::size_t(volume.brick_counts[0]) * std::size_t(volume.brick_counts[1]) *
           std::size_t(volume.brick_counts[2]);
}

struct OrderedPlane {
    PlaneReader reader;
    std::vector<std::uint32_t> lookups;
    PlaneOrder order;

    explicit OrderedPlane(PlaneCase const& plane)
        : reader(make_plane_reader(plane.volume.view().*plane.plane)),
          lookups(make_lookups(count_bricks(plane.volume.view()), 7)),
          order(order_plane(reader, plane.volume.view().brick_counts, lookups, lookups))
    {
    }
};

TEST(BrickOrder, SlotsArePermutedAndConstantBricksUntouched)
{
    for (PlaneCase const& plane : list_planes()) {
        OrderedPlane const ordered(plane);
        std::vector<std::uint32_t> slots = ordered.order.old_slots;
        std::sort(slots.begin(), slots.end());
        std::vector<std::uint32_t> all(slots.size());
        std::iota(all.begin(), all.end(), 0u);
        EXPECT_EQ(slots, all) << plane.name;
        EXPECT_GT(slots.size(), 4u);
        auto const stride = static_cast<std::size_t>(ordered.reader.table_stride);
        for (std::size_t word = 0; word < ordered.order.table.size(); ++word) {
            std::uint32_t const before = ordered.reader.table[word], after = ordered.order.table[word];
            if (word % stride == 0 && before != kConstantBrick)
                EXPECT_EQ(ordered.order.old_slots[after], before) << plane.name;
            else
                EXPECT_EQ(after, before) << plane.name;
        }
    }
}

TEST(BrickOrder, TheMostLookedUpComeFirst)
{
    for (PlaneCase const& plane : list_planes()) {
        OrderedPlane const ordered(plane);
        PlaneOrder const& order = ordered.order;
        EXPECT_TRUE(std::is_sorted(order.fit.rbegin(), order.fit.rend())) << plane.name;
        EXPECT_GT(order.fit.front(), order.fit.back());
        for (std::size_t brick = 0; brick < ordered.lookups.size(); ++brick) {
            std::uint32_t const slot = order.table[brick * static_cast<std::size_t>(ordered.reader.table_stride)];
            if (slot != kConstantBrick) {
                EXPECT_EQ(order.fit[slot], ordered.lookups[brick]) << plane.name;
            }
        }
    }
}

TEST(BrickOrder, EveryVoxelIsWhatItWas)
{
    for (PlaneCase const& plane : list_planes()) {
        OrderedPlane const ordered(plane);
        std::vector<std::uint32_t> words(ordered.order.size_bytes() / 4);
        for (std::size_t first = 0; first < words.size(); first += 1000) // across bricks' borders
            gather_words(ordered.reader, ordered.order, first,
                         std::span(words).subspan(first, std::min<std::size_t>(1000, words.size() - first)));
        PlaneReader moved = ordered.reader;
        moved.table = ordered.order.table.data();
        moved.words = words.data();
        PlaneView const view = plane.volume.view().*plane.plane;
        bool const is_label = plane.plane == &VolumeView::label;
        for (std::int32_t brick = 0; brick < static_cast<std::int32_t>(ordered.lookups.size()); ++brick)
            for (std::uint32_t voxel = 0; voxel < kBrickVoxels; ++voxel)
                for (std::uint32_t channel = 0; channel < view.channels; ++channel) {
                    VoxelRef const ref{brick, voxel};
                    if (is_label)
                        ASSERT_EQ(read_label(moved, ref), read_label(ordered.reader, ref));
                    else
                        ASSERT_EQ(bits_from_float(read_value(moved, ref, channel)),
                                  bits_from_float(read_value(ordered.reader, ref, channel)))
                            << plane.name << ' ' << brick << ' ' << voxel;
                }
    }
}

TEST(BrickOrder, BricksNeverSeenComeInTheOrderOfTheirSurroundings)
{
    VolumeMeta meta = density_meta({96, 8, 8}, Filter::nearest, Encoding::u8);
    PackedVolume const volume =
        make_volume(meta, {.density = [](int x, int, int) { return static_cast<float>(x % 2); }});
    std::vector<std::uint32_t> lookups(12); // three surroundings of four bricks
    lookups[9] = 5;
    lookups[1] = 3;
    PlaneOrder const order =
        order_plane(make_plane_reader(volume.view().density), volume.view().brick_counts, lookups, {});
    EXPECT_EQ(order.old_slots, (std::vector<std::uint32_t>{9, 1, 8, 10, 11, 0, 2, 3, 4, 5, 6, 7}));
}

/// `slots` of 512 KiB, four a page.
PlaneOrder make_order(std::vector<std::uint32_t> fit)
{
    PlaneOrder order;
    order.old_slots.resize(fit.size());
    order.slot_bytes = kPage_bytes / 4;
    order.holdout = fit;
    order.fit = std::move(fit);
    return order;
}

TEST(VolumeSplit, TheBudgetGoesWhereLookupsAre)
{
    // Pages of 40, 8, 0 and of 20, 4; the last of each is not full.
    std::array<PlaneOrder, kPlanes> const orders{make_order({10, 10, 10, 10, 4, 2, 1, 1, 0}),
                                                 make_order({5, 5, 5, 5, 4}), PlaneOrder{}};
    auto const split_pages = [&](std::size_t budget_bytes) {
        VolumeSplit const split = split_volume(orders, budget_bytes);
        EXPECT_LE(split.device_bytes, budget_bytes);
        EXPECT_EQ(split.device_bytes + split.host_bytes, 5 * kPage_bytes);
        return std::tuple(split.planes[0].device_bytes / kPage_bytes, split.planes[1].device_bytes / kPage_bytes,
                          split.hit_rate.value());
    };
    EXPECT_EQ(split_pages(0), std::tuple(0u, 0u, 0.0));
    EXPECT_EQ(split_pages(kPage_bytes), std::tuple(1u, 0u, 40.0 / 72));
    EXPECT_EQ(split_pages(2 * kPage_bytes), std::tuple(1u, 1u, 60.0 / 72));
    EXPECT_EQ(split_pages(4 * kPage_bytes - 1), std::tuple(2u, 1u, 68.0 / 72));
    EXPECT_EQ(split_pages(4 * kPage_bytes), std::tuple(2u, 2u, 1.0));
    EXPECT_EQ(split_pages(100 * kPage_bytes), std::tuple(3u, 2u, 1.0));
}

TEST(VolumeSplit, LargePlanesHaveLargeChunksThatTheBudgetDoesNotMove)
{
    std::array<PlaneOrder, kPlanes> const orders{make_order(std::vector<std::uint32_t>(4 * 1000 + 1, 1)), {}, {}};
    VolumeSplit const some = split_volume(orders, 500 * kPage_bytes), none = split_volume(orders, 0);
    EXPECT_EQ(some.planes[0].chunk_bytes, 4 * kPage_bytes);
    EXPECT_EQ(none.planes[0].chunk_bytes, 4 * kPage_bytes);
    EXPECT_EQ(some.planes[0].size_bytes, 1001 * kPage_bytes);
    EXPECT_EQ(some.device_bytes, 500 * kPage_bytes);
    EXPECT_EQ(some.planes[0].count_chunk_bytes(1000 * kPage_bytes), kPage_bytes);
    EXPECT_EQ(split_volume(orders, 1001 * kPage_bytes).host_bytes, 0u);
}

TEST(VolumeSplit, WithoutLookupsTheHitRateIsNotKnown)
{
    PlaneOrder order = make_order({0, 0, 0, 0, 0});
    EXPECT_FALSE(split_volume({order, {}, {}}, kPage_bytes).hit_rate.has_value());
}

} // namespace
} // namespace volpt::test
