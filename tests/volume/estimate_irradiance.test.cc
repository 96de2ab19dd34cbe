#include "libvolpt/volume/emitters/estimate_irradiance.h"

#include "libvolpt/volume/emitters/emitter_text.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace volpt::test {
namespace {

constexpr double kPi = std::numbers::pi;

/// 8 x 6 x 4 mm, whose middle is at (100, -50, 20), turned by 90 degrees about z.
VolumeMeta make_meta()
{
    VolumeMeta meta;
    meta.dims = {16, 12, 8};
    meta.pitch_mm = {0.5f, 0.5f, 0.5f};
    meta.placement.rotation = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    meta.placement.origin_world_mm = {103, -54, 18};
    return meta;
}

double estimate(std::string_view text)
{
    return estimate_irradiance(std::vector<Emitter>{parse_emitter(text, "--light")}, make_meta());
}

/// Lambert's law and the inverse square, at 20 mm.
TEST(EstimateIrradiance, IsThatOfFormulasFromAfar)
{
    EXPECT_NEAR(estimate("point origin=100,-50,40 power=7"), 7 / (4 * kPi * 400), 1e-9);
    EXPECT_NEAR(estimate("point origin=120,-50,20 intensity=7"), 7 / 400.0, 1e-9);
    EXPECT_NEAR(estimate("sphere center=100,-30,20 radius=1 radiance=7"), 7 * kPi / 400, 1e-9);
    EXPECT_NEAR(estimate("sphere center=100,-30,20 radius=1 power=7"), 7 / (4 * kPi * 400), 1e-9);
    EXPECT_NEAR(estimate("area center=100,-50,40 normal=0,0,-1 radius=2 power=7"), 7 / (kPi * 400), 1e-9);
    EXPECT_NEAR(estimate("area center=100,-50,40 u=0,3,0 v=2,0,0 radiance=7"), 7 * 24 / 400.0, 1e-9);
    EXPECT_NEAR(estimate("spot origin=100,-50,40 direction=0,0,-1 angle=60 power=7"), 7 / (kPi * 400), 1e-9);
    EXPECT_NEAR(estimate("sun direction=0,0,-1 irradiance=7"), 7, 1e-9);
    EXPECT_NEAR(estimate("sun direction=0,0,-1 angle=60 radiance=7"), 7 * kPi / 4, 1e-6);
}

TEST(EstimateIrradiance, EmittersInTheVolumeCountAsAtItsCorner)
{
    EXPECT_NEAR(estimate("point origin=100,-50,20 power=7"), 7 / (4 * kPi * 29), 1e-9);
}

TEST(EstimateIrradiance, ExposureShowsWhiteAsHalf)
{
    std::vector<Emitter> const lamps(2, parse_emitter("point origin=100,-50,40 lumen=800", "--light"));
    double const irradiance = estimate_irradiance(lamps, make_meta());
    double const exposure = choose_exposure(irradiance), shown = exposure * irradiance / kPi;
    EXPECT_GE(shown, 0.5 / std::exp2(0.25));
    EXPECT_LE(shown, 0.5 * std::exp2(0.25));
    EXPECT_EQ(2 * std::log2(exposure), std::round(2 * std::log2(exposure)));
    EXPECT_EQ(choose_exposure(0), 1);
    EXPECT_EQ(choose_exposure(1e-60), 0x1p39) << "what --exposure takes";
}

TEST(EstimateIrradiance, IsALuminance)
{
    EXPECT_NEAR(estimate("sun direction=0,0,-1 irradiance=1,2,3"), 0.2126 + 2 * 0.7152 + 3 * 0.0722, 1e-6);
    EXPECT_NEAR(estimate("sun direction=0,0,-1 irradiance=1,2,3,6"), 3, 1e-9);
}

} // namespace
} // namespace volpt::test
