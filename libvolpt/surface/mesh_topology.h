// How triangles hang together.
#pragma once

#include "libvolpt/surface/triangle_mesh.h"

namespace volpt {

/// An edge that not exactly two triangles of opposite directions share.
struct OddEdge {
    std::uint32_t triangle; ///< the first one at it
    std::array<std::uint32_t, 2> vertices;
    std::uint32_t uses;
    std::int32_t balance; ///< uses from the lower vertex to the higher one less the others
};

struct MeshTopology {
    std::vector<OddEdge> odd_edges; ///< by triangle, then vertices
    std::uint64_t edges = 0;
    std::vector<std::uint32_t> component_of; ///< per triangle
    std::vector<std::uint8_t> is_closed;     ///< per component
};

/// Corners are in range. Components are connected by edges, numbered by their first triangles. Sides of a triangle that
/// begin and end at one vertex are no edges.
MeshTopology find_topology(TriangleMesh const& mesh, int threads);

/// Neighbours at an edge that no other triangle shares.
struct TrianglePair {
    std::uint32_t a, b;
    bool agrees; ///< they run along the edge in opposite directions
};

std::vector<TrianglePair> find_triangle_pairs(TriangleMesh const& mesh, int threads);

double measure_area(Vec3 a, Vec3 b, Vec3 c);

/// The signed volume of each component, in mm^3; of one that is not closed it means nothing.
std::vector<double> measure_volumes(TriangleMesh const& mesh, MeshTopology const& topology);

/// A triangle whose three vertices are those of an earlier one.
struct CoincidentTriangle {
    std::uint32_t triangle;
    std::uint32_t first;
    bool is_opposite; ///< orientation
};

/// By triangle. Triangles of fewer than three vertices are left out.
std::vector<CoincidentTriangle> find_coincident_triangles(TriangleMesh const& mesh, int threads);

} // namespace volpt
