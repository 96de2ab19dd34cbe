// Flights through voxels whose materials differ in index of refraction: from voxel to voxel, to the next collision or
// to a face where the index changes. sigma_t is constant in a voxel, so there are no null collisions.
//
// J. Amanatides & A. Woo, A Fast Voxel Traversal Algorithm for Ray Tracing, Eurographics 1987. Interfaces at voxel
// faces are those of Q. Fang & D. Boas, Monte Carlo Simulation of Photon Migration in 3D Turbid Media Accelerated by
// Graphics Processing Units, Optics Express 17(22), 2009.
//
// A path on a face is in the voxel that it heads for. Away from faces, its position is kept inside its voxel by
// kFaceMargin, so that no rounding takes it across an interface.
#pragma once

#include "libvolpt/core/advance.hd.h"
#include "libvolpt/core/boundary/boundary.hd.h"
#include "libvolpt/core/lookup.hd.h"

namespace volpt {

/// A voxel, by its numbers along the axes, and the block of one label that it is in: the largest of brick, 2 x 2 x 2
/// voxels and voxel.
struct BlockPlace {
    std::int32_t x, y, z;
    std::int32_t label;
    std::int32_t shift; ///< the block has 2^shift voxels along each axis
};

VOLPT_HD BlockPlace find_block(MediumView const& medium, std::int32_t x, std::int32_t y, std::int32_t z)
{
    VoxelRef const at = make_voxel_ref(medium, x, y, z);
    std::uint32_t const* const entry = medium.label.table + at.brick * medium.label.table_stride;
    bool const is_brick = entry[0] == kConstantBrick;
    static_assert(kBrickEdge == 8);
    // In Morton order, the labels of 2 x 2 x 2 voxels are two words. Read in any case: in a warp, some lane needs them.
    std::uint32_t const first = entry[0] * static_cast<std::uint32_t>(kBrickVoxels) + (at.morton & ~7u);
    std::uint32_t const* const words = is_brick ? entry : medium.label.words + first / 4u;
    std::uint32_t const low = words[0], high = words[1];
    std::uint32_t const word = is_brick || (at.morton & 4u) != 0u ? high : low;
    std::uint32_t const label = word >> (is_brick ? 0u : at.morton % 4u * 8u) & 0xffu;
    std::uint32_t const all = label * 0x01010101u;
    return {x, y, z, static_cast<std::int32_t>(label), is_brick ? 3 : low == all && high == all ? 1 : 0};
}

/// A flight pauses at a face after this many cells, if along some axis it is longer, in voxels, than any flight within
/// two bricks. The path goes on from the face with a new optical depth (kMostBricks).
inline constexpr int kMostCells = 8;
inline constexpr float kLeastPause = 2.0f * kBrickEdge + 1.0f;

/// Share of the box's longest side, in voxels: at least two steps of floats, and 1/64 voxel at most. Their product is
/// InterfacesView::margin.
inline constexpr float kFaceMargin = 0x1p-22f;

/// Voxels of one material that a flight crosses in one step: a block, clipped to the box.
struct VoxelCell {
    Vec3 low; ///< voxels, whole numbers
    Vec3 high;
    std::int32_t label;
};

/// The voxel, by its lower corner, of a path at `p` that heads along `d`.
VOLPT_HD Vec3 find_voxel(Vec3 p, Vec3 d, Vec3 size)
{
    auto const find = [](float at, float along, float end) {
        float const floored = static_cast<float>(exact::to_index(at, end));
        float const ahead = (floored == at) & (along < 0.0f) ? floored - 1.0f : floored;
        return exact::max(0.0f, exact::min(ahead, end - 1.0f));
    };
    return {find(p.x, d.x, size.x), find(p.y, d.y, size.y), find(p.z, d.z, size.z)};
}

VOLPT_HD VoxelRef refer_to_voxel(MediumView const& medium, Vec3 voxel)
{
    return make_voxel_ref(medium, static_cast<std::int32_t>(voxel.x), static_cast<std::int32_t>(voxel.y),
                          static_cast<std::int32_t>(voxel.z));
}

VOLPT_HD VoxelCell find_cell(MediumView const& medium, Vec3 voxel)
{
    BlockPlace const block = find_block(medium, static_cast<std::int32_t>(voxel.x), static_cast<std::int32_t>(voxel.y),
                                        static_cast<std::int32_t>(voxel.z));
    auto const find_low = [&](std::int32_t v) { return static_cast<float>(v >> block.shift << block.shift); };
    float const edge = static_cast<float>(std::int32_t{1} << block.shift);
    Vec3 const low{find_low(block.x), find_low(block.y), find_low(block.z)};
    Vec3 const size = medium.size_voxels;
    return {low,
            {exact::min(low.x + edge, size.x), exact::min(low.y + edge, size.y), exact::min(low.z + edge, size.z)},
            block.label};
}

/// The index of refraction where a path at `p` heads along `d`.
VOLPT_HD float find_ior(SceneView const& scene, Vec3 p, Vec3 d)
{
    MediumView const& medium = scene.medium;
    VoxelRef const voxel = refer_to_voxel(medium, find_voxel(p, d, medium.size_voxels));
    return scene.interfaces.material_ior[read_label(medium.label, voxel)];
}

/// sigma_t of the path's band by label.
template <class M>
VOLPT_HD float const* find_sigma_t_row(MediumView const& medium, PathState<M::kBands> const& path)
{
    return medium.material_sigma_t + (M::kBands > 1 ? 0 : static_cast<std::int32_t>(path.band) * kMaxMaterials);
}

/// A flight on its way. Distances are in mm from its start.
struct VoxelFlight {
    Vec3 start; ///< voxels
    Vec3 velocity;
    Vec3 mm_per_voxel;
    float margin; ///< voxels
    float distance;
    VoxelCell cell; ///< the cell that it is about to cross
};

VOLPT_HD VoxelFlight begin_voxel_flight(SceneView const& scene, Vec3 position, Vec3 direction)
{
    MediumView const& medium = scene.medium;
    Vec3 const velocity = direction * medium.inv_pitch;
    Vec3 const size = medium.size_voxels;
    auto const invert = [](float v) { return exact::reciprocal(exact::max(0x1p-40f, exact::abs(v))); };
    return {position,
            velocity,
            {invert(velocity.x), invert(velocity.y), invert(velocity.z)},
            scene.interfaces.margin,
            0.0f,
            find_cell(medium, find_voxel(position, direction, size))};
}

/// The face where a flight leaves its cell.
struct CellExit {
    float distance;
    int axis;
};

VOLPT_HD CellExit find_cell_exit(VoxelFlight const& flight)
{
    auto const measure = [](float p, float v, float low, float high, float mm_per_voxel) {
        float const gap = exact::max(0.0f, v < 0.0f ? p - low : high - p);
        return v == 0.0f ? 3.0e38f : gap * mm_per_voxel;
    };
    VoxelCell const& cell = flight.cell;
    Vec3 const p = flight.start, v = flight.velocity;
    float const dx = measure(p.x, v.x, cell.low.x, cell.high.x, flight.mm_per_voxel.x);
    float const dy = measure(p.y, v.y, cell.low.y, cell.high.y, flight.mm_per_voxel.y);
    float const dz = measure(p.z, v.z, cell.low.z, cell.high.z, flight.mm_per_voxel.z);
    int const axis = dx <= dy && dx <= dz ? 0 : dy <= dz ? 1 : 2;
    return {exact::max(flight.distance, exact::min(dx, exact::min(dy, dz))), axis};
}

/// Where the flight is at `distance`, in the inside of its cell.
VOLPT_HD Vec3 find_place_in_cell(VoxelFlight const& flight, float distance)
{
    auto const keep = [&](float p, float low, float high) {
        return exact::max(low + flight.margin, exact::min(p, high - flight.margin));
    };
    Vec3 const p = move_along(flight.start, distance, flight.velocity);
    VoxelCell const& cell = flight.cell;
    return {keep(p.x, cell.low.x, cell.high.x), keep(p.y, cell.low.y, cell.high.y), keep(p.z, cell.low.z, cell.high.z)};
}

/// What is behind the face where a flight leaves its cell.
struct CellFace {
    Vec3 position; ///< voxels, exactly on the face
    int axis;
    float ahead; ///< sign of the direction along `axis`
    std::uint32_t leaves;
    VoxelCell next; ///< unless it leaves the box
};

VOLPT_HD CellFace find_face_ahead(MediumView const& medium, VoxelFlight const& flight, CellExit const& exit)
{
    bool const backward = get_axis(flight.velocity, exit.axis) < 0.0f;
    float const face = get_axis(backward ? flight.cell.low : flight.cell.high, exit.axis);
    Vec3 const inside = find_place_in_cell(flight, exit.distance);
    bool const leaves = backward ? face <= 0.0f : face >= get_axis(medium.size_voxels, exit.axis);
    CellFace found{with_axis(inside, exit.axis, face), exit.axis, backward ? -1.0f : 1.0f, leaves ? 1u : 0u,
                   flight.cell};
    if (leaves) return found;
    Vec3 const voxel = find_voxel(inside, flight.velocity, medium.size_voxels);
    found.next = find_cell(medium, with_axis(voxel, exit.axis, backward ? face - 1.0f : face));
    return found;
}

/// How a flight through voxels ends.
enum class VoxelFlightEnd : std::uint32_t {
    collision = 0,
    interface = 1, ///< on a face where the index changes
    pause = 2,     ///< on any other face, after kMostCells cells
    leave = 3,     ///< on the box's face
};

struct VoxelFlightStop {
    VoxelFlightEnd end;
    std::int32_t label; ///< of the voxel before it
    float sigma_t;      ///< of a collision
    float length_mm;    ///< of a flight to a collision
    int axis;           ///< of an interface
    float ahead;
    float ior_ratio; ///< of an interface: index behind it / index before it
};

/// The largest of the lengths along the axes.
VOLPT_HD float measure_longest(Vec3 way)
{
    return exact::max(exact::abs(way.x), exact::max(exact::abs(way.y), exact::abs(way.z)));
}

/// Where a flight collides, in mm from its start, if the material that begins at `from` does not end.
VOLPT_HD float find_reach(float from, float optical_depth, float sigma_t)
{
    float const mean_free_path_mm = exact::reciprocal(exact::max(0x1p-75f, sigma_t));
    return sigma_t > 0.0f ? exact::fma(optical_depth, mean_free_path_mm, from) : 0x1p100f;
}

/// Where a flight is at `distance`, in the interior of the voxel that holds the point, or, if rounding has taken it to
/// another material, of its cell.
VOLPT_HD Vec3 find_collision(MediumView const& medium, VoxelFlight const& flight, float distance)
{
    Vec3 const p = move_along(flight.start, distance, flight.velocity);
    Vec3 const voxel = find_voxel(p, {1.0f, 1.0f, 1.0f}, medium.size_voxels);
    if (read_label(medium.label, refer_to_voxel(medium, voxel)) != flight.cell.label)
        return find_place_in_cell(flight, distance);
    auto const keep = [&](float at, float low) {
        return exact::max(low + flight.margin, exact::min(at, low + 1.0f - flight.margin));
    };
    return {keep(p.x, voxel.x), keep(p.y, voxel.y), keep(p.z, voxel.z)};
}

/// Moves the path to where its flight ends. Draws one number. Nothing is subtracted from the optical depth within one
/// material: where a collision lies does not depend on the cells before it.
template <class M>
VOLPT_HD VoxelFlightStop fly_through_voxels(SceneView const& scene, PathState<M::kBands>& path)
{
    MediumView const& medium = scene.medium;
    float const* const sigma_t_of = find_sigma_t_row<M>(medium, path);
    float const* const ior_of = scene.interfaces.material_ior;
    float optical_depth = to_optical_depth(path.rng.draw());
    VoxelFlight flight = begin_voxel_flight(scene, path.position, path.direction);
    float from = 0.0f;
    float sigma_t = sigma_t_of[flight.cell.label];
    float reach = find_reach(from, optical_depth, sigma_t);
#if VOLPT_ON_DEVICE
#pragma unroll 1
#endif
    for (int cells = 1;; ++cells) {
        CellExit const exit = find_cell_exit(flight);
        if (reach < exit.distance) {
            path.position = find_collision(medium, flight, reach);
            return {VoxelFlightEnd::collision, flight.cell.label, sigma_t, reach, 0, 0.0f, 1.0f};
        }
        CellFace const face = find_face_ahead(medium, flight, exit);
        path.position = face.position;
        if (face.leaves != 0u)
            return {VoxelFlightEnd::leave, flight.cell.label, 0.0f, 0.0f, face.axis, face.ahead, 1.0f};
        if (face.next.label != flight.cell.label) {
            float const before = ior_of[flight.cell.label], behind = ior_of[face.next.label];
            if (before != behind)
                return {VoxelFlightEnd::interface,    flight.cell.label, 0.0f, 0.0f, face.axis, face.ahead,
                        exact::divide(behind, before)};
            optical_depth = exact::max(0.0f, optical_depth - sigma_t * (exit.distance - from));
            from = exit.distance;
            sigma_t = sigma_t_of[face.next.label];
            reach = find_reach(from, optical_depth, sigma_t);
        }
        if (cells >= kMostCells && measure_longest(face.position - flight.start) >= kLeastPause) break;
        flight.distance = exit.distance;
        flight.cell = face.next;
    }
    return {VoxelFlightEnd::pause, flight.cell.label, 0.0f, 0.0f, 0, 0.0f, 1.0f};
}

/// The boundary at a point of the box's face, where a path that moves along `direction` enters or leaves.
VOLPT_HD BoundaryView find_face_boundary(SceneView const& scene, Vec3 position, Vec3 direction)
{
    BoundaryView boundary = scene.boundary;
    if (!has_interfaces(scene)) return boundary;
    float const ior = find_ior(scene, position, direction);
    boundary.int_over_ext = exact::divide(ior, scene.interfaces.ext_ior);
    boundary.ext_over_int = exact::divide(scene.interfaces.ext_ior, ior);
    return boundary;
}

} // namespace volpt
