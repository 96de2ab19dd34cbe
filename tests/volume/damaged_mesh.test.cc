// No damaged or forged mesh in a .vpk is believed, and none that is believed leads a traversal outside its bytes.
#include "tests/volume/mesh_samples.h"

#include "libvolpt/volume/vpk_layout.h"
#include "tests/support/expect_error.h"
#include "tests/volume/forge_section.h"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>

namespace volpt {
namespace {

using namespace test;

std::string mesh_refusal(std::filesystem::path const& path, VerifyLevel level)
{
    return catch_error(ExitStatus::input, [&] { PackedVolume::open(path, level); });
}

/// A small volume with a mesh whose sections can be rewritten with all checksums made anew.
class ForgedMesh : public testing::Test {
protected:
    ForgedMesh()
    {
        MeshPlaceOptions options;
        options.bricks = 4;
        pack_mesh(folder_ / "good", with_corner_values(make_icosphere(3, 2)), options);
    }

    template <typename Change>
    void forge(std::string_view section, Change&& change, FileKind const& kind = kMeshVolumeFile)
    {
        forge_section(folder_ / "good", folder_ / "forged", section, change, kind);
    }

    template <typename T>
    void expect_refused(std::string_view section, std::size_t offset, T value, VerifyLevel level,
                        std::string_view named = {})
    {
        forge(section,
              [&](std::vector<std::byte>& bytes) { std::memcpy(bytes.data() + offset, &value, sizeof value); });
        SCOPED_TRACE(testing::Message() << section << ' ' << offset << ' ' << value);
        if (level == VerifyLevel::full) {
            EXPECT_EQ(mesh_refusal(folder_ / "forged", VerifyLevel::quick), "");
        }
        expect_contains(mesh_refusal(folder_ / "forged", level), {named.empty() ? section : named});
    }

    TempFolder folder_;
};

constexpr std::size_t kNode = sizeof(BvhNode);
constexpr std::size_t kChild = offsetof(BvhNode, child);
constexpr std::size_t kParent = offsetof(BvhNode, parent);
constexpr std::size_t kSibling = offsetof(BvhNode, sibling);

TEST_F(ForgedMesh, UnchangedCopyIsBelieved)
{
    forge("none", [](std::vector<std::byte>&) {});
    EXPECT_EQ(mesh_refusal(folder_ / "forged", VerifyLevel::full), "");
}

TEST_F(ForgedMesh, AbsurdCountsAreRefusedAtQuickLevel)
{
    for (std::uint32_t const count : {0u, 79u, 81u, 0x20000000u, 0xffffffffu}) {
        expect_refused(vpk::kMesh, offsetof(vpk::MeshRecord, vertices), count, VerifyLevel::quick, "mesh");
        expect_refused(vpk::kMesh, offsetof(vpk::MeshRecord, triangles), count, VerifyLevel::quick, "mesh");
    }
}

TEST_F(ForgedMesh, IndicesOutsideAreRefusedAtQuickLevel)
{
    for (std::uint32_t const index : {42u, 0x80000000u, 0xffffffffu})
        for (std::size_t const at : {0u, 100u}) expect_refused(vpk::kMeshTriangles, 4 * at, index, VerifyLevel::quick);
    for (std::uint32_t const triangle : {80u, 0xffffffffu})
        expect_refused(vpk::kMeshOrder, 12, triangle, VerifyLevel::quick, vpk::kMeshBvh);
}

TEST_F(ForgedMesh, VerticesOutsideTheBoxAreRefusedAtQuickLevel)
{
    float const nan = std::numeric_limits<float>::quiet_NaN();
    for (float const coordinate : {nan, -1.0f, 33.0f, std::numeric_limits<float>::infinity()}) {
        expect_refused(vpk::kMeshVertices, 24, coordinate, VerifyLevel::quick);
        expect_refused(vpk::kMesh, offsetof(vpk::MeshRecord, upper_voxels), coordinate, VerifyLevel::quick);
    }
    expect_refused(vpk::kMesh, offsetof(vpk::MeshRecord, volume_mm3), static_cast<double>(nan), VerifyLevel::quick);
}

TEST_F(ForgedMesh, PitchesThatChangeItsFiguresAreRefusedAtFullLevel)
{
    for (std::size_t const axis : {0u, 1u, 2u})
        expect_refused(vpk::kMeta, offsetof(vpk::MetaRecord, pitch_mm) + 4 * axis, 3.0f, VerifyLevel::full, vpk::kMesh);
}

TEST_F(ForgedMesh, LinksThatAreNoTreeAreRefusedAtQuickLevel)
{
    // The root, a node above others, and the last one.
    for (std::uint32_t const node : {0u, 1u, 20u}) {
        for (std::uint32_t const link : {node, node + 2, 0u, 12u, 0x7fffffffu, make_leaf(78, 4), 0xffffffffu}) {
            SCOPED_TRACE(testing::Message() << node << ' ' << link);
            auto const file = SectionedFile::open(folder_ / "good", kMeshVolumeFile, VerifyLevel::quick);
            for (std::size_t const field : {kChild, kChild + 4, kParent, kSibling}) {
                std::uint32_t present = 0;
                std::memcpy(&present, file.section(vpk::kMeshBvh).data() + node * kNode + field, 4);
                if (present != link) expect_refused(vpk::kMeshBvh, node * kNode + field, link, VerifyLevel::quick);
            }
        }
    }
}

TEST_F(ForgedMesh, TreeThatIsTooDeepIsRefusedAtQuickLevel)
{
    std::vector<BvhNode> nodes(70);
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        nodes[i].child[0] = i + 1 < nodes.size() ? i + 1 : make_leaf(0, 1);
        nodes[i].child[1] = make_leaf(0, 1);
        nodes[i].parent = i == 0 ? 0 : i - 1;
        nodes[i].sibling = i;
    }
    forge(vpk::kMeshBvh, [&](std::vector<std::byte>& bytes) {
        auto const span = std::as_bytes(std::span(nodes));
        bytes.assign(span.begin(), span.end());
    });
    expect_contains(mesh_refusal(folder_ / "forged", VerifyLevel::quick), {"deep"});
}

TEST_F(ForgedMesh, SectionsOfOtherSizesAreRefusedAtQuickLevel)
{
    auto const good = SectionedFile::open(folder_ / "good", kMeshVolumeFile, VerifyLevel::quick);
    for (SectionInfo const& info : good.sections()) {
        if (!info.name.starts_with("mesh")) continue;
        forge(info.name, [](std::vector<std::byte>& bytes) { bytes.resize(bytes.size() - 1); });
        EXPECT_FALSE(mesh_refusal(folder_ / "forged", VerifyLevel::quick).empty()) << info.name;
        if (info.name == vpk::kMeshNormals || info.name == vpk::kMeshUv) continue;
        forge(info.name, [](std::vector<std::byte>& bytes) { bytes.clear(); }); // leaves the section out
        EXPECT_FALSE(mesh_refusal(folder_ / "forged", VerifyLevel::quick).empty()) << info.name;
    }
}

TEST_F(ForgedMesh, MeshInAFileOfVersionOneIsRefused)
{
    forge(
        "none", [](std::vector<std::byte>&) {}, kVolumeFile);
    expect_contains(mesh_refusal(folder_ / "forged", VerifyLevel::quick), {"version 1"});
}

TEST_F(ForgedMesh, ContentsThatDoNotBelongTogetherAreRefusedAtFullLevel)
{
    float const nan = std::numeric_limits<float>::quiet_NaN();
    expect_refused(vpk::kMeshNormals, 24, 2.0f, VerifyLevel::full);
    expect_refused(vpk::kMeshNormals, 24, nan, VerifyLevel::full);
    expect_refused(vpk::kMeshUv, 16, nan, VerifyLevel::full);
    expect_refused(vpk::kMeshOrder, 0, 5u, VerifyLevel::full, vpk::kMeshBvh);
    expect_refused(vpk::kMeshBvh, 0, 20.0f, VerifyLevel::full);
    expect_refused(vpk::kMeshClearance, 0, 1.0f, VerifyLevel::full);
    expect_refused(vpk::kMeshClearance, 0, nan, VerifyLevel::full);
    expect_refused(vpk::kMesh, offsetof(vpk::MeshRecord, area_mm2), 1.0, VerifyLevel::full);
    expect_refused(vpk::kMeshTriangles, 0, 41u, VerifyLevel::full, "mesh");
}

TEST_F(ForgedMesh, EveryFlippedByteIsRefusedAtFullLevel)
{
    auto const path = folder_ / "good";
    for (std::size_t i = 0; i < std::filesystem::file_size(path); i += kDamageStride) {
        unsigned const mask = 1u << (i % 8);
        flip_bits(path, i, mask);
        ASSERT_FALSE(mesh_refusal(path, VerifyLevel::full).empty()) << "byte " << i;
        flip_bits(path, i, mask);
    }
    EXPECT_EQ(mesh_refusal(path, VerifyLevel::full), "");
}

TEST_F(ForgedMesh, TruncatedFileIsRefused)
{
    std::uint64_t const size_bytes = std::filesystem::file_size(folder_ / "good");
    for (std::uint64_t cut = 1; cut <= size_bytes; cut += cut < 40 ? 1 : 641) {
        std::filesystem::resize_file(folder_ / "good", size_bytes - cut);
        EXPECT_FALSE(mesh_refusal(folder_ / "good", VerifyLevel::quick).empty());
    }
}

TEST_F(ForgedMesh, TablesThatDoNotMatchTheirChecksumsAreFoundWithoutFullLevel)
{
    auto const file = SectionedFile::open(folder_ / "good", kMeshVolumeFile, VerifyLevel::quick);
    for (SectionInfo const& info : file.sections()) {
        if (info.name != vpk::kMeshClearance && info.name != vpk::kMeshNormals) continue;
        flip_bits(folder_ / "good", info.offset_bytes, 1);
        PackedVolume const volume = PackedVolume::open(folder_ / "good");
        expect_error(ExitStatus::input, {info.name, "checksum"}, [&] { volume.verify_contents(); });
        flip_bits(folder_ / "good", info.offset_bytes, 1);
    }
}

} // namespace
} // namespace volpt
