// The colours of a film's pixels, their noise in CIEDE2000, and the layers that show both.
#pragma once

#include "libvolpt/colour/colour_noise.h"
#include "libvolpt/film/film.h"

#include <span>

namespace volpt {

/// True if the bands are R, G, B, a lone grey one, or have wavelengths.
bool has_colour(Scene const& scene);
/// True if it has, and its colours are those of a material: a probe's film, or one with wavelengths.
bool shows_material_colour(Scene const& scene);

/// Independent for one band and where every path lives in one: then the film has counted as many paths as samples times
/// bands.
BandNoise find_band_noise(Film const& film);

/// Expected CIEDE2000 of each pixel from the noise of its mean alone, row by row; infinite below two samples. The
/// variance of a band's mean is the pixel's own plus (c / n)^2 for its n samples, c being what a rare sample of this
/// film brings (variance over mean of its samples): a pixel that has seen nothing yet is not taken for one without
/// noise. Error (usage) for a film without colour.
std::vector<float> measure_de2000_noise(Film const& film, Illuminant illuminant);

/// The same of squares of 8 x 8 pixels, from the means of their pixels' bands and variances: what a pixel's noise is
/// like around there, without the scatter of its estimate, which a few samples leave large.
std::vector<float> measure_pooled_noise(Film const& film, Illuminant illuminant);

/// Mean and 95th percentile by nearest rank; infinite values count.
struct NoiseSummary {
    double mean = 0;
    double p95 = 0;
};
NoiseSummary summarize_noise(std::vector<float> noise);

/// Linear sRGB as R, G, B with standard_error.R, .. (a bound where paths carry all bands), unclamped.
void add_rgb_channels(Image& image, Film const& film, Illuminant illuminant);
/// XYZ.X, .Y, .Z (of the illuminant, Y of white 1), Lab.L, .a, .b, standard_error.Lab.L, .. and noise.de2000.
void add_colour_layers(Image& image, Film const& film, Illuminant illuminant);

} // namespace volpt
