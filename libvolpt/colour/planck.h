// Thermal radiation: Planck's law, and the bands of a black body.
//
// M. Planck, Ueber das Gesetz der Energieverteilung im Normalspectrum, Annalen der Physik 309 (1901).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace volpt {

/// Spectral radiance of a black body in vacuum, W/(mm2 sr nm); 0 at 0 K and below.
double compute_planck_radiance(double wavelength_nm, double temperature_k);

/// Radiance of a black body by band. Bands with wavelengths: compute_planck_radiance there. Three others are linear
/// sRGB, of X, Y, Z that are integrals of the radiance over the CIE 1931 observer (kCieRows), W/(mm2 sr): Y times
/// 683 lm/W is the luminance; a negative component, of blue below 1950 K, is 0. One other is that Y. Error (usage) for
/// other numbers of bands, which say nothing about their wavelengths.
std::vector<double> compute_blackbody(std::size_t bands, std::span<float const> wavelengths_nm, double temperature_k);

/// The colour of a black body by band, beside that of D65, which is 1 in all bands, and of the same luminance as it
/// (make_band_weights): what a white object is multiplied by that this light falls on. Errors as compute_blackbody.
std::vector<double> compute_blackbody_colour(std::size_t bands, std::span<float const> wavelengths_nm,
                                             double temperature_k);

} // namespace volpt
