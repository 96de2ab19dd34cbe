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

namespace volpt {

/// Cells that one flight crosses at most; the path goes on from the face with a new optical depth (kMostBricks).
inline constexpr int kMostCells = 8;

/// Share of the box's longest side, in voxels: at least two steps of floats, and 1/64 voxel at most.
inline constexpr float kFaceMargin = 0x1p-22f;

/// Voxels of one material that a flight crosses at once: a brick whose table says so, or a single voxel.
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
    VoxelRef const at = refer_to_voxel(medium, voxel);
    bool const is_uniform = medium.label.table[at.brick * medium.label.table_stride] == kConstantBrick;
    auto const find_low = [&](float v) {
        constexpr float kEdge = kBrickEdge;
        return is_uniform ? kEdge * static_cast<float>(static_cast<std::int32_t>(v * (1.0f / kEdge))) : v;
    };
    float const edge = is_uniform ? static_cast<float>(kBrickEdge) : 1.0f;
    Vec3 const low{find_low(voxel.x), find_low(voxel.y), find_low(voxel.z)};
    Vec3 const size = medium.size_voxels;
    Vec3 const high{exact::min(low.x + edge, size.x), exact::min(low.y + edge, size.y),
                    exact::min(low.z + edge, size.z)};
    return {low, high, read_label(medium.label, at)};
}

/// The index of refraction where a path at `p` heads along `d`.
VOLPT_HD float find_ior(SceneView const& scene, Vec3 p, Vec3 d)
{
    MediumView const& medium = scene.medium;
    VoxelRef const voxel = refer_to_voxel(medium, find_voxel(p, d, medium.size_voxels));
    return scene.interfaces.material_ior[read_label(medium.label, voxel)];
}

/// A flight on its way. Distances are in mm from its start.
struct VoxelFlight {
    Vec3 start; ///< voxels
    Vec3 velocity;
    Vec3 mm_per_voxel;
    float margin; ///< voxels
    float distance;
    VoxelCell cell; ///< that it is about to cross
};

VOLPT_HD VoxelFlight begin_voxel_flight(MediumView const& medium, Vec3 position, Vec3 direction)
{
    Vec3 const velocity = direction * medium.inv_pitch;
    Vec3 const size = medium.size_voxels;
    auto const invert = [](float v) { return exact::reciprocal(exact::max(0x1p-40f, exact::abs(v))); };
    return {position,
            velocity,
            {invert(velocity.x), invert(velocity.y), invert(velocity.z)},
            kFaceMargin * exact::max(size.x, exact::max(size.y, size.z)),
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
    float sigma_t; ///< of a collision
    int axis;      ///< of an interface
    float ahead;
    float ior_ratio; ///< of an interface: index behind it / index before it
};

/// Moves the path to where its flight ends. Draws one number.
template <class M>
VOLPT_HD VoxelFlightStop fly_through_voxels(SceneView const& scene, PathState<M::kBands>& path)
{
    MediumView const& medium = scene.medium;
    float const* const sigma_t_of =
        medium.material_sigma_t + (M::kBands > 1 ? 0 : static_cast<std::int32_t>(path.band) * kMaxMaterials);
    float const* const ior_of = scene.interfaces.material_ior;
    float optical_depth = to_optical_depth(path.rng.draw());
    VoxelFlight flight = begin_voxel_flight(medium, path.position, path.direction);
#if VOLPT_ON_DEVICE
#pragma unroll 1
#endif
    for (int i = 0; i < kMostCells; ++i) {
        float const sigma_t = sigma_t_of[flight.cell.label];
        CellExit const exit = find_cell_exit(flight);
        float const in_cell = sigma_t * (exit.distance - flight.distance);
        if (optical_depth < in_cell) {
            float const rest = exact::divide(optical_depth, exact::max(0x1p-75f, sigma_t));
            path.position = find_place_in_cell(flight, flight.distance + rest);
            return {VoxelFlightEnd::collision, sigma_t, 0, 0.0f, 1.0f};
        }
        optical_depth -= in_cell;
        CellFace const face = find_face_ahead(medium, flight, exit);
        path.position = face.position;
        if (face.leaves != 0u) return {VoxelFlightEnd::leave, 0.0f, face.axis, face.ahead, 1.0f};
        float const before = ior_of[flight.cell.label], behind = ior_of[face.next.label];
        if (before != behind)
            return {VoxelFlightEnd::interface, 0.0f, face.axis, face.ahead, exact::divide(behind, before)};
        flight.distance = exit.distance;
        flight.cell = face.next;
    }
    return {VoxelFlightEnd::pause, 0.0f, 0, 0.0f, 1.0f};
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
