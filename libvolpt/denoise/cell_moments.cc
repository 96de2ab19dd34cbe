#include "libvolpt/denoise/cell_moments.h"

#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <array>

namespace volpt {
namespace {

constexpr std::size_t kLanes = 8;

/// In a fixed order, by lanes, so that the loop vectorises and its bits are those of every compiler.
float sum_products(float const* a, float const* b, std::size_t count)
{
    std::array<float, kLanes> lanes{};
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (std::size_t k = 0; k < kLanes; ++k) lanes[k] += a[i + k] * b[i + k];
    for (; i < count; ++i) lanes[i % kLanes] += a[i] * b[i];
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

/// A square of a picture.
class CellPlace {
public:
    CellPlace(std::size_t width, std::size_t height, CellGrid const& grid, std::size_t column, std::size_t row)
        : width_(width), x0_(column * grid.edge), x1_(std::min(x0_ + grid.edge, width)), y0_(row * grid.edge),
          y1_(std::min(y0_ + grid.edge, height))
    {
    }
    std::size_t count() const { return (x1_ - x0_) * (y1_ - y0_); }
    void copy(std::span<float const> plane, float* out) const
    {
        for (std::size_t y = y0_; y < y1_; ++y) out = std::copy_n(plane.data() + y * width_ + x0_, x1_ - x0_, out);
    }

private:
    std::size_t width_, x0_, x1_, y0_, y1_;
};

/// The pixels of a cell, feature by feature, one after another; the first feature is 1. And once more with weights.
class CellPixels {
public:
    CellPixels(FeaturePlanes const& features, std::size_t stride)
        : features_(features), stride_(stride), values_((features.planes.size() + 1) * stride),
          weighted_(values_.size())
    {
    }
    void load(CellPlace const& place)
    {
        std::size_t const count = place.count();
        std::fill_n(values_.begin(), count, 1.0f);
        float const* const weights = weighted_.data();
        place.copy(features_.weights, weighted_.data());
        for (std::size_t f = 1; f <= features_.planes.size(); ++f) {
            float *const plain = values_.data() + f * stride_, *const weighted = weighted_.data() + f * stride_;
            place.copy(features_.planes[f - 1], plain);
            for (std::size_t i = 0; i < count; ++i) weighted[i] = weights[i] * plain[i];
        }
    }
    float const* plain(std::size_t f) const { return values_.data() + f * stride_; }
    float const* weighted(std::size_t f) const { return weighted_.data() + f * stride_; }

private:
    FeaturePlanes const& features_;
    std::size_t stride_;
    std::vector<float> values_, weighted_;
};

/// Calls visit(CellPlace, column, row) for the cells of some rows.
template <class Visit>
void visit_cells(CellGrid const& grid, std::size_t width, std::size_t height, RowRange rows, Visit&& visit)
{
    for (auto row = static_cast<std::size_t>(rows.first); row < static_cast<std::size_t>(rows.end); ++row)
        for (std::size_t column = 0; column < grid.columns; ++column)
            visit(CellPlace(width, height, grid, column, row), row * grid.columns + column);
}

} // namespace

CellMoments CellMoments::of_features(FeaturePlanes const& features, std::size_t edge, int threads)
{
    std::size_t const terms = features.planes.size() + 1;
    CellMoments moments(CellGrid(features.width, features.height, edge), terms * (terms + 1) / 2);
    parallel_for_rows(threads, static_cast<int>(moments.grid_.rows), 1, [&](RowRange rows) {
        CellPixels pixels(features, edge * edge);
        visit_cells(
            moments.grid_, features.width, features.height, rows, [&](CellPlace const& place, std::size_t cell) {
                pixels.load(place);
                double* sum = moments.sums_.data() + cell * moments.entries_;
                for (std::size_t a = 0; a < terms; ++a)
                    for (std::size_t b = 0; b <= a; ++b)
                        *sum++ = static_cast<double>(sum_products(pixels.weighted(a), pixels.plain(b), place.count()));
            });
    });
    return moments;
}

CellMoments CellMoments::of_values(FeaturePlanes const& features, std::span<float const> values, std::size_t edge,
                                   int threads)
{
    std::size_t const terms = features.planes.size() + 1;
    CellMoments moments(CellGrid(features.width, features.height, edge), terms);
    parallel_for_rows(threads, static_cast<int>(moments.grid_.rows), 1, [&](RowRange rows) {
        CellPixels pixels(features, edge * edge);
        std::vector<float> of_cell(edge * edge);
        visit_cells(
            moments.grid_, features.width, features.height, rows, [&](CellPlace const& place, std::size_t cell) {
                pixels.load(place);
                place.copy(values, of_cell.data());
                double* sum = moments.sums_.data() + cell * moments.entries_;
                for (std::size_t a = 0; a < terms; ++a)
                    *sum++ = static_cast<double>(sum_products(pixels.weighted(a), of_cell.data(), place.count()));
            });
    });
    return moments;
}

CellMoments CellMoments::of_plane(std::span<float const> plane, std::size_t width, std::size_t height, std::size_t edge,
                                  int threads)
{
    CellMoments moments(CellGrid(width, height, edge), 1);
    std::vector<float> const ones(edge * edge, 1.0f);
    parallel_for_rows(threads, static_cast<int>(moments.grid_.rows), 1, [&](RowRange rows) {
        std::vector<float> of_cell(edge * edge);
        visit_cells(moments.grid_, width, height, rows, [&](CellPlace const& place, std::size_t cell) {
            place.copy(plane, of_cell.data());
            moments.sums_[cell] = static_cast<double>(sum_products(of_cell.data(), ones.data(), place.count()));
        });
    });
    return moments;
}

CellMoments CellMoments::merge() const
{
    CellGrid grid = grid_;
    grid.edge *= 2;
    grid.columns = (grid.columns + 1) / 2;
    grid.rows = (grid.rows + 1) / 2;
    CellMoments merged(grid, entries_);
    for (std::size_t row = 0; row < grid_.rows; ++row)
        for (std::size_t column = 0; column < grid_.columns; ++column) {
            double* const to = merged.sums_.data() + (row / 2 * grid.columns + column / 2) * entries_;
            std::span<double const> const from = cell(column, row);
            for (std::size_t i = 0; i < entries_; ++i) to[i] += from[i];
        }
    return merged;
}

} // namespace volpt
