// Emitters in a .vpk: what is written is read, and nothing damaged or forged is believed.
#include "libvolpt/volume/emitters/check_emitter.h"
#include "libvolpt/volume/emitters/emitter_section.h"
#include "libvolpt/volume/packed_stream.h"
#include "libvolpt/volume/vpk_layout.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_volume.h"
#include "tests/volume/emitter_samples.h"
#include "tests/volume/forge_section.h"
#include "tests/volume/shape_samples.h"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>

namespace volpt {
namespace {

using namespace test;

class EmitterSections : public testing::Test {
protected:
    EmitterSections() { pack("good", make_sample_emitters()); }

    void pack(std::string const& name, std::vector<Emitter> const& emitters)
    {
        VolumeMeta meta;
        meta.dims = {4, 4, 4};
        VolumePacker packer(folder_ / name, meta, {}, 1, {}, make_sample_shapes(), emitters);
        packer.finish({});
    }

    template <typename Change>
    std::string refuse_forged(std::string_view section, Change&& change, FileKind const& kind = kEmittersVolumeFile)
    {
        forge_section(folder_ / "good", folder_ / "forged", section, change, kind);
        return catch_error(ExitStatus::input, [&] { PackedVolume::open(folder_ / "forged"); });
    }

    template <typename T>
    void expect_refused(std::size_t emitter, std::size_t offset, T value)
    {
        auto const put = [&](std::vector<std::byte>& bytes) {
            std::memcpy(bytes.data() + emitter * sizeof(vpk::EmitterRecord) + offset, &value, sizeof value);
        };
        EXPECT_FALSE(refuse_forged(vpk::kEmitters, put).empty()) << emitter << ' ' << offset << ' ' << value;
    }

    TempFolder folder_;
};

TEST_F(EmitterSections, ComeBackAsTheyWere)
{
    EXPECT_EQ(PackedVolume::open(folder_ / "good", VerifyLevel::full).emitters(), make_sample_emitters());
}

TEST_F(EmitterSections, NeedNoShapes)
{
    VolumeMeta meta;
    meta.dims = {4, 4, 4};
    std::vector<Emitter> const lone{make_sample_emitters()[0]};
    VolumePacker packer(folder_ / "lone", meta, {}, 1, {}, {}, lone);
    packer.finish({});
    PackedVolume const volume = PackedVolume::open(folder_ / "lone", VerifyLevel::full);
    EXPECT_EQ(volume.emitters(), lone);
    EXPECT_TRUE(volume.surface().is_empty());
}

TEST_F(EmitterSections, DecideTheDataChecksum)
{
    auto other = make_sample_emitters();
    other[1].inner_angle_deg = 14;
    pack("other", other);
    EXPECT_NE(PackedVolume::open(folder_ / "good").data_checksum(),
              PackedVolume::open(folder_ / "other").data_checksum());
}

TEST_F(EmitterSections, OldReadersAreToldByTheVersion)
{
    expect_error(ExitStatus::input, {"version"},
                 [&] { SectionedFile::open(folder_ / "good", kSupportVolumeFile, VerifyLevel::quick); });
    expect_contains(refuse_forged(
                        "none", [](auto&) {}, kSupportVolumeFile),
                    {"version 4"});
    EXPECT_EQ(refuse_forged("none", [](auto&) {}), "");
}

TEST_F(EmitterSections, ThatCannotBeRenderedAreNotPacked)
{
    auto bad = make_sample_emitters();
    bad[4].amount = {0};
    expect_error(ExitStatus::input, {"emitter 4", "no power"}, [&] { pack("bad", bad); });
    bad = make_sample_emitters();
    bad[0].amount = {1, 2};
    expect_error(ExitStatus::input, {"emitter 0", "2 amounts"}, [&] { pack("bad", bad); });
    bad = make_sample_emitters();
    bad.push_back(bad[6]);
    expect_error(ExitStatus::input, {"emitter 12", "emits twice"}, [&] { pack("bad", bad); });
    EXPECT_FALSE(std::filesystem::exists(folder_ / "bad"));
}

TEST_F(EmitterSections, AbsurdValuesAreRefusedAtEveryLevel)
{
    using Record = vpk::EmitterRecord;
    double const nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < make_sample_emitters().size(); ++i) {
        for (std::size_t const field :
             {offsetof(Record, kind), offsetof(Record, unit), offsetof(Record, profile), offsetof(Record, amounts)})
            for (std::uint32_t const value : {37u, 0xffffffffu}) expect_refused(i, field, value);
        expect_refused(i, offsetof(Record, amounts), 0u);
        for (std::size_t field = offsetof(Record, origin_world); field < offsetof(Record, first_triangle); field += 8)
            for (double const value : {nan, infinite, -1e30})
                if (i == 1 || value != value) expect_refused(i, field, value); // a file each
        for (float const value : {0.0f, -1.0f, 1e38f, std::numeric_limits<float>::quiet_NaN()})
            expect_refused(i, offsetof(Record, amount), value);
    }
    expect_refused(6, offsetof(Record, first_triangle), 7u);
    for (std::uint32_t const count : {0u, 11u, 0xffffffffu}) expect_refused(6, offsetof(Record, triangle_count), count);
}

TEST_F(EmitterSections, SectionsOfOtherSizesAreRefused)
{
    for (std::size_t const bytes : {1u, 287u, 289u})
        EXPECT_FALSE(refuse_forged(vpk::kEmitters, [&](auto& all) { all.resize(bytes); }).empty()) << bytes;
}

TEST_F(EmitterSections, EveryFlippedByteIsRefusedAtFullLevel)
{
    auto const path = folder_ / "good";
    std::uint64_t first = 0, size = 0;
    {
        auto const file = SectionedFile::open(path, kEmittersVolumeFile, VerifyLevel::quick);
        for (SectionInfo const& info : file.sections())
            if (info.name == vpk::kEmitters) first = info.offset_bytes, size = info.size_bytes;
    }
    ASSERT_EQ(size, 12u * 288u);
    for (std::uint64_t i = first; i < first + size; ++i) {
        unsigned const mask = 1u << (i % 8);
        flip_bits(path, i, mask);
        ASSERT_FALSE(catch_error(ExitStatus::input, [&] { PackedVolume::open(path, VerifyLevel::full); }).empty()) << i;
        flip_bits(path, i, mask);
    }
    EXPECT_NO_THROW(PackedVolume::open(path, VerifyLevel::full));
}

TEST_F(EmitterSections, TruncatedFileIsRefused)
{
    auto const path = folder_ / "good";
    std::uint64_t const size = std::filesystem::file_size(path);
    for (std::uint64_t cut = 1; cut <= size; cut += cut < 40 ? 1 : 641) {
        std::filesystem::resize_file(path, size - cut);
        EXPECT_FALSE(catch_error(ExitStatus::input, [&] { PackedVolume::open(path); }).empty()) << cut;
    }
}

TEST_F(EmitterSections, AreKeptWhenAVolumeIsPackedAgain)
{
    auto const stream = make_packed_stream(PackedVolume::open(folder_ / "good"), {});
    pack_volume(*stream, folder_ / "again", {}, {});
    EXPECT_EQ(PackedVolume::open(folder_ / "again").emitters(), make_sample_emitters());
}

TEST(EmitterBands, OneThatIsDarkInTheKeptBandsGoesUnlessAllAre)
{
    std::vector<Emitter> emitters(2);
    emitters[0].amount = {1, 0, 0};
    emitters[1].amount = {0, 2, 3};
    auto kept = emitters;
    keep_bands(kept, std::vector<std::size_t>{1, 2});
    ASSERT_EQ(kept.size(), 1u);
    EXPECT_EQ(kept[0].amount, (std::vector<float>{2, 3}));
    emitters.pop_back();
    keep_bands(emitters, std::vector<std::size_t>{1, 2});
    ASSERT_EQ(emitters.size(), 1u);
    EXPECT_FALSE(find_emitters_problem(emitters, 2, {}).empty());
}

TEST(EmitterProblems, WhatHasNoExtentOrDirectionIsTold)
{
    auto const find = [](std::size_t sample, auto&& change) {
        Emitter emitter = make_sample_emitters()[sample];
        EXPECT_EQ(find_emitter_problem(emitter), "") << sample;
        change(emitter);
        return find_emitter_problem(emitter);
    };
    expect_contains(find(1, [](Emitter& e) { e.inner_angle_deg = 21; }), {"inner angle"});
    expect_contains(find(1, [](Emitter& e) { e.angle_deg = 0; }), {"angle"});
    expect_contains(find(2, [](Emitter& e) { e.direction_world = {}; }), {"direction"});
    expect_contains(find(2, [](Emitter& e) { e.unit = EmitterUnit::power; }), {"unit"});
    expect_contains(find(2,
                         [](Emitter& e) {
                             e.unit = EmitterUnit::radiance;
                             e.angle_deg = 0;
                         }),
                    {"diameter"});
    expect_contains(find(3, [](Emitter& e) { e.v_axis_mm = {4, 0, 0}; }), {"no area"});
    for (std::size_t const round : {4u, 5u, 8u, 9u})
        expect_contains(find(round, [](Emitter& e) { e.radius_mm = 0; }), {"radius"});
    expect_contains(find(10, [](Emitter& e) { e.u_axis_mm = {}; }), {"slit"});
    expect_contains(find(10, [](Emitter& e) { e.u_axis_mm = {0, 1, -2}; }), {"slit"});
}

} // namespace
} // namespace volpt
