// A packed volume mapped anew has the bits of one that is packed from its source with the new map, or is refused.
#include "libvolpt/medium/remap/mapped_again.h"
#include "libvolpt/medium/emission_volume.h"
#include "libvolpt/print/make_volume.h"
#include "libvolpt/volume/vpk_layout.h"
#include "tests/support/expect_error.h"
#include "tests/support/listed_source.h"
#include "tests/support/temp_folder.h"
#include "tests/volume/forge_section.h"

#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

using namespace test;

constexpr std::array<int, 3> kDims{13, 9, 11};
constexpr std::size_t kVoxels = std::size_t{13} * 9 * 11;

/// From 0 to 250, or beyond both ends where the type has such numbers.
std::vector<float> list_numbers(ElementType element, bool is_signed)
{
    std::vector<float> numbers;
    for (std::size_t i = 0; i < kVoxels; ++i) {
        auto value = static_cast<float>(i * 7919 % 251);
        if (is_signed && element != ElementType::u8 && element != ElementType::u16) value = value * 10 - 1200;
        if (!is_integer(element)) value += 0.25f;
        if (element == ElementType::f32 || element == ElementType::f64) value /= 3;
        numbers.push_back(i % 13 < 8 && i / 117 < 8 ? 12.0f : value);
    }
    return numbers;
}

std::unique_ptr<VolumeSource> list_all_numbers(ElementType element, bool is_signed)
{
    SourceMeta meta = describe_listed(kDims);
    meta.element = element;
    meta.pitch_mm = {0.7, 0.9, 1.3};
    meta.first_voxel_world_mm = {-153.827, 20, 3};
    meta.rotation = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    meta.metadata_json = R"({"key":"value"})";
    return std::make_unique<ListedSource>(meta, list_numbers(element, is_signed));
}

PiecewiseCurve make_curve(double low, double high)
{
    return PiecewiseCurve({{low, 0}, {0.3 * low + 0.7 * high, 1.7}, {high, 0.4}}, "--opacity");
}

TransferTable make_table(double low, double high)
{
    return TransferTable({{low, {0.1, 0.2, 0.3}}, {high, {0.9, 0.7, 0.65}}}, "table");
}

class MappingAgain : public testing::Test {
protected:
    using Bytes = std::vector<std::byte>;

    Bytes pack(VoxelStream& stream, std::string const& name, int threads = 1)
    {
        pack_volume(stream, folder_ / name, Provenance{}, {}, std::uint64_t{1} << 30, threads);
        notices_ = stream.list_notices();
        return read_bytes(folder_ / name);
    }

    Bytes pack_source(ElementType element, MeasuredOptions const& options, std::string const& name = "source.vpk",
                      bool is_signed = false)
    {
        return pack(*make_measured_volume(list_all_numbers(element, is_signed), options), name);
    }

    Bytes pack_again(NewMap map, RepackOptions const& repack = {}, std::string const& name = "again.vpk")
    {
        auto volume = PackedVolume::open(folder_ / "source.vpk", VerifyLevel::full);
        return pack(*map_again(std::move(volume), repack, std::move(map), "source.vpk"), name);
    }

    void expect_refused(NewMap map, std::initializer_list<std::string_view> words)
    {
        expect_error(ExitStatus::usage, words, [&] { pack_again(std::move(map)); });
    }

    TempFolder folder_;
    std::vector<std::string> notices_;
};

struct NamedMap {
    char const* name;
    NewMap map;
};

/// Within the numbers from `low` to `high`.
std::vector<NamedMap> list_maps(double low, double high)
{
    double const width = high - low;
    return {{"the same window", {.window = Window{low, high}}},
            {"a narrow window", {.window = Window{std::round(low + 0.1 * width), std::round(high - 0.3 * width)}}},
            {"a window between integers", {.window = Window{low + 0.123, high - 0.5}}},
            {"a curve", {.opacity = make_curve(low, high)}},
            {"a window and a table", {.window = Window{low, high}, .transfer = make_table(0, 1)}},
            {"a window and an albedo", {.window = Window{low, high}, .albedo = std::vector{0.3, 0.4}}},
            {"a curve and a curve", {.opacity = make_curve(low, high), .albedo_curve = make_table(low, high)}},
            {"an albedo curve", {.albedo_curve = make_table(low, high)}},
            {"a table", {.transfer = make_table(0, 1)}},
            {"an albedo", {.albedo = std::vector{0.25}}}};
}

/// What packing the source with `first` takes to give what `map` makes of its volume.
MeasuredOptions merge(MeasuredOptions first, NewMap const& map)
{
    if (map.window || map.opacity) {
        first.window = map.window;
        first.opacity = map.opacity;
    }
    if (!map.has_albedo()) return first;
    first.transfer = map.transfer;
    first.albedo_curve = map.albedo_curve;
    first.albedo = map.albedo.value_or(std::vector<double>{0.9});
    return first;
}

TEST_F(MappingAgain, NumbersThatAreTheDensitiesGiveTheBitsOfTheSource)
{
    for (ElementType const element :
         {ElementType::u8, ElementType::i16, ElementType::i32, ElementType::f16, ElementType::f64})
        for (bool const has_table : {false, true}) {
            MeasuredOptions first;
            first.scale = 3;
            first.g = 0.5f;
            first.filter = Filter::nearest;
            if (has_table) first.transfer = make_table(0, 200);
            pack_source(element, first);
            for (auto const& [name, map] : list_maps(0, 250)) {
                SCOPED_TRACE(fmt::format("{} of {}, table: {}", name, element_name(element), has_table));
                ASSERT_EQ(pack_again(map), pack_source(element, merge(first, map), "due.vpk"));
            }
        }
}

TEST_F(MappingAgain, StepsOfAWindowGiveTheBitsOfTheSource)
{
    for (ElementType const element : {ElementType::u8, ElementType::u16, ElementType::i16, ElementType::i32})
        for (auto const& [low, high] : {std::pair{0.0, 200.0}, {-100.0, 1900.0}, {-3000.0, 3000.0}}) {
            MeasuredOptions first;
            first.window = Window{low, high};
            first.transfer = make_table(0.1, 0.9);
            pack_source(element, first, "source.vpk", true);
            for (auto const& [name, map] : list_maps(low, high)) {
                SCOPED_TRACE(fmt::format("{} of {} in {} to {}", name, element_name(element), low, high));
                auto const again = pack_again(map);
                auto const told = notices_;
                ASSERT_EQ(again, pack_source(element, merge(first, map), "due.vpk", true));
                if (map.window) {
                    EXPECT_EQ(told, notices_) << "numbers that were clamped before count, too";
                }
            }
        }
}

TEST_F(MappingAgain, KeptNumbersGiveTheBitsOfTheSourceUnderEveryMap)
{
    std::vector<MeasuredOptions> firsts(4);
    firsts[0].window = Window{0.5, 20.25};
    firsts[1].opacity = make_curve(-100, 30);
    firsts[2].window = Window{10, 20};
    firsts[3].encoding = Encoding::u8;
    for (ElementType const element : {ElementType::u8, ElementType::i16, ElementType::f32})
        for (MeasuredOptions first : firsts) {
            first.keep_values = KeepValues::yes;
            if (first.encoding && element != ElementType::f32) continue; // their densities are refused, or kept
            bool const is_signed = !first.encoding;
            pack_source(element, first, "source.vpk", is_signed);
            for (auto const& [name, map] : list_maps(-1000, 1000)) {
                SCOPED_TRACE(fmt::format("{} of {}", name, element_name(element)));
                auto due = merge(first, map);
                // A new map has the encoding that is best for it.
                if (map.window || map.opacity) due.encoding.reset();
                ASSERT_EQ(pack_again(map), pack_source(element, due, "due.vpk", is_signed));
            }
        }
}

TEST_F(MappingAgain, EncodingIsThatOfTheOptions)
{
    MeasuredOptions first;
    first.window = Window{-1000, 1000};
    first.transfer = make_table(0, 1);
    pack_source(ElementType::i16, first, "source.vpk", true);
    for (Encoding const encoding : {Encoding::u8, Encoding::u16, Encoding::f16, Encoding::f32})
        for (auto const& [name, map] : list_maps(-1000, 1000)) {
            SCOPED_TRACE(fmt::format("{}, {}", name, static_cast<int>(encoding)));
            if (map.transfer && !map.window) continue; // stays, but for its encoding
            auto due = merge(first, map);
            due.encoding = encoding;
            if (!map.window && !map.opacity && !map.albedo_curve) continue;
            ASSERT_EQ(pack_again(map, {.encoding = encoding}), pack_source(ElementType::i16, due, "due.vpk", true));
        }
}

TEST_F(MappingAgain, MayBeRepeated)
{
    MeasuredOptions first;
    pack_source(ElementType::i32, first);
    pack_again({.window = Window{0, 250}, .transfer = make_table(0, 1)}, {}, "1.vpk");
    std::filesystem::rename(folder_ / "1.vpk", folder_ / "source.vpk");
    pack_again({.window = Window{20, 200}}, {}, "2.vpk");
    std::filesystem::rename(folder_ / "2.vpk", folder_ / "source.vpk");
    first.window = Window{20, 150};
    first.transfer = make_table(0, 1);
    EXPECT_EQ(pack_again({.window = first.window}), pack_source(ElementType::i32, first, "due.vpk"));
    expect_refused({.window = Window{10, 150}}, {"clamped to 20", "--keep-values"});
}

TEST_F(MappingAgain, OtherChoicesStayOrChangeAsWhenPackedAgain)
{
    MeasuredOptions first;
    first.scale = 7;
    first.g = -0.25f;
    first.filter = Filter::nearest;
    first.window = Window{0, 200};
    pack_source(ElementType::u8, first);
    first.window = Window{10, 100};
    EXPECT_EQ(pack_again({.window = first.window}), pack_source(ElementType::u8, first, "due.vpk"));
    first.scale = 2;
    first.g = 0.5f;
    first.filter = Filter::trilinear;
    EXPECT_EQ(pack_again({.window = first.window}, {.scale = 2, .g = 0.5f, .filter = Filter::trilinear}),
              pack_source(ElementType::u8, first, "due.vpk"));
}

TEST_F(MappingAgain, BandsThatWereLeftOutStayOut)
{
    MeasuredOptions first;
    first.transfer = make_table(0, 1);
    auto const pack_bands = [&](std::string const& name) {
        return pack(*select_bands(make_measured_volume(list_all_numbers(ElementType::u8, false), first), {0, 2}), name);
    };
    pack_bands("source.vpk");
    first.window = Window{10, 100};
    EXPECT_EQ(pack_again({.window = first.window}), pack_bands("due.vpk"));
}

TEST_F(MappingAgain, EmissionStays)
{
    auto const pack_emitting = [&](MeasuredOptions const& options, std::string const& name) {
        return pack(*add_emission(make_measured_volume(list_all_numbers(ElementType::u8, false), options), nullptr,
                                  {.constant = {1, 2, 3}}),
                    name);
    };
    MeasuredOptions first;
    first.albedo = {0.1, 0.2, 0.3};
    pack_emitting(first, "source.vpk");
    first.window = Window{0, 100};
    EXPECT_EQ(pack_again({.window = first.window}), pack_emitting(first, "due.vpk"));
    expect_refused({.window = first.window, .albedo = std::vector{0.5}}, {"1 bands", "emission 3"});
}

TEST_F(MappingAgain, AlbedoThatDoesNotFollowFromDensityStays)
{
    MeasuredOptions first;
    first.albedo_curve = make_table(0, 250);
    first.window = Window{20, 100};
    pack_source(ElementType::u8, first);
    first.window = Window{40, 90};
    pack_source(ElementType::u8, first, "due.vpk");
    // The curve reaches beyond what the window left, so that only what was stored can be right.
    pack_again({.window = first.window});
    EXPECT_EQ(PackedVolume::open(folder_ / "again.vpk", VerifyLevel::full).data_checksum(),
              PackedVolume::open(folder_ / "due.vpk").data_checksum());
}

TEST_F(MappingAgain, TheBytesDoNotDependOnTheNumberOfThreads)
{
    MeasuredOptions first;
    first.opacity = make_curve(0, 200);
    first.keep_values = KeepValues::yes;
    pack_source(ElementType::f32, first);
    NewMap const map{.window = Window{1, 70}, .transfer = make_table(0, 1)};
    auto const again = [&](int threads) {
        auto volume = PackedVolume::open(folder_ / "source.vpk");
        return pack(*map_again(std::move(volume), {}, map, "v"), "t.vpk", threads);
    };
    EXPECT_EQ(again(1), again(3));
}

TEST_F(MappingAgain, WhatWasClampedIsNotToldApart)
{
    MeasuredOptions first;
    first.window = Window{-100, 200};
    pack_source(ElementType::i16, first, "source.vpk", true);
    expect_refused({.window = Window{-101, 100}},
                   {"--window reaches from -101 to 100", "clamped to -100", "--keep-values"});
    expect_refused({.window = Window{0, 201}}, {"to 200", "stay below 200"});
    expect_refused({.opacity = make_curve(-200, 100)}, {"--opacity reaches"});
    expect_refused({.albedo_curve = make_table(0, 300)}, {"--albedo-curve reaches"});

    first.window = Window{-2000, 200};
    pack_source(ElementType::i16, first, "source.vpk", true);
    first.window = Window{-5000, 100};
    EXPECT_EQ(pack_again({.window = first.window}), pack_source(ElementType::i16, first, "due.vpk", true));
}

TEST_F(MappingAgain, DensitiesThatDoNotGiveTheirNumbersAreRefused)
{
    MeasuredOptions first;
    first.window = Window{0, 1};
    pack_source(ElementType::f32, first);
    expect_refused({.window = Window{0, 0.5}}, {"--window", "does not keep them", "f32 from 0 to 1", "--keep-values"});
    first.window.reset();
    first.encoding = Encoding::u8;
    pack_source(ElementType::f32, first);
    expect_refused({.opacity = make_curve(0, 1)}, {"--opacity", "does not keep them"});
    first.encoding.reset();
    first.opacity = make_curve(0, 100);
    pack_source(ElementType::u8, first);
    expect_refused({.albedo_curve = make_table(0, 1)}, {"--albedo-curve", "by a curve of 3 points"});
    // What follows from density needs no numbers.
    first.transfer = make_table(0, 1);
    EXPECT_EQ(pack_again({.transfer = first.transfer}), pack_source(ElementType::u8, first, "due.vpk"));

    first = {};
    first.window = Window{0, 200};
    pack_source(ElementType::u8, first);
    pack(*make_packed_stream(PackedVolume::open(folder_ / "source.vpk"), {.encoding = Encoding::f32}), "recoded.vpk");
    std::filesystem::rename(folder_ / "recoded.vpk", folder_ / "source.vpk");
    expect_refused({.window = Window{0, 100}}, {"does not keep them"});
}

TEST_F(MappingAgain, VolumesWithoutARecordAreRefused)
{
    pack_source(ElementType::u8, {}, "new.vpk");
    forge_section(
        folder_ / "new.vpk", folder_ / "source.vpk", vpk::kSourceValues,
        [](std::vector<std::byte>& bytes) { bytes.clear(); }, kVolumeFile);
    expect_refused({.window = Window{0, 100}}, {"source.vpk does not say", "pack the source file again"});

    pack(*make_volume({.sigma_t = {1}}), "source.vpk");
    expect_refused({.window = Window{0, 100}}, {"its extinction is constant"});
    pack(*make_volume({.shape = MadeShape::noise, .dims = {8, 8, 8}}), "source.vpk");
    expect_refused({.opacity = make_curve(0, 1)}, {"does not say"});
}

} // namespace
} // namespace volpt
