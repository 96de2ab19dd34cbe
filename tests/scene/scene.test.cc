// Normal form, hash, difference, validity and description of scenes.
#include "tests/scene/scene_samples.h"

#include "libvolpt/scene/scene_fields.h"
#include "libvolpt/sys/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace volpt {
namespace {

/// The smallest change that stays in range: one unit in the last place, one enumerator, one bit.
template <class Value>
Value change_least(Value value, FieldRange range)
{
    if constexpr (std::is_same_v<Value, Hash128>)
        return {value.high, value.low ^ 1};
    else if constexpr (std::is_same_v<Value, bool>)
        return !value;
    else if constexpr (std::is_floating_point_v<Value>)
        return std::nextafter(
            value, static_cast<Value>(value > (range.lowest + range.highest) / 2 ? range.lowest : range.highest));
    else {
        auto const number = static_cast<std::uint32_t>(value);
        return static_cast<Value>(number == range.highest ? number - 1 : number + 1);
    }
}

TEST(Scene, EveryFieldThatMattersChangesTheHashAndNoOtherDoes)
{
    std::map<std::string, std::set<bool>> seen;
    for (Scene const& scene : make_scenes())
        visit_scene_fields(scene, [&](std::string_view name, auto get, FieldRange range, bool matters) {
            Scene changed = scene;
            changed.environment.radiance.resize(1);
            if (name == "bands") changed.wavelengths_nm.clear();
            if (name == "bands" || name == "long_steps") changed.emitters.clear();
            if (name == "long_steps") {
                changed.integrator = Integrator::path;
                changed.nee = EnvironmentNee::off;
                changed.emission = MediumEmission::dark;
                changed.material_ior.clear();
            }
            Scene const before = changed;
            auto values = values_of(get(changed));
            if (values.empty()) return;
            using Value = typename decltype(values)::value_type;
            if (name != "emitters")
                values[0] = change_least(values[0], range);
            else if constexpr (std::is_same_v<Value, double>)
                values[4] /= 2; // an amount; the first numbers are kinds
            seen[std::string(name)].insert(matters);
            EXPECT_EQ(hash_scene(changed) != hash_scene(before), matters) << name;
            auto const differences = compare_scenes(before, changed);
            EXPECT_EQ(differences.empty(), !matters) << name;
            if (matters) {
                EXPECT_TRUE(std::ranges::any_of(differences, [&](auto const& d) { return d.field == name; })) << name;
            }
        });
    EXPECT_EQ(seen.size(), 57u);
    for (char const* const sometimes : {"camera.fov_x_deg",
                                        "camera.ortho_width_mm",
                                        "environment.below",
                                        "environment.image_checksum",
                                        "environment.up_axis",
                                        "environment.rotate_deg",
                                        "boundary.int_ior",
                                        "boundary.ext_ior",
                                        "boundary.alpha",
                                        "g",
                                        "camera.origin_world",
                                        "environment.kind",
                                        "camera.probe_face",
                                        "camera.view",
                                        "boundary.specular",
                                        "boundary.backing",
                                        "boundary.sides",
                                        "boundary.microfacets",
                                        "boundary.support_alpha",
                                        "coverage",
                                        "camera.probe_target",
                                        "ground.kind",
                                        "ground.albedo",
                                        "ground.other_albedo",
                                        "ground.check_mm",
                                        "ground.up_axis",
                                        "camera.lens_radius_mm",
                                        "camera.focus_distance_mm",
                                        "environment.background",
                                        "nee",
                                        "heuristic",
                                        "mlt.mutations",
                                        "mlt.bootstrap",
                                        "mlt.chains",
                                        "mlt.longest"})
        EXPECT_EQ(seen[sometimes].size(), 2u) << sometimes << " is not seen both used and unused";
}

TEST(Scene, EveryValueOfAFieldWithSeveralChangesTheHash)
{
    Scene const scene = make_full_scene();
    std::set<Hash128> hashes{hash_scene(scene)};
    std::size_t changes = 1;
    visit_scene_fields(scene, [&](std::string_view name, auto get, FieldRange range, bool) {
        if (name == "emitters") return; // EmitterRecords.EveryNumberCounts
        for (std::size_t i = 1; i < values_of(get(scene)).size(); ++i, ++changes) {
            Scene changed = scene;
            auto values = values_of(get(changed));
            values[i] = change_least(values[i], range);
            hashes.insert(hash_scene(changed));
        }
    });
    EXPECT_EQ(changes, 1u + 3 * 2 + 2 + 2);
    EXPECT_EQ(hashes.size(), changes);
}

TEST(Scene, ScenesThatRenderTheSameAreEqual)
{
    Scene const scene = make_plain_scene();
    Scene same = scene;
    same.environment.radiance = {1, 1, 1};
    same.camera.target_world[1] = -0.0;
    same.boundary = {BoundaryKind::rough, 1.3, 1.3, 0.2};
    EXPECT_EQ(hash_scene(same), hash_scene(scene));
    EXPECT_TRUE(compare_scenes(same, scene).empty());

    Scene polished = make_full_scene();
    polished.boundary.alpha = 0;
    Scene smooth = polished;
    smooth.boundary.kind = BoundaryKind::smooth;
    EXPECT_EQ(hash_scene(polished), hash_scene(smooth));
}

TEST(Scene, MaterialsWithIndicesReplaceThatOfTheInside)
{
    Scene scene = make_image_scene();
    Scene same = scene;
    same.boundary.int_ior = scene.boundary.ext_ior;
    EXPECT_EQ(hash_scene(same), hash_scene(scene));
    EXPECT_EQ(normalize_scene(same).boundary.kind, BoundaryKind::smooth);
    same.material_ior.clear();
    EXPECT_NE(hash_scene(same), hash_scene(scene));
    scene.long_steps = LongSteps::spheres;
    EXPECT_EQ(find_scene_problem(scene)->field, "material_ior");
    scene.long_steps = LongSteps::plain;
    scene.material_ior.resize(257, 1.0f);
    EXPECT_EQ(find_scene_problem(scene)->field, "material_ior");
}

TEST(Scene, NormalFormIsIdempotent)
{
    for (Scene const& scene : make_scenes()) {
        EXPECT_TRUE(compare_scenes(normalize_scene(scene), scene).empty());
        EXPECT_EQ(serialize_scene(normalize_scene(scene)), serialize_scene(scene));
    }
    EXPECT_EQ(normalize_scene(make_image_scene()).g, 0);
    EXPECT_TRUE(normalize_scene(make_plain_scene()).environment.below.empty());
}

TEST(Scene, UnusedFieldsMayHoldAnything)
{
    Scene scene = make_plain_scene();
    Hash128 const hash = hash_scene(scene);
    scene.camera.ortho_width_mm = std::numeric_limits<double>::quiet_NaN();
    scene.boundary.alpha = -5;
    scene.environment.below.assign(100, -1.0f);
    EXPECT_EQ(hash_scene(scene), hash);
}

TEST(Scene, ValuesOutOfRangeAreNamed)
{
    visit_scene_fields(make_full_scene(), [&](std::string_view name, auto get, FieldRange range, bool matters) {
        Scene scene = make_full_scene();
        auto values = values_of(get(scene));
        using Value = typename decltype(values)::value_type;
        if constexpr (std::is_floating_point_v<Value>)
            for (Value const wrong : {std::numeric_limits<Value>::quiet_NaN(), std::numeric_limits<Value>::infinity(),
                                      std::nextafter(static_cast<Value>(range.lowest), Value{-1e30f})}) {
                if (!matters) return;
                values.back() = wrong;
                auto const problem = find_scene_problem(scene);
                ASSERT_TRUE(problem) << name << " " << wrong;
                EXPECT_EQ(problem->field, name);
                EXPECT_THROW(serialize_scene(scene), Error) << name;
            }
    });
    Scene scene = make_full_scene();
    scene.width = 0;
    EXPECT_EQ(find_scene_problem(scene)->field, "width");
    EXPECT_EQ(find_scene_problem(scene)->what, "0 is not in 1 to 65536");
}

TEST(Scene, CameraWithoutDirectionAndWrongBandCountAreNamed)
{
    Scene scene = make_full_scene();
    EXPECT_FALSE(find_scene_problem(scene));
    scene.environment.radiance = {1, 2};
    EXPECT_EQ(find_scene_problem(scene)->field, "environment.radiance");
    scene = make_full_scene();
    scene.environment.below.clear();
    EXPECT_EQ(find_scene_problem(scene)->field, "environment.below");
    scene = make_full_scene();
    scene.camera.target_world = scene.camera.origin_world;
    EXPECT_EQ(find_scene_problem(scene)->field, "camera.target_world");
    scene = make_full_scene();
    scene.camera.target_world = {1, 50, 100};
    EXPECT_EQ(find_scene_problem(scene)->field, "camera.up_world");
    scene.camera.up_world = {0, 0, 0};
    EXPECT_EQ(find_scene_problem(scene)->field, "camera.up_world");
}

TEST(Scene, DescriptionNamesTheUsedFieldsAlone)
{
    std::map<std::string, std::string> full;
    for (auto const& [field, value] : describe_scene(make_full_scene())) full[field] = value;
    EXPECT_EQ(full["camera.fov_x_deg"], "0.7");
    EXPECT_EQ(full["camera.origin_world"], "1, 2, 100");
    EXPECT_EQ(full["boundary.kind"], "rough");
    EXPECT_EQ(full["override_g"], "yes");
    EXPECT_EQ(full["volume_checksum"], "0123456789abcdeffedcba9876543210");
    EXPECT_EQ(full.count("camera.ortho_width_mm"), 0u);
    EXPECT_EQ(full.count("environment.rotate_deg"), 0u);
}

TEST(Scene, DifferenceShowsBothValues)
{
    Scene const left = make_full_scene();
    Scene right = left;
    right.camera.fov_x_deg = 45;
    right.majorant = MajorantKind::global;
    auto const differences = compare_scenes(left, right);
    ASSERT_EQ(differences.size(), 2u);
    EXPECT_EQ(differences[0].left, "0.7");
    EXPECT_EQ(differences[0].right, "45");
    EXPECT_EQ(differences[1].field, "majorant");
    EXPECT_EQ(differences[1].right, "global");
}

} // namespace
} // namespace volpt
