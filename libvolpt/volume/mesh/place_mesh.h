// From a mesh in mm to the mesh, its box and its hierarchy as a volume holds them.
#pragma once

#include "libvolpt/surface/check_mesh.h"
#include "libvolpt/surface/repair/repair_mesh.h"
#include "libvolpt/volume/mesh/surface_mesh.h"
#include "libvolpt/volume/volume.h"

#include <optional>

namespace volpt {

/// none: vertices at equal positions become one, nothing else. safe: repair_mesh, with a tolerance of
/// kRepairTolerance of the longest side of the box.
enum class MeshRepair { none, safe };

/// And pictures.
enum class MeshColours { dropped, kept };

inline constexpr double kRepairTolerance = 1e-5;

struct MeshPlaceOptions {
    double scale = 1;          ///< of positions, above 0
    std::uint32_t up_axis = 4; ///< of the file: +x -x +y -y +z -z; it becomes +z, by a rotation about the origin
    MeshRepair repair = MeshRepair::none;
    MeshColours colours = MeshColours::dropped;
    EnclosedComponents enclosed = EnclosedComponents::refused;
    int bricks = 64; ///< along the longest side of the box
    int threads = 1;
};

inline constexpr int kMaxMeshBricks = 256;

/// The grid of voxels that a mesh lies in, and where it is in the space of the mesh, turned and scaled.
struct MeshBox {
    std::array<int, 3> dims{1, 1, 1};
    std::array<float, 3> pitch_mm{1, 1, 1};
    Placement placement;
};

inline MeshBox get_mesh_box(VolumeMeta const& meta)
{
    return {meta.dims, meta.pitch_mm, meta.placement};
}

/// Vertices beyond the box, by more than the margin that rounding needs (2^-19 of its longest side in voxels).
struct VerticesOutside {
    std::uint64_t count = 0;
    Vec3 farthest_mm;           ///< the one that is farthest beyond a face
    double farthest_by_mm = 0;  ///< by how much
    std::uint64_t vertices = 0; ///< of the mesh, for comparison
};

struct PlacedMesh {
    MeshBox box;
    TriangleMesh mesh; ///< in voxels from the box corner, whatever its members' names say
    Bvh bvh;
    std::vector<float> clearance_mm;       ///< empty unless the report accepts the mesh
    std::uint32_t supported_triangles = 0; ///< SurfaceMeshView::supported_triangles
    MeshReport report;                     ///< of the mesh in voxels, told in mm
    std::optional<RepairReport> repaired;
    VerticesOutside outside; ///< if there are any, nothing else was looked for, and the report is empty

    /// Of an accepted mesh; into this object.
    SurfaceMeshView view() const;
};

/// Turns, scales, and rounds each coordinate once, to voxels; all that follows works on these positions: vertices at
/// equal positions become one, those that no triangle uses go, repair if asked, check_mesh, build_bvh, clearances.
/// The same bits for any number of threads. Coordinates may be anything; indices as well. The box is around the mesh,
/// of cubic voxels, with at least a quarter of one between the mesh and each face.
PlacedMesh place_mesh(TriangleMesh mesh, MeshPlaceOptions const& options);

/// The same in a given box; options.bricks is not used. Vertices beyond a face by no more than the margin are moved
/// onto it. Where the box is left-handed, as stacks of slices are, triangles are turned round, so that corners are
/// counter-clockwise in voxels.
PlacedMesh place_mesh_in(MeshBox const& box, TriangleMesh mesh, MeshPlaceOptions const& options);

/// A mesh that place_mesh or place_mesh_in has placed, without vertices outside, and with corners that are in range and
/// finite: what options.repair = safe would have done besides.
void repair_placed_mesh(PlacedMesh& placed, int threads);

/// Of the mesh as options turn and scale it, along each axis. None if a corner of a triangle is missing or not finite,
/// or there is no triangle.
std::optional<std::array<double, 3>> measure_size_mm(TriangleMesh const& mesh, MeshPlaceOptions const& options);

/// A box around a mesh that is printed.
struct PrintBox {
    MeshBox box;
    double scale = 1;                ///< of positions: options.scale times what the size asks for
    std::array<double, 3> size_mm{}; ///< of the mesh, not of the box
};

/// Around the mesh as options turn and scale it, of voxels of `pitch_mm` as a stack of slices has them: rows from the
/// largest y downwards, layers upwards. The mesh begins one voxel from the first corner and ends at least one before
/// the last: what is as large as whole voxels consists of them. With `size_mm` it is scaled to that size along the one
/// axis whose size is given. None if a corner of a triangle is missing or not finite, or the mesh has no extent along
/// that axis. Error (usage) if the box has more than vpk::kMaxDim voxels along an axis.
std::optional<PrintBox> fit_print_box(TriangleMesh const& mesh, MeshPlaceOptions const& options,
                                      std::array<double, 3> const& pitch_mm,
                                      std::array<std::optional<double>, 3> const& size_mm);

/// The same of a mesh whose positions are in voxels from the corner of `box` already, within it.
PlacedMesh place_voxel_mesh(MeshBox const& box, TriangleMesh mesh_voxels, int threads);

/// The sum over the triangles, whose corners are in voxels.
double measure_area_mm2(std::span<Vec3 const> vertices_voxels, std::span<std::array<std::uint32_t, 3> const> triangles,
                        std::array<float, 3> const& pitch_mm);

/// Area and volume of a report on `mesh_voxels`, whose unit is a voxel, in mm.
void scale_figures(MeshReport& report, TriangleMesh const& mesh_voxels, std::array<float, 3> const& pitch_mm);

} // namespace volpt
