// No damaged, cut or forged .vpk is believed, and none that is believed leads a reader outside its bytes.
#include "libvolpt/sys/container/container_layout.h"
#include "libvolpt/volume/vpk_layout.h"
#include "tests/support/expect_error.h"
#include "tests/volume/volume_samples.h"

#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace volpt {
namespace {

using namespace test;

/// The message of the Error that opening throws, which names the file; empty if the file opens.
std::string refusal(std::filesystem::path const& path, VerifyLevel level)
{
    std::string message = catch_error(ExitStatus::input, [&] { PackedVolume::open(path, level); });
    if (!message.empty()) expect_contains(message, {path.string()});
    return message;
}

TEST(DamagedVolume, EveryFlippedByteIsRefusedAtFullLevel)
{
    TempFolder const folder;
    auto const path = folder / "v";
    Provenance provenance;
    provenance.set("tool", "test");
    pack_volume(path, density_meta({9, 8, 3}, Filter::nearest, Encoding::u8),
                {.density = [](int x, int, int) { return x < 8 ? static_cast<float>(x) : 9.0f; }}, {}, 8, provenance);
    for (std::size_t i = 0; i < std::filesystem::file_size(path); i += kDamageStride) {
        unsigned const mask = 1u << (i % 8);
        flip_bits(path, i, mask);
        ASSERT_FALSE(refusal(path, VerifyLevel::full).empty()) << "byte " << i;
        flip_bits(path, i, mask);
    }
    EXPECT_EQ(refusal(path, VerifyLevel::full), "");
}

// Sections above 16 MiB are compared with their checksums while their contents are checked.
TEST(DamagedVolume, FlippedBitOfALargeSectionIsRefusedOnAnyNumberOfThreads)
{
    TempFolder const folder;
    auto const path = folder / "v";
    VoxelFunctions const voxels{.density = [](int x, int y, int z) { return noise(x, y, z); }};
    pack_volume(path, density_meta({256, 256, 72}, Filter::nearest, Encoding::f32), voxels, {}, 8, {}, 2);
    std::uint64_t at = 0;
    auto const file = SectionedFile::open(path, kVolumeFile, VerifyLevel::quick);
    for (SectionInfo const& info : file.sections())
        if (info.name == vpk::kDensity.voxels) at = info.offset_bytes + info.size_bytes / 2;
    auto const open = [&](int threads) { PackedVolume::open(path, VerifyLevel::full, threads); };
    // The lowest bit of a number, and its sign, which the contents show as well.
    for (std::uint64_t const byte : {at, at + 3}) {
        flip_bits(path, byte, byte == at ? 1u : 0x80u);
        for (int const threads : {1, 2, 5})
            expect_error(ExitStatus::input, {path.string(), vpk::kDensity.voxels, "checksum"}, [&] { open(threads); });
        flip_bits(path, byte, byte == at ? 1u : 0x80u);
    }
    for (int const threads : {1, 2, 5}) EXPECT_NO_THROW(open(threads)) << threads;
}

TEST(DamagedVolume, TruncatedFileIsRefusedWithOffset)
{
    TempFolder const folder;
    pack_volume(folder / "v", rich_meta(), rich_voxels(), three_inks());
    std::uint64_t const size_bytes = std::filesystem::file_size(folder / "v");
    for (std::uint64_t cut = 1; cut <= size_bytes; cut += cut < 40 ? 1 : 641) {
        std::filesystem::resize_file(folder / "v", size_bytes - cut);
        expect_contains(refusal(folder / "v", VerifyLevel::quick), {"offset"});
    }
}

TEST(DamagedVolume, OtherFilesAreTold)
{
    TempFolder const folder;
    write_bytes(folder / "empty", {});
    expect_contains(refusal(folder / "empty", VerifyLevel::quick), {"empty"});
    write_bytes(folder / "zeros", std::vector<std::byte>(100'000));
    expect_contains(refusal(folder / "zeros", VerifyLevel::quick), {"no packed volume"});
    EXPECT_FALSE(refusal(folder / "missing", VerifyLevel::quick).empty());
}

/// A rich volume whose sections can be rewritten with all checksums made anew, as only a faulty or hostile program
/// does.
class ForgedVolume : public testing::Test {
protected:
    ForgedVolume() { pack_volume(folder_ / "good", rich_meta(), rich_voxels(), three_inks()); }

    /// `change` gets the bytes of one section; the result is written to "forged".
    template <typename Change>
    void forge(std::string_view section, Change&& change)
    {
        auto const good = SectionedFile::open(folder_ / "good", kVolumeFile, VerifyLevel::full);
        SectionedWriter writer(folder_ / "forged", kVolumeFile);
        for (SectionInfo const& info : good.sections()) {
            auto const span = good.section(info.name);
            std::vector<std::byte> bytes(span.begin(), span.end());
            if (info.name == section) change(bytes);
            writer.write_section(info.name, bytes);
        }
        writer.commit();
    }

    template <typename T>
    void forge_value(std::string_view section, std::size_t offset, T value)
    {
        forge(section,
              [&](std::vector<std::byte>& bytes) { std::memcpy(bytes.data() + offset, &value, sizeof value); });
    }

    template <typename T>
    void expect_meta_refused(std::size_t offset, T value)
    {
        forge_value(vpk::kMeta, offset, value);
        SCOPED_TRACE(testing::Message() << offset << ' ' << value);
        expect_contains(refusal(folder_ / "forged", VerifyLevel::quick), {"section 'meta'"});
    }

    std::string forged_refusal(VerifyLevel level) { return refusal(folder_ / "forged", level); }

    TempFolder folder_;
};

TEST_F(ForgedVolume, UnchangedCopyIsBelieved)
{
    forge("none", [](std::vector<std::byte>&) {});
    EXPECT_EQ(forged_refusal(VerifyLevel::full), "");
}

TEST_F(ForgedVolume, AbsurdMetadataIsRefusedAtQuickLevel)
{
    float const nan = std::numeric_limits<float>::quiet_NaN();
    for (std::uint32_t dim : {0u, 65536u, 0x80000000u, 0xffffffffu})
        expect_meta_refused(offsetof(vpk::MetaRecord, dims), dim);
    for (std::uint32_t bands : {0u, 37u, 0xffffffffu}) expect_meta_refused(offsetof(vpk::MetaRecord, bands), bands);
    for (std::uint32_t count : {0u, 257u, 0xffffffffu}) {
        expect_meta_refused(offsetof(vpk::MetaRecord, material_count), count);
    }
    for (float pitch : {nan, 1e-10f, 1e8f, std::numeric_limits<float>::denorm_min()})
        expect_meta_refused(offsetof(vpk::MetaRecord, pitch_mm), pitch);
    for (float scale : {-1.0f, 1.1e9f, std::numeric_limits<float>::max()})
        expect_meta_refused(offsetof(vpk::MetaRecord, scale), scale);
    for (double origin : {1e300, -6e8}) expect_meta_refused(offsetof(vpk::MetaRecord, origin_world_mm), origin);
    expect_meta_refused(offsetof(vpk::MetaRecord, rotation), 2.0);
    expect_meta_refused(offsetof(vpk::MetaRecord, filter), 2u);
    expect_meta_refused(offsetof(vpk::MetaRecord, extinction), 3u);
    expect_meta_refused(offsetof(vpk::MetaRecord, albedo), 0xffffffffu);
    expect_meta_refused(offsetof(vpk::MetaRecord, anisotropy), 1u);
    expect_meta_refused(offsetof(vpk::MetaRecord, density_encoding), 4u);
    expect_meta_refused(offsetof(vpk::MetaRecord, albedo_encoding), 4u);
    expect_meta_refused(offsetof(vpk::MetaRecord, density_value_scale), 0.0f);
    expect_meta_refused(offsetof(vpk::MetaRecord, by_band.band_numbers), 9u);
    expect_meta_refused(offsetof(vpk::MetaRecord, by_band.global_majorant), nan);
}

TEST_F(ForgedVolume, BandsBeyondSixteenNeedTheirSection)
{
    forge_value(vpk::kMeta, offsetof(vpk::MetaRecord, bands), 17u);
    expect_contains(forged_refusal(VerifyLevel::quick), {"more_bands"});
}

TEST_F(ForgedVolume, OtherShapesThanTheTablesHaveAreRefused)
{
    for (std::uint32_t dim : {8u, 25u, 65535u}) {
        forge_value(vpk::kMeta, offsetof(vpk::MetaRecord, dims), dim);
        expect_contains(forged_refusal(VerifyLevel::quick), {"bytes instead of"});
    }
    forge_value(vpk::kMeta, offsetof(vpk::MetaRecord, bands), 2u);
    EXPECT_FALSE(forged_refusal(VerifyLevel::quick).empty());
    forge_value(vpk::kMeta, offsetof(vpk::MetaRecord, density_encoding), static_cast<std::uint32_t>(Encoding::f32));
    EXPECT_FALSE(forged_refusal(VerifyLevel::full).empty());
}

TEST_F(ForgedVolume, SlotsOutOfRangeAreRefusedAtQuickLevel)
{
    for (std::string_view table : {vpk::kDensity.table, vpk::kAlbedo.table, vpk::kLabel.table}) {
        for (std::uint32_t slot : {1000u, 0x7fffffffu, 0xfffffffeu}) {
            forge_value(table, 0, slot);
            expect_contains(forged_refusal(VerifyLevel::quick), {fmt::format("section '{}'", table)});
        }
    }
    forge_value(vpk::kLabel.table, 4, 256u);
    expect_contains(forged_refusal(VerifyLevel::quick), {"label 256"});
}

TEST_F(ForgedVolume, SlotsUsedTwiceAreRefusedAtFullLevel)
{
    forge(vpk::kDensity.table,
          [](std::vector<std::byte>& bytes) { std::memcpy(bytes.data() + 16, bytes.data() + 8, 4); });
    EXPECT_EQ(forged_refusal(VerifyLevel::quick), "");
    expect_contains(forged_refusal(VerifyLevel::full), {"Morton order"});
}

TEST_F(ForgedVolume, ValuesOutOfRangeAreRefusedAtFullLevel)
{
    float const nan = std::numeric_limits<float>::quiet_NaN();
    forge_value(vpk::kDensity.table, 4, -1.0f);
    EXPECT_FALSE(forged_refusal(VerifyLevel::full).empty()) << "negative constant density";
    forge_value(vpk::kAlbedo.table, 8, 1.5f);
    EXPECT_FALSE(forged_refusal(VerifyLevel::full).empty()) << "constant albedo below 0";
    forge_value(vpk::kAlbedo.voxels, 0, std::uint16_t{0x7e00});
    EXPECT_FALSE(forged_refusal(VerifyLevel::full).empty()) << "albedo NaN";
    forge_value(vpk::kAlbedo.voxels, 2, std::uint16_t{0x4000});
    EXPECT_FALSE(forged_refusal(VerifyLevel::full).empty()) << "1 - albedo of 2";
    forge_value(vpk::kLabel.voxels, 3, std::uint8_t{3});
    expect_contains(forged_refusal(VerifyLevel::full), {"label 3 has no material"});
    forge_value(vpk::kLabel.table, 4, 200u);
    expect_contains(forged_refusal(VerifyLevel::full), {"label 200 has no material"});
    forge_value(vpk::kMajorants, 8, nan);
    EXPECT_FALSE(forged_refusal(VerifyLevel::full).empty()) << "majorant NaN";
    forge_value(vpk::kMajorants, 8, 1e9f);
    expect_contains(forged_refusal(VerifyLevel::full), {"the majorant of brick 2 is 1000000000"});
}

TEST_F(ForgedVolume, MaterialsAndTextsAreChecked)
{
    forge_value(vpk::kMaterials, 0, -1.0f);
    EXPECT_FALSE(forged_refusal(VerifyLevel::quick).empty());
    for (std::string_view section : {vpk::kMaterialNames, vpk::kSceneHints, vpk::kSourceMetadata}) {
        forge_value(section, 0, 'x');
        expect_contains(forged_refusal(VerifyLevel::quick), {section});
    }
    forge(vpk::kStatistics, [](std::vector<std::byte>& bytes) { bytes[0] ^= std::byte{1}; });
    expect_contains(forged_refusal(VerifyLevel::quick), {"bricks"});
    forge_value(vpk::kStatistics, offsetof(vpk::StatisticsRecord, constant_bricks), std::uint64_t{19});
    expect_contains(forged_refusal(VerifyLevel::quick), {"19 of them constant"});
}

/// The first global majorant, and every local one, times `factor`.
void scale_majorants(std::vector<std::byte>& bytes, std::size_t first, std::size_t count, float factor)
{
    for (std::size_t i = 0; i < count; ++i) {
        float value = 0;
        std::memcpy(&value, bytes.data() + first + 4 * i, 4);
        value *= factor;
        std::memcpy(bytes.data() + first + 4 * i, &value, 4);
    }
}

TEST_F(ForgedVolume, MajorantsThatTheVoxelsDoNotGiveAreRefusedAtFullLevel)
{
    auto const noisy = [](int x, int y, int z) { return x < 8 ? 0.25f : noise(x, y, z); };
    std::vector<VolumeMeta> metas{label_meta({20, 9, 17}), label_meta({20, 9, 17}, Filter::trilinear)};
    for (Encoding const encoding : {Encoding::u8, Encoding::u16, Encoding::f16, Encoding::f32})
        metas.push_back(density_meta({19, 9, 17}, Filter::trilinear, encoding));
    for (VolumeMeta& meta : metas) {
        bool const has_labels = meta.extinction == Source::material;
        meta.density_value_scale = meta.density_encoding == Encoding::u8 ? 1.0f / 255.0f : 1.0f / 65535.0f;
        if (has_labels)
            pack_volume(folder_ / "good", meta, {.label = rich_voxels().label}, three_inks());
        else
            pack_volume(folder_ / "good", meta, {.density = noisy});
        forge("none", [](std::vector<std::byte>&) {});
        EXPECT_EQ(forged_refusal(VerifyLevel::full), "");
        forge(vpk::kMajorants, [](auto& bytes) { scale_majorants(bytes, 0, bytes.size() / 4, 0.5f); });
        EXPECT_EQ(forged_refusal(VerifyLevel::quick), "");
        expect_contains(forged_refusal(VerifyLevel::full), {"section 'majorants'", "by the voxels"});
        forge(vpk::kMajorants, [](auto& bytes) { scale_majorants(bytes, bytes.size() - 4, 1, 0.99f); });
        expect_contains(forged_refusal(VerifyLevel::full), {"by the voxels"});
        forge(vpk::kMeta,
              [](auto& bytes) { scale_majorants(bytes, offsetof(vpk::MetaRecord, by_band.global_majorant), 1, 0.5f); });
        expect_contains(forged_refusal(VerifyLevel::full), {"the global majorant of band 0"});
    }
}

TEST_F(ForgedVolume, DeeplyNestedTextsAreRefusedAtQuickLevel)
{
    Provenance provenance;
    provenance.set("tool", "test");
    for (std::string_view const section :
         {vpk::kMaterialNames, vpk::kSceneHints, vpk::kSourceMetadata, vpk::kProvenance})
        for (std::size_t const depth : {101, 100'000}) {
            std::string const json =
                "{\"a\": " + std::string(depth, '[') + std::string(depth, ']') + ", \"b\": \"[[\"}";
            pack_volume(folder_ / "good", rich_meta(), rich_voxels(), three_inks(), 8, provenance);
            forge(section, [&](auto& bytes) {
                auto const text = std::as_bytes(std::span(json));
                bytes.assign(text.begin(), text.end());
            });
            expect_contains(forged_refusal(VerifyLevel::quick), {section});
        }
}

TEST_F(ForgedVolume, ContentsThatDoNotMatchTheirChecksumsAreFoundWithoutFullLevel)
{
    auto const offset_of = [&](std::string_view section) {
        auto const file = SectionedFile::open(folder_ / "good", kVolumeFile, VerifyLevel::quick);
        for (SectionInfo const& info : file.sections())
            if (info.name == section) return info.offset_bytes;
        return std::uint64_t{0};
    };
    PackedVolume::open(folder_ / "good").verify_contents();
    for (std::string_view const section : {vpk::kDensity.voxels, vpk::kAlbedo.voxels, vpk::kLabel.voxels}) {
        std::uint64_t const at = offset_of(section) + 5;
        flip_bits(folder_ / "good", at, 1);
        PackedVolume const volume = PackedVolume::open(folder_ / "good");
        expect_error(ExitStatus::input, {section, "checksum"}, [&] { volume.verify_contents(); });
        flip_bits(folder_ / "good", at, 1);
    }
}

TEST_F(ForgedVolume, ClearanceThatTheTablesDoNotGiveIsRefusedAtFullLevel)
{
    pack_volume(folder_ / "good", density_meta({32, 8, 8}),
                {.density = [](int x, int, int) { return x == 0 ? 1.0f : 2.0f; }});
    forge("none", [](std::vector<std::byte>&) {});
    EXPECT_EQ(forged_refusal(VerifyLevel::full), "");
    for (float value : {7.5001f, 7.4999f, -1.0f, std::numeric_limits<float>::quiet_NaN()}) {
        forge_value(vpk::kClearance, 8, value);
        expect_contains(forged_refusal(VerifyLevel::full), {"the clearance of brick 2"});
    }
    forge(vpk::kClearance, [](std::vector<std::byte>& bytes) { bytes.resize(bytes.size() - 4); });
    expect_contains(forged_refusal(VerifyLevel::quick), {"bytes instead of"});
}

TEST_F(ForgedVolume, SectionsOfOtherSizesAreRefused)
{
    auto const good = SectionedFile::open(folder_ / "good", kVolumeFile, VerifyLevel::quick);
    for (SectionInfo const& info : good.sections()) {
        if (info.name == vpk::kSceneHints || info.name == vpk::kSourceMetadata) continue;
        forge(info.name, [](std::vector<std::byte>& bytes) { bytes.resize(bytes.size() - 1); });
        EXPECT_FALSE(forged_refusal(VerifyLevel::quick).empty()) << info.name;
        forge(info.name, [](std::vector<std::byte>& bytes) { bytes.clear(); });
        EXPECT_FALSE(forged_refusal(VerifyLevel::quick).empty()) << info.name;
    }
}

} // namespace
} // namespace volpt
