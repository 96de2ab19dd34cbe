// Do two noisy pictures have the same expectation? Tests of single pixels, of blocks, and of the whole.
//
// The method, its false-alarm rate and its power are measured in docs/statistical-verdict.md.
#pragma once

#include "libvolpt/image/image.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace volpt {

/// How the many tests of single pixels share their part of the false-alarm rate. Holm never finds fewer pixels.
enum class Correction { sidak, holm };

struct NoisyImage {
    Image const& image;
    /// What a sample's variance may be without the standard error telling: a film's squares are fixed-point numbers.
    double sample_variance_floor = 0;
    /// By channel: the part of a mean's variance, relative to its square, that all pixels have in common. The standard
    /// errors include it; sums over pixels do not average it away.
    std::map<std::string, double> shared_variance = {};
};

struct ExpectationSettings {
    double alpha = 0.001; ///< probability that two pictures of the same expectation get a negative verdict
    Correction correction = Correction::sidak;
    int threads = 1;
};

/// Of one channel, averaged over all pixels that were tested.
struct ChannelEffect {
    std::string channel;
    double test_mean = 0, reference_mean = 0;
    double difference = 0;          ///< of the means
    double low = 0, high = 0;       ///< of the difference: confidence interval of 1 - alpha
    double relative_difference = 0; ///< to the reference's mean
    double z = 0;                   ///< of the difference
    double mean_p = 1;
    double chi_squared = 0; ///< over blocks of kBlockEdge
    std::uint64_t blocks = 0;
    double blocks_p = 1;
};

inline constexpr int kBlockEdge = 16;
/// The histogram of z: bins of kHistogramStep from -kHistogramEnd to +kHistogramEnd, the outer ones open.
inline constexpr double kHistogramEnd = 8, kHistogramStep = 0.25;

struct ExpectationComparison {
    bool same = false;
    double alpha_each = 0; ///< of each of the three kinds of test
    std::uint64_t values_tested = 0;
    std::uint64_t values_without_noise = 0; ///< left out: fewer than two samples, or no number
    std::uint64_t values_different = 0;     ///< after the correction
    double largest_z = 0;                   ///< signed, of single values
    double pixel_p = 1;                     ///< of the largest, corrected for the number of values
    int x = 0, y = 0;                       ///< where it is
    std::string channel;
    std::vector<ChannelEffect> effects;
    std::vector<std::uint64_t> histogram; ///< of z, all channels; without values that are equal
    std::vector<float> z_map;             ///< a pixel's z of largest size; NaN where none was tested
    std::vector<std::string> reasons;     ///< of `same` being false, one a test
    std::vector<std::string> notices;     ///< what was assumed
};

/// `channels` are compared; their noise is that of the layers standard_error.NAME, with the number of samples in
/// sample_count where there is one. An image without a standard error layer counts as exact, with a notice. Error
/// (input) if neither has one, or if no value has a standard error. Both are linear and equal in size.
ExpectationComparison compare_expectations(NoisyImage const& test, NoisyImage const& reference,
                                           std::vector<std::string> const& channels,
                                           ExpectationSettings const& settings);

} // namespace volpt
