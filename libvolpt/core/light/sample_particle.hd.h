// Where particles begin: a point of an emitter and a direction, in proportion to what it sends out.
#pragma once

#include "libvolpt/core/light/environment_sampler.hd.h"
#include "libvolpt/core/lookup.hd.h"
#include "libvolpt/core/surface/surroundings.hd.h"

namespace volpt {

template <int bands>
struct ParticleStart {
    Vec3 position_mm; ///< of a sun and the environment: on a disc beyond all of the scene
    Vec3 direction;   ///< unit, box axes
    /// Power by band over LightsView::reference_power_w: of emitters not above 1; of the environment its radiance over
    /// the density of `direction`, on average not above 1.
    float weight[bands];
    Vec3 normal;                   ///< unit, of an emitter with a surface
    std::uint32_t has_surface = 0; ///< 1: emits from a surface, by the cosine to `normal`
    std::uint32_t in_medium = 0;   ///< 1: emitted by the medium in `voxel`; `position_mm` is not set
    VoxelRef voxel;
    Vec3 position_voxels;      ///< in the medium
    float offset_mm = 0;       ///< of a surface, along `normal`: SurfacePoint::offset_mm
    std::uint32_t emitter = 0; ///< its number; LightsView::count: the environment
};

/// On a disc in front of the whole scene, which light of `direction` crosses.
VOLPT_HD Vec3 find_far_start(LightsView const& lights, Vec3 direction, std::uint32_t const (&place_bits)[2])
{
    Vec3 const offset = sample_disc(direction, lights.scene_radius_mm, place_bits[0], place_bits[1]);
    return move_along(lights.scene_centre_mm + offset, -lights.scene_radius_mm, direction);
}

/// The offset of a particle from the beam's axis, perpendicular to it.
VOLPT_HD Vec3 find_offset_in_beam(EmitterView const& beam, std::uint32_t const (&place_bits)[2])
{
    switch (beam.profile) {
    case BeamProfile::disc:
        return sample_disc(beam.direction, beam.radius_mm, place_bits[0], place_bits[1]);
    case BeamProfile::gaussian: {
        // 2 r^2 / w^2 has an exponential distribution.
        float const r = beam.radius_mm * exact::sqrt(0.5f * to_optical_depth(place_bits[0]));
        exact::SinCos const azimuth = exact::sincos_turns(place_bits[1]);
        Frame const frame = make_frame(beam.direction);
        return move_along(r * azimuth.cosine * frame.tangent, r * azimuth.sine, frame.bitangent);
    }
    case BeamProfile::slit:
        return to_symmetric(place_bits[0]) * beam.u_axis_mm;
    case BeamProfile::rectangle:
        return to_symmetric(place_bits[0]) * beam.u_axis_mm + to_symmetric(place_bits[1]) * beam.v_axis_mm;
    default:
        return {0, 0, 0};
    }
}

/// Position and direction of a particle from an emitter; `weight` is not set. In each pair of bits, those of the height
/// or radius are first.
template <int bands>
VOLPT_HD ParticleStart<bands> leave_emitter(LightsView const& lights, EmitterView const& emitter,
                                            std::uint32_t part_bits, std::uint32_t const (&place_bits)[2],
                                            std::uint32_t const (&direction_bits)[2])
{
    ParticleStart<bands> start{};
    start.position_mm = emitter.position_mm;
    start.direction = emitter.direction;
    switch (emitter.shape) {
    case EmitterShape::point:
        start.direction = sample_isotropic(direction_bits[0], direction_bits[1]);
        break;
    case EmitterShape::spot:
        start.direction = sample_spot(emitter, direction_bits[0], direction_bits[1]);
        break;
    case EmitterShape::sun: {
        float const cone = emitter.one_minus_cosine;
        if (cone > 0.0f) start.direction = sample_cone(emitter.direction, cone, direction_bits[0], direction_bits[1]);
        start.position_mm = find_far_start(lights, start.direction, place_bits);
        break;
    }
    case EmitterShape::triangles: {
        EmitterTriangle const triangle = choose_triangle(lights, emitter, part_bits);
        start.position_mm = sample_triangle(triangle, place_bits[0], place_bits[1]);
        start.normal = find_front(triangle);
        start.has_surface = 1u;
        start.offset_mm = find_offset_mm(triangle.a, triangle.b, triangle.c);
        break;
    }
    case EmitterShape::sphere:
        start.normal = sample_isotropic(place_bits[0], place_bits[1]);
        start.position_mm = move_along(emitter.position_mm, emitter.radius_mm, start.normal);
        start.has_surface = 1u;
        start.offset_mm = find_offset_mm(emitter.position_mm, emitter.radius_mm);
        break;
    case EmitterShape::beam:
        start.position_mm = emitter.position_mm + find_offset_in_beam(emitter, place_bits);
        break;
    }
    if (start.has_surface != 0u)
        start.direction = sample_lambertian(start.normal, direction_bits[0], direction_bits[1]);
    return start;
}

/// A particle from the environment: at each point of a disc beyond the scene, its radiance is that of the direction.
template <int bands>
VOLPT_HD ParticleStart<bands> leave_environment(SceneView const& scene, std::uint32_t band,
                                                std::uint32_t const (&place_bits)[2],
                                                std::uint32_t const (&direction_bits)[2])
{
    LightsView const& lights = scene.lights;
    EnvironmentDirection const from = sample_environment(scene, direction_bits[0], direction_bits[1]);
    ParticleStart<bands> start{};
    start.direction = -from.direction;
    start.position_mm = find_far_start(lights, start.direction, place_bits);
    float const area_mm2 = kUnitDiscArea * lights.scene_radius_mm * lights.scene_radius_mm;
    float const outside_w = lights.reference_power_w * (1.0f - scene.emission.choice);
    float const gain = exact::divide(area_mm2, from.density * (lights.environment_choice * outside_w));
    for (int b = 0; b < bands; ++b) {
        std::uint32_t const of_scene = bands > 1 ? static_cast<std::uint32_t>(b) : band;
        start.weight[b] = gain * read_light(scene.environment, scene.bands, of_scene, from.direction);
    }
    return start;
}

/// The random bits that a particle begins with.
struct ParticleNumbers {
    std::uint32_t choice; ///< of the emitter
    std::uint32_t part;   ///< of its parts
    std::uint32_t place[2];
    std::uint32_t direction[2];
};

VOLPT_HD ParticleNumbers draw_particle_numbers(Rng& rng)
{
    ParticleNumbers numbers;
    numbers.choice = rng.draw();
    numbers.part = rng.draw();
    for (int i = 0; i < 2; ++i) numbers.place[i] = rng.draw();
    for (int i = 0; i < 2; ++i) numbers.direction[i] = rng.draw();
    return numbers;
}

/// A particle from an emitter or the environment. `band` is that of a path of one band. LightsView's choices are in
/// proportion to the largest bands of powers.
template <int bands>
VOLPT_HD ParticleStart<bands> sample_particle(SceneView const& scene, std::uint32_t band,
                                              ParticleNumbers const& numbers)
{
    LightsView const& lights = scene.lights;
    std::uint32_t const chosen = choose_emitter(lights, numbers.choice);
    if (chosen == lights.count) {
        ParticleStart<bands> start = leave_environment<bands>(scene, band, numbers.place, numbers.direction);
        start.emitter = chosen;
        return start;
    }
    EmitterView const& emitter = lights.emitters[chosen];
    ParticleStart<bands> start = leave_emitter<bands>(lights, emitter, numbers.part, numbers.place, numbers.direction);
    for (int b = 0; b < bands; ++b)
        start.weight[b] = emitter.power_share[bands > 1 ? static_cast<std::uint32_t>(b) : band];
    start.emitter = chosen;
    return start;
}

template <int bands>
VOLPT_HD ParticleStart<bands> sample_particle(SceneView const& scene, std::uint32_t band, Rng& rng)
{
    return sample_particle<bands>(scene, band, draw_particle_numbers(rng));
}

} // namespace volpt
