#include "libvolpt/render/first_event.h"

#include "libvolpt/core/light/transports.hd.h"
#include "libvolpt/core/surface/nested_solids.hd.h"
#include "libvolpt/cpu/path_walk.h"

namespace volpt {
namespace {

/// All events but the escape add to the depth.
template <class M>
std::optional<Vec3> find_in_medium(SceneView const& scene, PathId id)
{
    PathCounts counts;
    PathOf<M> path = start_path_in<M>(scene, id);
    while (path.stage != Stage::ended && path.depth == 0) extend_path<M>(scene, path, counts);
    if (path.depth == 0) return std::nullopt;
    return path.position;
}

/// The medium of scenes with emitters, whose differences are branches at run time, has the same events in all others:
/// two instances instead of eight, which took twice as long to compile and no less to run.
template <Surfaces surfaces>
std::optional<Vec3> find_among_surfaces(SceneView const& scene, PathId id)
{
    return find_in_medium<EmitterMedium<1, surfaces, Transport::emitters>>(scene, id);
}

} // namespace

std::optional<Vec3> find_first_event(SceneView const& scene, PathId id)
{
    return scene.surface.on != 0u ? find_among_surfaces<Surfaces::surroundings>(scene, id)
                                  : find_among_surfaces<Surfaces::box>(scene, id);
}

} // namespace volpt
