// Surfaces around a volume in a .vpk: what is written is read, and nothing damaged or forged is believed.
#include "tests/volume/shape_samples.h"

#include "libvolpt/volume/surroundings/surrounding_sections.h"
#include "libvolpt/volume/vpk_layout.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_volume.h"
#include "tests/volume/forge_section.h"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>

namespace volpt {
namespace {

using namespace test;

class Shapes : public testing::Test {
protected:
    Shapes() { pack("good", make_sample_shapes()); }

    void pack(std::string const& name, SurroundingShapes const& shapes)
    {
        VolumeMeta meta;
        meta.dims = {4, 4, 4};
        VolumePacker packer(folder_ / name, meta, {}, 1, {}, shapes);
        packer.finish({});
    }

    /// The good file with a section changed, left out if `change` empties it.
    template <typename Change>
    std::string refuse_forged(std::string_view section, Change&& change, FileKind const& kind = kMeshVolumeFile)
    {
        forge_section(folder_ / "good", folder_ / "forged", section, change, kind);
        return catch_error(ExitStatus::input, [&] { PackedVolume::open(folder_ / "forged"); });
    }

    template <typename T>
    void expect_refused(std::string_view section, std::size_t offset, T value)
    {
        auto const put = [&](std::vector<std::byte>& bytes) {
            std::memcpy(bytes.data() + offset, &value, sizeof value);
        };
        EXPECT_FALSE(refuse_forged(section, put).empty()) << section << ' ' << offset << ' ' << value;
    }

    TempFolder folder_;
};

TEST_F(Shapes, ComeBackAsTheyWere)
{
    SurroundingShapes const given = make_sample_shapes();
    PackedVolume const volume = PackedVolume::open(folder_ / "good", VerifyLevel::full);
    SurroundingShapes const& got = volume.surroundings();
    EXPECT_EQ(got.mesh_mm.triangles, given.mesh_mm.triangles);
    ASSERT_EQ(got.mesh_mm.positions_mm.size(), given.mesh_mm.positions_mm.size());
    EXPECT_EQ(std::memcmp(got.mesh_mm.positions_mm.data(), given.mesh_mm.positions_mm.data(),
                          given.mesh_mm.positions_mm.size() * sizeof(Vec3)),
              0);
    EXPECT_EQ(got.mesh_mm.normals.size(), 12u);
    EXPECT_EQ(got.mesh_mm.texture_coordinates[3][2].v, 1);
    EXPECT_EQ(got.bsdf_of_triangle, given.bsdf_of_triangle);
    EXPECT_EQ(got.bsdf_of_sphere, given.bsdf_of_sphere);
    ASSERT_EQ(got.spheres.size(), 2u);
    EXPECT_EQ(got.spheres[0].radius_mm, 1.5f);
    EXPECT_EQ(got.texels, given.texels);
    ASSERT_EQ(got.bsdfs.size(), given.bsdfs.size());
    for (std::size_t i = 0; i < got.bsdfs.size(); ++i) {
        EXPECT_EQ(got.bsdfs[i].kind, given.bsdfs[i].kind);
        EXPECT_EQ(got.bsdfs[i].exponent, given.bsdfs[i].exponent);
        EXPECT_EQ(got.bsdfs[i].specular[0], given.bsdfs[i].specular[0]);
        EXPECT_EQ(got.bsdfs[i].extinction[0], given.bsdfs[i].extinction[0]);
        EXPECT_EQ(got.bsdfs[i].boundary.int_over_ext, given.bsdfs[i].boundary.int_over_ext);
        EXPECT_EQ(got.bsdfs[i].boundary.alpha, given.bsdfs[i].boundary.alpha);
    }
}

TEST_F(Shapes, DecideTheDataChecksum)
{
    SurroundingShapes other = make_sample_shapes();
    other.bsdfs[1].exponent = 21;
    pack("other", other);
    EXPECT_NE(PackedVolume::open(folder_ / "good").data_checksum(),
              PackedVolume::open(folder_ / "other").data_checksum());
}

TEST_F(Shapes, ThatCannotBeRenderedAreNotPacked)
{
    SurroundingShapes bright = make_sample_shapes();
    bright.bsdfs[1].specular[0] = 0.9f;
    expect_error(ExitStatus::input, {"BSDF 1", "weighs more than 1"}, [&] { pack("bad", bright); });
    SurroundingShapes flat = make_sample_shapes();
    flat.spheres[0].radius_mm = 0;
    expect_error(ExitStatus::input, {"sphere 0"}, [&] { pack("bad", flat); });
    EXPECT_FALSE(std::filesystem::exists(folder_ / "bad"));
}

TEST_F(Shapes, AbsurdValuesAreRefusedAtEveryLevel)
{
    float const nan = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();
    for (std::size_t const field : {0u, 4u, 8u, 12u, 16u})
        for (std::uint32_t const count : {0u, 1u, 0x20000000u, 0xffffffffu})
            expect_refused(vpk::kSurroundings, field, count);
    for (std::uint32_t const index : {8u, 0xffffffffu}) expect_refused(vpk::kSurroundingTriangles, 8, index);
    for (std::uint32_t const index : {6u, 0xffffffffu}) expect_refused(vpk::kSurroundingPrimitives, 52, index);
    for (float const value : {nan, infinite, -1e30f}) {
        expect_refused(vpk::kSurroundingVertices, 12, value);
        expect_refused(vpk::kSurroundingSpheres, 4, value);
        expect_refused(vpk::kSurroundingSpheres, 12, value);
        expect_refused(vpk::kSurroundingNormals, 24, value);
        expect_refused(vpk::kSurroundingUv, 16, value);
        expect_refused(vpk::kSurroundingTexels, 4, value);
        for (std::size_t field = offsetof(vpk::BsdfRecord, checks_u); field < offsetof(vpk::BsdfRecord, int_over_ext);
             field += 4)
            expect_refused(vpk::kSurroundingBsdfs, field, value);
        expect_refused(vpk::kSurroundingBsdfs, offsetof(vpk::BsdfRecord, colour), value);
    }
    for (std::size_t const field :
         {offsetof(vpk::BsdfRecord, kind), offsetof(vpk::BsdfRecord, two_sided), offsetof(vpk::BsdfRecord, has_fresnel),
          offsetof(vpk::BsdfRecord, picture_width), offsetof(vpk::BsdfRecord, picture_height)})
        expect_refused(vpk::kSurroundingBsdfs, field, 70000u);
    std::size_t const dielectric = 3 * sizeof(vpk::BsdfRecord);
    for (float const value : {nan, 0.0f, -1.0f, infinite})
        expect_refused(vpk::kSurroundingBsdfs, dielectric + offsetof(vpk::BsdfRecord, int_over_ext), value);
    expect_refused(vpk::kSurroundingBsdfs, dielectric + offsetof(vpk::BsdfRecord, boundary_kind), 3u);
}

TEST_F(Shapes, SectionsOfOtherSizesAreRefused)
{
    auto const good = SectionedFile::open(folder_ / "good", kMeshVolumeFile, VerifyLevel::quick);
    for (SectionInfo const& info : good.sections()) {
        if (!info.name.starts_with("shapes")) continue;
        EXPECT_FALSE(refuse_forged(info.name, [](auto& bytes) { bytes.resize(bytes.size() - 1); }).empty())
            << info.name;
        if (info.name == vpk::kSurroundingNormals || info.name == vpk::kSurroundingUv) continue;
        EXPECT_FALSE(refuse_forged(info.name, [](auto& bytes) { bytes.clear(); }).empty()) << info.name;
    }
    expect_contains(refuse_forged(
                        "none", [](auto&) {}, kVolumeFile),
                    {"version 1"});
    EXPECT_EQ(refuse_forged("none", [](auto&) {}), "");
}

} // namespace
} // namespace volpt
