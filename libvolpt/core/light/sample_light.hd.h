// How a point is connected to emitters: one is chosen, then a direction towards it, and the light from there is read.
// Also the light of a path that meets an emitter by chance.
#pragma once

#include "libvolpt/core/light/environment_sampler.hd.h"

namespace volpt {

/// Farther than any surface: the distance of light from infinity.
inline constexpr float kInfinitelyFar_mm = 0x1p60f;

/// The balance heuristic: the weight of light that was sampled with density `own`, and by the other technique has the
/// density `other`. 1 if that is 0.
VOLPT_HD float weigh_balanced(float own, float other)
{
    return other > 0.0f ? exact::divide(own, own + other) : 1.0f;
}

template <int bands>
struct LightSample {
    Vec3 direction;    ///< unit, from the point to the light, box axes
    float distance_mm; ///< to the emitter; kInfinitelyFar_mm of suns and the environment
    float density; ///< per sr, of this direction, by all choices that lead to the same emitter; 0: no path meets it by
                   ///< chance
    float value[bands]; ///< radiance / density; of emitters without extent, irradiance / probability. 0: no light comes
    std::uint32_t emitter = 0; ///< its number; LightsView::count: the environment
};

/// A direction from a point to an emitter that has been chosen.
struct EmitterDirection {
    Vec3 direction{0, 0, 1};
    float distance_mm = 0;
    float density = 0; ///< as LightSample's
    float gain = 0;    ///< value of a LightSample over EmitterView::amount; 0: no light comes
};

/// Below, a surface is seen edge-on: it is not sampled, and what is found by chance counts in full.
inline constexpr float kLeastEmitterCosine = 0x1p-20f;

/// Nearer, a point counts as at the emitter itself and gets nothing.
inline constexpr float kLeastDistance2_mm2 = 0x1p-40f;

VOLPT_HD EmitterDirection aim_at_point(EmitterView const& emitter, Vec3 from_mm)
{
    Vec3 const to = emitter.position_mm - from_mm;
    float const distance2 = dot(to, to);
    if (!(distance2 > kLeastDistance2_mm2)) return {};
    float const distance = exact::sqrt(distance2);
    Vec3 const direction = exact::reciprocal(distance) * to;
    float share = 1.0f;
    if (emitter.shape == EmitterShape::spot)
        share = evaluate_spot(emitter, find_one_minus_cosine(-direction, emitter.direction));
    return {direction, distance, 0.0f, exact::divide(share, distance2 * emitter.choice)};
}

/// Per sr, of directions to a sun with a diameter.
VOLPT_HD float evaluate_sun_density(EmitterView const& sun)
{
    return exact::divide(sun.choice, kHemisphere_sr * sun.one_minus_cosine);
}

VOLPT_HD EmitterDirection aim_at_sun(EmitterView const& sun, std::uint32_t u_bits, std::uint32_t v_bits)
{
    if (!(sun.one_minus_cosine > 0.0f)) return {-sun.direction, kInfinitelyFar_mm, 0.0f, exact::reciprocal(sun.choice)};
    float const density = evaluate_sun_density(sun);
    return {sample_cone(-sun.direction, sun.one_minus_cosine, u_bits, v_bits), kInfinitelyFar_mm, density,
            exact::reciprocal(density)};
}

/// Per sr, of points of an area chosen evenly, `distance2` away and seen at `cosine`.
VOLPT_HD float evaluate_area_density(EmitterView const& emitter, float distance2, float cosine)
{
    return exact::divide(emitter.choice * distance2, cosine * emitter.area_mm2);
}

VOLPT_HD EmitterDirection aim_at_triangles(LightsView const& lights, EmitterView const& emitter, Vec3 from_mm,
                                           std::uint32_t part_bits, std::uint32_t u_bits, std::uint32_t v_bits)
{
    EmitterTriangle const triangle = choose_triangle(lights, emitter, part_bits);
    Vec3 const to = sample_triangle(triangle, u_bits, v_bits) - from_mm;
    float const distance2 = dot(to, to);
    if (!(distance2 > kLeastDistance2_mm2)) return {};
    float const distance = exact::sqrt(distance2);
    Vec3 const direction = exact::reciprocal(distance) * to;
    float const cosine = -dot(direction, find_front(triangle));
    if (!(cosine > kLeastEmitterCosine)) return {};
    float const density = evaluate_area_density(emitter, distance2, cosine);
    return {direction, distance, density, exact::reciprocal(density)};
}

/// The directions in which a sphere is seen.
struct SphereCone {
    Vec3 to_centre;         ///< unit
    float distance;         ///< of the centre
    float outside2;         ///< square of the distance to where the sphere is touched; not above 0: the point is inside
    float one_minus_cosine; ///< of its edge
};

VOLPT_HD SphereCone find_sphere_cone(Vec3 centre_mm, float radius_mm, Vec3 from_mm)
{
    Vec3 const to = centre_mm - from_mm;
    float const distance = exact::sqrt(dot(to, to));
    // A difference of squares would cancel near the surface.
    float const outside2 = (distance - radius_mm) * (distance + radius_mm);
    if (!(outside2 > kLeastDistance2_mm2)) return {{0, 0, 1}, distance, 0.0f, 1.0f};
    float const inverse = exact::reciprocal(distance);
    float const sine = radius_mm * inverse;
    float const cosine = exact::sqrt(outside2) * inverse;
    return {inverse * to, distance, outside2, exact::divide(sine * sine, 1.0f + cosine)};
}

VOLPT_HD EmitterDirection aim_at_sphere(EmitterView const& sphere, Vec3 from_mm, std::uint32_t u_bits,
                                        std::uint32_t v_bits)
{
    SphereCone const cone = find_sphere_cone(sphere.position_mm, sphere.radius_mm, from_mm);
    if (!(cone.outside2 > 0.0f)) return {};
    float const off_axis = to_unit(u_bits) * cone.one_minus_cosine;
    Vec3 const direction = turn_from_axis(cone.to_centre, off_axis, v_bits);
    float const aside2 = cone.distance * cone.distance * off_axis * (2.0f - off_axis);
    float const half_chord = exact::sqrt(exact::max(0.0f, exact::fma(sphere.radius_mm, sphere.radius_mm, -aside2)));
    float const distance = exact::divide(cone.outside2, exact::fma(cone.distance, 1.0f - off_axis, half_chord));
    float const density = exact::divide(sphere.choice, kHemisphere_sr * cone.one_minus_cosine);
    return {direction, distance, density, exact::reciprocal(density)};
}

VOLPT_HD EmitterDirection aim_at_beam(EmitterView const& beam, Vec3 from_mm)
{
    Vec3 const offset = from_mm - beam.position_mm;
    float const along = dot(offset, beam.direction);
    if (!(along > 0.0f)) return {};
    Vec3 const across = move_along(offset, -along, beam.direction);
    float const share = evaluate_beam(beam, dot(across, across));
    return {-beam.direction, along, 0.0f, exact::divide(share, beam.choice)};
}

VOLPT_HD EmitterDirection aim_at_emitter(LightsView const& lights, EmitterView const& emitter, Vec3 from_mm,
                                         std::uint32_t part_bits, std::uint32_t u_bits, std::uint32_t v_bits)
{
    switch (emitter.shape) {
    case EmitterShape::sun:
        return aim_at_sun(emitter, u_bits, v_bits);
    case EmitterShape::triangles:
        return aim_at_triangles(lights, emitter, from_mm, part_bits, u_bits, v_bits);
    case EmitterShape::sphere:
        return aim_at_sphere(emitter, from_mm, u_bits, v_bits);
    case EmitterShape::beam:
        return aim_at_beam(emitter, from_mm);
    default:
        return aim_at_point(emitter, from_mm);
    }
}

/// Chooses an emitter, and a direction to it from a point. `band` is that of a path of one band. Draws four numbers.
template <int bands>
VOLPT_HD LightSample<bands> sample_light(SceneView const& scene, Vec3 point_mm, std::uint32_t band, Rng& rng)
{
    LightsView const& lights = scene.lights;
    std::uint32_t const choice_bits = rng.draw();
    std::uint32_t const part_bits = rng.draw();
    std::uint32_t const u_bits = rng.draw();
    std::uint32_t const v_bits = rng.draw();
    std::uint32_t const chosen = choose_emitter(lights, choice_bits);
    LightSample<bands> sample{{0, 0, 1}, 0.0f, 0.0f, {}};
    if (chosen < lights.count) {
        EmitterView const& emitter = lights.emitters[chosen];
        if (!(emitter.choice > 0.0f)) return sample;
        EmitterDirection const aim = aim_at_emitter(lights, emitter, point_mm, part_bits, u_bits, v_bits);
        sample = {aim.direction, aim.distance_mm, aim.density, {}};
        for (int b = 0; b < bands; ++b)
            sample.value[b] = aim.gain * emitter.amount[bands > 1 ? static_cast<std::uint32_t>(b) : band];
    } else if (lights.environment_choice > 0.0f) {
        EnvironmentDirection const from = sample_environment(scene, u_bits, v_bits);
        sample = {from.direction, kInfinitelyFar_mm, lights.environment_choice * from.density, {}};
        float const gain = exact::reciprocal(sample.density);
        for (int b = 0; b < bands; ++b) {
            std::uint32_t const of_scene = bands > 1 ? static_cast<std::uint32_t>(b) : band;
            sample.value[b] = gain * read_light(scene.environment, scene.bands, of_scene, from.direction);
        }
    }
    sample.emitter = chosen;
    return sample;
}

/// A path that meets a primitive of the surroundings that emits.
struct EmitterHit {
    std::uint32_t primitive;
    Vec3 from_mm;   ///< where its last scattering was
    Vec3 at_mm;     ///< a point of the primitive
    Vec3 direction; ///< of the path, unit
    Vec3 front;     ///< unit normal, on the side that emits
};

/// The density, per sr, with which sample_light gives the direction of a hit; 0 if it never does.
VOLPT_HD float evaluate_hit_density(EmitterView const& emitter, EmitterHit const& hit, float cosine)
{
    if (emitter.shape == EmitterShape::sphere) {
        SphereCone const cone = find_sphere_cone(emitter.position_mm, emitter.radius_mm, hit.from_mm);
        return cone.outside2 > 0.0f ? exact::divide(emitter.choice, kHemisphere_sr * cone.one_minus_cosine) : 0.0f;
    }
    Vec3 const way = hit.at_mm - hit.from_mm;
    float const distance2 = dot(way, way);
    bool const is_sampled = cosine > kLeastEmitterCosine && distance2 > kLeastDistance2_mm2;
    return is_sampled ? evaluate_area_density(emitter, distance2, cosine) : 0.0f;
}

/// Radiance by band that a path of this direction meets, times the weight of multiple importance sampling (balance
/// heuristic) where `scatter_density` is not 0; 0 from behind.
template <int bands>
VOLPT_HD void read_emitter(SceneView const& scene, EmitterHit const& hit, std::uint32_t band, float scatter_density,
                           float (&radiance)[bands])
{
    for (int b = 0; b < bands; ++b) radiance[b] = 0.0f;
    LightsView const& lights = scene.lights;
    std::uint32_t const number = lights.emitter_of == nullptr ? 0u : lights.emitter_of[hit.primitive];
    float const cosine = -dot(hit.direction, hit.front);
    if (number == 0u || !(cosine > 0.0f)) return;
    EmitterView const& emitter = lights.emitters[number - 1u];
    float const weight =
        scatter_density > 0.0f ? weigh_balanced(scatter_density, evaluate_hit_density(emitter, hit, cosine)) : 1.0f;
    for (int b = 0; b < bands; ++b)
        radiance[b] = weight * emitter.amount[bands > 1 ? static_cast<std::uint32_t>(b) : band];
}

/// The same for a path that leaves in `direction`: of the environment, times `seen`, and of suns with a diameter.
template <int bands>
VOLPT_HD void read_distant_light(SceneView const& scene, Vec3 direction, float seen, std::uint32_t band,
                                 float scatter_density, float (&radiance)[bands])
{
    LightsView const& lights = scene.lights;
    bool const is_shared = scatter_density > 0.0f;
    bool const shares_environment = is_shared && lights.environment_choice > 0.0f;
    float const density =
        shares_environment ? lights.environment_choice * evaluate_environment_density(scene, direction) : 0.0f;
    float const share = seen * (shares_environment ? weigh_balanced(scatter_density, density) : 1.0f);
    for (int b = 0; b < bands; ++b) {
        std::uint32_t const of_scene = bands > 1 ? static_cast<std::uint32_t>(b) : band;
        radiance[b] = share * read_light(scene.environment, scene.bands, of_scene, direction);
    }
    for (std::uint32_t i = 0; i < lights.count; ++i) {
        EmitterView const& sun = lights.emitters[i];
        if (sun.shape != EmitterShape::sun) continue;
        if (!(find_one_minus_cosine(direction, -sun.direction) < sun.one_minus_cosine)) continue;
        float const weight = is_shared ? weigh_balanced(scatter_density, evaluate_sun_density(sun)) : 1.0f;
        for (int b = 0; b < bands; ++b) {
            std::uint32_t const of_scene = bands > 1 ? static_cast<std::uint32_t>(b) : band;
            radiance[b] = exact::fma(weight, sun.amount[of_scene], radiance[b]);
        }
    }
}

} // namespace volpt
