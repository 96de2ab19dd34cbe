// First the pixels are binned into cells, the squares around texel centres. The mass of a cell is the integral of G dz
// along its sides, G being the sum of a row's pixels up to an azimuth (conservative remapping by line integrals: P.
// Jones, First- and Second-Order Conservative Remapping Schemes for Grids in Spherical Coordinates, Monthly Weather
// Review 127, 1999). Neighbours share their sides, so that nothing is lost or counted twice, whatever the way of a
// side. It is taken as a meridian at the mean azimuth of the true side, a great circle's arc: that keeps the cell's
// area.
//
// Core's lookup gives a texel the solid angle under its hat function, which differs a little from that of its cell. The
// difference is made up of flows between neighbours; each moves light along, from the cell that it leaves.
#include "libvolpt/scene/light/light_resample.h"

#include "libvolpt/scene/exact_trig.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace volpt {
namespace {

/// A direction of the upper hemisphere with x >= |y|.
struct Direction {
    double x, y, z;
    double azimuth; ///< from +x towards -y, radians
};

/// from_hemisphere (core/environment.hd.h) in double precision, for a, b in [0, 1].
Direction find_direction(double a, double b)
{
    double const x = 0.5 * (a + b), y = 0.5 * (a - b), z = 1 - std::max(a, b);
    double const scale = 1 / std::sqrt(x * x + y * y + z * z);
    return {x * scale, y * scale, z * scale, arc_tangent2(-y, x)};
}

/// Solid angle per area of the plane of a and b.
double find_density(double a, double b)
{
    double const z = 1 - std::max(a, std::abs(b));
    double const square = 0.5 * (a * a + b * b) + z * z;
    return 0.5 / (square * std::sqrt(square));
}

/// The mean azimuth, over z, of the great circle's arc between two directions: that of a meridian with the same
/// integral of the azimuth over z, which follows from the area between the arc and the pole (a spherical triangle).
double find_mean_azimuth(Direction const& from, Direction const& to)
{
    double const rise = to.z - from.z, turn = to.azimuth - from.azimuth;
    if (rise == 0) return from.azimuth;
    double const dot = from.x * to.x + from.y * to.y + from.z * to.z;
    double const above = 2 * arc_tangent2(from.y * to.x - from.x * to.y, 1 + dot + from.z + to.z);
    auto const [low, high] = std::minmax(from.azimuth, to.azimuth);
    return std::clamp(from.azimuth + (above - turn * (1 - to.z)) / rise, low, high);
}

/// Gauss-Legendre of order 3 on [0, 1].
constexpr double kNodes[3] = {0.11270166537925831148, 0.5, 0.88729833462074168852};
constexpr double kWeights[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};

/// Calls visit(a, b, weight) at the nodes of a square of this size; its half on each side of the diagonal on its own,
/// where find_density has a crease, if `is_creased`.
template <class Visit>
void visit_square(double a, double b, double size, bool is_creased, Visit&& visit)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            double const weight = kWeights[i] * kWeights[j] * size * size;
            double const s = size * kNodes[i];
            if (!is_creased) {
                visit(a + s, b + size * kNodes[j], weight);
                continue;
            }
            visit(a + s, b + s * kNodes[j], weight * kNodes[i]);
            visit(a + s * kNodes[j], b + s, weight * kNodes[i]);
        }
}

} // namespace

/// Sums along the rows of one picture, seen from one hemisphere: below, the rows run upwards.
class LightResampler::PicturePlane {
public:
    PicturePlane(std::span<float const> values, std::vector<double> const& row_z)
        : row_z_(row_z), rows_(row_z.size() - 1), columns_(values.size() / rows_), sums_(rows_ * (columns_ + 1))
    {
        for (std::size_t row = 0; row < rows_; ++row) {
            double* const sums = sums_.data() + row * (columns_ + 1);
            for (std::size_t x = 0; x < columns_; ++x)
                sums[x + 1] = sums[x] + static_cast<double>(values[row * columns_ + x]);
        }
    }

    void look(std::uint32_t hemisphere) { is_below_ = hemisphere != 0; }

    /// Integral of a row's sum up to `column`, 0 .. 2 columns_, over z along the meridian.
    double integrate(Corner const& from, Corner const& to, double column) const
    {
        if (from.z == to.z) return 0;
        auto x = static_cast<std::size_t>(column);
        double const part = column - static_cast<double>(x);
        double const turns = x >= columns_ ? 1 : 0;
        if (x >= columns_) x -= columns_;
        auto const [low, high] = from.z < to.z ? std::pair(from, to) : std::pair(to, from);
        double sum = 0;
        for (std::uint32_t row = high.row; row <= low.row; ++row) {
            double const height = std::min(high.z, row_z_[row]) - std::max(low.z, row_z_[row + 1]);
            double const* const sums = sums_.data() + (is_below_ ? rows_ - 1 - row : row) * (columns_ + 1);
            sum += height * (turns * sums[columns_] + (1 - part) * sums[x] + part * sums[x + 1]);
        }
        return from.z < to.z ? sum : -sum;
    }

private:
    std::vector<double> const& row_z_;
    std::size_t rows_, columns_;
    std::vector<double> sums_; ///< [row][column], of the pixels before it
    bool is_below_ = false;
};

LightResampler::LightResampler(std::uint32_t width, std::uint32_t height, std::uint32_t edge)
    : width_(width), cells_(edge / 2), row_z_(height + 1)
{
    for (std::uint32_t row = 0; 2 * row <= height; ++row) {
        row_z_[row] = sine_cosine_of_degrees(180.0 * row / height).cosine;
        row_z_[height - row] = -row_z_[row];
    }
    place_sides();
    measure_cells();
    balance_cells();
}

void LightResampler::place_sides()
{
    std::size_t const count = (cells_ + 1) * (cells_ + 1);
    double const step = 1 / static_cast<double>(cells_), columns_per_radian = width_ / (2 * kPi);
    std::vector<Direction> directions;
    directions.reserve(count);
    corners_.reserve(count);
    for (std::size_t i = 0; i <= cells_; ++i)
        for (std::size_t j = 0; j <= cells_; ++j) {
            Direction const d =
                directions.emplace_back(find_direction(static_cast<double>(i) * step, static_cast<double>(j) * step));
            auto const below = std::ranges::upper_bound(row_z_, d.z, std::greater<>());
            auto const row = static_cast<std::uint32_t>(below - row_z_.begin());
            corners_.push_back({d.z, std::max(row, 1u) - 1});
        }
    auto const find_column = [&](Direction from, Direction const& to) {
        if (from.x == 0) from.azimuth = to.azimuth; // the pole
        return find_mean_azimuth(from, to) * columns_per_radian;
    };
    along_a_.resize(count);
    along_b_.resize(count);
    for (std::size_t i = 0; i <= cells_; ++i)
        for (std::size_t j = 0; j <= cells_; ++j) {
            Direction const& from = directions[corner(i, j)];
            if (i < cells_) along_a_[corner(i, j)] = find_column(from, directions[corner(i + 1, j)]);
            if (j < cells_) along_b_[corner(i, j)] = find_column(from, directions[corner(i, j + 1)]);
        }
}

void LightResampler::measure_cells()
{
    auto const integrate = [&](std::size_t from, std::size_t to, double column) {
        return column * (corners_[to].z - corners_[from].z);
    };
    areas_.resize(cells_ * cells_);
    for (std::size_t i = 0; i < cells_; ++i)
        for (std::size_t j = 0; j < cells_; ++j) {
            std::size_t const c00 = corner(i, j), c10 = corner(i + 1, j), c01 = corner(i, j + 1), c11 = c10 + 1;
            areas_[cell(i, j)] = integrate(c00, c10, along_a_[c00]) + integrate(c10, c11, along_b_[c10]) -
                                 integrate(c01, c11, along_a_[c01]) - integrate(c00, c01, along_b_[c00]);
        }
}

/// Around each corner, core's lookup mixes the texels of the four cells that meet there: from each cell's part of that
/// square, light goes to the other cells by the weights of the lookup. The balance of each pair of cells is a flow;
/// those between opposite cells pass through the two others, half through each. Flows over a = 0 and b = 0 are 0 by
/// symmetry; at a = 1 and b = 1, the horizon, the lookup is clamped.
void LightResampler::balance_cells()
{
    double const step = 1 / static_cast<double>(cells_), columns_per_radian = width_ / (2 * kPi);
    flows_.assign(cells_ * cells_, 0);
    for (std::size_t i = 1; i < cells_; ++i)
        for (std::size_t j = 0; j <= cells_; ++j) {
            double const a = static_cast<double>(i) * step, b = static_cast<double>(j) * step;
            double flow[2] = {0, 0}; // in the cells below b and above
            for (int quarter = 0; quarter < (j == cells_ ? 2 : 4); ++quarter) {
                int const side = quarter & 1, row = quarter >> 1;
                double const sign = side == 0 ? 1 : -1;
                visit_square(a + (side == 0 ? -0.5 * step : 0.0), b + (row == 0 ? -0.5 * step : 0.0), 0.5 * step,
                             i == j && side == row, [&](double at_a, double at_b, double weight) {
                                 double const s = (at_a - a) / step + 0.5, t = (at_b - b) / step + 0.5;
                                 double const across = side == 0 ? s : 1 - s;
                                 double const other_row = j == cells_ ? 0 : row == 0 ? t : 1 - t;
                                 double const light = sign * across * weight * find_density(at_a, at_b);
                                 flow[row] += light * (1 - 0.5 * other_row);
                                 flow[1 - row] += light * 0.5 * other_row;
                             });
            }
            if (j > 0) flows_[cell(i, j - 1)] += flow[0] * columns_per_radian;
            if (j < cells_) flows_[cell(i, j)] += flow[1] * columns_per_radian;
        }
}

void LightResampler::resample_quarter(PicturePlane const& picture, std::uint32_t quarter_turns, float* texels) const
{
    double const first_column = 0.25 * width_ * (quarter_turns + 1);
    std::vector<double> light(cells_ * cells_); // mean over each cell
    auto const integrate = [&](std::size_t from, std::size_t to, double column) {
        return picture.integrate(corners_[from], corners_[to], first_column + column);
    };
    std::vector<double> low(cells_), high(cells_); // integrals along b, on both sides of a row of cells
    for (std::size_t i = 0; i <= cells_; ++i) {
        low.swap(high);
        for (std::size_t j = 0; j < cells_; ++j)
            high[j] = integrate(corner(i, j), corner(i, j + 1), along_b_[corner(i, j)]);
        if (i == 0) continue;
        auto const along = [&](std::size_t j) {
            return integrate(corner(i - 1, j), corner(i, j), along_a_[corner(i - 1, j)]);
        };
        double right = along(0);
        for (std::size_t j = 0; j < cells_; ++j) {
            double const left = std::exchange(right, along(j + 1));
            light[cell(i - 1, j)] = std::max(0.0, (left + high[j] - right - low[j]) / areas_[cell(i - 1, j)]);
        }
    }
    std::size_t const edge = 2 * cells_;
    for (std::size_t i = 0; i < cells_; ++i)
        for (std::size_t j = 0; j < cells_; ++j) {
            double const own = light[cell(i, j)];
            double sum = areas_[cell(i, j)] * own, area = areas_[cell(i, j)];
            auto const add = [&](double flow, std::size_t neighbour) {
                area += flow;
                sum += flow * (flow > 0 ? light[neighbour] : own);
            };
            if (i > 0) add(flows_[cell(i, j)], cell(i - 1, j));
            if (i + 1 < cells_) add(-flows_[cell(i + 1, j)], cell(i + 1, j));
            if (j > 0) add(flows_[cell(j, i)], cell(i, j - 1));
            if (j + 1 < cells_) add(-flows_[cell(j + 1, i)], cell(i, j + 1));
            // A quarter turn takes a to -b and b to a.
            std::size_t const up_i = cells_ + i, up_j = cells_ + j, down_i = cells_ - 1 - i, down_j = cells_ - 1 - j;
            std::size_t const column[4] = {up_i, down_j, down_i, up_j}, row[4] = {up_j, up_i, down_j, down_i};
            texels[row[quarter_turns] * edge + column[quarter_turns]] = static_cast<float>(sum / area);
        }
}

std::vector<float> LightResampler::resample(std::span<float const> values) const
{
    PicturePlane picture(values, row_z_);
    std::size_t const square = 4 * cells_ * cells_;
    std::vector<float> texels(2 * square);
    for (std::uint32_t hemisphere = 0; hemisphere < 2; ++hemisphere) {
        picture.look(hemisphere);
        for (std::uint32_t turns = 0; turns < 4; ++turns)
            resample_quarter(picture, turns, texels.data() + hemisphere * square);
    }
    return texels;
}

} // namespace volpt
