// What integrators cannot render is refused, by name; what they can is not.
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/render_scene.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_volume.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

/// 10 mm wide, its corner at the origin.
PackedVolume make_lit_cube()
{
    VolumeMeta meta;
    meta.dims = {5, 5, 5};
    meta.pitch_mm = {2, 2, 2};
    return make_volume(meta);
}

class LightChecks : public testing::Test {
protected:
    LightChecks()
    {
        scene_.volume_checksum = volume_.data_checksum();
        scene_.width = 20;
        scene_.height = 10;
        scene_.bands = 1;
        scene_.camera.origin_world = {5, 5, 100};
        scene_.camera.target_world = {5, 5, 5};
        scene_.environment.radiance = {0};
    }

    void light_with(Emitter const& emitter) { scene_.emitters = to_emitter_records(std::vector{emitter}); }

    void probe(ProbeView view)
    {
        scene_.camera.kind = CameraKind::probe;
        scene_.camera.view = view;
    }

    /// Of the scene as it is and of its integrator; empty if it can be rendered.
    std::string refusal() const
    {
        return catch_error(ExitStatus::usage, [&] { RenderScene const built(scene_, volume_, nullptr, 1); });
    }

    PackedVolume const volume_ = make_lit_cube();
    Scene scene_;
    Emitter const point_{.origin_world = {5, 5, 30}};
    Emitter const beam_{
        .kind = EmitterKind::beam, .profile = BeamProfile::disc, .origin_world = {5, 5, 30}, .radius_mm = 1};
};

TEST_F(LightChecks, PathsCannotFindLightWithoutExtentThroughARefractingBoundary)
{
    std::vector<Emitter> const deltas{point_,
                                      {.kind = EmitterKind::spot, .origin_world = {5, 5, 30}, .angle_deg = 10},
                                      {.kind = EmitterKind::sun, .unit = EmitterUnit::irradiance},
                                      beam_};
    std::vector<Emitter> const wide{
        {.kind = EmitterKind::sun, .unit = EmitterUnit::irradiance, .angle_deg = 1},
        {.kind = EmitterKind::sphere, .origin_world = {5, 5, 30}, .radius_mm = 1},
    };
    for (Emitter const& emitter : deltas) {
        light_with(emitter);
        scene_.boundary.kind = BoundaryKind::none;
        EXPECT_EQ(refusal(), "");
        scene_.boundary = {BoundaryKind::smooth, 1.5, 1};
        expect_contains(refusal(), {"emitter 0", to_word(emitter.kind), "refract", "--integrator light"});
    }
    for (Emitter const& emitter : wide) {
        light_with(emitter);
        EXPECT_EQ(refusal(), "");
    }
}

TEST_F(LightChecks, PathsCannotFindBeamsWithoutWidth)
{
    Emitter beam = beam_;
    for (BeamProfile const profile : {BeamProfile::pencil, BeamProfile::slit}) {
        beam.profile = profile;
        beam.u_axis_mm = {1, 0, 0};
        scene_.integrator = Integrator::path;
        light_with(beam);
        expect_contains(refusal(), {"beam", "no radius", "--integrator light"});
        scene_.integrator = Integrator::light;
        EXPECT_EQ(refusal(), "");
    }
}

TEST_F(LightChecks, BeamsHaveToMeetSomething)
{
    Emitter beam = beam_;
    for (Integrator const integrator : {Integrator::path, Integrator::light}) {
        scene_.integrator = integrator;
        beam.direction_world = {0, 0, 1};
        light_with(beam);
        expect_contains(refusal(), {"emitter 0 (beam)", "misses"});
        beam.direction_world = {1, 0, -1};
        light_with(beam);
        expect_contains(refusal(), {"misses"});
        beam.direction_world = {0, 0.1, -1};
        light_with(beam);
        EXPECT_EQ(refusal(), "");
    }
    beam.origin_world = {10.5, 5, 30}; // its edge meets the volume
    beam.direction_world = {0, 0, -1};
    light_with(beam);
    EXPECT_EQ(refusal(), "");
    beam.origin_world = {12, 5, 30};
    light_with(beam);
    expect_contains(refusal(), {"misses"});
}

TEST_F(LightChecks, ABeamMayMeetWhatStandsAround)
{
    Emitter beam = beam_;
    beam.direction_world = {0, 0, 1};
    Emitter const lamp{.kind = EmitterKind::sphere, .origin_world = {5, 5, 60}, .radius_mm = 1};
    scene_.emitters = to_emitter_records(std::vector{beam, lamp});
    EXPECT_EQ(refusal(), "");
}

TEST_F(LightChecks, SurfacesOfEmittersStandOutsideOfTheBox)
{
    Emitter lamp{.kind = EmitterKind::sphere, .origin_world = {5, 5, 5}, .radius_mm = 1};
    light_with(lamp);
    expect_contains(refusal(), {"emitter 0 (sphere)", "into the volume"});
    lamp.kind = EmitterKind::disk;
    light_with(lamp);
    expect_contains(refusal(), {"emitter 0 (disk)", "into the volume"});
    light_with({.origin_world = {5, 5, 5}});
    EXPECT_EQ(refusal(), "");
}

TEST_F(LightChecks, EmittersOfTrianglesThatAreNotThereAreRefused)
{
    light_with({.kind = EmitterKind::mesh, .first_triangle = 0, .triangle_count = 2});
    expect_contains(refusal(), {"emitter 0", "triangles"});
}

TEST_F(LightChecks, ParticlesNeedAFilmThatTheyCanBeConnectedTo)
{
    scene_.integrator = Integrator::light;
    light_with(point_);
    EXPECT_EQ(refusal(), "");
    scene_.camera.lens_radius_mm = 1;
    expect_contains(refusal(), {"lens"});
    scene_.camera.lens_radius_mm = 0;
    scene_.boundary = {BoundaryKind::smooth, 1.5, 1};
    expect_contains(refusal(), {"camera", "refracting", "1x1"});
    scene_.width = scene_.height = 1;
    EXPECT_EQ(refusal(), "");
    scene_.width = 20;
    probe(ProbeView::diffuse);
    EXPECT_EQ(refusal(), "");
    probe(ProbeView::normal);
    expect_contains(refusal(), {"--view diffuse"});
}

TEST_F(LightChecks, ParticlesCannotReachACameraInsideTheVolume)
{
    light_with(point_);
    scene_.camera.origin_world = {5, 4, 6};
    scene_.integrator = Integrator::light;
    expect_contains(refusal(), {"camera", "inside"});
}

TEST_F(LightChecks, ParticlesNeedLightAndAnEndToTheGround)
{
    scene_.integrator = Integrator::light;
    expect_contains(refusal(), {"nothing emits"});
    scene_.environment.radiance = {1};
    EXPECT_EQ(refusal(), "");
    scene_.ground.kind = GroundKind::diffuse;
    expect_contains(refusal(), {"ground"});
    scene_.environment.radiance = {0};
    light_with(point_);
    EXPECT_EQ(refusal(), "");
    light_with({.kind = EmitterKind::sun, .unit = EmitterUnit::irradiance});
    expect_contains(refusal(), {"ground", "sun"});
    scene_.integrator = Integrator::path;
    EXPECT_EQ(refusal(), "");
}

TEST_F(LightChecks, EndlessSlabsAndTheirBackingsHaveNoEmitters)
{
    probe(ProbeView::diffuse);
    light_with(point_);
    EXPECT_EQ(refusal(), "");
    scene_.boundary.backing = Backing::white;
    expect_contains(refusal(), {"backing"});
    scene_.boundary.backing = Backing::black;
    scene_.boundary.sides = Sides::periodic;
    expect_contains(refusal(), {"periodic"});
}

TEST_F(LightChecks, WhatFloatsCannotHoldIsRefused)
{
    light_with({.amount = {1e30f}, .origin_world = {5, 5, 30}});
    EXPECT_EQ(refusal(), "");
    light_with({.kind = EmitterKind::sphere, .amount = {1e30f}, .origin_world = {5, 5, 30}, .radius_mm = 1e-3});
    expect_contains(refusal(), {"emitter 0 (sphere)", "too much"});
}

} // namespace
} // namespace volpt::test
