// Emitters as numbers of a scene: round trip, normal form, refusal of what are no emitters.
#include "libvolpt/scene/light/emitter_records.h"

#include "libvolpt/scene/scene.h"
#include "tests/support/expect_error.h"

#include <gtest/gtest.h>

#include <limits>

namespace volpt {
namespace {

using test::expect_contains;

std::vector<Emitter> make_every_kind()
{
    using enum EmitterKind;
    Emitter full{.amount = {1, 2, 3},
                 .origin_world = {1, 2, 3},
                 .direction_world = {0, 1, -1},
                 .u_axis_mm = {4, 0, 0},
                 .v_axis_mm = {0, 5, 0},
                 .radius_mm = 6,
                 .angle_deg = 7,
                 .inner_angle_deg = 2,
                 .first_triangle = 9,
                 .triangle_count = 10};
    std::vector<Emitter> emitters;
    for (EmitterKind const kind : {point, spot, sun, rectangle, disk, sphere, mesh, beam}) {
        emitters.push_back(full);
        emitters.back().kind = kind;
        emitters.back().unit = kind == sun ? EmitterUnit::irradiance : EmitterUnit::power;
        emitters.back().profile = BeamProfile::gaussian;
    }
    return emitters;
}

TEST(EmitterRecords, RoundTripGivesTheNormalForm)
{
    std::vector<Emitter> const emitters = make_every_kind();
    auto const read = read_emitter_records(to_emitter_records(emitters));
    ASSERT_TRUE(read);
    ASSERT_EQ(read->size(), emitters.size());
    for (std::size_t i = 0; i < emitters.size(); ++i) {
        EXPECT_EQ((*read)[i], normalize_emitter(emitters[i])) << i;
        EXPECT_EQ(normalize_emitter((*read)[i]), (*read)[i]) << i;
        EXPECT_EQ((*read)[i].amount, emitters[i].amount) << i;
    }
    EXPECT_EQ((*read)[1].angle_deg, 7);
    EXPECT_EQ((*read)[0].angle_deg, 0);
    EXPECT_EQ((*read)[6].triangle_count, 10u);
    EXPECT_EQ((*read)[7].radius_mm, 6);
    EXPECT_EQ((*read)[3].v_axis_mm[1], 5);
}

TEST(EmitterRecords, BeamsWithoutWidthArePencils)
{
    Emitter beam{.kind = EmitterKind::beam, .profile = BeamProfile::disc};
    EXPECT_EQ(normalize_emitter(beam).profile, BeamProfile::pencil);
    beam.radius_mm = 1;
    EXPECT_EQ(normalize_emitter(beam).profile, BeamProfile::disc);
    beam.profile = BeamProfile::slit;
    EXPECT_EQ(normalize_emitter(beam).profile, BeamProfile::pencil);
    beam.u_axis_mm = {1, 0, 0};
    EXPECT_EQ(normalize_emitter(beam).profile, BeamProfile::slit);
    EXPECT_EQ(normalize_emitter(beam).radius_mm, 0);
}

TEST(EmitterRecords, EqualAmountsAreOneAndNegativeZerosAreZeros)
{
    Emitter const lamp{.amount = {2, 2, 2}, .origin_world = {-0.0, 1, 2}};
    Emitter const same{.amount = {2}, .origin_world = {0, 1, 2}};
    EXPECT_EQ(normalize_emitter(lamp), normalize_emitter(same));
    EXPECT_FALSE(std::signbit(normalize_emitter(lamp).origin_world[0]));
}

TEST(EmitterRecords, EveryNumberCounts)
{
    // Of a spot, as of others, the numbers that its kind does not use are dropped; those that it does are kept.
    std::vector<double> const numbers = to_emitter_records(std::vector{make_every_kind()[1]});
    std::size_t kept = 0;
    for (std::size_t i = 4; i < numbers.size(); ++i) {
        std::vector<double> changed = numbers;
        changed[i] += 1;
        auto const read = read_emitter_records(changed);
        ASSERT_TRUE(read) << i;
        kept += to_emitter_records(*read) != numbers ? 1u : 0u;
    }
    EXPECT_EQ(kept, 3u + 3 + 3 + 2); // amounts, origin, direction, two angles
}

TEST(EmitterRecords, NumbersThatAreNoEmittersAreNotRead)
{
    std::vector<double> const numbers = to_emitter_records(make_every_kind());
    double const nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(read_emitter_records(std::span(numbers).first(numbers.size() - 1)));
    for (double const wrong : {nan, -1.0, 0.5, 8.0, 1e300}) {
        std::vector<double> changed = numbers;
        changed[0] = wrong; // a kind
        EXPECT_FALSE(read_emitter_records(changed)) << wrong;
    }
    for (double const wrong : {nan, 1e300, 0.1}) {
        std::vector<double> changed = numbers;
        changed[4] = wrong; // an amount, which is a float
        EXPECT_FALSE(read_emitter_records(changed)) << wrong;
    }
    EXPECT_TRUE(read_emitter_records({})->empty());
}

TEST(EmitterRecords, TheSceneNamesEmittersWithoutPowerOrArea)
{
    auto const find = [](Emitter const& emitter) {
        Scene scene;
        scene.width = scene.height = scene.bands = 1;
        scene.emitters = to_emitter_records(std::vector{emitter});
        auto const problem = find_scene_problem(scene);
        return problem ? problem->field + " " + problem->what : "";
    };
    EXPECT_EQ(find({}), "");
    expect_contains(find({.amount = {0}}), {"emitters", "emitter 0", "point", "no power"});
    expect_contains(find({.amount = {1, 2}}), {"emitters", "2", "1 bands"});
    expect_contains(find({.kind = EmitterKind::disk}), {"emitters", "disk", "radius"});
    expect_contains(find({.kind = EmitterKind::rectangle, .u_axis_mm = {1, 0, 0}, .v_axis_mm = {2, 0, 0}}),
                    {"no area"});
    expect_contains(find({.kind = EmitterKind::spot}), {"emitters", "angle"});
}

TEST(EmitterRecords, LongStepsContradictEmitters)
{
    Scene scene;
    scene.width = scene.height = scene.bands = 1;
    scene.long_steps = LongSteps::spheres;
    EXPECT_FALSE(find_scene_problem(scene));
    scene.nee = EnvironmentNee::on;
    EXPECT_EQ(find_scene_problem(scene)->field, "long_steps");
    scene.nee = EnvironmentNee::off;
    scene.emitters = to_emitter_records(std::vector{Emitter{}});
    EXPECT_EQ(find_scene_problem(scene)->field, "long_steps");
}

} // namespace
} // namespace volpt
