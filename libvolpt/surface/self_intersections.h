#pragma once

#include "libvolpt/surface/bvh.h"

#include <utility>

namespace volpt {

struct SelfIntersections {
    std::uint64_t count = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs; ///< the first ones, by lower number, then by the other
};

/// Pairs of triangles with points in common beyond what they share (overlap_triangles); coincident triangles and those
/// of which is_degenerate is set are left out. At most `max_pairs` are listed.
SelfIntersections find_self_intersections(TriangleMesh const& mesh, Bvh const& bvh,
                                          std::vector<std::uint8_t> const& is_degenerate, std::size_t max_pairs,
                                          int threads);

/// For a point of each component, how often the others surround it (a front that faces outwards counts 1, a cavity -1).
std::vector<int> find_enclosures(TriangleMesh const& mesh, Bvh const& bvh,
                                 std::vector<std::uint32_t> const& component_of, std::size_t components, int threads);

} // namespace volpt
