// Flights in a solid that no triangle can end, for schedulers that gather the paths whose flights need a search.
#pragma once

#include "libvolpt/core/extend_path.hd.h"

namespace volpt {

/// fly_once_in_mesh if no triangle can end the flight: true. Otherwise the path is as it was, and fly_once_in_mesh is
/// still to be called.
template <class M, class Counts>
VOLPT_HD bool fly_once_if_clear(SceneView const& scene, AfterStep after, PathState<M::kBands>& path, Counts& counts)
{
    Vec3 const start = path.position;
    Rng const rng = path.rng;
    Flight const flight = advance<M>(scene.medium, path);
    if (flight.event == FlightEvent::leave ||
        !is_clear_flight(scene.medium, scene.surface, start, path.position, path.direction)) {
        path.position = start;
        path.rng = rng;
        return false;
    }
    if (flight.event == FlightEvent::collision) {
        collide<M>(scene, flight.voxel, path, counts);
    } else {
        counts.count_null_flight(flight.tentative);
        if (after == AfterStep::yes) finish_step(scene, path, counts);
    }
    return true;
}

} // namespace volpt
