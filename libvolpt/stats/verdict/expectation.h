// Whether two noisy images have the same expectation: tests of single pixels, of blocks, and of the whole image.
//
// The method, its false-alarm rate and its power are measured in docs/statistical-verdict.md.
#pragma once

#include "libvolpt/image/image.h"
#include "libvolpt/sys/text/enum_words.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace volpt {

/// How the tests of single pixels divide their part of the false-alarm rate. Holm never finds fewer pixels.
enum class Correction { sidak, holm };
template <>
inline constexpr auto kWords<Correction> = list_words<Correction>({{Correction::sidak, "sidak"},
                                                                   {Correction::holm, "holm"}});

/// Whether the errors of pixels are independent, or whether pixels share what chains of mlt have found: then only a
/// bound of a sum's error follows from those of its pixels, the sum of their standard errors.
enum class PixelNoise { independent, of_chains };

struct NoisyImage {
    Image const& image;
    /// A variance of samples that the standard error may miss, as the samples of a film are fixed-point numbers.
    double sample_variance_floor = 0;
    /// By channel: the part of a mean's variance, relative to the square of the mean, that all pixels have in common.
    /// The standard errors include it; sums over pixels do not reduce it.
    std::map<std::string, double> shared_variance = {};
    PixelNoise pixel_noise = PixelNoise::independent;
    /// By channel: of the mean over all pixels, where it is known otherwise than from those of the pixels.
    std::map<std::string, double> mean_variance = {};
};

struct ExpectationSettings {
    double alpha = 0.001; ///< probability of a negative verdict for two images of the same expectation
    Correction correction = Correction::sidak;
    int threads = 1;
};

inline constexpr int kBlockEdge = 16;

/// A square of pixels, clipped by the image.
struct PixelSquare {
    int x = 0, y = 0; ///< its upper left pixel
    int edge = 1;
};

/// Of one channel, averaged over all pixels that were tested.
struct ChannelEffect {
    std::string channel;
    double test_mean = 0, reference_mean = 0;
    double difference = 0;          ///< of the means
    double low = 0, high = 0;       ///< of the difference: confidence interval of 1 - alpha
    double relative_difference = 0; ///< to the reference's mean
    double z = 0;                   ///< of the difference
    double mean_p = 1;              ///< 1 if there are too few contributions
    double chi_squared = 0;         ///< over the blocks of kBlockEdge that have enough contributions
    std::uint64_t blocks = 0;
    double blocks_p = 1;
    /// Signed, the largest of a block of kBlockEdge or of half of it by magnitude; without what all blocks have in
    /// common.
    double block_z = 0;
    PixelSquare block;
    double block_p = 1; ///< corrected for the number of such blocks
    /// Relative shift of one block of half kBlockEdge that is found in 95 of 100 pairs, of the block that half of the
    /// light is above; infinite if half of the light has none.
    double block_shift = 0;
};

/// The histogram of z: bins of kHistogramStep from -kHistogramEnd to +kHistogramEnd, the outer ones open.
inline constexpr double kHistogramEnd = 8, kHistogramStep = 0.25;

struct ExpectationComparison {
    bool same = false;                      ///< no test has failed
    bool is_decided = false;                ///< at least half of the light could be judged
    double alpha_each = 0;                  ///< of each of the three kinds of test
    std::uint64_t values_tested = 0;        ///< pixels, and pixels joined
    std::uint64_t values_joined = 0;        ///< of those
    std::uint64_t values_without_noise = 0; ///< left out: fewer than two samples, or no number
    std::uint64_t values_different = 0;     ///< after the correction
    double largest_z = 0;                   ///< signed, of single values
    double pixel_p = 1;                     ///< of the largest, corrected for the number of values
    PixelSquare largest;                    ///< where it is
    std::string channel;
    /// Shares, of the values that have noise and of their light, with enough contributions in blocks of kBlockEdge.
    double judged_values = 0, judged_light = 0;
    /// Samples per pixel that at least half of the light would need; NaN if none is known, as of light that no
    /// contribution has reached.
    double test_samples_needed = 0, reference_samples_needed = 0;
    double test_samples = 0, reference_samples = 0; ///< per pixel, the most; NaN: not known
    std::vector<ChannelEffect> effects;
    std::vector<std::uint64_t> histogram; ///< of z, all channels; without values that are equal
    std::vector<float> z_map; ///< the largest z by magnitude of the smallest regions around a pixel; NaN: not tested
    std::vector<float> block_map;     ///< by pixel, z of the sum over its block of kBlockEdge
    std::vector<std::string> reasons; ///< why `same` is false, one per test that failed
    std::vector<std::string> notices; ///< what was assumed
};

/// Compares `channels`. Their noise is in the layers standard_error.NAME, with the number of samples in sample_count if
/// there is such a layer. An image without standard error layers counts as exact, with a notice. Both images are linear
/// and of the same size. Error (input) if neither has standard errors, or if no value has one.
ExpectationComparison compare_expectations(NoisyImage const& test, NoisyImage const& reference,
                                           std::vector<std::string> const& channels,
                                           ExpectationSettings const& settings);

} // namespace volpt
