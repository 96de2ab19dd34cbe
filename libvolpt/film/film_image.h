// Films as images: layers of means, standard errors and sample counts, and their names.
#pragma once

#include "libvolpt/colour/colour_space.h"
#include "libvolpt/film/film.h"
#include "libvolpt/image/image.h"

namespace volpt {

/// The layer with the part of a pixel's samples that hit something.
inline constexpr char kCoverageLayer[] = "coverage.share";

/// The names of a scene's bands as layers of film_to_image.
std::vector<std::string> name_bands(Scene const& scene);

/// Linear image: beauty R, G, B (three bands), Y (one) or band0.. ; then standard_error.* (of the pixel's mean;
/// infinite below two samples), coverage.share (the part of the pixel's samples that hit something; only if the
/// scene counts it) and sample_count. Pixels without samples are 0. A film with wavelengths has its colour
/// under the illuminant as R, G, B and its bands as bands.450nm, .. (a comma where the number has a point). Films that
/// show a material's colour also have the layers of add_colour_layers (film_colour.h). On up to `threads` threads
/// (sys/parallel.h); the bits do not depend on their number.
Image film_to_image(Film const& film, Illuminant illuminant = Illuminant::d65, int threads = 1);

/// The first layers of film_to_image, the beauty, alone: R, G, B of a film with wavelengths, else all bands. A film
/// that counts coverage and hides the background also has A, here and in film_to_image: the part of the samples that
/// hit something, by which the other channels are multiplied.
Image film_to_beauty(Film const& film, Illuminant illuminant = Illuminant::d65, int threads = 1);

/// For each layer of film_to_image, the part of its variance that all pixels share: the variance of the layer's mean
/// due to banks (film_banks.h), relative to the mean's square. R, G and B of bands with wavelengths have the average of
/// the bands. Empty without long steps.
std::map<std::string, double> list_shared_variances(Film const& film);

} // namespace volpt
