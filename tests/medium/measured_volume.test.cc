// Measured values to density and albedo: windows, lossless codes, refusals, transfer tables, placement.
#include "libvolpt/medium/measured_volume.h"
#include "libvolpt/sys/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/listed_source.h"
#include "tests/support/temp_folder.h"

#include <cmath>
#include <limits>

namespace volpt {
namespace {

using test::expect_error;
using test::ListedSource;
using test::TempFolder;

std::unique_ptr<VolumeSource> list_source(ElementType element, std::vector<float> values)
{
    SourceMeta meta;
    meta.path = "listed";
    meta.dims = {1, 1, static_cast<int>(values.size())};
    meta.element = element;
    return std::make_unique<ListedSource>(meta, std::move(values));
}

std::vector<float> read_densities(VoxelStream& stream)
{
    auto const slab = stream.read_slab(0, stream.meta().dims[2]);
    return {slab.density.begin(), slab.density.end()};
}

TEST(MeasuredVolume, WithoutWindowTheNumbersAreTheDensity)
{
    struct Case {
        ElementType element;
        Encoding encoding;
    };
    for (auto const& [element, encoding] : {Case{ElementType::u8, Encoding::u8},
                                            {ElementType::i8, Encoding::u8},
                                            {ElementType::u16, Encoding::u16},
                                            {ElementType::i16, Encoding::u16},
                                            {ElementType::u32, Encoding::f32},
                                            {ElementType::i64, Encoding::f32},
                                            {ElementType::f16, Encoding::f16},
                                            {ElementType::f32, Encoding::f32},
                                            {ElementType::f64, Encoding::f32}}) {
        auto const stream = make_measured_volume(list_source(element, {0, 1, 127}), {});
        EXPECT_EQ(stream->meta().density_encoding, encoding);
        EXPECT_EQ(stream->meta().density_value_scale, 1.0f);
        EXPECT_EQ(read_densities(*stream), (std::vector<float>{0, 1, 127}));
    }
}

TEST(MeasuredVolume, ACurveGivesTheDensityInPlaceOfEveryWindow)
{
    MeasuredOptions options;
    options.opacity.emplace(std::vector<PiecewiseCurve::Point>{{-1000, 0}, {0, 0}, {300, 2}}, "--opacity");
    auto const stream = make_measured_volume(list_source(ElementType::i16, {-2000, -1000, 0, 75, 300, 3000}), options);
    EXPECT_EQ(stream->meta().density_encoding, Encoding::f32);
    EXPECT_EQ(read_densities(*stream), (std::vector<float>{0, 0, 0, 0.5f, 2, 2}));

    SourceMeta meta;
    meta.path = "bytes";
    meta.dims = {1, 1, 2};
    meta.natural_window = {{0, 255}};
    auto const bytes = make_measured_volume(std::make_unique<ListedSource>(meta, std::vector<float>{0, 150}), options);
    EXPECT_EQ(read_densities(*bytes), (std::vector<float>{0, 1}));

    options.encoding = Encoding::u16;
    EXPECT_EQ(make_measured_volume(list_source(ElementType::f32, {0}), options)->meta().density_value_scale,
              static_cast<float>(2.0 / 65535));
}

TEST(MeasuredVolume, ACurveRefusesNanAndASecondMapping)
{
    MeasuredOptions options;
    options.opacity.emplace(std::vector<PiecewiseCurve::Point>{{0, 0}, {1, 1}}, "--opacity");
    expect_error(ExitStatus::input, {"voxel 0,0,1"}, [&] {
        read_densities(*make_measured_volume(
            list_source(ElementType::f32, {0, std::numeric_limits<float>::quiet_NaN()}), options));
    });
    options.window = Window{0, 1};
    expect_error(ExitStatus::usage, {"--window", "--opacity"},
                 [&] { make_measured_volume(list_source(ElementType::f32, {0}), options); });
}

TEST(MeasuredVolume, WindowedIntegersKeepEveryStep)
{
    for (auto const& [high, encoding] : {std::pair{155.0, Encoding::u8}, {1900.0, Encoding::u16}}) {
        std::vector<float> values;
        for (float v = -200; v <= 2000; ++v) values.push_back(v);
        MeasuredOptions options;
        options.window = Window{-100, high};
        auto const stream = make_measured_volume(list_source(ElementType::i16, values), options);
        EXPECT_EQ(stream->meta().density_encoding, encoding);
        float const step = stream->meta().density_value_scale;
        auto const densities = read_densities(*stream);
        for (std::size_t i = 0; i < values.size(); ++i) {
            double const clamped = std::min(std::max(static_cast<double>(values[i]), -100.0), high);
            float const code = static_cast<float>(clamped + 100);
            ASSERT_EQ(densities[i], code * step) << values[i];
            ASSERT_NEAR(static_cast<double>(densities[i]), (clamped + 100) / (high + 100), 1e-7) << values[i];
        }
        auto const notices = stream->list_notices();
        ASSERT_FALSE(notices.empty());
        EXPECT_NE(notices.back().find("100 values below"), std::string::npos) << notices.back();
    }
}

TEST(MeasuredVolume, WindowMapsFloatsLinearlyAndClamps)
{
    MeasuredOptions options;
    options.window = Window{-0.5, 1.5};
    auto const stream = make_measured_volume(list_source(ElementType::f32, {-1, -0.5f, 0, 0.5f, 1.5f, 9}), options);
    EXPECT_EQ(read_densities(*stream), (std::vector<float>{0, 0, 0.25f, 0.5f, 1, 1}));
    EXPECT_EQ(stream->meta().density_encoding, Encoding::f32);
}

TEST(MeasuredVolume, WantedEncodingIsScaledToTheLargestValue)
{
    MeasuredOptions options;
    options.encoding = Encoding::u8;
    auto const floats = make_measured_volume(list_source(ElementType::f32, {0, 0.25f, 51}), options);
    EXPECT_EQ(floats->meta().density_value_scale, 51.0f / 255.0f);
    EXPECT_EQ(read_densities(*floats), (std::vector<float>{0, 0.25f, 51}));
    options.encoding = Encoding::u16;
    EXPECT_EQ(make_measured_volume(list_source(ElementType::u8, {0, 255}), options)->meta().density_value_scale, 1.0f);
    options.window = Window{0, 1};
    EXPECT_EQ(make_measured_volume(list_source(ElementType::f32, {0, 255}), options)->meta().density_value_scale,
              1.0f / 65535.0f);
    options.window.reset();
    EXPECT_EQ(make_measured_volume(list_source(ElementType::f32, {0, 0}), options)->meta().density_value_scale, 1.0f);
    EXPECT_THROW(make_measured_volume(list_source(ElementType::f32, {0, 1e-44f}), options), Error);
}

TEST(MeasuredVolume, ImpossibleDensitiesAreNamed)
{
    using Limits = std::numeric_limits<float>;
    std::pair<float, std::string_view> const cases[] = {
        {-1.0f, "--window"}, {Limits::quiet_NaN(), "--nan 0"}, {Limits::infinity(), "--clamp"}};
    for (auto const& [number, advice] : cases) {
        float const bad = number;
        for (bool const two_passes : {false, true}) {
            MeasuredOptions options;
            if (two_passes) options.encoding = Encoding::u8;
            SCOPED_TRACE(bad);
            expect_error(ExitStatus::input, {"voxel 0,0,5", advice}, [&] {
                auto const stream = make_measured_volume(list_source(ElementType::f32, {0, 0, 0, 0, 0, bad}), options);
                read_densities(*stream);
            });
        }
    }
    MeasuredOptions options;
    options.window = Window{0, 1};
    auto const stream = make_measured_volume(list_source(ElementType::f32, {std::nanf("")}), options);
    EXPECT_THROW(read_densities(*stream), Error);
}

TEST(MeasuredVolume, PlacementPutsTheFirstVoxelsCentreWhereTheFileSays)
{
    SourceMeta meta;
    meta.dims = {1, 1, 1};
    meta.pitch_mm = {2, 4, 6};
    meta.first_voxel_world_mm = {10, 20, 30};
    meta.rotation = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    auto const stream = make_measured_volume(std::make_unique<ListedSource>(meta, std::vector<float>{0}), {});
    // Half a voxel along the box axes (0,1,0), (-1,0,0), (0,0,1) back from the centre.
    EXPECT_EQ(stream->meta().placement.origin_world_mm, (std::array<double, 3>{12, 19, 27}));
    MeasuredOptions options;
    options.pitch_mm = {1, 1, 1};
    auto const overridden = make_measured_volume(std::make_unique<ListedSource>(meta, std::vector<float>{0}), options);
    EXPECT_EQ(overridden->meta().placement.origin_world_mm, (std::array<double, 3>{10.5, 19.5, 29.5}));
    auto const unplaced = make_measured_volume(list_source(ElementType::u8, {0, 0}), {});
    EXPECT_EQ(unplaced->meta().placement.origin_world_mm, (std::array<double, 3>{-0.5, -0.5, -1}));
}

TEST(MeasuredVolume, TransferTableGivesAlbedoByDensity)
{
    MeasuredOptions options;
    options.window = Window{0, 4};
    options.transfer.emplace(std::vector<TransferTable::Point>{{0, {1, 0}}, {0.5, {0.5, 1}}, {1, {0, 1}}}, "test");
    auto const stream = make_measured_volume(list_source(ElementType::u8, {0, 1, 2, 3, 4}), options);
    EXPECT_EQ(stream->meta().bands(), 2u);
    EXPECT_EQ(stream->meta().albedo, Source::plane);
    auto const slab = stream->read_slab(0, 5);
    EXPECT_EQ(std::vector<float>(slab.one_minus_albedo.begin(), slab.one_minus_albedo.end()),
              (std::vector<float>{0, 1, 0.25f, 0.5f, 0.5f, 0, 0.75f, 0, 1, 0}));
}

TEST(AlbedoVolume, NumbersOutsideAGivenWindowAreClampedAndCounted)
{
    SourceMeta meta;
    meta.path = "listed";
    meta.dims = {1, 1, 2};
    meta.channels = 3;
    meta.element = ElementType::f32;
    std::vector<float> const numbers{-2, 0, 1, 2, 4, 9};
    auto const make = [&](std::vector<float> const& values, MeasuredOptions const& options) {
        return make_measured_volume(std::make_unique<ListedSource>(meta, values), options);
    };
    MeasuredOptions options;
    options.window = Window{0, 4};
    auto const stream = make(numbers, options);
    auto const slab = stream->read_slab(0, 2);
    EXPECT_EQ(std::vector<float>(slab.one_minus_albedo.begin(), slab.one_minus_albedo.end()),
              (std::vector<float>{1, 1, 0.75f, 0.5f, 0, 0}));
    EXPECT_EQ(stream->list_notices().back(), "1 values below and 1 above the window were clamped");
    expect_error(ExitStatus::input, {"listed: voxel 0,0,0", "channel 0", "--window"},
                 [&] { make(numbers, {})->read_slab(0, 2); });
    expect_error(ExitStatus::input, {"listed: voxel 0,0,1", "channel 2"}, [&] {
        make({0, 0, 0, 0, 0, std::numeric_limits<float>::quiet_NaN()}, options)->read_slab(0, 2);
    });
}

TEST(TransferTable, PresetsAndFilesAreRead)
{
    TempFolder const folder;
    for (auto const* preset : {"grey-red-blue", "green-red-blue"}) {
        auto const table = read_transfer_table(preset);
        EXPECT_EQ(table.bands(), 3u);
        EXPECT_EQ(table.first_density(), 0);
        EXPECT_EQ(table.last_density(), 1);
        std::array<float, 3> red{};
        table.evaluate(0.5f, red);
        EXPECT_LT(red[0], red[1]);
        EXPECT_LT(red[0], red[2]);
    }
    auto const table = read_transfer_table(
        folder.write("t.json", R"({"points": [{"density": 1, "albedo": 0.5}, {"density": 3, "albedo": [1]}]})")
            .string());
    std::array<float, 1> value{};
    for (auto const& [density, expected] :
         {std::pair{0.0f, 0.5f}, {1.0f, 0.5f}, {2.0f, 0.25f}, {3.0f, 0.0f}, {9.0f, 0.0f}}) {
        table.evaluate(density, value);
        EXPECT_EQ(value[0], expected) << density;
    }
}

TEST(TransferTable, WrongFilesAreRefused)
{
    TempFolder const folder;
    for (auto const* text :
         {"", "{", "[]", "{}", "[1e999]", R"({"points": []})", R"({"points": [{}]})",
          R"({"points": [{"density": 0, "albedo": 2}]})", R"({"points": [{"density": "0", "albedo": 1}]})",
          R"({"points": [{"density": 0, "albedo": []}]})",
          R"({"points": [{"density": 1, "albedo": 1}, {"density": 1, "albedo": 1}]})",
          R"({"points": [{"density": 0, "albedo": 1}, {"density": 1, "albedo": [1, 1]}]})"}) {
        SCOPED_TRACE(text);
        expect_error(ExitStatus::input, {"t.json"},
                     [&] { read_transfer_table(folder.write("t.json", text).string()); });
    }
    EXPECT_THROW(read_transfer_table(folder.write("deep.json", std::string(1000000, '[')).string()), Error);
    EXPECT_THROW(read_transfer_table("grey-blue"), Error);
}

} // namespace
} // namespace volpt
