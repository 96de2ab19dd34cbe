// Which faces of a solid of voxels were under support, and their number in a .vpk: written, read again, and never
// believed if wrong.
#include "tests/volume/mesh_samples.h"

#include "libvolpt/volume/mesh/support_faces.h"
#include "libvolpt/volume/mesh/voxel_faces.h"
#include "libvolpt/volume/packed_stream.h"
#include "libvolpt/volume/vpk_layout.h"
#include "tests/support/expect_error.h"
#include "tests/volume/forge_section.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace volpt::test {
namespace {

enum : std::uint8_t { kAir, kInk, kSupport };

/// Labels at random, some of each kind.
class SupportedLabels final : public VoxelStream {
public:
    explicit SupportedLabels(std::string metadata = R"({"materials.support": "[\"prop\", \"W\", \"none\"]"})")
    {
        meta_.dims = {70, 6, 5};
        meta_.filter = Filter::nearest;
        meta_.extinction = meta_.albedo = meta_.anisotropy = Source::material;
        materials_ = {{"air", {0.0f}, {0.0f}, 0}, {"W", {6.0f}, {0.001f}, 0}, {"prop", {0.0f}, {0.0f}, 0}};
        source_metadata_json_ = std::move(metadata);
        std::mt19937 engine(3);
        for (int i = 0; i < 70 * 6 * 5; ++i) labels_.push_back(static_cast<std::uint8_t>(engine() % 3));
    }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        return {z_first,
                z_count,
                {},
                {},
                std::span(labels_).subspan(static_cast<std::size_t>(z_first) * 420,
                                           static_cast<std::size_t>(z_count) * 420)};
    }

    std::uint8_t at(int x, int y, int z) const
    {
        bool const is_inside = x >= 0 && x < 70 && y >= 0 && y < 6 && z >= 0 && z < 5;
        return is_inside ? labels_[static_cast<std::size_t>(x + 70 * (y + 6 * z))] : std::uint8_t{kAir};
    }

private:
    std::vector<std::uint8_t> labels_;
};

TEST(SupportFaces, OfLabelsThatTheSourceNamesAreThoseThatAreAir)
{
    auto const support = [](std::string metadata) {
        SupportedLabels labels(std::move(metadata));
        return find_occupied_voxels(labels, 0, {}, "v").support;
    };
    auto const found = support(R"({"materials.support": "[\"prop\", \"W\"]"})");
    ASSERT_TRUE(found);
    SupportedLabels const labels;
    for (int z = -1; z <= 5; ++z)
        for (int y = -1; y <= 6; ++y)
            for (int x = -1; x <= 70; ++x) ASSERT_EQ(found->is_occupied(x, y, z), labels.at(x, y, z) == kSupport);
    for (char const* const metadata :
         {"{}", "[]", R"({"materials.support": "[\"W\"]"})", R"({"materials.support": ["prop"]})",
          R"({"materials.support": "prop"})", R"({"materials.support": "[1"})"})
        EXPECT_FALSE(support(metadata)) << metadata;
}

TEST(SupportFaces, ComeLastEachInTheOrderThatTheyHad)
{
    SupportedLabels labels;
    auto const [occupied, support] = find_occupied_voxels(labels, 0, {}, "v");
    TriangleMesh const before = make_voxel_faces(occupied, "v");
    TriangleMesh after = before;
    std::uint32_t const supported = put_supported_last(after, *support);
    std::size_t const others = before.triangles.size() - supported;
    // From the middle of a face, half a voxel outwards.
    auto const is_supported = [&](std::array<std::uint32_t, 3> const& t) {
        Vec3 const a = before.positions_mm[t[0]], b = before.positions_mm[t[1]], c = before.positions_mm[t[2]];
        Vec3 const out = 0.5f * (a + c) + 0.5f * cross(b - a, c - b);
        // The longest side of a triangle is the face's diagonal; of the other two corners one lies on it.
        Vec3 const middle = dot(a - c, a - c) > 1.5f ? out : out + 0.5f * (b - c);
        return labels.at(static_cast<int>(std::floor(middle.x)), static_cast<int>(std::floor(middle.y)),
                         static_cast<int>(std::floor(middle.z))) == kSupport;
    };
    std::vector<std::array<std::uint32_t, 3>> due[2];
    for (auto const& triangle : before.triangles) due[is_supported(triangle) ? 1 : 0].push_back(triangle);
    EXPECT_GT(due[1].size(), 100u);
    ASSERT_EQ(due[0].size(), others);
    due[0].insert(due[0].end(), due[1].begin(), due[1].end());
    EXPECT_EQ(after.triangles, due[0]);
    EXPECT_EQ(put_supported_last(after, Occupancy({70, 6, 5})), 0u);
    EXPECT_EQ(after.triangles, due[0]);
}

class StoredSupport : public testing::Test {
protected:
    StoredSupport()
    {
        PlacedMesh placed = place_mesh(make_box({0, 0, 0}, {1, 1, 1}), {.bricks = 2});
        placed.supported_triangles = 5;
        auto const volume = make_mesh_volume(std::make_unique<HomogeneousMedium>(), std::move(placed), "v");
        pack_volume(*volume, folder_ / "good", {}, {});
    }

    /// Empty: the file is good.
    std::string forge(std::vector<std::byte> const& content, FileKind const& kind = kSupportVolumeFile)
    {
        forge_section(
            folder_ / "good", folder_ / "forged", vpk::kMeshSupport,
            [&](std::vector<std::byte>& bytes) { bytes = content; }, kind);
        return catch_error(ExitStatus::input, [&] { PackedVolume::open(folder_ / "forged", VerifyLevel::quick); });
    }

    static std::vector<std::byte> to_bytes(std::uint32_t count)
    {
        std::vector<std::byte> bytes(sizeof count);
        std::memcpy(bytes.data(), &count, sizeof count);
        return bytes;
    }

    TempFolder folder_;
};

TEST_F(StoredSupport, IsReadAsItWasWrittenAndKeptByARepack)
{
    PackedVolume const volume = PackedVolume::open(folder_ / "good", VerifyLevel::full);
    EXPECT_EQ(volume.surface().supported_triangles, 5u);
    auto const again = make_packed_stream(PackedVolume::open(folder_ / "good", VerifyLevel::quick), {});
    pack_volume(*again, folder_ / "again", {}, {});
    PackedVolume const repacked = PackedVolume::open(folder_ / "again", VerifyLevel::full);
    EXPECT_EQ(repacked.surface().supported_triangles, 5u);
    EXPECT_EQ(repacked.data_checksum(), volume.data_checksum());
    EXPECT_EQ(forge(to_bytes(4)), "");
    EXPECT_NE(PackedVolume::open(folder_ / "forged").data_checksum(), volume.data_checksum());
}

TEST_F(StoredSupport, ForgedIsRefused)
{
    EXPECT_EQ(forge(to_bytes(12)), "");
    for (std::uint32_t const count : {0u, 13u, 0xffffffffu})
        expect_contains(forge(to_bytes(count)), {"mesh.support", "of 12 triangles"});
    for (std::size_t const size_bytes : {1u, 3u, 5u, 8u})
        expect_contains(forge(std::vector<std::byte>(size_bytes, std::byte{0})), {"mesh.support"});
    EXPECT_EQ(forge({}), ""); // nothing is under support
}

TEST_F(StoredSupport, NeedsAFileOfVersionFourAndNoSolids)
{
    expect_contains(forge(to_bytes(5), kSolidsVolumeFile), {"mesh.support", "version 3"});
    auto const open_as_before = [&] { SectionedFile::open(folder_ / "good", kSolidsVolumeFile, VerifyLevel::quick); };
    expect_error(ExitStatus::input, {"version"}, open_as_before);
    auto const good = SectionedFile::open(folder_ / "good", kSupportVolumeFile, VerifyLevel::full);
    SectionedWriter writer(folder_ / "both", kSupportVolumeFile);
    SolidBoundary const solid;
    for (SectionInfo const& info : good.sections()) {
        if (info.name == vpk::kMeshSupport) writer.write_section(vpk::kMeshSolids, std::as_bytes(std::span(&solid, 1)));
        writer.write_section(info.name, good.section(info.name));
    }
    writer.commit();
    expect_error(ExitStatus::input, {"mesh.support", "solids with boundaries of their own"},
                 [&] { PackedVolume::open(folder_ / "both"); });
}

} // namespace
} // namespace volpt::test
