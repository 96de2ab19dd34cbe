#include "libvolpt/denoise/local_fits.h"

#include "libvolpt/denoise/vector_clones.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace volpt {
namespace {

/// A feature that in a window varies by less of its size, after those before it, says nothing new.
constexpr double kLeastNews = 1e-5;

/// Of WindowSum, inside of the picture.
constexpr double kFullWeight = 16;

/// Of windows, [window][term]: in the basis in which the features of a window are orthonormal, one after another.
struct Directions {
    std::vector<double> factors;    ///< [window][lower triangle] of Cholesky
    std::vector<double> components; ///< of the values
    std::vector<double> noise;      ///< by window: variance of each component
};

/// A cell and those about it, weighted 1 2 1 along both axes; beyond the picture there is nothing.
class WindowSum {
public:
    WindowSum(CellGrid const& grid, std::size_t column, std::size_t row) : grid_(grid), column_(column), row_(row) {}

    template <class Add>
    void visit(Add add) const
    {
        for (std::size_t y = row_ > 0 ? row_ - 1 : 0; y <= std::min(row_ + 1, grid_.rows - 1); ++y)
            for (std::size_t x = column_ > 0 ? column_ - 1 : 0; x <= std::min(column_ + 1, grid_.columns - 1); ++x)
                add(x, y, (x == column_ ? 2.0 : 1.0) * (y == row_ ? 2.0 : 1.0));
    }

private:
    CellGrid const& grid_;
    std::size_t column_, row_;
};

/// Cholesky's factor in place; pivots of features without news become 0, and their columns too.
VOLPT_VECTOR_CLONES void factorise(std::vector<double>& matrix, std::size_t terms)
{
    auto const at = [&](std::size_t row, std::size_t column) -> double& {
        return matrix[row * (row + 1) / 2 + column];
    };
    for (std::size_t j = 0; j < terms; ++j) {
        double pivot = at(j, j);
        double const least = kLeastNews * pivot;
        for (std::size_t k = 0; k < j; ++k) pivot -= at(j, k) * at(j, k);
        bool const has_news = pivot > least && pivot > 1e-30;
        at(j, j) = has_news ? std::sqrt(pivot) : 0;
        for (std::size_t i = j + 1; i < terms; ++i) {
            double sum = at(i, j);
            for (std::size_t k = 0; k < j; ++k) sum -= at(i, k) * at(j, k);
            at(i, j) = has_news ? sum / at(j, j) : 0;
        }
    }
}

/// L z = b, components of directions without news 0.
void solve_forward(double const* factor, std::size_t terms, double* values)
{
    for (std::size_t i = 0; i < terms; ++i) {
        double const* const row = factor + i * (i + 1) / 2;
        double sum = values[i];
        for (std::size_t k = 0; k < i; ++k) sum -= row[k] * values[k];
        values[i] = row[i] > 0 ? sum / row[i] : 0;
    }
}

/// L^T beta = z.
void solve_backward(double const* factor, std::size_t terms, double* values)
{
    for (std::size_t i = terms; i-- > 0;) {
        double const* const row = factor + i * (i + 1) / 2;
        values[i] = row[i] > 0 ? values[i] / row[i] : 0;
        for (std::size_t k = 0; k < i; ++k) values[k] -= row[k] * values[i];
    }
}

Directions find_directions(LocalFit const& fit, std::span<float const> rest, int threads)
{
    CellGrid const& grid = fit.moments.grid();
    std::size_t const terms = fit.features.planes.size() + 1, triangle = fit.moments.entries();
    CellMoments const products = CellMoments::of_values(fit.features, rest, grid.edge, threads);
    CellMoments const noises =
        CellMoments::of_plane(fit.noise, fit.features.width, fit.features.height, grid.edge, threads);
    Directions found{std::vector<double>(grid.cells() * triangle), std::vector<double>(grid.cells() * terms),
                     std::vector<double>(grid.cells())};
    parallel_for_rows(threads, static_cast<int>(grid.rows), 1, [&](RowRange rows) {
        std::vector<double> matrix(triangle);
        for (auto row = static_cast<std::size_t>(rows.first); row < static_cast<std::size_t>(rows.end); ++row)
            for (std::size_t column = 0; column < grid.columns; ++column) {
                std::size_t const window = row * grid.columns + column;
                double* const components = found.components.data() + window * terms;
                double noise = 0;
                std::ranges::fill(matrix, 0.0);
                WindowSum(grid, column, row).visit([&](std::size_t x, std::size_t y, double weight) {
                    std::span<double const> const features = fit.moments.cell(x, y), values = products.cell(x, y);
                    for (std::size_t i = 0; i < triangle; ++i) matrix[i] += weight * features[i];
                    for (std::size_t i = 0; i < terms; ++i) components[i] += weight * values[i];
                    noise += weight * weight * noises.cell(x, y)[0];
                });
                found.noise[window] = matrix[0] > 0 ? noise / matrix[0] : 0;
                factorise(matrix, terms);
                solve_forward(matrix.data(), terms, components);
                std::ranges::copy(matrix, found.factors.begin() + static_cast<std::ptrdiff_t>(window * triangle));
            }
    });
    return found;
}

/// The models, [window][term], and how much of the noise each lets through, per unit of weight.
struct Models {
    std::vector<float> coefficients;
    std::vector<float> kept;
};

/// Shrinks each component by the energy that it has in the window and those about it.
Models shrink(LocalFit const& fit, Directions const& found, int threads)
{
    CellGrid const& grid = fit.moments.grid();
    std::size_t const terms = fit.features.planes.size() + 1, triangle = fit.moments.entries();
    Models models{std::vector<float>(grid.cells() * terms), std::vector<float>(grid.cells())};
    parallel_for_rows(threads, static_cast<int>(grid.rows), 1, [&](RowRange rows) {
        std::vector<double> energy(terms), values(terms);
        for (auto row = static_cast<std::size_t>(rows.first); row < static_cast<std::size_t>(rows.end); ++row)
            for (std::size_t column = 0; column < grid.columns; ++column) {
                std::size_t const window = row * grid.columns + column;
                std::ranges::fill(energy, 0.0);
                double noise = 0, weights = 0;
                WindowSum(grid, column, row).visit([&](std::size_t x, std::size_t y, double weight) {
                    std::size_t const other = y * grid.columns + x;
                    double const* const components = found.components.data() + other * terms;
                    for (std::size_t i = 0; i < terms; ++i) energy[i] += weight * components[i] * components[i];
                    noise += weight * found.noise[other];
                    weights += weight;
                });
                // The energy of fewer windows, at an edge of the picture, scatters more.
                double const threshold = static_cast<double>(fit.noise_factor) * noise * (kFullWeight / weights);
                double kept = 0;
                for (std::size_t i = 0; i < terms; ++i) {
                    double const excess = energy[i] - threshold;
                    double const factor = energy[i] > 0 ? std::max(0.0, excess / energy[i]) : 0;
                    values[i] = factor * found.components[window * terms + i];
                    kept += factor;
                }
                solve_backward(found.factors.data() + window * triangle, terms, values.data());
                for (std::size_t i = 0; i < terms; ++i)
                    models.coefficients[window * terms + i] = static_cast<float>(values[i]);
                double const count = found.factors[window * triangle]; // root of the window's weight
                models.kept[window] = count > 0 ? static_cast<float>(4 * kept / (count * count)) : 0.0f;
            }
    });
    return models;
}

/// Models of a row of pixels, [term][column].
void mix_rows(Models const& models, CellGrid const& grid, std::size_t terms, Between at, float* by_column)
{
    for (std::size_t column = 0; column < grid.columns; ++column) {
        std::size_t const a = at.first * grid.columns + column, b = at.second * grid.columns + column;
        auto const mix = [&](float from, float to) { return from + at.share * (to - from); };
        for (std::size_t i = 0; i < terms; ++i)
            by_column[i * grid.columns + column] =
                mix(models.coefficients[a * terms + i], models.coefficients[b * terms + i]);
        by_column[terms * grid.columns + column] = mix(models.kept[a], models.kept[b]);
    }
}

/// What models explain of a row of pixels from `pixel` on, and what they keep of their noise. Between two centres of
/// cells coefficients change evenly.
VOLPT_VECTOR_CLONES void explain_row(FeaturePlanes const& features, CellGrid const& grid, std::size_t pixel,
                                     float const* by_column, float* explained, float* kept)
{
    std::size_t const terms = features.planes.size() + 1, width = features.width, half = grid.edge / 2;
    float const per_edge = 1.0f / static_cast<float>(grid.edge);
    for (std::size_t first = 0, end = 0; first < width; first = end) {
        end = std::min(first < half ? half : first + grid.edge, width);
        Between const at = find_between(first, grid.edge, grid.columns);
        float const step = at.first == at.second ? 0.0f : per_edge, share = at.share;
        auto const visit = [&](std::size_t i, auto const& add) {
            float const* const row = by_column + i * grid.columns;
            float const from = row[at.first], change = row[at.second] - row[at.first];
            for (std::size_t x = first; x < end; ++x)
                add(x, from + (share + step * static_cast<float>(static_cast<std::int32_t>(x - first))) * change);
        };
        visit(0, [&](std::size_t x, float value) { explained[x] = value; });
        visit(terms, [&](std::size_t x, float value) { kept[x] = value; });
        for (std::size_t i = 1; i < terms; ++i) {
            float const* const feature = features.planes[i - 1].data() + pixel;
            visit(i, [&](std::size_t x, float value) { explained[x] += value * feature[x]; });
        }
    }
}

} // namespace

void add_local_fit(LocalFit const& fit, std::span<float> rest, std::span<float> estimate, std::span<float> leverage,
                   int threads)
{
    CellGrid const& grid = fit.moments.grid();
    std::size_t const terms = fit.features.planes.size() + 1, width = fit.features.width;
    Models const models = shrink(fit, find_directions(fit, rest, threads), threads);
    constexpr int kRowsPerPiece = 8;
    parallel_for_rows(threads, static_cast<int>(fit.features.height), kRowsPerPiece, [&](RowRange rows) {
        std::vector<float> by_column(grid.columns * (terms + 1)), explained(width), kept(width);
        for (auto y = static_cast<std::size_t>(rows.first); y < static_cast<std::size_t>(rows.end); ++y) {
            mix_rows(models, grid, terms, find_between(y, grid.edge, grid.rows), by_column.data());
            explain_row(fit.features, grid, y * width, by_column.data(), explained.data(), kept.data());
            for (std::size_t x = 0; x < width; ++x) {
                rest[y * width + x] -= explained[x];
                estimate[y * width + x] += explained[x];
                leverage[y * width + x] += kept[x] * fit.features.weights[y * width + x];
            }
        }
    });
}

} // namespace volpt
