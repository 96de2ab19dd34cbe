// Tabulated colour matching functions and illuminants of the CIE.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace volpt {

inline constexpr std::size_t kCieRowCount = 81;
inline constexpr double kCieFirst_nm = 380;
inline constexpr double kCieStep_nm = 5;

struct CieRow {
    std::array<double, 3> observer; ///< x-bar, y-bar, z-bar of the CIE 1931 2-degree observer
    double d50, d65;                ///< relative spectral power, 100 at 560 nm
};

/// Row i belongs to kCieFirst_nm + i * kCieStep_nm.
std::span<CieRow const, kCieRowCount> list_cie_rows();

} // namespace volpt
