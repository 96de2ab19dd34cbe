// Emitters as options spell them.
#include "libvolpt/volume/emitters/emitter_text.h"
#include "tests/support/expect_error.h"
#include "tests/volume/emitter_samples.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace volpt {
namespace {

using namespace test;

Emitter parse_light(std::string_view text)
{
    return parse_emitter(text, "--light");
}

void expect_light_refused(std::string_view text, std::vector<std::string> const& parts)
{
    std::string const message = catch_error(ExitStatus::usage, [&] { parse_light(text); });
    EXPECT_FALSE(message.empty()) << text;
    for (std::string const& part : parts) EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_NE(message.find("--light"), std::string::npos) << message;
    EXPECT_NE(message.find("for example"), std::string::npos) << message;
}

TEST(EmitterText, DescriptionIsParsedBackToTheSameEmitter)
{
    for (Emitter const& emitter : make_sample_emitters()) {
        if (emitter.kind == EmitterKind::mesh) continue;
        Emitter const again = parse_light(describe_emitter(emitter));
        EXPECT_EQ(describe_emitter(again), describe_emitter(emitter));
        EXPECT_EQ(again.kind, emitter.kind);
        EXPECT_EQ(again.unit, emitter.unit);
        EXPECT_EQ(again.profile, emitter.profile);
        EXPECT_EQ(again.amount, emitter.amount);
        EXPECT_EQ(again.radius_mm, emitter.radius_mm);
        EXPECT_EQ(again.angle_deg, emitter.angle_deg);
        EXPECT_EQ(again.inner_angle_deg, emitter.inner_angle_deg);
        EXPECT_EQ(again.u_axis_mm, emitter.u_axis_mm);
        EXPECT_EQ(again.v_axis_mm, emitter.v_axis_mm);
    }
}

TEST(EmitterText, LengthsTakeUnitsAndPlacesTheNamesThatSuitThem)
{
    Emitter const sphere = parse_light("sphere center=1cm,2,300um radius=0.3 power=10");
    EXPECT_EQ(sphere.kind, EmitterKind::sphere);
    EXPECT_EQ(sphere.origin_world, (std::array<double, 3>{10, 2, 0.3}));
    EXPECT_EQ(sphere.radius_mm, 0.3);
    EXPECT_EQ(sphere.amount, std::vector<float>{10});
    EXPECT_EQ(parse_light("point position=0,0,2 power=1").origin_world[2], 2);
    EXPECT_EQ(parse_light("area center=0,0,2 normal=0,0,-3 radius=1 radiance=1").direction_world[2], -3);
}

/// 683 lm, lm/sr, lm/m^2 and cd/m^2 are a watt of light that the eye weighs with 1, and 1e6 mm^2 are one m^2.
TEST(EmitterText, PhotometricAmountsBecomeWattsAndMillimetres)
{
    auto const expect_amount = [](std::string_view text, EmitterUnit unit, float amount) {
        Emitter const emitter = parse_light(text);
        EXPECT_EQ(emitter.unit, unit) << text;
        EXPECT_FLOAT_EQ(emitter.amount.at(0), amount) << text;
        EXPECT_EQ(emitter.amount.size(), 1u);
        EXPECT_TRUE(is_photometric(text));
    };
    expect_amount("sphere center=0,0,2 radius=1 lumen=683", EmitterUnit::power, 1);
    expect_amount("point origin=0,0,2 candela=1366", EmitterUnit::intensity, 2);
    expect_amount("sun direction=0,0,-1 lux=683e6", EmitterUnit::irradiance, 1);
    expect_amount("area center=0,0,2 normal=0,0,-1 radius=1 nit=683e6", EmitterUnit::radiance, 1);
    expect_amount("beam origin=0,0,5 direction=0,0,-1 lumen=683", EmitterUnit::power, 1);
    EXPECT_FALSE(is_photometric("point origin=0,0,2 power=1 temperature=2700"));
    expect_light_refused("point origin=0,0,2 lumen=1,2,3", {"lumen is one number", "temperature"});
    expect_light_refused("point origin=0,0,2 lumen=1 power=1", {"two amounts"});
    expect_light_refused("sphere center=0,0,2 radius=1 lux=1", {"has no 'lux'"});
}

TEST(EmitterText, TemperatureIsOfAnyKindWithOneAmount)
{
    Emitter const lamp = parse_light("spot origin=0,0,20 direction=0,0,-1 angle=20 power=3 temperature=2700K");
    EXPECT_EQ(lamp.temperature_k, 2700);
    EXPECT_EQ(parse_light(describe_emitter(lamp)), lamp);
    expect_light_refused("point origin=0,0,2 power=1,2,3 temperature=2700", {"temperature", "one amount"});
    expect_light_refused("point origin=0,0,2 power=1 temperature=30", {"30 K", "800 to 100000"});
    for (char const* const value : {"warm", "0", "-2700", "2700C"})
        expect_light_refused(fmt::format("point origin=0,0,2 power=1 temperature={}", value), {"kelvins"});
}

TEST(EmitterText, BeamWithoutRadiusIsAPencilAndWithOneADisc)
{
    Emitter const disc = parse_light("beam origin=0,0,5 direction=0,0,-1 radius=1mm power=1");
    EXPECT_EQ(disc.profile, BeamProfile::disc);
    EXPECT_EQ(disc.radius_mm, 1);
    for (char const* radius : {"", "radius=0 ", "radius=0um profile=gaussian "}) {
        Emitter const pencil = parse_light(std::string("beam origin=0,0,5 direction=0,0,-1 ") + radius + "power=1");
        EXPECT_EQ(pencil.profile, BeamProfile::pencil) << radius;
    }
    EXPECT_EQ(parse_light("beam origin=0,0,5 direction=0,0,-1 radius=2 profile=gaussian power=1").profile,
              BeamProfile::gaussian);
    expect_light_refused("beam origin=0,0,5 direction=0,0,-1 profile=gaussian power=1", {"needs a radius"});
}

TEST(EmitterText, AmountsMayDifferByBand)
{
    Emitter const sun = parse_light("  sun\tdirection=1,2,-3 irradiance=1,0.5,0 ");
    EXPECT_EQ(sun.unit, EmitterUnit::irradiance);
    EXPECT_EQ(sun.amount, (std::vector<float>{1, 0.5f, 0}));
    EXPECT_EQ(sun.angle_deg, 0);
}

TEST(EmitterText, SpotFadesFromThreeQuartersOfItsAngleUnlessTold)
{
    EXPECT_EQ(parse_light("spot origin=0,0,9 direction=0,0,-1 angle=20 intensity=1").inner_angle_deg, 15);
    EXPECT_EQ(parse_light("spot origin=0,0,9 direction=0,0,-1 angle=20 inner=20 power=1").inner_angle_deg, 20);
}

TEST(EmitterText, WrongWordIsNamedWithWhatItMayBe)
{
    expect_light_refused("", {"no kind", "point, spot, sun, area, sphere, beam, slit"});
    expect_light_refused("pont origin=0,0,0 power=1", {"'pont'", "did you mean 'point'"});
    expect_light_refused("beam origin=0,0,5 direction=0,0,-1 raduis=1 power=1", {"'raduis'", "'radius'"});
    expect_light_refused("point origin=0,0,5 radius=1 power=1", {"has no 'radius'"});
    expect_light_refused("point origin=0,0,5 power", {"'power' is no key=value"});
    expect_light_refused("point origin=0,0,5 center=0,0,5 power=1", {"given twice"});
    expect_light_refused("point origin=0,0 power=1", {"origin=0,0"});
    expect_light_refused("point origin=0,0,inf power=1", {"cannot be read"});
    expect_light_refused("point origin=0,0,5ft power=1", {"5ft", "cm or m"});
    expect_light_refused("point origin=0,0,5 power=1W", {"power=1W"});
    expect_light_refused("beam origin=0,0,5 direction=0,0,-1 radius=1 profile=round power=1", {"disc or gaussian"});
}

TEST(EmitterText, WhatCannotEmitIsTold)
{
    expect_light_refused("point origin=0,0,5", {"power or intensity"});
    expect_light_refused("point origin=0,0,5 power=0", {"no power"});
    expect_light_refused("point origin=0,0,5 power=-1", {"0 to 1e30"});
    expect_light_refused("point origin=0,0,5 power=1 intensity=1", {"two amounts"});
    expect_light_refused("sphere center=0,0,5 radius=0 power=1", {"radius of 0"});
    expect_light_refused("area center=0,0,5 u=1,0,0 v=2,0,0 power=1", {"no area"});
    expect_light_refused("area center=0,0,5 u=1,0,0 radius=2 power=1", {"u and v", "direction and radius"});
    expect_light_refused("sun direction=0,0,0 irradiance=1", {"no direction"});
    expect_light_refused("sun direction=0,0,1 radiance=1", {"no diameter"});
    expect_light_refused("beam origin=0,0,5 power=1", {"needs direction"});
    expect_light_refused("slit origin=0,0,5 direction=0,0,-1 u=0,0,2 power=1", {"along its own light"});
}

} // namespace
} // namespace volpt
