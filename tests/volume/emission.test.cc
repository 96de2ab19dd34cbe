// Emission of the medium in a .vpk: what is written is read, and nothing damaged or forged is believed.
#include "libvolpt/volume/packed_layers.h"
#include "libvolpt/volume/packed_stream.h"
#include "libvolpt/volume/voxel_stream.h"
#include "libvolpt/volume/vpk_layout.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_volume.h"
#include "tests/volume/forge_section.h"
#include "tests/volume/volume_samples.h"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>

namespace volpt {
namespace {

using namespace test;

/// Dark bricks, constant ones and others; edges that are no multiple of 8.
float sample_radiance(int x, int y, int z, int band)
{
    if (z < 8) return x < 8 ? 0.0f : 2.5f * static_cast<float>(band + 1);
    return 1e4f * noise(x, y, z, band);
}

class EmissionSections : public testing::Test {
protected:
    EmissionSections()
    {
        meta_.dims = {19, 9, 17};
        set_three_bands(meta_);
        meta_.has_emission = true;
        pack("good", sample_radiance);
    }

    void pack(std::string const& name, std::function<float(int, int, int, int)> radiance, int layers_per_slab = 5)
    {
        pack_volume(folder_ / name, meta_, {.emission = std::move(radiance)}, {}, layers_per_slab);
    }

    template <typename Change>
    std::string refuse_forged(std::string_view section, Change&& change, FileKind const& kind = kEmissionVolumeFile,
                              VerifyLevel level = VerifyLevel::quick)
    {
        forge_section(folder_ / "good", folder_ / "forged", section, change, kind);
        return catch_error(ExitStatus::input, [&] { PackedVolume::open(folder_ / "forged", level); });
    }

    TempFolder folder_;
    VolumeMeta meta_;
};

TEST_F(EmissionSections, ComeBackAsTheyWere)
{
    PackedVolume const volume = PackedVolume::open(folder_ / "good", VerifyLevel::full);
    EXPECT_TRUE(volume.meta().has_emission);
    VolumeView const view = volume.view();
    for_each_voxel(meta_.dims, [&](int x, int y, int z) {
        for (int band = 0; band < 3; ++band)
            ASSERT_EQ(read_stored(view.emission, view, x, y, z, band), sample_radiance(x, y, z, band));
    });
    std::vector<float> const largest = find_largest_values(view, view.emission);
    for (float const value : largest) EXPECT_TRUE(value > 9e3f && value <= 1e4f) << value;
    EXPECT_EQ(view.emission.table[0], kConstantBrick);
}

TEST_F(EmissionSections, DoNotDependOnSlabs)
{
    pack("other", sample_radiance, 17);
    EXPECT_EQ(PackedVolume::open(folder_ / "good").data_checksum(),
              PackedVolume::open(folder_ / "other").data_checksum());
}

TEST_F(EmissionSections, DecideTheDataChecksum)
{
    pack("other", [](int x, int y, int z, int band) {
        return sample_radiance(x, y, z, band) + (x + y + z == 0 ? 1e-3f : 0.0f);
    });
    EXPECT_NE(PackedVolume::open(folder_ / "good").data_checksum(),
              PackedVolume::open(folder_ / "other").data_checksum());
}

TEST_F(EmissionSections, FilesWithoutKeepTheirVersion)
{
    meta_.has_emission = false;
    pack_volume(folder_ / "dark", meta_, {});
    EXPECT_NO_THROW(SectionedFile::open(folder_ / "dark", kVolumeFile, VerifyLevel::quick));
    EXPECT_FALSE(PackedVolume::open(folder_ / "dark").meta().has_emission);
}

TEST_F(EmissionSections, OldReadersAreToldByTheVersion)
{
    expect_error(ExitStatus::input, {"version"},
                 [&] { SectionedFile::open(folder_ / "good", kEmittersVolumeFile, VerifyLevel::quick); });
    expect_contains(refuse_forged(
                        "none", [](auto&) {}, kEmittersVolumeFile),
                    {"version 5"});
    EXPECT_EQ(refuse_forged("none", [](auto&) {}), "");
}

TEST_F(EmissionSections, ValuesThatAreNoRadianceAreNotPacked)
{
    float const nan = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();
    for (float const bad : {-1.0f, nan, infinite, 2e30f}) {
        auto const radiance = [&](int x, int y, int z, int band) {
            return x == 3 && y == 2 && z == 9 && band == 1 ? bad : 1.0f;
        };
        expect_error(ExitStatus::input, {"emission is", "(3, 2, 9), band 1"}, [&] { pack("bad", radiance); });
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / "bad"));
}

TEST_F(EmissionSections, ForgedTablesAndVoxelsAreRefused)
{
    auto const put = [](std::size_t at, auto value) {
        return [=](std::vector<std::byte>& bytes) { std::memcpy(bytes.data() + at, &value, sizeof value); };
    };
    EXPECT_NE(refuse_forged(vpk::kEmission.table, put(0, 1000u)), "");
    EXPECT_NE(refuse_forged(vpk::kEmission.table, [](auto& bytes) { bytes.resize(bytes.size() - 4); }), "");
    EXPECT_NE(refuse_forged(vpk::kEmission.voxels, [](auto& bytes) { bytes.resize(bytes.size() - 4); }), "");
    EXPECT_NE(refuse_forged(vpk::kEmission.voxels, [](auto& bytes) { bytes.clear(); }), "");
    for (float const bad : {-1.0f, 2e30f, std::numeric_limits<float>::quiet_NaN()}) {
        EXPECT_NE(refuse_forged(vpk::kEmission.table, put(4, bad), kEmissionVolumeFile, VerifyLevel::full), "") << bad;
        EXPECT_NE(refuse_forged(vpk::kEmission.voxels, put(400, bad), kEmissionVolumeFile, VerifyLevel::full), "")
            << bad;
    }
}

TEST_F(EmissionSections, FlippedBytesAreRefusedAtFullLevel)
{
    auto const path = folder_ / "good";
    std::vector<SectionInfo> sections;
    {
        auto const file = SectionedFile::open(path, kEmissionVolumeFile, VerifyLevel::quick);
        for (SectionInfo const& info : file.sections())
            if (info.name == vpk::kEmission.table || info.name == vpk::kEmission.voxels) sections.push_back(info);
    }
    ASSERT_EQ(sections.size(), 2u);
    for (SectionInfo const& info : sections)
        for (std::uint64_t i = 0; i < info.size_bytes; i += 1 + info.size_bytes / 97) {
            unsigned const mask = 1u << (i % 8);
            flip_bits(path, info.offset_bytes + i, mask);
            ASSERT_NE(catch_error(ExitStatus::input, [&] { PackedVolume::open(path, VerifyLevel::full); }), "") << i;
            flip_bits(path, info.offset_bytes + i, mask);
        }
    EXPECT_NO_THROW(PackedVolume::open(path, VerifyLevel::full));
}

TEST_F(EmissionSections, TruncatedFileIsRefused)
{
    auto const path = folder_ / "good";
    std::uint64_t const size = std::filesystem::file_size(path);
    for (std::uint64_t cut = 1; cut <= size; cut += cut < 40 ? 1 : 4099) {
        std::filesystem::copy_file(path, folder_ / "cut", std::filesystem::copy_options::overwrite_existing);
        std::filesystem::resize_file(folder_ / "cut", size - cut);
        ASSERT_NE(catch_error(ExitStatus::input, [&] { PackedVolume::open(folder_ / "cut"); }), "") << cut;
    }
}

TEST_F(EmissionSections, PackedAgainTheyAreTheSameAndByBand)
{
    auto const again = make_packed_stream(PackedVolume::open(folder_ / "good"), {});
    pack_volume(*again, folder_ / "again", {}, {});
    EXPECT_EQ(PackedVolume::open(folder_ / "again").data_checksum(),
              PackedVolume::open(folder_ / "good").data_checksum());
    auto const blue = select_bands(make_packed_stream(PackedVolume::open(folder_ / "good"), {}), {2});
    pack_volume(*blue, folder_ / "blue", {}, {});
    PackedVolume const volume = PackedVolume::open(folder_ / "blue", VerifyLevel::full);
    VolumeView const view = volume.view();
    for_each_voxel(meta_.dims, [&](int x, int y, int z) {
        ASSERT_EQ(read_stored(view.emission, view, x, y, z), sample_radiance(x, y, z, 2));
    });
}

} // namespace
} // namespace volpt
