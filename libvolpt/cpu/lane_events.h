// The events of all lanes, with the loops that the scene needs.
#pragma once

#include "libvolpt/cpu/lane_passes.h"

namespace volpt {

[[gnu::always_inline]] inline bool any_lane_flies(BrickFlightLanes const& flights, int lanes)
{
    std::uint32_t flies = 0;
    for (int i = 0; i < lanes; ++i) flies |= flights.flies[i];
    return flies != 0;
}

/// `advance` for all lanes.
template <class Isa, class M>
void fly_lanes(MediumView const& medium, LaneBlock<M::kBands>& block, BrickFlightLanes& flights, int lanes)
{
    if constexpr (M::kGrid == MajorantGrid::local) {
        begin_flights<Isa, M>(medium, block, flights, lanes);
        for (int i = 0; i < kMostBricks && any_lane_flies(flights, lanes); ++i)
            cross_bricks<Isa, M>(medium, block, flights, lanes);
        end_flights<Isa, M>(medium, block, flights, lanes);
    } else {
        advance_lanes<Isa, M>(medium, block, lanes);
    }
}

/// Absorption and new directions of the lanes that have collided.
template <class Isa, int bands>
void scatter_collided(MediumView const& medium, LaneBlock<bands>& block, int lanes)
{
    switch (medium.albedo) {
    case Source::constant:
        absorb_lanes<Isa, Source::constant>(medium, block, lanes);
        break;
    case Source::plane:
        absorb_lanes<Isa, Source::plane>(medium, block, lanes);
        break;
    case Source::material:
        absorb_lanes<Isa, Source::material>(medium, block, lanes);
        break;
    }
    switch (medium.scattering) {
    case Scattering::isotropic:
        scatter_lanes<Isa, Scattering::isotropic>(medium, block, lanes);
        break;
    case Scattering::constant_g:
        scatter_lanes<Isa, Scattering::constant_g>(medium, block, lanes);
        break;
    case Scattering::material_g:
        scatter_lanes<Isa, Scattering::material_g>(medium, block, lanes);
        break;
    }
}

} // namespace volpt
