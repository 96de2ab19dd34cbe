// The vector loop of flights in solids that triangles bound.
#pragma once

#include "libvolpt/cpu/lane_passes.h"

namespace volpt {

/// Beside a block: where the flights of its lanes began, and which of them a triangle may end.
struct alignas(64) MeshLanes {
    float x[kLanes], y[kLanes], z[kLanes];
    std::uint32_t searches[kLanes]; ///< 1: not is_clear_flight, or it leaves the box
};

/// Sets `searches` after a flight.
template <class Isa, int bands>
[[gnu::noinline]] void find_searches(MediumView const& scene_medium, SurfaceView const& scene_surface,
                                     LaneBlock<bands> const& block, MeshLanes& mesh, int lanes)
{
    MediumView const medium = scene_medium;
    SurfaceView const surface = scene_surface;
    lanes &= -kVectorLanes;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
        Vec3 const start{mesh.x[i], mesh.y[i], mesh.z[i]};
        Vec3 const end{block.x[i], block.y[i], block.z[i]};
        std::uint32_t const event = block.event[i];
        std::uint32_t const clear = is_clear_flight(medium, surface, start, end) ? 1u : 0u;
        std::uint32_t const leaves = event == static_cast<std::uint32_t>(FlightEvent::leave) ? 1u : 0u;
        std::uint32_t const flies = event != kIdleLane ? 1u : 0u;
        mesh.searches[i] = ((clear ^ 1u) | leaves) & flies;
    }
}

} // namespace volpt
