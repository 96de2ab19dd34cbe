// Flights among interfaces that end at a collision near their start, in the same material: found without a walk from
// voxel to voxel, and with the bits of that walk (fly_through_voxels).
//
// Two blocks of the same size that share a face form a box, which a straight line between two of its points does not
// leave.
#pragma once

#include "libvolpt/core/voxel_flight.hd.h"

namespace volpt {

/// The block of a path at `p` that heads along `d`.
VOLPT_HD BlockPlace find_block_ahead(MediumView const& medium, Vec3 p, Vec3 d)
{
    Vec3 const voxel = find_voxel(p, d, medium.size_voxels);
    return find_block(medium, static_cast<std::int32_t>(voxel.x), static_cast<std::int32_t>(voxel.y),
                      static_cast<std::int32_t>(voxel.z));
}

/// Whether the blocks of two places have one label and, reduced to the smaller size of both, are the same or share a
/// face.
VOLPT_HD bool are_in_one_box(BlockPlace const& from, BlockPlace const& to)
{
    std::int32_t const shift = exact::min(from.shift, to.shift);
    auto const count_steps = [&](std::int32_t a, std::int32_t b) {
        std::int32_t const steps = (a >> shift) - (b >> shift);
        return steps < 0 ? -steps : steps;
    };
    return from.label == to.label &&
           count_steps(from.x, to.x) + count_steps(from.y, to.y) + count_steps(from.z, to.z) <= 1;
}

struct ClearFlight {
    bool is_clear; ///< otherwise no flight was made
    Vec3 position; ///< voxels, where it ends
    float mean_free_path_mm;
    float length_mm;
    BlockPlace to;
    Rng rng; ///< after the number that was drawn
};

/// The flight of a path at the place `from`, if it is clear. The path is not changed.
template <class M>
VOLPT_HD ClearFlight find_clear_flight(SceneView const& scene, BlockPlace const& from, PathState<M::kBands> const& path)
{
    MediumView const& medium = scene.medium;
    ClearFlight flight;
    flight.rng = path.rng;
    std::uint32_t const row = M::kBands > 1 ? 0u : path.band * std::uint32_t{kMaxMaterials};
    float const sigma_t = medium.material_sigma_t[row + static_cast<std::uint32_t>(from.label)];
    float const optical_depth = to_optical_depth(flight.rng.draw());
    flight.mean_free_path_mm = exact::reciprocal(exact::max(0x1p-75f, sigma_t));
    flight.length_mm = optical_depth * flight.mean_free_path_mm;
    Vec3 const velocity = path.direction * medium.inv_pitch;
    Vec3 const p = move_along(path.position, flight.length_mm, velocity);
    Vec3 const last = medium.last_lookup;
    std::int32_t const x = exact::to_index(p.x, last.x), y = exact::to_index(p.y, last.y),
                       z = exact::to_index(p.z, last.z);
    // The end must be so far from faces that rounding in the walk does not matter. Points outside of the box fail this.
    auto const measure = [](float at, std::int32_t voxel) { return exact::abs(at - static_cast<float>(voxel) - 0.5f); };
    float const off_centre = exact::ordered_max(measure(p.x, x), exact::ordered_max(measure(p.y, y), measure(p.z, z)));
    flight.is_clear = false;
    if (!(off_centre < 0.5f - 8.0f * scene.interfaces.margin) || !(sigma_t > 0.0f)) return flight;
    flight.to = find_block(medium, x, y, z);
    flight.position = p;
    flight.is_clear = are_in_one_box(from, flight.to);
    return flight;
}

} // namespace volpt
