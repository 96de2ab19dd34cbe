#include "libvolpt/denoise/cell_moments.h"

#include "libvolpt/denoise/vector_clones.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cstring>

namespace volpt {
namespace {

/// Sums are taken in a fixed order, by lanes: their bits are those of every compiler and processor.
constexpr std::size_t kLanes = 8;
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));

inline float sum_lanes(Lanes const& lanes)
{
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

/// Up to kLanes values, then zeros.
inline void load_lanes(float const* from, std::size_t count, Lanes& lanes)
{
    lanes = Lanes{};
    std::memcpy(&lanes, from, std::min(count, kLanes) * sizeof(float));
}

inline void add_products(float const* a, float const* b, std::size_t count, Lanes& sums)
{
    Lanes of_a, of_b;
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        load_lanes(a + i, kLanes, of_a);
        load_lanes(b + i, kLanes, of_b);
        sums += of_a * of_b;
    }
    if (i == count) return;
    load_lanes(a + i, count - i, of_a);
    load_lanes(b + i, count - i, of_b);
    sums += of_a * of_b;
}

/// Of a with each of `count` rows from b on, `stride` apart: four at a time share what is read of a.
VOLPT_VECTOR_CLONES void sum_products(float const* a, float const* b, std::size_t stride, std::size_t rows,
                                      std::size_t count, double* sums)
{
    std::size_t row = 0;
    for (; row + 4 <= rows && count % kLanes == 0; row += 4) {
        float const *const b0 = b + row * stride, *const b1 = b0 + stride, *const b2 = b1 + stride;
        float const* const b3 = b2 + stride;
        Lanes s0{}, s1{}, s2{}, s3{}, of_a, of_b;
        for (std::size_t i = 0; i < count; i += kLanes) {
            load_lanes(a + i, kLanes, of_a);
            load_lanes(b0 + i, kLanes, of_b);
            s0 += of_a * of_b;
            load_lanes(b1 + i, kLanes, of_b);
            s1 += of_a * of_b;
            load_lanes(b2 + i, kLanes, of_b);
            s2 += of_a * of_b;
            load_lanes(b3 + i, kLanes, of_b);
            s3 += of_a * of_b;
        }
        sums[row] = static_cast<double>(sum_lanes(s0));
        sums[row + 1] = static_cast<double>(sum_lanes(s1));
        sums[row + 2] = static_cast<double>(sum_lanes(s2));
        sums[row + 3] = static_cast<double>(sum_lanes(s3));
    }
    for (; row < rows; ++row) {
        Lanes lanes{};
        add_products(a, b + row * stride, count, lanes);
        sums[row] = static_cast<double>(sum_lanes(lanes));
    }
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
    std::size_t columns() const { return x1_ - x0_; }
    std::size_t rows() const { return y1_ - y0_; }
    float const* row(std::span<float const> plane, std::size_t y) const
    {
        return plane.data() + (y0_ + y) * width_ + x0_;
    }
    void copy(std::span<float const> plane, float* out) const
    {
        for (std::size_t y = y0_; y < y1_; ++y) out = std::copy_n(plane.data() + y * width_ + x0_, x1_ - x0_, out);
    }

private:
    std::size_t width_, x0_, x1_, y0_, y1_;
};

void multiply(CellPlace const& place, std::span<float const> a, std::span<float const> b, float* out)
{
    for (std::size_t y = 0; y < place.rows(); ++y, out += place.columns()) {
        float const *const of_a = place.row(a, y), *const of_b = place.row(b, y);
        for (std::size_t x = 0; x < place.columns(); ++x) out[x] = of_a[x] * of_b[x];
    }
}

/// Of values in a cell, and of their products with the features there.
VOLPT_VECTOR_CLONES void sum_values(CellPlace const& place, FeaturePlanes const& features, float const* values,
                                    double* sums)
{
    Lanes all{}, part;
    for (std::size_t i = 0; i < place.count(); i += kLanes) {
        load_lanes(values + i, place.count() - i, part);
        all += part;
    }
    sums[0] = static_cast<double>(sum_lanes(all));
    for (std::size_t f = 0; f < features.planes.size(); ++f) {
        Lanes lanes{};
        for (std::size_t y = 0; y < place.rows(); ++y)
            add_products(values + y * place.columns(), place.row(features.planes[f], y), place.columns(), lanes);
        sums[f + 1] = static_cast<double>(sum_lanes(lanes));
    }
}

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
        visit_cells(moments.grid_, features.width, features.height, rows,
                    [&](CellPlace const& place, std::size_t cell) {
                        pixels.load(place);
                        double* const sums = moments.sums_.data() + cell * moments.entries_;
                        for (std::size_t a = 0; a < terms; ++a)
                            sum_products(pixels.weighted(a), pixels.plain(0), edge * edge, a + 1, place.count(),
                                         sums + a * (a + 1) / 2);
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
        std::vector<float> weighted(edge * edge);
        visit_cells(moments.grid_, features.width, features.height, rows,
                    [&](CellPlace const& place, std::size_t cell) {
                        multiply(place, features.weights, values, weighted.data());
                        sum_values(place, features, weighted.data(), moments.sums_.data() + cell * moments.entries_);
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
            sum_products(of_cell.data(), ones.data(), 0, 1, place.count(), moments.sums_.data() + cell);
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
