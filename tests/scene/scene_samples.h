// Scenes for tests: between them every field matters in one and is unused in another.
#pragma once

#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/scene.h"

#include <vector>

namespace volpt {

/// Perspective, hemispheres, rough boundary, g overridden.
inline Scene make_full_scene()
{
    Scene scene;
    scene.volume_checksum = {0x0123456789abcdef, 0xfedcba9876543210};
    scene.width = 70;
    scene.height = 65;
    scene.bands = 3;
    scene.camera.origin_world = {1, 2, 100};
    scene.camera.target_world = {0.25, 0, -3};
    scene.camera.fov_x_deg = 0.7;
    scene.camera.ortho_width_mm = 12;
    scene.environment.kind = EnvironmentKind::hemispheres;
    scene.environment.radiance = {1, 0.5f, 0.25f};
    scene.environment.below = {0.125f};
    scene.environment.image_checksum = {7, 9};
    scene.environment.rotate_deg = 30;
    scene.boundary = {BoundaryKind::rough, 1.5, 1, 0.1};
    scene.scale = 2.5f;
    scene.override_g = true;
    scene.g = 0.4f;
    scene.depth_limit = 1000;
    scene.boundary.specular = Specular::excluded;
    scene.boundary.support_alpha = 0.4;
    scene.camera.lens_radius_mm = 0.5;
    scene.camera.focus_distance_mm = 90;
    scene.wavelengths_nm = {450, 550, 650};
    scene.ground = {GroundKind::checker, {0.3f}, {0.6f}, 2.5, 0};
    Emitter const lamp{.kind = EmitterKind::spot,
                       .amount = {3, 2, 1},
                       .origin_world = {0, 1, 30},
                       .angle_deg = 20,
                       .inner_angle_deg = 5};
    scene.emitters = to_emitter_records(std::vector{lamp});
    scene.nee = EnvironmentNee::on;
    scene.emission = MediumEmission::emits;
    return scene;
}

/// Orthographic, image environment, smooth boundary, the volume's own g.
inline Scene make_image_scene()
{
    Scene scene = make_full_scene();
    scene.camera.kind = CameraKind::orthographic;
    scene.environment.kind = EnvironmentKind::image;
    scene.environment.radiance = {3};
    scene.boundary.kind = BoundaryKind::smooth;
    scene.material_ior = {1.3f, 1.5f};
    scene.override_g = false;
    scene.ground.kind = GroundKind::diffuse;
    scene.emitters.clear();
    scene.nee = EnvironmentNee::off;
    scene.emission = MediumEmission::dark;
    return scene;
}

/// Constant light of one value, no boundary.
inline Scene make_plain_scene()
{
    Scene scene = make_full_scene();
    scene.environment.kind = EnvironmentKind::constant;
    scene.environment.radiance = {1};
    scene.boundary.kind = BoundaryKind::none;
    scene.wavelengths_nm.clear();
    scene.ground.kind = GroundKind::none;
    scene.integrator = Integrator::light;
    return scene;
}

/// The same with bidirectional paths.
inline Scene make_bidirectional_scene()
{
    Scene scene = make_plain_scene();
    scene.integrator = Integrator::bdpt;
    return scene;
}

/// The same with Markov chains.
inline Scene make_metropolis_scene()
{
    Scene scene = make_plain_scene();
    scene.integrator = Integrator::mlt;
    scene.mlt = {.mutations = 100, .bootstrap = 20, .chains = 7, .longest = 5};
    return scene;
}

/// A probe of an endless slab on white, seen from all directions.
inline Scene make_probe_scene()
{
    Scene scene = make_full_scene();
    scene.camera.kind = CameraKind::probe;
    scene.ground = {};
    scene.camera.probe_face = 1;
    scene.environment = {};
    scene.camera.view = ProbeView::diffuse;
    scene.boundary.backing = Backing::white;
    scene.boundary.sides = Sides::periodic;
    return scene;
}

inline std::vector<Scene> make_scenes()
{
    return {make_full_scene(),          make_image_scene(),      make_plain_scene(),
            make_bidirectional_scene(), make_metropolis_scene(), make_probe_scene()};
}

} // namespace volpt
