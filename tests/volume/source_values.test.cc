// The map from a source's numbers to densities, and the plane that keeps the numbers: what is written is read, and
// nothing forged is believed.
#include "libvolpt/volume/source/source_values.h"
#include "libvolpt/volume/packed_layers.h"
#include "libvolpt/volume/vpk_layout.h"
#include "tests/support/expect_error.h"
#include "tests/volume/forge_section.h"
#include "tests/volume/volume_samples.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace volpt {
namespace {

using namespace test;

constexpr std::array<int, 3> kDims{13, 9, 18};
constexpr std::size_t kVoxels = std::size_t{13} * 9 * 18;

SourceValues make_record()
{
    return {.element = ElementType::i16,
            .store = ValueStore::steps,
            .window = {{-100, 155}},
            .below = 7,
            .above = 9,
            .transfer = {{0, {0.1}}, {0.3, {1.0 / 3}}}};
}

/// Of type `element`, from its smallest to its largest, some bricks constant.
std::vector<float> list_numbers(ElementType element)
{
    std::vector<float> numbers;
    for (std::size_t i = 0; i < kVoxels; ++i) {
        auto const share = static_cast<double>(i) / (kVoxels - 1);
        bool const is_constant = i % 13 < 8 && i / 117 < 8;
        double const low = element == ElementType::i8 ? -128 : element == ElementType::i16 ? -32768 : 0;
        double const width = element_size_bytes(element) == 1 ? 255 : 65535;
        numbers.push_back(static_cast<float>(is_constant ? low : std::round(low + share * width)));
        if (!is_integer(element)) numbers.back() = is_constant ? -1.5f : -1e30f * std::sin(static_cast<float>(i));
    }
    return numbers;
}

void pack_numbers(std::filesystem::path const& path, ElementType element, std::vector<float> const& numbers,
                  int threads = 1)
{
    VolumeMeta meta = density_meta(kDims);
    meta.kept_values = element;
    VolumePacker packer(path, meta, {}, threads);
    std::vector<float> const density(kVoxels, 0.5f);
    // In slabs that do not begin and end with bricks.
    for (int z = 0; z < kDims[2]; z += 6)
        packer.add_slab({.z_first = z,
                         .z_count = 6,
                         .density = std::span(density).first(6 * 117),
                         .source_values = std::span(numbers).subspan(static_cast<std::size_t>(z) * 117, 6 * 117)});
    packer.set_source_values({.element = element, .store = ValueStore::plane, .window = {{0, 1}}});
    packer.finish({});
}

class SourceValueFiles : public testing::Test {
protected:
    std::string refusal(VerifyLevel level) const
    {
        return catch_error(ExitStatus::input, [&] { PackedVolume::open(folder_ / "forged", level); });
    }

    template <typename Change>
    void forge(std::string_view section, Change&& change)
    {
        forge_section(folder_ / "good", folder_ / "forged", section, change, kVolumeFile);
    }

    void forge_record(std::string const& json)
    {
        forge(vpk::kSourceValues, [&](std::vector<std::byte>& bytes) {
            auto const text = std::as_bytes(std::span(json));
            bytes.assign(text.begin(), text.end());
        });
    }

    void pack_steps()
    {
        VolumeMeta meta = density_meta({9, 8, 3}, Filter::nearest, Encoding::u8);
        meta.density_value_scale = 1.0f / 255.0f;
        VolumePacker packer(folder_ / "good", meta);
        packer.add_slab({.z_first = 0, .z_count = 3, .density = std::vector<float>(216, 1.0f)});
        packer.set_source_values(make_record());
        packer.finish({});
    }

    TempFolder folder_;
};

TEST(SourceValues, TextKeepsEveryBit)
{
    SourceValues const values = make_record();
    auto const read = parse_source_values(to_json(values));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->element, values.element);
    EXPECT_EQ(read->store, values.store);
    EXPECT_EQ(read->window, values.window);
    EXPECT_EQ(read->below, 7u);
    EXPECT_EQ(read->above, 9u);
    ASSERT_EQ(read->transfer.size(), 2u);
    EXPECT_EQ(read->transfer[1].density, 0.3);
    EXPECT_EQ(read->transfer[1].albedo, values.transfer[1].albedo);

    SourceValues const curve{
        .element = ElementType::f32, .store = ValueStore::none, .opacity = {{-1e300, 0}, {0.1, 1e30}}};
    auto const read_curve = parse_source_values(to_json(curve));
    ASSERT_TRUE(read_curve && read_curve->opacity.size() == 2);
    EXPECT_EQ(read_curve->opacity[1].value, 0.1);
    EXPECT_EQ(find_contradiction(curve, 1), "");
}

TEST(SourceValues, NumbersAreToldApartWhereNothingWasClamped)
{
    SourceValues values = make_record();
    EXPECT_EQ(find_told_range(values).low, -100.0);
    EXPECT_EQ(find_told_range(values).high, 155.0);
    values.below = 0;
    EXPECT_EQ(find_told_range(values).low, std::nullopt);
    values.store = ValueStore::plane;
    EXPECT_EQ(find_told_range(values).high, std::nullopt);
}

TEST(SourceValues, ContradictionsAreFound)
{
    auto const find = [](auto change) {
        SourceValues values = make_record();
        change(values);
        return find_contradiction(values, 1);
    };
    EXPECT_EQ(find([](SourceValues&) {}), "");
    EXPECT_NE(find([](SourceValues& v) { v.window = {{3, 3}}; }), "");
    EXPECT_NE(find([](SourceValues& v) { v.window = {{0, std::numeric_limits<double>::quiet_NaN()}}; }), "");
    EXPECT_NE(find([](SourceValues& v) { v.window = {{0.5, 3}}; }), "");
    EXPECT_NE(find([](SourceValues& v) { v.window = {{0, 65536}}; }), "");
    EXPECT_NE(find([](SourceValues& v) { v.window.reset(); }), "");
    EXPECT_NE(find([](SourceValues& v) { v.element = ElementType::f32; }), "");
    EXPECT_NE(find([](SourceValues& v) { v.store = ValueStore::density; }), "");
    EXPECT_NE(find([](SourceValues& v) { v.opacity = {{0, 0}, {1, 1}}; }), "");
    EXPECT_NE(find([](SourceValues& v) { v.transfer[1].density = 0; }), "");
    EXPECT_NE(find([](SourceValues& v) { v.transfer[1].albedo = {0.1, 0.2}; }), "");
    EXPECT_NE(find([](SourceValues& v) { v.transfer[1].albedo = {1.5}; }), "");
    auto const find_curve = [](std::vector<SourceValues::OpacityPoint> points) {
        return find_contradiction({.element = ElementType::f32, .opacity = std::move(points)}, 1);
    };
    EXPECT_EQ(find_curve({{0, 0}, {1, 1}}), "");
    EXPECT_NE(find_curve({{0, 0}}), "");
    EXPECT_NE(find_curve({{1, 0}, {1, 1}}), "");
    EXPECT_NE(find_curve({{0, 0}, {1, -1}}), "");
}

TEST_F(SourceValueFiles, NumbersOfEveryTypeAreKeptToTheBit)
{
    for (ElementType const element : {ElementType::u8, ElementType::i8, ElementType::u16, ElementType::i16,
                                      ElementType::i32, ElementType::f16, ElementType::f32, ElementType::f64}) {
        auto const numbers = list_numbers(element);
        pack_numbers(folder_ / "v", element, numbers);
        pack_numbers(folder_ / "threads", element, numbers, 3);
        EXPECT_EQ(read_bytes(folder_ / "v"), read_bytes(folder_ / "threads"));
        PackedVolume const volume = PackedVolume::open(folder_ / "v", VerifyLevel::full);
        ASSERT_TRUE(volume.meta().kept_values);
        float const offset = choose_value_code(element).offset;
        std::size_t i = 0;
        for_each_voxel(kDims, [&](int x, int y, int z) {
            ASSERT_EQ(read_plane_voxel(volume.view(), volume.kept_values(), {x, y, z}) + offset, numbers[i++])
                << element_name(element) << " at " << x << ' ' << y << ' ' << z;
        });
    }
}

TEST_F(SourceValueFiles, NeitherRecordNorNumbersCountInTheChecksumOfTheData)
{
    pack_numbers(folder_ / "kept", ElementType::f32, list_numbers(ElementType::f32));
    auto const other = make_volume(density_meta(kDims), {.density = [](int, int, int) { return 0.5f; }});
    auto const kept = PackedVolume::open(folder_ / "kept");
    EXPECT_EQ(kept.data_checksum(), other.data_checksum());
    EXPECT_EQ(kept.statistics().constant_bricks, other.statistics().constant_bricks);
}

TEST_F(SourceValueFiles, NumbersOfOtherTypesAreRefused)
{
    float const nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    auto const expect_refused = [&](ElementType element, float number) {
        auto numbers = list_numbers(element);
        numbers[1000] = number;
        expect_error(ExitStatus::input, {std::string(element_name(element))},
                     [&] { pack_numbers(folder_ / "v", element, numbers); });
    };
    for (float const number : {-1.0f, 256.0f, 0.5f, nan, infinity}) expect_refused(ElementType::u8, number);
    for (float const number : {-32769.0f, 32768.0f, 1e30f}) expect_refused(ElementType::i16, number);
    for (float const number : {nan, infinity, -infinity}) expect_refused(ElementType::f32, number);
}

TEST_F(SourceValueFiles, EveryFlippedByteIsRefusedAtFullLevel)
{
    pack_steps();
    std::filesystem::rename(folder_ / "good", folder_ / "forged");
    for (std::size_t i = 0; i < std::filesystem::file_size(folder_ / "forged"); i += kDamageStride) {
        unsigned const mask = 1u << (i % 8);
        flip_bits(folder_ / "forged", i, mask);
        ASSERT_FALSE(refusal(VerifyLevel::full).empty()) << "byte " << i;
        flip_bits(folder_ / "forged", i, mask);
    }
    EXPECT_EQ(refusal(VerifyLevel::full), "");
}

TEST_F(SourceValueFiles, ForgedRecordsAreRefusedAtQuickLevel)
{
    pack_steps();
    std::string const deep = std::string(100'000, '[') + std::string(100'000, ']');
    for (std::string const& json :
         {std::string("x"), std::string("[]"), std::string("{}"), std::string(R"({"type":"i16"})"),
          std::string(R"({"type":"i16","store":"elsewhere"})"), std::string(R"({"type":"i16be","store":"none"})"),
          std::string(R"({"type":3,"store":"none"})"), std::string(R"({"type":"i16","store":"none","window":[1]})"),
          std::string(R"({"type":"i16","store":"none","window":"a"})"),
          std::string(R"({"type":"i16","store":"none","window":[2,1]})"),
          std::string(R"({"type":"i16","store":"none","opacity":[[0,0],7]})"),
          std::string(R"({"type":"i16","store":"none","transfer":[{"density":0}]})"),
          std::string(R"({"type":"i16","store":"none","transfer":[{"density":0,"albedo":[0.5,0.5]}]})"),
          std::string(R"({"type":"i16","store":"steps","window":[0,1e300]})"),
          std::string(R"({"type":"i16","store":"plane"})"), R"({"type":"i16","store":"none","window":)" + deep + "}"}) {
        forge_record(json);
        EXPECT_NE(refusal(VerifyLevel::quick), "") << json.substr(0, 80);
    }
    forge_record(R"({"type":"i16","store":"none","new":1})");
    EXPECT_EQ(refusal(VerifyLevel::full), "") << "keys of a later version are passed over";
    for (std::size_t const size : {0u, 1u, 40u}) {
        forge(vpk::kSourceValues, [&](std::vector<std::byte>& bytes) { bytes.resize(size); });
        EXPECT_EQ(refusal(VerifyLevel::quick).empty(), size == 0) << size; // without a record all is as before
    }
}

TEST_F(SourceValueFiles, ForgedPlanesAreRefused)
{
    pack_numbers(folder_ / "good", ElementType::f32, list_numbers(ElementType::f32));
    auto const forge_word = [&](std::string_view section, std::size_t offset, auto value) {
        forge(section,
              [&](std::vector<std::byte>& bytes) { std::memcpy(bytes.data() + offset, &value, sizeof value); });
    };
    forge_word(vpk::kValues.table, 0, 0x7fffffffu);
    expect_contains(refusal(VerifyLevel::quick), {"section 'values.table'"});
    forge_word(vpk::kValues.table, 4, std::numeric_limits<float>::quiet_NaN());
    EXPECT_NE(refusal(VerifyLevel::full), "");
    for (float const bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()}) {
        forge_word(vpk::kValues.voxels, 64, bad);
        expect_contains(refusal(VerifyLevel::full), {"section 'values.voxels'"});
    }
    for (auto const& section : {vpk::kValues.table, vpk::kValues.voxels}) {
        forge(section, [](std::vector<std::byte>& bytes) { bytes.resize(bytes.size() - 1); });
        EXPECT_NE(refusal(VerifyLevel::quick), "");
        forge(section, [](std::vector<std::byte>& bytes) { bytes.resize(bytes.size() * 2); });
        EXPECT_NE(refusal(VerifyLevel::full), "");
        forge(section, [](std::vector<std::byte>& bytes) { bytes.clear(); });
        EXPECT_NE(refusal(VerifyLevel::quick), "");
    }
}

} // namespace
} // namespace volpt
