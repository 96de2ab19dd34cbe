// Colours of a film's pixels, the CIEDE2000 of their noise, and the image layers of both. `threads` is the most that a
// call may use (sys/parallel.h); no bit depends on it.
#pragma once

#include "libvolpt/colour/colour_noise.h"
#include "libvolpt/film/film.h"
#include "libvolpt/film/halves/band_covariance.h"
#include "libvolpt/image/image.h"

namespace volpt {

/// True if the bands are R, G, B, a lone grey one, or have wavelengths.
bool has_colour(Scene const& scene);
/// True if it has colour and the colours are those of a material: with a probe, or with wavelengths.
bool shows_material_colour(Scene const& scene);

/// Independent for one band, and where each path carries one band: then the film has counted samples times bands paths.
BandNoise find_band_noise(Film const& film);

/// How the noise of a film's bands becomes that of its colours: by their covariance where that is known.
class ColourNoise {
public:
    ColourNoise(Film const& film, Illuminant illuminant, int threads = 1);

    /// True where paths carry all bands and their covariance is not known: figures of noise are upper bounds.
    bool is_bound() const { return noise_ == BandNoise::shared && !covariances_.are_known(); }
    /// Of a pixel's means and their variances.
    NoisyColour propagate(std::size_t pixel, std::span<double const> values, std::span<double const> variances) const;
    /// Standard errors of sums of `weights` times band, by component.
    Triple combine_errors(std::size_t pixel, std::span<Triple const> weights, std::span<double const> variances) const;
    BandCovariances const& covariances() const { return covariances_; }
    std::span<Triple const> weights() const { return weights_; }

private:
    std::vector<Triple> weights_; ///< of make_band_weights
    BandNoise noise_;
    BandCovariances covariances_;
};

/// Expected CIEDE2000 of each pixel due to the noise of its mean, row by row; infinite below two samples. The variance
/// of a band's mean is the pixel's own plus (c / n)^2 for its n samples, where c is the size of this film's rare
/// contributions (variance over mean of its samples): a pixel whose samples are all 0 so far does not count as free of
/// noise. Neither does a band whose samples are all equal in all p pixels: its c is that of the largest light, above
/// the band's mean, in 3 samples of the film, sqrt(3 / p) of it. Error (usage) for a film without colour.
std::vector<float> measure_de2000_noise(Film const& film, Illuminant illuminant, int threads = 1);
std::vector<float> measure_de2000_noise(Film const& film, ColourNoise const& noise, int threads = 1);

/// The same for squares of 8 x 8 pixels, row by row, from the means over their pixels of bands and variances: the local
/// noise of a pixel, without the large scatter of a single pixel's estimate from few samples.
std::vector<float> measure_pooled_noise(Film const& film, Illuminant illuminant);
std::vector<float> measure_pooled_noise(Film const& film, ColourNoise const& noise);

/// No sample of a band exceeds it: 1 for a probe, the brightest of an even light, for an image the power of two that is
/// the film's full scale.
double largest_light(Film const& film, std::size_t band);

/// What is known of one band from the whole film.
struct BandEvidence {
    double relative_error; ///< of the film's mean; 0 if all samples are equal, infinite if they are all 0
    double de2000_at_most; ///< the part of the mean colour that the band makes, were its mean 3 standard errors higher
};
/// By band, of pixels with two samples or more. Error (usage) for a film without colour.
std::vector<BandEvidence> measure_evidence(Film const& film, Illuminant illuminant);

/// Mean and 95th percentile by nearest rank, infinite values included.
struct NoiseSummary {
    double mean = 0;
    double p95 = 0;
};
NoiseSummary summarize_noise(std::vector<float> noise);

/// Linear sRGB as R, G, B with standard_error.R, .. (an upper bound where ColourNoise is one), unclamped.
void add_rgb_channels(Image& image, Film const& film, Illuminant illuminant, int threads = 1);
/// XYZ.X, .Y, .Z (of the illuminant, Y of white 1), Lab.L, .a, .b, standard_error.Lab.L, .. and noise.de2000.
void add_colour_layers(Image& image, Film const& film, Illuminant illuminant, int threads = 1);

} // namespace volpt
