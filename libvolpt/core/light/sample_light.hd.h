// How a point is connected to emitters: one is chosen, a direction towards it, and what light comes from there. And
// what a path finds that meets an emitter by chance.
#pragma once

#include "libvolpt/core/environment.hd.h"
#include "libvolpt/core/rng.hd.h"
#include "libvolpt/core/scene_view.hd.h"

namespace volpt {

/// Farther than any surface: the distance of light from infinity.
inline constexpr float kInfinitelyFar_mm = 0x1p60f;

/// The weight of light that one of two ways finds with density `own` where the other has `other`: the balance
/// heuristic. 1 where the other cannot find it.
VOLPT_HD float weigh_balanced(float own, float other)
{
    return other > 0.0f ? exact::divide(own, own + other) : 1.0f;
}

template <int bands>
struct LightSample {
    Vec3 direction;    ///< unit, from the point to the light, box axes
    float distance_mm; ///< to the emitter; kInfinitelyFar_mm of suns and the environment
    float density; ///< per sr, of this direction, by all choices that lead to the same emitter; 0: it can be found in
                   ///< no other way
    float value[bands]; ///< radiance / density; of emitters without extent, irradiance / probability. 0: no light comes
};

/// Chooses an emitter, and a direction to it from a point. `band` is that of a path of one band. Draws three numbers.
template <int bands>
VOLPT_HD LightSample<bands> sample_light(SceneView const& scene, Vec3 point_mm, std::uint32_t band, Rng& rng);

/// A path that meets a primitive of the surroundings that emits.
struct EmitterHit {
    std::uint32_t primitive;
    Vec3 from_mm;   ///< where its last scattering was
    Vec3 at_mm;     ///< a point of the primitive
    Vec3 direction; ///< of the path, unit
    Vec3 front;     ///< unit normal, on the side that emits
};

/// Radiance by band that a path of this direction meets, times the weight of multiple importance sampling (balance
/// heuristic) where `scatter_density` is not 0; 0 from behind.
template <int bands>
VOLPT_HD void read_emitter(SceneView const& scene, EmitterHit const& hit, std::uint32_t band, float scatter_density,
                           float (&radiance)[bands]);

/// The same of the environment, times `seen`, and of suns with a diameter, for a path that leaves in `direction`.
template <int bands>
VOLPT_HD void read_distant_light(SceneView const& scene, Vec3 direction, float seen, std::uint32_t band,
                                 float scatter_density, float (&radiance)[bands]);

} // namespace volpt
