// A flight against local majorants: brick by brick until its optical depth is used up.
//
// J. Amanatides & A. Woo, A Fast Voxel Traversal Algorithm for Ray Tracing, Eurographics 1987. The optical depth of
// each brick is subtracted from the one drawn, so that an empty brick costs a step of the traversal and no random
// number.
#pragma once

#include "libvolpt/core/scene_view.hd.h"

namespace volpt {

/// Bricks that one flight crosses at most. Exponential flights are memoryless: the path goes on from the face with a
/// new optical depth. The bound limits how long lanes wait for each other.
inline constexpr int kMostBricks = 8;

/// Distances are in mm from the start of the flight.
struct BrickFlight {
    float optical_depth; ///< left
    float distance;      ///< flown
    float majorant;      ///< 1/mm, of the brick crossed last
    float leave;         ///< the box's face
    Vec3 next;           ///< the brick's face on each axis
    Vec3 spacing;        ///< from one brick face to the next on each axis
    std::int32_t brick;  ///< that it enters
    std::uint32_t flies; ///< 1 until it stops in a brick or leaves the box
    std::uint32_t leaves;
};

/// Where a path at `p` that moves at speed `v` along one axis is in the grid of bricks. A point on a face belongs to
/// the brick ahead.
struct BrickAxis {
    std::int32_t brick; ///< clamped to the grid
    float next;         ///< mm to the brick's face ahead
    float spacing;      ///< mm
    float leave;        ///< mm to the box's face ahead
};

VOLPT_HD BrickAxis find_brick(float p, float v, std::int32_t bricks, float size)
{
    float const in_bricks = p * (1.0f / kBrickEdge);
    std::int32_t const floored = static_cast<std::int32_t>(in_bricks);
    bool const on_face = static_cast<float>(floored) == in_bricks;
    bool const backward = v < 0.0f;
    std::int32_t const ahead = floored - ((backward & on_face) ? 1 : 0);
    std::int32_t const brick = exact::max(std::int32_t{0}, exact::min(ahead, bricks - 1));
    float const face = exact::min(static_cast<float>((brick + (backward ? 0 : 1)) * kBrickEdge), size);
    float const gap = exact::max(0.0f, backward ? p - face : face - p);
    // Along a face, distances are finite and longer than any flight.
    float const mm_per_voxel = exact::reciprocal(exact::max(0x1p-40f, exact::abs(v)));
    return {brick, gap * mm_per_voxel, kBrickEdge * mm_per_voxel, (backward ? p : size - p) * mm_per_voxel};
}

VOLPT_HD BrickFlight begin_brick_flight(MediumView const& medium, Vec3 position, Vec3 direction, float optical_depth)
{
    Vec3 const velocity = direction * medium.inv_pitch; // voxels per mm
    Vec3 const size = medium.size_voxels;
    BrickAxis const x = find_brick(position.x, velocity.x, medium.brick_counts[0], size.x);
    BrickAxis const y = find_brick(position.y, velocity.y, medium.brick_counts[1], size.y);
    BrickAxis const z = find_brick(position.z, velocity.z, medium.brick_counts[2], size.z);
    BrickFlight flight;
    flight.optical_depth = optical_depth;
    flight.distance = 0.0f;
    flight.majorant = 0.0f;
    flight.leave = exact::ordered_min(x.leave, exact::ordered_min(y.leave, z.leave));
    flight.next = {x.next, y.next, z.next};
    flight.spacing = {x.spacing, y.spacing, z.spacing};
    flight.brick = (z.brick * medium.brick_counts[1] + y.brick) * medium.brick_counts[0] + x.brick;
    flight.flies = 1u;
    flight.leaves = 0u;
    return flight;
}

/// Moves a flight through the brick that it enters, or to where it stops in it; nothing changes if it has ended. The
/// majorants of the path's band begin at `first` in local_majorants.
VOLPT_HD void cross_brick(MediumView const& medium, std::int32_t first, Vec3 direction, BrickFlight& flight)
{
    // Rounding may place a brick's face in front of the box's where both are one: then the brick after it has a length
    // of 0 but for rounding, and any majorant will do.
    std::int32_t const row = medium.brick_counts[0], layer = row * medium.brick_counts[1];
    std::int32_t const last = layer * medium.brick_counts[2] - 1;
    std::int32_t const brick = exact::max(std::int32_t{0}, exact::min(flight.brick, last));
    float const majorant = medium.scale * medium.local_majorants[first + brick];
    float const next = exact::ordered_min(flight.next.x, exact::ordered_min(flight.next.y, flight.next.z));
    float const exit = exact::ordered_min(flight.leave, next);
    float const optical_depth = exact::ordered_max(0.0f, exit - flight.distance) * majorant;
    // Masks, not conditions: g++ makes branches of these in a loop over lanes.
    std::uint32_t const flies = mask_if(flight.flies != 0u);
    std::uint32_t const crosses = flies & mask_if(!(flight.optical_depth < optical_depth));
    flight.majorant = blend(flies, majorant, flight.majorant);
    flight.optical_depth = blend(crosses, flight.optical_depth - optical_depth, flight.optical_depth);
    flight.distance = blend(crosses, exit, flight.distance);
    auto const cross_axis = [&](float d, std::int32_t stride, float spacing, float& face) {
        std::uint32_t const mask = crosses & mask_if(face <= exit);
        std::int32_t const ahead = d < 0.0f ? -stride : stride;
        flight.brick += ahead & static_cast<std::int32_t>(mask);
        face += blend(mask, spacing, 0.0f);
    };
    cross_axis(direction.x, 1, flight.spacing.x, flight.next.x);
    cross_axis(direction.y, row, flight.spacing.y, flight.next.y);
    cross_axis(direction.z, layer, flight.spacing.z, flight.next.z);
    flight.leaves |= crosses & mask_if(exit >= flight.leave) & 1u;
    flight.flies = crosses & 1u & ~flight.leaves;
}

/// The geometry of a flight, before the null-collision test. Flags are 0 or 1: loops over lanes that return a struct
/// with a bool do not vectorise.
struct Leg {
    Vec3 target;           ///< voxels
    float majorant;        ///< 1/mm, that the flight was drawn with
    std::uint32_t leaves;  ///< out of the box: `target` is not used
    std::uint32_t crosses; ///< stopped between bricks: no collision
};

/// Where a flight of begin_brick_flight ends.
VOLPT_HD Leg end_brick_flight(MediumView const& medium, Vec3 position, Vec3 direction, BrickFlight const& flight)
{
    // One that stopped in a brick has an optical depth left that is shorter than the brick's, which is not 0.
    float const rest = exact::divide(flight.optical_depth, exact::ordered_max(0x1p-75f, flight.majorant));
    float const distance = flight.flies != 0u ? flight.distance : flight.distance + rest;
    Vec3 const moved = multiply_add(distance * medium.inv_pitch, direction, position);
    Vec3 const target = clamp_to_box(moved, medium.size_voxels);
    return {target, flight.majorant, flight.leaves, flight.flies};
}

} // namespace volpt
