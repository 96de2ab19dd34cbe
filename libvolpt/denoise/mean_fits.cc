#include "libvolpt/denoise/local_fits.h"

#include "libvolpt/denoise/cell_moments.h"
#include "libvolpt/denoise/vector_clones.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace volpt {
namespace {

using Plane = std::vector<float>;

constexpr int kMeanRows = 32;

/// Sums over cells.
struct CellSums {
    Plane weights, values, noise;
};

VOLPT_VECTOR_CLONES void sum_cell_row(MeanFit const& fit, std::span<float const> rest, CellGrid const& grid,
                                      std::size_t row, CellSums& sums)
{
    float* const weights = sums.weights.data() + row * grid.columns;
    float* const values = sums.values.data() + row * grid.columns;
    float* const noise = sums.noise.data() + row * grid.columns;
    for (std::size_t y = row * fit.edge; y < std::min((row + 1) * fit.edge, fit.height); ++y) {
        float const *const w = fit.weights.data() + y * fit.width, *const v = rest.data() + y * fit.width;
        float const* const n = fit.noise.data() + y * fit.width;
        for (std::size_t column = 0; column < grid.columns; ++column)
            for (std::size_t x = column * fit.edge; x < std::min((column + 1) * fit.edge, fit.width); ++x) {
                weights[column] += w[x];
                values[column] += w[x] * v[x];
                noise[column] += n[x];
            }
    }
}

/// Cells and those about them, weighted side, centre, side along both axes; beyond the picture there is nothing.
struct Kernel {
    float side, centre;
};
constexpr Kernel kWindow{1, 2}, kSquared{1, 4};

VOLPT_VECTOR_CLONES void sum_window_row(Plane const& cells, CellGrid const& grid, std::size_t row, Kernel kernel,
                                        float* across, float* out)
{
    std::size_t const columns = grid.columns;
    float const* const centre = cells.data() + row * columns;
    for (std::size_t x = 0; x < columns; ++x) across[x] = kernel.centre * centre[x];
    if (row > 0)
        for (std::size_t x = 0; x < columns; ++x) across[x] += kernel.side * (centre - columns)[x];
    if (row + 1 < grid.rows)
        for (std::size_t x = 0; x < columns; ++x) across[x] += kernel.side * (centre + columns)[x];
    for (std::size_t x = 0; x < columns; ++x) out[x] = kernel.centre * across[x];
    for (std::size_t x = 1; x < columns; ++x) out[x] += kernel.side * across[x - 1];
    for (std::size_t x = 0; x + 1 < columns; ++x) out[x] += kernel.side * across[x + 1];
}

class MeanFitter {
public:
    MeanFitter(MeanFit const& fit, int threads) : fit_(fit), grid_(fit.width, fit.height, fit.edge), threads_(threads)
    {
    }

    /// Means, and the part of its own noise, per unit of weight, that a pixel keeps in each.
    void find(std::span<float const> rest, Plane& means, Plane& kept) const
    {
        CellSums cells{Plane(grid_.cells()), Plane(grid_.cells()), Plane(grid_.cells())};
        visit_rows([&](std::size_t row) { sum_cell_row(fit_, rest, grid_, row, cells); });
        Plane const weights = sum_windows(cells.weights, kWindow), values = sum_windows(cells.values, kWindow);
        Plane const noise = sum_windows(cells.noise, kSquared);
        Plane energy(grid_.cells()), expected(grid_.cells());
        visit_cells([&](std::size_t i) {
            if (!(weights[i] > 0)) return;
            energy[i] = values[i] / weights[i] * values[i];
            expected[i] = noise[i] / weights[i];
        });
        // The energy of fewer windows, at an edge of the picture, scatters more.
        constexpr float kFullCount = 16;
        Plane const energies = sum_windows(energy, kWindow), noises = sum_windows(expected, kWindow);
        Plane const counts = sum_windows(Plane(grid_.cells(), 1.0f), kWindow);
        visit_cells([&](std::size_t i) {
            if (!(energies[i] > 0)) return;
            float const threshold = fit_.noise_factor * noises[i] * (kFullCount / counts[i]);
            float const factor = std::max(0.0f, (energies[i] - threshold) / energies[i]);
            if (!(weights[i] > 0)) return;
            means[i] = factor * values[i] / weights[i];
            kept[i] = 4 * factor / weights[i];
        });
    }

    void add(Plane const& means, Plane const& kept, std::span<float> rest, std::span<float> estimate,
             std::span<float> leverage) const
    {
        std::vector<Between> places(fit_.width);
        for (std::size_t x = 0; x < fit_.width; ++x) places[x] = find_between(x, grid_.edge, grid_.columns);
        parallel_for_rows(threads_, static_cast<int>(fit_.height), kMeanRows, [&](RowRange rows) {
            Plane mean_row(grid_.columns), kept_row(grid_.columns);
            for (auto y = static_cast<std::size_t>(rows.first); y < static_cast<std::size_t>(rows.end); ++y) {
                Between const at = find_between(y, grid_.edge, grid_.rows);
                for (std::size_t column = 0; column < grid_.columns; ++column) {
                    std::size_t const a = at.first * grid_.columns + column, b = at.second * grid_.columns + column;
                    mean_row[column] = means[a] + at.share * (means[b] - means[a]);
                    kept_row[column] = kept[a] + at.share * (kept[b] - kept[a]);
                }
                for (std::size_t x = 0; x < fit_.width; ++x) {
                    std::size_t const pixel = y * fit_.width + x;
                    float const mean = places[x].interpolate(mean_row.data());
                    rest[pixel] -= mean;
                    estimate[pixel] += mean;
                    leverage[pixel] += places[x].interpolate(kept_row.data()) * fit_.weights[pixel];
                }
            }
        });
    }

    std::size_t cells() const { return grid_.cells(); }

private:
    template <class Visit>
    void visit_rows(Visit const& visit) const
    {
        parallel_for_rows(threads_, static_cast<int>(grid_.rows), kMeanRows, [&](RowRange rows) {
            for (int row = rows.first; row < rows.end; ++row) visit(static_cast<std::size_t>(row));
        });
    }
    template <class Visit>
    void visit_cells(Visit const& visit) const
    {
        visit_rows([&](std::size_t row) {
            for (std::size_t i = row * grid_.columns; i < (row + 1) * grid_.columns; ++i) visit(i);
        });
    }
    Plane sum_windows(Plane const& cells, Kernel kernel) const
    {
        Plane windows(cells.size());
        parallel_for_rows(threads_, static_cast<int>(grid_.rows), kMeanRows, [&](RowRange rows) {
            Plane across(grid_.columns);
            for (auto row = static_cast<std::size_t>(rows.first); row < static_cast<std::size_t>(rows.end); ++row)
                sum_window_row(cells, grid_, row, kernel, across.data(), windows.data() + row * grid_.columns);
        });
        return windows;
    }

    MeanFit const& fit_;
    CellGrid grid_;
    int threads_;
};

} // namespace

void add_mean_fit(MeanFit const& fit, std::span<float> rest, std::span<float> estimate, std::span<float> leverage,
                  int threads)
{
    MeanFitter const fitter(fit, threads);
    Plane means(fitter.cells()), kept(fitter.cells());
    fitter.find(rest, means, kept);
    fitter.add(means, kept, rest, estimate, leverage);
}

} // namespace volpt
