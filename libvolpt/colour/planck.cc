#include "libvolpt/colour/planck.h"

#include "libvolpt/colour/cie_tables.h"
#include "libvolpt/colour/colour_space.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

// Exact since the SI of 2019.
constexpr double kPlanck_js = 6.62607015e-34;
constexpr double kLightSpeed_m_per_s = 299792458;
constexpr double kBoltzmann_j_per_k = 1.380649e-23;

/// X, Y, Z in W/(mm2 sr).
Triple integrate_observer(double temperature_k)
{
    Triple xyz{};
    for (std::size_t row = 0; row < kCieRowCount; ++row) {
        double const radiance =
            compute_planck_radiance(kCieFirst_nm + static_cast<double>(row) * kCieStep_nm, temperature_k);
        for (std::size_t i = 0; i < 3; ++i) xyz[i] += kCieStep_nm * radiance * kCieRows[row].observer[i];
    }
    return xyz;
}

/// Relative spectral power of D65; beyond the table, that at its end.
double find_d65(float wavelength_nm)
{
    double const place = std::clamp((static_cast<double>(wavelength_nm) - kCieFirst_nm) / kCieStep_nm, 0.0,
                                    static_cast<double>(kCieRowCount - 1));
    auto const row = std::min(static_cast<std::size_t>(place), kCieRowCount - 2);
    double const share = place - static_cast<double>(row);
    return (1 - share) * kCieRows[row].d65 + share * kCieRows[row + 1].d65;
}

} // namespace

double compute_planck_radiance(double wavelength_nm, double temperature_k)
{
    if (!(temperature_k > 0)) return 0;
    double const wavelength_m = wavelength_nm * 1e-9;
    constexpr double kFirst = 2 * kPlanck_js * kLightSpeed_m_per_s * kLightSpeed_m_per_s;
    constexpr double kSecond_mk = kPlanck_js * kLightSpeed_m_per_s / kBoltzmann_j_per_k;
    double const per_m3 = kFirst / std::pow(wavelength_m, 5) / std::expm1(kSecond_mk / (wavelength_m * temperature_k));
    return per_m3 * 1e-15; // per m2 and m to per mm2 and nm
}

std::vector<double> compute_blackbody(std::size_t bands, std::span<float const> wavelengths_nm, double temperature_k)
{
    std::vector<double> radiance;
    for (float const wavelength_nm : wavelengths_nm)
        radiance.push_back(compute_planck_radiance(static_cast<double>(wavelength_nm), temperature_k));
    if (!radiance.empty()) return radiance;
    if (bands != 1 && bands != 3)
        fail_usage(fmt::format("{} bands have no wavelengths, at which a black body could be computed", bands),
                   "give the bands wavelengths, or use one band or three (R, G, B)");
    Triple xyz = integrate_observer(temperature_k);
    if (bands == 1) return {xyz[1]};
    Triple const white = white_xyz(Illuminant::d65);
    for (std::size_t i = 0; i < 3; ++i) xyz[i] /= white[i];
    for (double const component : kRelativeXyzToRgb* xyz) radiance.push_back(std::max(0.0, component));
    return radiance;
}

std::vector<double> compute_blackbody_colour(std::size_t bands, std::span<float const> wavelengths_nm,
                                             double temperature_k)
{
    std::vector<double> colour = compute_blackbody(bands, wavelengths_nm, temperature_k);
    for (std::size_t band = 0; band < wavelengths_nm.size(); ++band) colour[band] /= find_d65(wavelengths_nm[band]);
    std::vector<Triple> const weights = make_band_weights(bands, wavelengths_nm, Illuminant::d65);
    double luminance = 0;
    for (std::size_t band = 0; band < colour.size(); ++band) luminance += weights[band][1] * colour[band];
    for (double& value : colour) value /= luminance;
    return colour;
}

} // namespace volpt
