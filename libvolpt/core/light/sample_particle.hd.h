// Where particles begin: a point of an emitter and a direction, in proportion to what it sends out.
#pragma once

#include "libvolpt/core/rng.hd.h"
#include "libvolpt/core/scene_view.hd.h"

namespace volpt {

template <int bands>
struct ParticleStart {
    Vec3 position_mm;              ///< of a sun and the environment: on a disc beyond all of the scene
    Vec3 direction;                ///< unit, box axes
    float weight[bands];           ///< power by band over LightsView::reference_power_w, not above 1
    Vec3 normal;                   ///< unit, of an emitter with a surface
    std::uint32_t has_surface = 0; ///< 1: emits from a surface, by the cosine to `normal`
};

/// `band` is that of a path of one band. Draws five numbers.
template <int bands>
VOLPT_HD ParticleStart<bands> sample_particle(SceneView const& scene, std::uint32_t band, Rng& rng);

} // namespace volpt
