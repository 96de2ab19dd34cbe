// What is wrong with a mesh as the surface of a solid.
#pragma once

#include "libvolpt/surface/bvh.h"

#include <string_view>

namespace volpt {

enum class MeshDefect {
    no_triangles,
    index_out_of_range,  ///< a corner names no vertex
    not_finite,          ///< a corner's vertex is NaN or infinite
    degenerate,          ///< corners on one line, exactly
    open_edge,           ///< signed incidences of triangles do not cancel, and their number is odd
    misoriented_edge,    ///< they do not cancel, but would if triangles were turned round
    coincident,          ///< a triangle of the same vertices, of the same orientation, precedes it
    coincident_opposite, ///< the same of the opposite orientation
    self_intersection,   ///< two triangles have points in common beyond vertices and edges that they share
    inverted,            ///< a component of negative volume that no other encloses
    enclosed,            ///< a component of positive volume where there is solid already
    unchecked,           ///< triangles near too many others: not all pairs were tested (self_intersections.h)
    non_manifold_edge,   ///< allowed: incidences cancel, but are more than two
    cavity,              ///< allowed: a component of negative volume inside another
};

/// Whether a mesh with it is no surface of a solid.
bool is_refused(MeshDefect defect);

/// In words, such as "edges that do not close".
std::string_view describe(MeshDefect defect);

struct MeshPlace {
    std::uint32_t triangle = kNoTriangle;
    std::uint32_t other = kNoTriangle; ///< of pairs
    Vec3 position_mm;                  ///< a corner or the middle of an edge; of what is not finite or out of range, 0
};

struct MeshFinding {
    MeshDefect defect;
    std::uint64_t count;
    std::vector<MeshPlace> places; ///< the first ones, by number of triangle
};

/// Whether components may lie in the solid of others: as solids of their own.
enum class EnclosedComponents { refused, allowed };

struct MeshReport {
    std::vector<MeshFinding> findings; ///< of what was found, in the order of MeshDefect
    double volume_mm3 = 0;             ///< signed
    double area_mm2 = 0;
    BoundingBox bounds;
    std::uint64_t vertices = 0; ///< that triangles use
    std::uint64_t edges = 0;
    std::uint64_t triangles = 0;
    std::uint32_t components = 0; ///< triangles connected by edges

    bool is_accepted(EnclosedComponents enclosed = EnclosedComponents::refused) const;
    MeshFinding const* find(MeshDefect defect) const;
    std::int64_t euler_characteristic() const
    {
        return static_cast<std::int64_t>(vertices) - static_cast<std::int64_t>(edges) +
               static_cast<std::int64_t>(triangles);
    }
};

inline constexpr std::size_t kMaxMeshPlaces = 8;

/// The mesh is welded (weld_vertices), else all its edges are open. Where corners are out of range or not finite, or
/// there is no triangle, nothing else is looked for. The same report for any number of threads. Where
/// `bvh` is not null it receives the hierarchy that was needed, in pre-order; empty if none was.
MeshReport check_mesh(TriangleMesh const& mesh, int threads, Bvh* bvh = nullptr);

/// The same report by a hierarchy that is there already, of which validate_bvh has found that it is one of the mesh.
MeshReport check_mesh_by_bvh(TriangleMesh const& mesh, int threads, Bvh const& bvh);

} // namespace volpt
