// From band reflectances to CIE XYZ, L*a*b* and linear sRGB under a chosen illuminant.
//
// CIE 15:2004; ISO/CIE 11664-3 and -4; IEC 61966-2-1:1999; Lam 1985 (Bradford adaptation).
//
// Tristimulus values are *relative* throughout: divided by those of the illuminant, so that a reflectance of 1 at every
// wavelength has the values 1, 1, 1. Spectra, matrices and single colours are in double precision; colour.h is the
// single precision form for loops over pixels.
#pragma once

#include "libvolpt/sys/text/enum_words.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

enum class Illuminant : std::uint8_t { d50, d65 };
template <>
inline constexpr auto kWords<Illuminant> = list_words<Illuminant>({{Illuminant::d50, "D50"}, {Illuminant::d65, "D65"}});

/// Name of the observer in metadata and reports.
inline constexpr std::string_view kObserverName = "CIE 1931 2 degrees";

using Triple = std::array<double, 3>;
using Matrix3 = std::array<Triple, 3>; ///< rows

Triple operator*(Matrix3 const& matrix, Triple const& column);
Matrix3 operator*(Matrix3 const& left, Matrix3 const& right);

/// Linear sRGB to relative tristimulus values of its white D65, and back.
inline constexpr Matrix3 kRgbToRelativeXyz{{{0.433895388832, 0.376242372622, 0.189862238546},
                                            {0.212636821677, 0.715182981841, 0.072180196481},
                                            {0.017752423152, 0.109465628662, 0.872781948186}}};
inline constexpr Matrix3 kRelativeXyzToRgb{{{3.080341988280, -1.537398969489, -0.542943018792},
                                            {-0.921178396165, 1.875929983695, 0.045248412470},
                                            {0.052881292876, -0.204011206124, 1.151129913248}}};

/// X, Y, Z of the perfect white, Y = 1.
Triple white_xyz(Illuminant illuminant);

/// Relative values under D65 to those of the corresponding colour under the illuminant, by the linear Bradford
/// transform; the unit matrix for D65.
Matrix3 adapt_from_d65(Illuminant illuminant);
Matrix3 adapt_to_d65(Illuminant illuminant);

/// Relative X, Y, Z of a reflectance of 1 in each band alone; the weights sum to 1, 1, 1. `wavelengths_nm` ascend, one
/// per band: the reflectance is linear between them and constant beyond the first and the last, and is summed with
/// illuminant and observer over kCieRows. Without wavelengths three bands are linear R, G, B, and one is grey. Error
/// (usage) for other numbers of bands.
std::vector<Triple> make_band_weights(std::size_t bands, std::span<float const> wavelengths_nm, Illuminant illuminant);

/// True if make_band_weights accepts these bands.
bool have_colour(std::size_t bands, std::span<float const> wavelengths_nm);

/// CIE 15:2004, equations 8.3 to 8.11, of relative tristimulus values; `cbrt` is the cube root to use.
template <class Real, class Cbrt>
[[gnu::always_inline]] inline std::array<Real, 3> to_lab(std::array<Real, 3> xyz, Cbrt cbrt)
{
    constexpr Real kDelta = Real{6} / Real{29};
    std::array<Real, 3> f;
    for (std::size_t i = 0; i < 3; ++i) {
        Real const line = xyz[i] * (1 / (3 * kDelta * kDelta)) + Real{4} / Real{29};
        Real const root = cbrt(xyz[i]);
        f[i] = xyz[i] > kDelta * kDelta * kDelta ? root : line;
    }
    return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}
Triple to_lab(Triple const& xyz);
/// Derivatives of L*, a*, b* (rows) by the relative X, Y, Z (columns).
Matrix3 differentiate_lab(Triple const& xyz);

} // namespace volpt
