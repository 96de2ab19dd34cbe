#include "libvolpt/colour/colour_space.h"

#include "libvolpt/colour/cie_tables.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

double power_of(CieRow const& row, Illuminant illuminant)
{
    return illuminant == Illuminant::d50 ? row.d50 : row.d65;
}

/// Relative X, Y, Z to the cone responses of the Bradford transform.
constexpr Matrix3 kBradford{{{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}};

Matrix3 make_diagonal(Triple const& values)
{
    Matrix3 matrix{};
    for (std::size_t i = 0; i < 3; ++i) matrix[i][i] = values[i];
    return matrix;
}

Triple reciprocal(Triple const& values)
{
    return {1 / values[0], 1 / values[1], 1 / values[2]};
}

Matrix3 invert(Matrix3 const& m)
{
    Matrix3 cofactors;
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) {
            std::size_t const r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            cofactors[c][r] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
        }
    double const determinant = m[0][0] * cofactors[0][0] + m[0][1] * cofactors[1][0] + m[0][2] * cofactors[2][0];
    for (Triple& row : cofactors)
        for (double& value : row) value /= determinant;
    return cofactors;
}

/// The bands that give the reflectance at a wavelength, and their shares: the two neighbours, or one beyond the ends.
struct Interpolation {
    std::size_t low, high;
    double high_share;
};

Interpolation interpolate(std::span<float const> wavelengths_nm, double at_nm)
{
    auto const above =
        std::ranges::upper_bound(wavelengths_nm, at_nm, {}, [](float nm) { return static_cast<double>(nm); });
    auto const high = static_cast<std::size_t>(above - wavelengths_nm.begin());
    if (high == 0) return {0, 0, 0};
    if (high == wavelengths_nm.size()) return {high - 1, high - 1, 0};
    auto const from = static_cast<double>(wavelengths_nm[high - 1]), to = static_cast<double>(wavelengths_nm[high]);
    return {high - 1, high, (at_nm - from) / (to - from)};
}

} // namespace

Triple operator*(Matrix3 const& matrix, Triple const& column)
{
    Triple result;
    for (std::size_t i = 0; i < 3; ++i)
        result[i] = matrix[i][0] * column[0] + matrix[i][1] * column[1] + matrix[i][2] * column[2];
    return result;
}

Matrix3 operator*(Matrix3 const& left, Matrix3 const& right)
{
    Matrix3 result{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k) result[i][j] += left[i][k] * right[k][j];
    return result;
}

Triple white_xyz(Illuminant illuminant)
{
    Triple sum{};
    for (CieRow const& row : kCieRows)
        for (std::size_t i = 0; i < 3; ++i) sum[i] += power_of(row, illuminant) * row.observer[i];
    return {sum[0] / sum[1], 1, sum[2] / sum[1]};
}

Matrix3 adapt_from_d65(Illuminant illuminant)
{
    if (illuminant == Illuminant::d65) return make_diagonal({1, 1, 1});
    Triple const from = white_xyz(Illuminant::d65), to = white_xyz(illuminant);
    Triple const cones_from = kBradford * from, cones_to = kBradford * to;
    Triple gains;
    for (std::size_t i = 0; i < 3; ++i) gains[i] = cones_to[i] / cones_from[i];
    return make_diagonal(reciprocal(to)) * invert(kBradford) * make_diagonal(gains) * kBradford * make_diagonal(from);
}

Matrix3 adapt_to_d65(Illuminant illuminant)
{
    return illuminant == Illuminant::d65 ? adapt_from_d65(illuminant) : invert(adapt_from_d65(illuminant));
}

bool have_colour(std::size_t bands, std::span<float const> wavelengths_nm)
{
    return wavelengths_nm.empty() ? bands == 1 || bands == 3 : wavelengths_nm.size() == bands;
}

std::vector<Triple> make_band_weights(std::size_t bands, std::span<float const> wavelengths_nm, Illuminant illuminant)
{
    if (!have_colour(bands, wavelengths_nm))
        fail_usage(fmt::format("{} bands with {} wavelengths do not define a colour", bands, wavelengths_nm.size()),
                   "a colour needs one band, three bands, or one wavelength per band");
    if (wavelengths_nm.empty() && bands == 1) return {{1, 1, 1}};
    std::vector<Triple> weights(bands, Triple{});
    if (wavelengths_nm.empty()) {
        Matrix3 const matrix = adapt_from_d65(illuminant) * kRgbToRelativeXyz;
        for (std::size_t band = 0; band < 3; ++band)
            weights[band] = {matrix[0][band], matrix[1][band], matrix[2][band]};
        return weights;
    }
    Triple white{};
    double at_nm = kCieFirst_nm;
    for (CieRow const& row : kCieRows) {
        Interpolation const place = interpolate(wavelengths_nm, at_nm);
        for (std::size_t i = 0; i < 3; ++i) {
            double const weight = power_of(row, illuminant) * row.observer[i];
            white[i] += weight;
            weights[place.low][i] += weight * (1 - place.high_share);
            weights[place.high][i] += weight * place.high_share;
        }
        at_nm += kCieStep_nm;
    }
    for (Triple& weight : weights)
        for (std::size_t i = 0; i < 3; ++i) weight[i] /= white[i];
    return weights;
}

Triple to_lab(Triple const& xyz)
{
    return to_lab(xyz, [](double value) { return std::cbrt(value); });
}

Matrix3 differentiate_lab(Triple const& xyz)
{
    constexpr double kDelta = 6.0 / 29;
    Triple slope;
    for (std::size_t i = 0; i < 3; ++i) {
        double const root = std::cbrt(xyz[i]);
        slope[i] = root > kDelta ? 1 / (3 * root * root) : 1 / (3 * kDelta * kDelta);
    }
    return {{{0, 116 * slope[1], 0}, {500 * slope[0], -500 * slope[1], 0}, {0, 200 * slope[1], -200 * slope[2]}}};
}

} // namespace volpt
