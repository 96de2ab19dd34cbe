#pragma once

#include "libvolpt/surface/bvh.h"

#include <cstdint>
#include <utility>

namespace volpt {

/// What find_self_intersections tests at most, beside 800 per triangle, counted in tests of boxes: two triangles whose
/// boxes overlap count 5, those that have to be tested exactly 65. A few seconds. Sound meshes take some 300 per
/// triangle, a fan of n triangles around one vertex about 4 n^2. One triangle in 64 is tested first: where these take
/// four times their share of the bound, the rest is not tested.
inline constexpr std::uint64_t kMostPairTests = 400'000'000;
/// Pairs beyond which it stops: a mesh that has so many is not mended by a list.
inline constexpr std::uint64_t kMostIntersections = 1'000'000;
/// Triangles that rays of find_enclosures are tested against at most, beside 50 per triangle; by a sample first,
/// likewise.
inline constexpr std::uint64_t kMostRayTests = 10'000'000;

struct SelfIntersections {
    std::uint64_t count = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs; ///< the first ones, by lower number, then by the other
    std::uint64_t tests = 0;                                    ///< of pairs whose boxes overlap, in the unit above
    /// False: there are more tests or pairs than the bounds above; the others are what a short search found then.
    bool is_complete = true;
};

/// Pairs of triangles with points in common beyond what they share (overlap_triangles); coincident triangles and those
/// of which is_left_out is set are left out. At most `max_pairs` are listed. The same for any number of threads.
SelfIntersections find_self_intersections(TriangleMesh const& mesh, Bvh const& bvh,
                                          std::vector<std::uint8_t> const& is_left_out, std::size_t max_pairs,
                                          int threads);

struct Enclosures {
    /// For a point of each component, how often the others surround it (a front that faces outwards counts 1, a cavity
    /// -1).
    std::vector<int> of_component;
    std::uint64_t tests = 0;
    bool is_complete = true; ///< false: there are more tests than the bound above, and of_component means nothing
};

/// By a ray from each component, along that axis of six directions which meets few others: parts of a build plate lie
/// in rows.
Enclosures find_enclosures(TriangleMesh const& mesh, Bvh const& bvh, std::vector<std::uint32_t> const& component_of,
                           std::size_t components, int threads);

} // namespace volpt
