// Delta tracking: the flight of a path inside the medium up to its next tentative event, without branches.
//
// E. Woodcock et al., Techniques used in the GEM code (1965): null collisions against a majorant.
#pragma once

#include "libvolpt/core/brick_flight.hd.h"
#include "libvolpt/core/lookup.hd.h"
#include "libvolpt/core/path.hd.h"

namespace volpt {

enum class FlightEvent : std::uint32_t {
    null_collision = 0, ///< also: stopped between two bricks, having crossed kMostBricks
    collision = 1,      ///< real
    leave = 2,          ///< reached the box's face; the path has not been moved
};

/// A length that is not known.
inline constexpr float kUnmeasured_mm = -1.0f;

struct Flight {
    FlightEvent event = FlightEvent::null_collision;
    std::uint32_t tentative = 0;      ///< 1 if a tentative collision took place, real or null
    std::uint32_t collides = 0;       ///< 1 if it was real: the same as `event`, for masks
    VoxelRef voxel;                   ///< whose values the collision takes
    float majorant = 0;               ///< 1/mm, that it was drawn with; of particles alone
    float length_mm = kUnmeasured_mm; ///< known where one ends at a collision among interfaces
};

/// True from 0 to `size` on each axis; -0 counts as outside.
VOLPT_HD bool is_inside(Vec3 p, Vec3 size)
{
    // The bits of floats that are not negative compare as numbers do; those of -0, of negative numbers and of NaN are
    // larger than any size.
    std::uint32_t const x = bits_from_float(p.x), y = bits_from_float(p.y), z = bits_from_float(p.z);
    std::uint32_t const end_x = bits_from_float(size.x), end_y = bits_from_float(size.y),
                        end_z = bits_from_float(size.z);
    return (x <= end_x) & (y <= end_y) & (z <= end_z);
}

/// sigma_t of a voxel in `band`, 1/mm.
template <class M>
VOLPT_HD float read_sigma_t(MediumView const& medium, VoxelRef voxel, std::uint32_t band)
{
    bool const is_label = M::kExtinction == Extinction::label ||
                          (M::kExtinction == Extinction::any && medium.extinction == Extinction::label);
    if (is_label) {
        std::int32_t const row = static_cast<std::int32_t>(band) * kMaxMaterials;
        return medium.material_sigma_t[row + read_label(medium.label, voxel)];
    }
    if (M::kExtinction == Extinction::any && medium.extinction != Extinction::density)
        return medium.band[band].majorant;
    return medium.scale * read_value(medium.density, voxel, 0u);
}

template <int bands>
VOLPT_HD Leg fly_global(MediumView const& medium, BandMedium const& band, PathState<bands> const& path,
                        float optical_depth)
{
    Vec3 const target = multiply_add(optical_depth * band.mean_free_path_voxels, path.direction, path.position);
    return {target, band.majorant, is_inside(target, medium.size_voxels) ? 0u : 1u, 0u};
}

template <int bands>
VOLPT_HD Leg fly_local(MediumView const& medium, BandMedium const& band, PathState<bands> const& path,
                       float optical_depth)
{
    BrickFlight flight = begin_brick_flight(medium, path.position, path.direction, optical_depth);
#if VOLPT_ON_DEVICE
#pragma unroll 1
#endif
    for (int i = 0; i < kMostBricks && flight.flies != 0u; ++i)
        cross_brick(medium, band.local_majorant_first, path.direction, flight);
    return end_brick_flight(medium, path.position, path.direction, flight);
}

/// Whether flights look a voxel up, and whether they may end at a null collision there.
template <class M>
inline constexpr bool kLooksUp = M::kExtinction != Extinction::bare;
template <class M>
inline constexpr bool kHasNulls =
    M::kExtinction == Extinction::density || M::kExtinction == Extinction::label || M::kExtinction == Extinction::any;

/// Whether sigma_t may be less than the majorant somewhere.
VOLPT_HD bool has_null_collisions(MediumView const& medium)
{
    return medium.extinction == Extinction::density || medium.extinction == Extinction::label;
}

/// Whether flights of Extinction::any are drawn brick by brick.
VOLPT_HD bool has_local_majorants(MediumView const& medium)
{
    return medium.grid == MajorantGrid::local && has_null_collisions(medium);
}

/// Numbers that a flight draws before its optical depth: that for the voxel where there are no null collisions, so that
/// the scattering's numbers follow the depth's (count_draws_before_stratified). Elsewhere it would take registers.
VOLPT_HD std::uint32_t count_draws_before_depth(Extinction extinction)
{
    return extinction == Extinction::constant ? 1u : 0u;
}

/// The end of a flight, with the number drawn for its voxel; where there are null collisions, draws that number and one
/// for the null test. Moves `position` unless the flight leaves the box.
template <class M>
VOLPT_HD Flight arrive(MediumView const& medium, Leg const& leg, std::uint32_t voxel_bits, PathState<M::kBands>& path)
{
    bool const leaves = leg.leaves != 0u;
    bool const arrives = leg.crosses == 0u;
    Flight flight;
    bool collides = true;
    if constexpr (kHasNulls<M>) voxel_bits = path.rng.draw();
    if constexpr (kLooksUp<M>) flight.voxel = pick_voxel(medium, leg.target, voxel_bits);
    if constexpr (kHasNulls<M>) {
        std::uint32_t const null_bits = path.rng.draw();
        float const sigma_t = read_sigma_t<M>(medium, flight.voxel, M::kBands > 1 ? 0u : path.band);
        collides = to_fine_unit(null_bits) * leg.majorant < sigma_t;
        if constexpr (M::kExtinction == Extinction::any) collides |= !has_null_collisions(medium);
    }
    if constexpr (starts_at_emitters(M::kTransport)) flight.majorant = leg.majorant;
    flight.tentative = !leaves & arrives ? 1u : 0u;
    flight.collides = flight.tentative & (collides ? 1u : 0u);
    flight.event = leaves               ? FlightEvent::leave
                   : collides & arrives ? FlightEvent::collision
                                        : FlightEvent::null_collision;
    path.position.x = leaves ? path.position.x : leg.target.x;
    path.position.y = leaves ? path.position.y : leg.target.y;
    path.position.z = leaves ? path.position.z : leg.target.z;
    return flight;
}

/// One tentative flight of a path inside. Draws, in this order: count_draws_before_depth numbers, one for the optical
/// depth, and those of `arrive`.
template <class M>
VOLPT_HD Flight advance(MediumView const& medium, BandMedium const& band, PathState<M::kBands>& path)
{
    std::uint32_t voxel_bits = 0;
    if constexpr (kLooksUp<M> && !kHasNulls<M>) voxel_bits = path.rng.draw();
    float const optical_depth = to_optical_depth(path.rng.draw());
    if constexpr (M::kGrid == MajorantGrid::any) {
        Leg const leg = has_local_majorants(medium) ? fly_local(medium, band, path, optical_depth)
                                                    : fly_global(medium, band, path, optical_depth);
        return arrive<M>(medium, leg, voxel_bits, path);
    }
    if constexpr (M::kGrid == MajorantGrid::local)
        return arrive<M>(medium, fly_local(medium, band, path, optical_depth), voxel_bits, path);
    else
        return arrive<M>(medium, fly_global(medium, band, path, optical_depth), voxel_bits, path);
}

template <class M>
VOLPT_HD Flight advance(MediumView const& medium, PathState<M::kBands>& path)
{
    std::int32_t const band = M::kBands > 1 ? 0 : static_cast<std::int32_t>(path.band);
    return advance<M>(medium, medium.band[band], path);
}

} // namespace volpt
