// Where the triangles of a mesh lie in its texture space.
#pragma once

#include "libvolpt/surface/bvh.h"

#include <optional>

namespace volpt {

/// A hierarchy over triangles with the corners (u, v, 0).
class TextureCharts {
public:
    /// Finite coordinates per triangle and corner, at least one triangle; those below 2^-30 count as 0, those beyond
    /// 2^20 as 2^20. Triangles without area there cover nothing. Error (input) as build_bvh.
    TextureCharts(std::span<std::array<TextureCoordinates, 3> const> coordinates, int threads);
    TextureCharts(TextureCharts const&) = delete; // view() points into this object
    TextureCharts& operator=(TextureCharts const&) = delete;

    std::span<BvhNode const> nodes() const { return bvh_.nodes; }
    BvhView view() const { return {bvh_.nodes.data(), triangles_.data(), bvh_.bounds, bvh_.root}; }
    std::size_t triangle_count() const { return triangles_.size(); }

private:
    Bvh bvh_;
    std::vector<LeafTriangle> triangles_;
};

/// What lies over the centres of texels. Row 0 is at v = 1.
struct ChartReport {
    std::uint64_t texels = 0;
    std::uint64_t covered_texels = 0;             ///< by one triangle or more
    std::uint64_t overlapped_texels = 0;          ///< by two or more
    std::uint64_t overlapping_triangles = 0;      ///< those that lie over such texels
    std::array<std::uint32_t, 2> first_overlap{}; ///< column and row, in the first row that has any
    std::uint64_t triangles_outside = 0;          ///< that have no point from 0 to 1, and so lie in no texel
};

/// Neighbours that share an edge do not overlap. What is smaller than a texel may stay unnoticed. Same result for any
/// number of threads.
ChartReport inspect_charts(TextureCharts const& charts, std::uint32_t width, std::uint32_t height, int threads);

} // namespace volpt
