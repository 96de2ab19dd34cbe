#include "libvolpt/scene/light/environment_tables.h"

#include "libvolpt/scene/exact_trig.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace volpt {
namespace {

/// An image whose texels have the mean of their interpolated radiance, which includes a share of their neighbours.
class FilteredImage {
public:
    FilteredImage(EnvironmentView const& environment, std::uint32_t bands) : environment_(environment), bands_(bands) {}

    /// Mean radiance of a texel, before the image's factor.
    double read(std::uint32_t hemisphere, std::uint32_t row, std::uint32_t column, std::uint32_t band) const
    {
        static constexpr double kShares[3] = {0.125, 0.75, 0.125};
        double sum = 0;
        for (std::uint32_t j = 0; j < 3; ++j)
            for (std::uint32_t i = 0; i < 3; ++i)
                sum += kShares[j] * kShares[i] * read_texel(hemisphere, clamp(row, j), clamp(column, i), band);
        return sum;
    }

private:
    std::uint32_t clamp(std::uint32_t texel, std::uint32_t step) const
    {
        std::uint32_t const next = texel + step;
        return next == 0 ? 0 : std::min(next - 1, environment_.edge - 1);
    }

    double read_texel(std::uint32_t hemisphere, std::uint32_t row, std::uint32_t column, std::uint32_t band) const
    {
        std::size_t const texel = (std::size_t{hemisphere} * environment_.edge + row) * environment_.edge + column;
        return static_cast<double>(environment_.texels[texel * bands_ + band]);
    }

    EnvironmentView const& environment_;
    std::uint32_t bands_;
};

/// The solid angle of a texel, from the density at its centre: the octahedron is |x| + |y| + |z| = 1, and dx dy is
/// 2 du dv.
double find_solid_angle(std::uint32_t edge, std::uint32_t row, std::uint32_t column)
{
    double const a = (2.0 * column + 1) / edge - 1, b = (2.0 * row + 1) / edge - 1;
    double const x = 0.5 * (a + b), y = 0.5 * (a - b);
    double const z = std::max(0.0, 1 - std::abs(x) - std::abs(y));
    double const square = x * x + y * y + z * z;
    return 2 / (square * std::sqrt(square) * edge * edge);
}

/// Cumulative shares; even ones of weights that are all 0.
void accumulate(std::span<double const> weights, std::span<float> cdf)
{
    double total = 0;
    for (double const weight : weights) total += weight;
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        sum += weights[i];
        double const even = static_cast<double>(i + 1) / static_cast<double>(weights.size());
        cdf[i] = static_cast<float>(total > 0 ? std::min(1.0, sum / total) : even);
    }
    // 1 from the last with a weight above 0 on: rounding must not leave a share to those behind it.
    std::size_t last = weights.size() - 1;
    while (total > 0 && last > 0 && weights[last] == 0) --last;
    std::fill(cdf.begin() + static_cast<std::ptrdiff_t>(last), cdf.end(), 1.0f);
}

} // namespace

std::vector<double> integrate_environment(EnvironmentView const& environment, std::uint32_t bands)
{
    std::vector<double> integrals(bands);
    for (std::uint32_t b = 0; b < bands; ++b) {
        auto const above = static_cast<double>(environment.above[b]);
        if (environment.kind == LightKindView::constant) integrals[b] = 4 * kPi * above;
        if (environment.kind == LightKindView::hemispheres)
            integrals[b] = 2 * kPi * (above + static_cast<double>(environment.below[b]));
        if (environment.kind != LightKindView::image) continue;
        FilteredImage const image(environment, bands);
        double sum = 0;
        for (std::uint32_t row = 0; row < environment.edge; ++row)
            for (std::uint32_t column = 0; column < environment.edge; ++column)
                sum += find_solid_angle(environment.edge, row, column) *
                       (image.read(0, row, column, b) + image.read(1, row, column, b));
        integrals[b] = above * sum;
    }
    return integrals;
}

void EnvironmentTables::fill(EnvironmentView const& environment, std::uint32_t bands)
{
    if (environment.kind != LightKindView::image) return;
    edge_ = environment.edge;
    std::size_t const rows = std::size_t{2} * edge_;
    row_cdf_.resize(rows);
    cell_cdf_.resize(rows * edge_);
    FilteredImage const image(environment, bands);
    std::vector<double> row_weights(rows), weights(edge_);
    for (std::uint32_t row = 0; row < rows; ++row) {
        for (std::uint32_t column = 0; column < edge_; ++column) {
            double most = 0;
            for (std::uint32_t b = 0; b < bands; ++b)
                most = std::max(most, static_cast<double>(environment.above[b]) *
                                          image.read(row / edge_, row % edge_, column, b));
            weights[column] = most * find_solid_angle(edge_, row % edge_, column);
        }
        accumulate(weights, std::span(cell_cdf_).subspan(std::size_t{row} * edge_, edge_));
        for (double const weight : weights) row_weights[row] += weight;
    }
    accumulate(row_weights, row_cdf_);
}

EnvironmentSamplerView EnvironmentTables::view() const
{
    if (edge_ == 0) return {};
    return {edge_, row_cdf_.data(), cell_cdf_.data()};
}

} // namespace volpt
