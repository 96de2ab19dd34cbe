// Volumes whose albedo is interpolated by itself: what is stored, and who may read it.
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/packed_stream.h"
#include "libvolpt/volume/vpk_layout.h"
#include "tests/support/expect_error.h"
#include "tests/volume/forge_section.h"
#include "tests/volume/volume_samples.h"

namespace volpt::test {
namespace {

VolumeMeta two_planes()
{
    VolumeMeta meta = density_meta({9, 5, 3});
    meta.albedo = Source::plane;
    meta.albedo_filter = AlbedoFilter::trilinear;
    return meta;
}

class AlbedoFilterField : public testing::Test {
protected:
    AlbedoFilterField() { pack("good", two_planes()); }
    void pack(char const* name, VolumeMeta const& meta)
    {
        pack_volume(folder_ / name, meta,
                    {.density = [](int x, int y, int z) { return noise(x, y, z); },
                     .one_minus_albedo = [](int x, int y, int z, int band) { return noise(x, y, z, band + 1); }});
    }
    void expect_refused(VolumeMeta const& meta, std::string_view why)
    {
        EXPECT_NE(find_contradiction(meta, {}).find(why), std::string::npos) << find_contradiction(meta, {});
    }
    TempFolder folder_;
};

TEST_F(AlbedoFilterField, ComesBackAndDecidesTheDataChecksum)
{
    PackedVolume const volume = PackedVolume::open(folder_ / "good", VerifyLevel::full);
    EXPECT_EQ(volume.meta().albedo_filter, AlbedoFilter::trilinear);
    EXPECT_EQ(volume.view().albedo_filter, AlbedoFilter::trilinear);
    VolumeMeta meta = two_planes();
    meta.albedo_filter = AlbedoFilter::nearest;
    pack("nearest", meta);
    meta.albedo_filter = AlbedoFilter::of_scattering;
    pack("scattering", meta);
    Hash128 const nearest = PackedVolume::open(folder_ / "nearest").data_checksum();
    EXPECT_NE(nearest, volume.data_checksum());
    EXPECT_NE(nearest, PackedVolume::open(folder_ / "scattering").data_checksum());
}

TEST_F(AlbedoFilterField, OldReadersAreToldByTheVersion)
{
    expect_error(ExitStatus::input, {"version"},
                 [&] { SectionedFile::open(folder_ / "good", kNestedVolumeFile, VerifyLevel::quick); });
    VolumeMeta meta = two_planes();
    meta.albedo_filter = AlbedoFilter::of_scattering;
    pack("plain", meta);
    EXPECT_NO_THROW(SectionedFile::open(folder_ / "plain", kVolumeFile, VerifyLevel::quick));
    forge_section(
        folder_ / "good", folder_ / "forged", vpk::kMeta, [](auto&) {}, kNestedVolumeFile);
    expect_error(ExitStatus::input, {"version 7"}, [&] { PackedVolume::open(folder_ / "forged"); });
}

TEST_F(AlbedoFilterField, NeedsTwoPlanesAndNoEmission)
{
    VolumeMeta meta = two_planes();
    EXPECT_EQ(find_contradiction(meta, {}), "");
    meta.has_emission = true;
    expect_refused(meta, "emits");
    meta = two_planes();
    meta.albedo = Source::constant;
    expect_refused(meta, "not both planes");
    meta = two_planes();
    meta.extinction = Source::constant;
    expect_refused(meta, "not both planes");
    forge_section(
        folder_ / "good", folder_ / "forged", vpk::kMeta,
        [](auto& bytes) { bytes[offsetof(vpk::MetaRecord, albedo_filter)] = std::byte{3}; }, kAlbedoFilterVolumeFile);
    expect_error(ExitStatus::input, {"albedo filter is unknown"}, [&] { PackedVolume::open(folder_ / "forged"); });
}

TEST_F(AlbedoFilterField, FollowsFromTheFiltersOfBothPlanes)
{
    EXPECT_EQ(choose_albedo_filter(Filter::trilinear, Filter::trilinear), AlbedoFilter::trilinear);
    EXPECT_EQ(choose_albedo_filter(Filter::nearest, Filter::trilinear), AlbedoFilter::trilinear);
    EXPECT_EQ(choose_albedo_filter(Filter::trilinear, Filter::nearest), AlbedoFilter::nearest);
    EXPECT_EQ(choose_albedo_filter(Filter::nearest, Filter::nearest), AlbedoFilter::of_scattering);
}

TEST_F(AlbedoFilterField, IsReplacedWithTheFilterAndStaysOtherwise)
{
    auto const repack = [&](RepackOptions const& options) {
        return make_packed_stream(PackedVolume::open(folder_ / "good"), options)->meta();
    };
    EXPECT_EQ(repack({.scale = 2}).albedo_filter, AlbedoFilter::trilinear);
    EXPECT_EQ(repack({.filter = Filter::nearest}).albedo_filter, AlbedoFilter::of_scattering);
    EXPECT_EQ(repack({.filter = Filter::trilinear}).albedo_filter, AlbedoFilter::trilinear);
}

} // namespace
} // namespace volpt::test
