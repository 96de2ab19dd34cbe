#pragma once

#include "libvolpt/core/path.hd.h"

namespace volpt {

/// with_medium for few paths without long steps, in two instances: media of a constant extinction, whose flights draw
/// other numbers, and all others, slower. Paths are those of the medium's own instance; in a medium that is bare, up to
/// their first collision.
template <int bands, Surfaces surfaces, class Run>
inline auto with_shared_medium(SceneView const& scene, Run&& run)
{
    if (scene.medium.extinction == Extinction::constant)
        return run(Medium<bands, Extinction::constant, MajorantGrid::global, Steps::plain, surfaces>{});
    return run(Medium<bands, Extinction::any, MajorantGrid::any, Steps::plain, surfaces>{});
}

} // namespace volpt
