// The records of a scene: round trip, and refusal of whatever serialize_scene could not have written.
#include "tests/scene/scene_samples.h"

#include "libvolpt/scene/scene_fields.h"
#include "libvolpt/sys/error.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <set>

namespace volpt {
namespace {

std::string refusal_of(std::vector<std::byte> const& bytes)
{
    try {
        parse_scene(bytes, "test.vpf");
    } catch (Error const& error) {
        EXPECT_EQ(error.status(), ExitStatus::input);
        return error.what();
    }
    return {};
}

/// Offset of the first value of a record.
std::size_t find_values(std::vector<std::byte> const& bytes, std::string_view name)
{
    std::string_view const text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    std::string record(name);
    record.insert(record.begin(), static_cast<char>(name.size()));
    return text.find(record) + record.size() + 1 + 4;
}

TEST(SceneBytes, RoundTripKeepsEveryBit)
{
    for (Scene const& scene : make_scenes()) {
        auto const bytes = serialize_scene(scene);
        Scene const parsed = parse_scene(bytes, "here");
        EXPECT_TRUE(compare_scenes(parsed, scene).empty());
        EXPECT_EQ(serialize_scene(parsed), bytes);
        EXPECT_EQ(hash_scene(parsed), hash_bytes(bytes));
    }
}

TEST(SceneBytes, TruncationIsRefusedAndTheFileNamedOrLeavesOutOptionalRecords)
{
    auto const bytes = serialize_scene(make_full_scene());
    Scene bare = make_full_scene();
    bare.boundary.specular = Specular::included;
    bare.wavelengths_nm.clear();
    std::set<std::size_t> whole{serialize_scene(bare).size()};
    bare.boundary.specular = Specular::excluded;
    whole.insert(serialize_scene(bare).size());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        std::vector<std::byte> const cut{bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)};
        std::string const message = refusal_of(cut);
        if (whole.contains(size))
            EXPECT_EQ(serialize_scene(parse_scene(cut, "here")), cut);
        else
            EXPECT_NE(message.find("test.vpf"), std::string::npos) << size << ": " << message;
    }
}

TEST(SceneBytes, TrailingBytesAreRefused)
{
    auto bytes = serialize_scene(make_full_scene());
    bytes.push_back(std::byte{0});
    EXPECT_NE(refusal_of(bytes).find("1 bytes follow"), std::string::npos);
}

TEST(SceneBytes, FlippedBitIsRefusedOrAnotherSceneOfTheVeryBytes)
{
    auto const bytes = serialize_scene(make_full_scene());
    std::size_t accepted = 0;
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
        auto flipped = bytes;
        flipped[bit / 8] ^= std::byte{1} << (bit % 8);
        if (!refusal_of(flipped).empty()) continue;
        ++accepted;
        Scene const scene = parse_scene(flipped, "here");
        EXPECT_EQ(serialize_scene(scene), flipped);
        EXPECT_EQ(compare_scenes(scene, make_full_scene()).size(), 1u) << "bit " << bit;
    }
    EXPECT_GT(accepted, 100u);
}

TEST(SceneBytes, NameTypeAndCountMustBeTheFields)
{
    auto const bytes = serialize_scene(make_full_scene());
    std::size_t const values = find_values(bytes, "width");
    auto changed = bytes;
    changed[values - 10] = std::byte{'W'};
    EXPECT_NE(refusal_of(changed).find("record 'width' at byte"), std::string::npos);
    changed = bytes;
    changed[values - 5] = std::byte{2};
    EXPECT_NE(refusal_of(changed).find("type"), std::string::npos);
    changed = bytes;
    changed[values - 1] = std::byte{0x7f};
    EXPECT_NE(refusal_of(changed).find("values instead of 1"), std::string::npos);
    changed = bytes;
    changed[find_values(bytes, "environment.radiance") - 1] = std::byte{0x7f};
    EXPECT_NE(refusal_of(changed).find("more than 36"), std::string::npos);
}

TEST(SceneBytes, NaNInAnyNumberIsRefused)
{
    auto const bytes = serialize_scene(make_full_scene());
    visit_scene_fields(make_full_scene(), [&](std::string_view name, auto get, FieldRange, bool) {
        Scene scene = make_full_scene();
        using Value = typename decltype(values_of(get(scene)))::value_type;
        if constexpr (std::is_floating_point_v<Value>) {
            auto changed = bytes;
            Value const nan = std::numeric_limits<Value>::quiet_NaN();
            std::memcpy(changed.data() + find_values(bytes, name), &nan, sizeof(nan));
            EXPECT_NE(refusal_of(changed).find(name), std::string::npos) << name;
        }
    });
}

TEST(SceneBytes, UnusedFieldThatIsNotItsDefaultIsRefused)
{
    auto bytes = serialize_scene(make_plain_scene());
    double const alpha = 0.5;
    std::memcpy(bytes.data() + find_values(bytes, "boundary.alpha"), &alpha, sizeof(alpha));
    EXPECT_NE(refusal_of(bytes).find("not in its normal form"), std::string::npos);
    bytes = serialize_scene(make_plain_scene());
    double const zero = -0.0;
    std::memcpy(bytes.data() + find_values(bytes, "camera.up_world"), &zero, sizeof(zero));
    EXPECT_NE(refusal_of(bytes).find("not in its normal form"), std::string::npos);
}

TEST(SceneBytes, FlagThatIsNeitherZeroNorOneIsRefused)
{
    auto bytes = serialize_scene(make_full_scene());
    bytes[find_values(bytes, "override_g")] = std::byte{2};
    EXPECT_NE(refusal_of(bytes).find("2 is neither 0 nor 1"), std::string::npos);
}

} // namespace
} // namespace volpt
