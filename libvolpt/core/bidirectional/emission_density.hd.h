// Densities with which particles leave emitters, beside those with which points are connected to them.
#pragma once

#include "libvolpt/core/bidirectional/mis_weights.hd.h"
#include "libvolpt/core/light/sample_light.hd.h"

namespace volpt {

/// 1/mm^2, of the disc on which particles from infinity begin.
VOLPT_HD float find_far_density(LightsView const& lights)
{
    return exact::divide(kInversePi, lights.scene_radius_mm * lights.scene_radius_mm);
}

/// Density with which a particle of emitter `number` (LightsView::count: the environment) reaches `at_mm`, divided by
/// that with which the same light is found by sample_light from there, and by gather and transmittance; 1/mm^2. 0 if
/// sample_light never finds it. `found_density` is LightSample::density of it, `distance2_mm2` that to its origin.
VOLPT_HD float evaluate_emission_ratio(LightsView const& lights, std::uint32_t number, Vec3 at_mm, float found_density,
                                       float distance2_mm2)
{
    if (number == lights.count) return find_far_density(lights);
    EmitterView const& emitter = lights.emitters[number];
    switch (emitter.shape) {
    case EmitterShape::sun:
        return find_far_density(lights);
    case EmitterShape::triangles:
    case EmitterShape::sphere:
        if (!(found_density > 0.0f)) return 0.0f;
        return exact::divide(emitter.choice * kInversePi, emitter.area_mm2 * found_density);
    case EmitterShape::beam: {
        Vec3 const offset = at_mm - emitter.position_mm;
        Vec3 const across = move_along(offset, -dot(offset, emitter.direction), emitter.direction);
        return evaluate_beam(emitter, dot(across, across));
    }
    default: {
        if (!(distance2_mm2 > kLeastDistance2_mm2)) return 0.0f;
        constexpr float kInverse4Pi = 0.0795774715f;
        if (emitter.shape == EmitterShape::point) return exact::divide(kInverse4Pi, distance2_mm2);
        Vec3 const direction = exact::reciprocal(exact::sqrt(distance2_mm2)) * (at_mm - emitter.position_mm);
        float const share = evaluate_spot(emitter, find_one_minus_cosine(direction, emitter.direction));
        float const solid_angle_over_pi = emitter.one_minus_inner_cosine + emitter.one_minus_cosine;
        return exact::divide(kInversePi * share, solid_angle_over_pi * distance2_mm2);
    }
    }
}

/// Density with which particles begin on emitter `number` and leave in one direction, over the cosine to its surface if
/// it has one: 1/(mm^2 sr). `direction` is the light's. 0 of emitters that no path meets.
VOLPT_HD float evaluate_emission_density(SceneView const& scene, std::uint32_t number, Vec3 direction)
{
    LightsView const& lights = scene.lights;
    if (number == lights.count)
        return lights.environment_choice * evaluate_environment_density(scene, -direction) * find_far_density(lights);
    EmitterView const& emitter = lights.emitters[number];
    if (emitter.shape == EmitterShape::triangles || emitter.shape == EmitterShape::sphere)
        return exact::divide(emitter.choice * kInversePi, emitter.area_mm2);
    if (emitter.shape == EmitterShape::sun && emitter.one_minus_cosine > 0.0f)
        return evaluate_sun_density(emitter) * find_far_density(lights);
    return 0.0f;
}

} // namespace volpt
