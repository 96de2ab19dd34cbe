// Solids that lie in others: which one lies where, in a .vpk too, whose bytes are never believed if wrong.
#include "libvolpt/volume/packed_stream.h"
#include "libvolpt/volume/vpk_layout.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_nested_solids.h"
#include "tests/volume/forge_section.h"

#include <cstring>

namespace volpt::test {
namespace {

std::vector<std::uint32_t> list_around(SurfaceMeshView const& mesh)
{
    std::vector<std::uint32_t> around;
    for (SolidNesting const& solid : mesh.nesting) around.push_back(solid.around);
    return around;
}

std::vector<std::uint32_t> list_around(MadeSolids const& solids)
{
    return list_around(solids.surface());
}

TEST(NestedSolids, AreFoundWhateverTheirOrder)
{
    EXPECT_EQ(list_around(MadeSolids(make_nest(), 8)), (std::vector<std::uint32_t>{0, 1, 2, 3, 1, 0}));
    std::vector<MadeSolid> turned = make_nest();
    std::ranges::reverse(turned);
    EXPECT_EQ(list_around(MadeSolids(turned, 8)), (std::vector<std::uint32_t>{0, 6, 4, 5, 6, 0}));
    EXPECT_TRUE(MadeSolids({make_nest()[0], make_nest()[5]}, 8).surface().nesting.empty());
}

/// What lies in a cavity is in no solid.
TEST(NestedSolids, CavityIsOutside)
{
    TriangleMesh const shell = join_meshes(make_icosphere(2, 4), invert_mesh(make_icosphere(1.5f, 4)));
    std::vector<MadeSolid> solids = make_nest();
    solids[0].mesh = shell;
    solids.resize(2);
    EXPECT_TRUE(MadeSolids(solids, 8).surface().nesting.empty());
    solids.push_back(make_nest()[2]);
    solids[2].boundary.ext_ior = 1.2;
    EXPECT_EQ(list_around(MadeSolids(solids, 8)), (std::vector<std::uint32_t>{0, 0, 2}));
}

TEST(NestedSolids, OverlapsAreRefused)
{
    std::vector<MadeSolid> solids = make_nest();
    solids[3].mesh = move_mesh(solids[3].mesh, {0.4f, 0, 0});
    EXPECT_THROW(MadeSolids(solids, 8), std::logic_error);
}

TEST(NestedSolids, IndicesAreThoseOfTheNextInterfaceAround)
{
    MadeSolids const made(make_nest(), 8);
    EXPECT_EQ(find_region_indices(made.surface().solids, made.surface().nesting),
              (std::vector<double>{1, 1.5, 1.2, 1, 1.7, 1.5, 1.4}));
    std::vector<SolidBoundary> solids(made.surface().solids.begin(), made.surface().solids.end());
    solids[3].ext_ior = 1.0005;
    EXPECT_FALSE(find_index_mismatch(solids, made.surface().nesting));
    solids[3].ext_ior = 1.2;
    auto const wrong = find_index_mismatch(solids, made.surface().nesting);
    ASSERT_TRUE(wrong);
    EXPECT_EQ(wrong->solid, 3u);
    EXPECT_EQ(wrong->around, 2u);
}

TEST(NestedLabels, AreThoseOfTheSolidsAtTheCentresOfVoxels)
{
    MadeSolids stream(make_nest(), 12);
    auto const dims = stream.meta().dims;
    auto const slab = stream.read_slab(0, dims[2]);
    auto const& origin = stream.meta().placement.origin_world_mm;
    auto const pitch = static_cast<double>(stream.meta().pitch_mm[0]);
    std::array<int, 6> found{};
    for (int z = 0; z < dims[2]; ++z)
        for (int y = 0; y < dims[1]; ++y)
            for (int x = 0; x < dims[0]; ++x) {
                double const p[] = {origin[0] + (x + 0.5) * pitch, origin[1] + (y + 0.5) * pitch,
                                    origin[2] + (z + 0.5) * pitch};
                auto const is_in_box = [&](double x0, double y0, double z0, double x1, double y1, double z1) {
                    return p[0] > x0 && p[1] > y0 && p[2] > z0 && p[0] < x1 && p[1] < y1 && p[2] < z1;
                };
                double const r = std::hypot(p[0] + 0.3, p[1], p[2]);
                bool const is_near_ball = std::abs(r - 0.6) < 0.03 || std::abs(r - 0.4) < 0.03; // facets
                if (is_near_ball || p[0] > 1) continue;
                int const expected = is_in_box(-0.4, -0.1, -0.15, -0.2, 0.1, 0.1) ? 3
                                     : r < 0.4                                    ? 2
                                     : r < 0.6                                    ? 1
                                     : is_in_box(0.4, -0.5, -0.5, 0.8, 0.5, 0.5)  ? 4
                                                                                  : 0;
                auto const voxel = static_cast<std::size_t>(x + dims[0] * (y + dims[1] * z));
                ASSERT_EQ(slab.label[voxel], expected) << p[0] << ' ' << p[1] << ' ' << p[2];
                ++found.at(slab.label[voxel]);
            }
    for (std::size_t i = 0; i < 5; ++i) EXPECT_GT(found[i], 50) << i;
    // Slab by slab they are the same.
    std::vector<std::uint8_t> const all(slab.label.begin(), slab.label.end());
    auto const part = stream.read_slab(5, 3);
    auto const layer = static_cast<std::size_t>(dims[0]) * static_cast<std::size_t>(dims[1]);
    EXPECT_TRUE(std::equal(part.label.begin(), part.label.end(), all.begin() + static_cast<std::ptrdiff_t>(5 * layer)));
}

class StoredNesting : public testing::Test {
protected:
    StoredNesting()
    {
        MadeSolids stream(make_nest(), 8);
        pack_volume(stream, folder_ / "good", {}, {});
    }

    template <typename Change>
    std::string refuse_forged(std::string_view section, Change&& change, VerifyLevel level = VerifyLevel::quick,
                              FileKind const& kind = kNestedVolumeFile)
    {
        forge_section(folder_ / "good", folder_ / "forged", section, change, kind);
        return catch_error(ExitStatus::input, [&] { PackedVolume::open(folder_ / "forged", level); });
    }

    std::string refuse_word(std::size_t solid, std::size_t offset, std::uint32_t value,
                            VerifyLevel level = VerifyLevel::quick)
    {
        auto const change = [&](std::vector<std::byte>& bytes) {
            std::memcpy(bytes.data() + solid * sizeof(SolidNesting) + offset, &value, sizeof value);
        };
        return refuse_forged(vpk::kMeshNesting, change, level);
    }

    TempFolder folder_;
};

TEST_F(StoredNesting, IsReadAsItWasWrittenAndKeptByARepack)
{
    PackedVolume const volume = PackedVolume::open(folder_ / "good", VerifyLevel::full);
    EXPECT_EQ(list_around(volume.surface()), (std::vector<std::uint32_t>{0, 1, 2, 3, 1, 0}));
    EXPECT_EQ(volume.surface().nesting[4].label, 4u);
    EXPECT_EQ(count_solids_in_others(volume.surface()), 4u);
    EXPECT_NEAR(volume.surface().volume_mm3, 8 + 4.19 * 0.008, 0.01) << "what lies in others is counted once";
    auto const again = make_packed_stream(PackedVolume::open(folder_ / "good", VerifyLevel::quick), {});
    pack_volume(*again, folder_ / "again", {}, {});
    EXPECT_EQ(PackedVolume::open(folder_ / "again", VerifyLevel::full).data_checksum(), volume.data_checksum());
}

TEST_F(StoredNesting, ForgedOnesAreRefused)
{
    expect_contains(refuse_word(1, 0, 7), {"mesh.nesting", "solid 1 lies in 7"});
    expect_contains(refuse_word(2, 4, 6), {"mesh.nesting", "has the medium 6"});
    expect_contains(refuse_word(0, 0, 4), {"lies in itself"});
    expect_contains(refuse_word(3, 0, 2), {"outside of solid 3 the index is 1, but 1.2 in solid 1"});
    expect_contains(refuse_word(4, 0, 0, VerifyLevel::full), {"solid 4 lies in 1, not in 0"});
    EXPECT_EQ(refuse_word(5, 4, 0, VerifyLevel::full), "") << "any of the materials";
    auto const cut = [](std::vector<std::byte>& bytes) { bytes.pop_back(); };
    EXPECT_NE(refuse_forged(vpk::kMeshNesting, cut), "");
    auto const empty = [](std::vector<std::byte>& bytes) { bytes.clear(); };
    EXPECT_NE(refuse_forged(vpk::kMeshSolids, empty), "");
    expect_contains(refuse_forged(vpk::kMeshNesting, empty, VerifyLevel::full), {"inside the solid of another"});
}

TEST_F(StoredNesting, NeedsAFileOfVersionSeven)
{
    auto const keep = [](std::vector<std::byte>&) {};
    expect_contains(refuse_forged(vpk::kMeshNesting, keep, VerifyLevel::quick, kEmissionVolumeFile), {"version 6"});
    EXPECT_EQ(refuse_forged(vpk::kMeshNesting, keep), "");
    expect_error(ExitStatus::input, {"version"},
                 [&] { SectionedFile::open(folder_ / "good", kEmissionVolumeFile, VerifyLevel::quick); });
}

} // namespace
} // namespace volpt::test
