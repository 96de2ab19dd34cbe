// Labels of solids by voxel, and boundaries of solids in a .vpk: written, read again, and never believed if wrong.
#include "libvolpt/surface/solid_locator.h"
#include "libvolpt/volume/packed_stream.h"
#include "libvolpt/volume/vpk_layout.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_solids.h"
#include "tests/volume/forge_section.h"

#include <cstring>
#include <random>

namespace volpt::test {
namespace {

std::vector<MadeSolid> make_three_solids()
{
    return {{make_icosphere(1, 6), {"a", {1.0f}, {0.5f}, 0.0f}, make_dielectric(1.5)},
            {move_mesh(make_torus(0.8f, 0.3f, 24, 12), {2.15f, 0.1f, 0.2f}), {"b", {2.0f}, {0.5f}, 0.0f}, {}},
            {make_box({-0.5f, 1.1f, -0.5f}, {0.6f, 2, 0.5f}), {"c", {3.0f}, {0.5f}, 0.0f}, make_dielectric(1.2, 0.2)}};
}

TEST(SolidLabels, EveryPointOfASolidLiesInAVoxelOfItsLabel)
{
    std::vector<MadeSolid> const solids = make_three_solids();
    MadeSolids stream(solids, 12);
    ASSERT_FALSE(stream.labels().shared());
    auto const dims = stream.meta().dims;
    auto const slab = stream.read_slab(0, dims[2]);
    SolidLocator const locator(stream.placed().mesh);
    std::mt19937 random(5);
    std::array<int, 3> found{};
    for (int i = 0; i < 200'000; ++i) {
        auto const draw = [&](int size) {
            return static_cast<float>(size) * static_cast<float>(random() % 1'000'000) * 1e-6f;
        };
        Vec3 const p{draw(dims[0]), draw(dims[1]), draw(dims[2])};
        std::uint32_t const triangle = locator.find_enclosing(p);
        if (triangle == kNoTriangle) continue;
        std::size_t solid = 0;
        while (solid + 1 < 3 && stream.surface().solids[solid + 1].first_triangle <= triangle) ++solid;
        auto const voxel = static_cast<std::size_t>(
            static_cast<int>(p.x) + dims[0] * (static_cast<int>(p.y) + dims[1] * static_cast<int>(p.z)));
        ASSERT_EQ(slab.label[voxel], solid);
        ++found.at(solid);
    }
    for (int const count : found) EXPECT_GT(count, 5000);
}

TEST(SolidLabels, VoxelThatMeetsTwoSolidsIsToldUnlessTheirLabelsAreEqual)
{
    TriangleMesh const mesh = join_meshes(make_box({1, 1, 1}, {4.4f, 5, 5}), make_box({4.6f, 1, 1}, {7, 5, 5}));
    std::array<std::uint32_t, 2> const first{0, 12};
    std::array<std::uint8_t, 2> const apart{0, 1}, alike{3, 3};
    SolidLabels const labels({8, 8, 8}, mesh, first, apart, 1);
    ASSERT_TRUE(labels.shared());
    EXPECT_EQ(labels.shared()->first, 0u);
    EXPECT_EQ(labels.shared()->second, 1u);
    EXPECT_EQ(labels.shared()->voxel[0], 4);
    EXPECT_FALSE(SolidLabels({8, 8, 8}, mesh, first, alike, 1).shared());
    TriangleMesh finer = mesh;
    for (Vec3& p : finer.positions_mm) p = 8.0f * p;
    EXPECT_FALSE(SolidLabels({64, 64, 64}, finer, first, apart, 1).shared());
}

TEST(SolidLabels, AreTheSameForAnyNumberOfThreads)
{
    MadeSolids const stream(make_three_solids(), 12);
    std::vector<std::uint32_t> first;
    for (SolidBoundary const& solid : stream.surface().solids) first.push_back(solid.first_triangle);
    std::array<std::uint8_t, 3> const labels{0, 1, 2};
    std::vector<std::uint8_t> one, three;
    SolidLabels(stream.meta().dims, stream.placed().mesh, first, labels, 1).read_layers(0, stream.meta().dims[2], one);
    SolidLabels(stream.meta().dims, stream.placed().mesh, first, labels, 3)
        .read_layers(0, stream.meta().dims[2], three);
    EXPECT_EQ(one, three);
}

TEST(SolidLocator, TellsWhatLiesInASolidAcrossItAndBeside)
{
    SolidLocator const ball(make_icosphere(1, 16));
    EXPECT_EQ(ball.locate(make_icosphere(0.5f, 4)), PlaceInSolid::inside);
    EXPECT_EQ(ball.locate(make_icosphere(2, 4)), PlaceInSolid::outside);
    EXPECT_EQ(ball.locate(move_mesh(make_icosphere(0.5f, 4), {1, 0, 0})), PlaceInSolid::across);
    EXPECT_EQ(ball.locate(move_mesh(make_icosphere(0.5f, 4), {3, 0, 0})), PlaceInSolid::outside);
    // Its edges meet nothing, but the ball's meet it.
    TriangleMesh const wall{{{-9, -9, 0.3f}, {9, -9, 0.3f}, {0, 9, 0.3f}}, {{0, 1, 2}}, {}, {}, {}};
    EXPECT_EQ(ball.locate(wall), PlaceInSolid::across);
    EXPECT_EQ(ball.locate_sphere({0, 0, 0}, 0.5f), PlaceInSolid::inside);
    EXPECT_EQ(ball.locate_sphere({0, 0, 0}, 1.5f), PlaceInSolid::outside);
    EXPECT_EQ(ball.locate_sphere({1, 0, 0}, 0.5f), PlaceInSolid::across);
    EXPECT_EQ(ball.locate_sphere({3, 0, 0}, 0.5f), PlaceInSolid::outside);
}

class StoredSolids : public testing::Test {
protected:
    StoredSolids()
    {
        MadeSolids stream(make_three_solids(), 12);
        pack_volume(stream, folder_ / "good", {}, {});
    }

    std::string refusal(VerifyLevel level)
    {
        return catch_error(ExitStatus::input, [&] { PackedVolume::open(folder_ / "forged", level); });
    }

    template <typename T>
    void expect_refused(std::size_t solid, std::size_t offset, T value, std::string_view said, VerifyLevel level)
    {
        forge_section(
            folder_ / "good", folder_ / "forged", vpk::kMeshSolids,
            [&](std::vector<std::byte>& bytes) {
                std::memcpy(bytes.data() + solid * sizeof(SolidBoundary) + offset, &value, sizeof value);
            },
            kSolidsVolumeFile);
        SCOPED_TRACE(testing::Message() << solid << ' ' << offset << ' ' << value);
        expect_contains(refusal(level), {"mesh.solids", said});
    }

    TempFolder folder_;
};

TEST_F(StoredSolids, AreReadAsTheyWereWrittenAndKeptByARepack)
{
    PackedVolume const volume = PackedVolume::open(folder_ / "good", VerifyLevel::full);
    auto const solids = volume.surface().solids;
    ASSERT_EQ(solids.size(), 3u);
    EXPECT_EQ(solids[0].int_ior, 1.5);
    EXPECT_EQ(solids[1].kind, BoundaryKindView::none);
    EXPECT_EQ(solids[2].alpha, 0.2);
    EXPECT_EQ(solids[1].first_triangle, 20u * 36);
    auto const again = make_packed_stream(PackedVolume::open(folder_ / "good", VerifyLevel::quick), {});
    pack_volume(*again, folder_ / "again", {}, {});
    PackedVolume const repacked = PackedVolume::open(folder_ / "again", VerifyLevel::full);
    EXPECT_EQ(repacked.data_checksum(), volume.data_checksum());
}

TEST_F(StoredSolids, ForgedOnesAreRefused)
{
    double const nan = std::numeric_limits<double>::quiet_NaN();
    auto const quick = VerifyLevel::quick;
    expect_refused(0, 0, 1u, "begins with triangle 1", quick);
    expect_refused(1, 0, 0u, "begins with triangle 0", quick);
    expect_refused(2, 0, 0xffffffffu, "begins with", quick);
    expect_refused(1, offsetof(SolidBoundary, kind), 3u, "unknown kind", quick);
    expect_refused(1, offsetof(SolidBoundary, microfacets), 2u, "unknown kind", quick);
    expect_refused(1, offsetof(SolidBoundary, reserved), 1u, "unknown kind", quick);
    for (double const ior : {nan, 0.0, 11.0}) {
        expect_refused(2, offsetof(SolidBoundary, int_ior), ior, "index", quick);
        expect_refused(2, offsetof(SolidBoundary, ext_ior), ior, "index", quick);
    }
    expect_refused(0, offsetof(SolidBoundary, alpha), nan, "alpha", quick);
    expect_refused(1, 0, 700u, "share vertex", VerifyLevel::full);
}

TEST_F(StoredSolids, NeedAFileOfVersionThreeAndWholeRecords)
{
    auto const forge = [&](FileKind const& kind, std::size_t cut_bytes) {
        forge_section(
            folder_ / "good", folder_ / "forged", vpk::kMeshSolids,
            [&](std::vector<std::byte>& bytes) { bytes.resize(bytes.size() - cut_bytes); }, kind);
        return refusal(VerifyLevel::quick);
    };
    expect_contains(forge(kMeshVolumeFile, 0), {"version 2"});
    expect_contains(forge(kSolidsVolumeFile, 1), {"whole number"});
    EXPECT_EQ(forge(kSolidsVolumeFile, 0), "");
    auto const is_refused = [&] { SectionedFile::open(folder_ / "good", kMeshVolumeFile, VerifyLevel::quick); };
    expect_error(ExitStatus::input, {"version"}, is_refused);
}

} // namespace
} // namespace volpt::test
