#pragma once

#include "libvolpt/core/path.hd.h"

namespace volpt {

/// with_medium without long steps, for few paths: media with null collisions share one instance, which is slower and
/// whose paths are the same.
template <int bands, Surfaces surfaces, class Run>
inline auto with_shared_medium(SceneView const& scene, Run&& run)
{
    switch (scene.medium.extinction) {
    case Extinction::bare:
        return run(Medium<bands, Extinction::bare, MajorantGrid::global, Steps::plain, surfaces>{});
    case Extinction::constant:
        return run(Medium<bands, Extinction::constant, MajorantGrid::global, Steps::plain, surfaces>{});
    default:
        return run(Medium<bands, Extinction::any, MajorantGrid::any, Steps::plain, surfaces>{});
    }
}

} // namespace volpt
