// From a mesh in mm to the mesh, its box and its hierarchy as a volume holds them.
#pragma once

#include "libvolpt/surface/check_mesh.h"
#include "libvolpt/surface/repair/repair_mesh.h"
#include "libvolpt/volume/mesh/surface_mesh.h"

#include <optional>

namespace volpt {

/// none: vertices at equal positions become one, nothing else. safe: repair_mesh, with a tolerance of
/// kRepairTolerance of the longest side.
enum class MeshRepair { none, safe };

inline constexpr double kRepairTolerance = 1e-5;

struct MeshPlaceOptions {
    double scale = 1;          ///< of positions, above 0
    std::uint32_t up_axis = 4; ///< of the file: +x -x +y -y +z -z; it becomes +z, by a rotation about the origin
    MeshRepair repair = MeshRepair::none;
    int bricks = 64; ///< along the longest side of the box
    int threads = 1;
};

inline constexpr int kMaxMeshBricks = 256;

/// The grid around a mesh: cubic voxels, at least a quarter of one between the mesh and each face.
struct MeshBox {
    std::array<int, 3> dims{1, 1, 1};
    float pitch_mm = 1;
    std::array<double, 3> corner_mm{}; ///< in the space of the mesh, turned and scaled
};

struct PlacedMesh {
    MeshBox box;
    TriangleMesh mesh; ///< in voxels from the box corner, whatever its members' names say; no colours
    Bvh bvh;
    std::vector<float> clearance_mm; ///< empty unless the report accepts the mesh
    MeshReport report;               ///< of the mesh in voxels, told in mm
    std::optional<RepairReport> repaired;

    /// Of an accepted mesh; into this object.
    SurfaceMeshView view() const;
};

/// Turns, scales, and rounds each coordinate once, to voxels; all that follows works on these positions: vertices at
/// equal positions become one, those that no triangle uses go, repair if asked, check_mesh, build_bvh, clearances.
/// The same bits for any number of threads. Coordinates may be anything; indices as well.
PlacedMesh place_mesh(TriangleMesh mesh, MeshPlaceOptions const& options);

/// Area and volume of a report that has voxels as its unit, in mm.
void scale_figures(MeshReport& report, float pitch_mm);

} // namespace volpt
