// Sums of products of features over square cells of a picture, from which windows of any larger size are put together.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace volpt {

/// Planes of one picture, row by row.
struct FeaturePlanes {
    std::size_t width = 0;
    std::size_t height = 0;
    std::vector<std::span<float const>> planes; ///< without the constant 1
    std::span<float const> weights;             ///< of the pixels in sums
};

/// Rows and columns of square cells that cover a picture; those at the right and bottom edge may be smaller.
struct CellGrid {
    std::size_t edge = 1; ///< pixels
    std::size_t columns = 0;
    std::size_t rows = 0;

    CellGrid(std::size_t width, std::size_t height, std::size_t cell_edge)
        : edge(cell_edge), columns((width + cell_edge - 1) / cell_edge), rows((height + cell_edge - 1) / cell_edge)
    {
    }
    std::size_t cells() const { return columns * rows; }
};

/// Of a pixel between the centres of two cells along an axis.
struct Between {
    std::size_t first, second;
    float share; ///< of the second

    float interpolate(float const* of_cells) const
    {
        return of_cells[first] + share * (of_cells[second] - of_cells[first]);
    }
};

inline Between find_between(std::size_t pixel, std::size_t edge, std::size_t cells)
{
    float const place = (static_cast<float>(pixel) + 0.5f) / static_cast<float>(edge) - 0.5f;
    if (place <= 0) return {0, 0, 0.0f};
    auto const first = static_cast<std::size_t>(place);
    if (first + 1 >= cells) return {cells - 1, cells - 1, 0.0f};
    return {first, first + 1, place - static_cast<float>(first)};
}

/// Sums over the pixels of each cell, [cell][entry]; on up to `threads` threads, whose number no bit depends on.
class CellMoments {
public:
    /// The lower triangle of the weighted products of 1 and the features with each other: entry row * (row + 1) / 2 +
    /// column, where row 0 is the constant.
    static CellMoments of_features(FeaturePlanes const& features, std::size_t edge, int threads);
    /// The weighted products of 1 and the features with `values`.
    static CellMoments of_values(FeaturePlanes const& features, std::span<float const> values, std::size_t edge,
                                 int threads);
    /// Of a plane alone, without weights.
    static CellMoments of_plane(std::span<float const> plane, std::size_t width, std::size_t height, std::size_t edge,
                                int threads);
    /// The same in cells of twice the edge.
    CellMoments merge() const;

    CellGrid const& grid() const { return grid_; }
    std::size_t entries() const { return entries_; }
    std::span<double const> cell(std::size_t column, std::size_t row) const
    {
        return {sums_.data() + (row * grid_.columns + column) * entries_, entries_};
    }

private:
    CellMoments(CellGrid grid, std::size_t entries) : grid_(grid), entries_(entries), sums_(grid.cells() * entries) {}

    CellGrid grid_;
    std::size_t entries_;
    std::vector<double> sums_;
};

} // namespace volpt
