// The records of a scene: round trip, and refusal of whatever serialize_scene could not have written.
#include "tests/scene/scene_samples.h"

#include "libvolpt/scene/scene_fields.h"
#include "libvolpt/sys/error.h"
#include "tests/support/expect_error.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <set>

namespace volpt {
namespace {

using test::catch_error;
using test::expect_contains;

/// The message of the Error that parse_scene throws; empty if it accepts the bytes.
std::string refusal_of(std::vector<std::byte> const& bytes)
{
    return catch_error(ExitStatus::input, [&] { parse_scene(bytes, "test.vpf"); });
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
    bare.estimator = 1;
    bare.boundary.specular = Specular::included;
    bare.boundary.support_alpha = 0;
    bare.wavelengths_nm.clear();
    bare.ground = {};
    bare.camera.lens_radius_mm = 0;
    bare.emitters.clear();
    bare.nee = EnvironmentNee::off;
    bare.emission = MediumEmission::dark;
    std::set<std::size_t> whole{serialize_scene(bare).size()};
    bare.boundary.specular = Specular::excluded;
    whole.insert(serialize_scene(bare).size());
    bare.wavelengths_nm = make_full_scene().wavelengths_nm;
    whole.insert(serialize_scene(bare).size());
    GroundSpec const ground = make_full_scene().ground;
    bare.ground.kind = ground.kind;
    whole.insert(serialize_scene(bare).size());
    bare.ground.albedo = ground.albedo;
    whole.insert(serialize_scene(bare).size());
    bare.ground.other_albedo = ground.other_albedo;
    whole.insert(serialize_scene(bare).size());
    bare.ground.check_mm = ground.check_mm;
    whole.insert(serialize_scene(bare).size());
    bare.ground.up_axis = ground.up_axis;
    whole.insert(serialize_scene(bare).size());
    bare.estimator = kEstimator;
    whole.insert(serialize_scene(bare).size());
    bare.camera.lens_radius_mm = make_full_scene().camera.lens_radius_mm;
    bare.camera.focus_distance_mm = CameraSpec().focus_distance_mm;
    whole.insert(serialize_scene(bare).size());
    bare.camera.focus_distance_mm = make_full_scene().camera.focus_distance_mm;
    whole.insert(serialize_scene(bare).size());
    bare.boundary.support_alpha = make_full_scene().boundary.support_alpha;
    whole.insert(serialize_scene(bare).size());
    bare.emitters = make_full_scene().emitters;
    whole.insert(serialize_scene(bare).size());
    bare.nee = make_full_scene().nee;
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
    expect_contains(refusal_of(bytes), {"1 bytes follow"});
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

TEST(SceneBytes, ScenesWithoutEmittersHaveTheBytesOfBefore)
{
    std::vector<std::byte> const bytes = serialize_scene(make_image_scene());
    std::string_view const text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    for (char const* const field : {"emitters", "integrator", "nee", "emission"})
        EXPECT_EQ(text.find(field), std::string_view::npos) << field;
}

TEST(SceneBytes, EmittersAreRecordsInTheirNormalForm)
{
    auto const bytes = serialize_scene(make_full_scene());
    std::size_t const values = find_values(bytes, "emitters");
    auto const refuse = [&](std::size_t number, double value) {
        auto changed = bytes;
        std::memcpy(changed.data() + values + 8 * number, &value, sizeof value);
        return refusal_of(changed);
    };
    expect_contains(refuse(0, 0.5), {"emitters", "records"});
    expect_contains(refuse(0, 8), {"emitters", "records"});
    expect_contains(refuse(3, 2), {"emitters", "records"});      // one amount less leaves a number over
    expect_contains(refuse(1, 3), {"emitters", "emitter 0"});    // a spot has no irradiance
    expect_contains(refuse(20, 400), {"emitters", "emitter 0"}); // an angle
    auto changed = bytes;
    changed[values - 1] = std::byte{0x7f};
    expect_contains(refusal_of(changed), {"emitters", "values, more than"});
}

TEST(SceneBytes, NameTypeAndCountMustBeTheFields)
{
    auto const bytes = serialize_scene(make_full_scene());
    std::size_t const values = find_values(bytes, "width");
    auto changed = bytes;
    changed[values - 10] = std::byte{'W'};
    expect_contains(refusal_of(changed), {"record 'width' at byte"});
    changed = bytes;
    changed[values - 5] = std::byte{2};
    expect_contains(refusal_of(changed), {"type"});
    changed = bytes;
    changed[values - 1] = std::byte{0x7f};
    expect_contains(refusal_of(changed), {"values instead of 1"});
    changed = bytes;
    changed[find_values(bytes, "environment.radiance") - 1] = std::byte{0x7f};
    expect_contains(refusal_of(changed), {"more than 256"});
}

TEST(SceneBytes, NaNInAnyNumberIsRefused)
{
    auto const bytes = serialize_scene(make_full_scene());
    visit_scene_fields(make_full_scene(), [&](std::string_view name, auto get, FieldRange, bool) {
        Scene scene = make_full_scene();
        using Value = typename decltype(values_of(get(scene)))::value_type;
        if constexpr (std::is_floating_point_v<Value>) {
            if (values_of(get(scene)).empty()) return; // no record
            auto changed = bytes;
            Value const nan = std::numeric_limits<Value>::quiet_NaN();
            std::memcpy(changed.data() + find_values(bytes, name), &nan, sizeof(nan));
            expect_contains(refusal_of(changed), {name});
        }
    });
}

TEST(SceneBytes, UnusedFieldThatIsNotItsDefaultIsRefused)
{
    auto bytes = serialize_scene(make_plain_scene());
    double const alpha = 0.5;
    std::memcpy(bytes.data() + find_values(bytes, "boundary.alpha"), &alpha, sizeof(alpha));
    expect_contains(refusal_of(bytes), {"not in its normal form"});
    bytes = serialize_scene(make_plain_scene());
    double const zero = -0.0;
    std::memcpy(bytes.data() + find_values(bytes, "camera.up_world"), &zero, sizeof(zero));
    expect_contains(refusal_of(bytes), {"not in its normal form"});
}

TEST(SceneBytes, FlagThatIsNeitherZeroNorOneIsRefused)
{
    auto bytes = serialize_scene(make_full_scene());
    bytes[find_values(bytes, "override_g")] = std::byte{2};
    expect_contains(refusal_of(bytes), {"2 is neither 0 nor 1"});
}

} // namespace
} // namespace volpt
