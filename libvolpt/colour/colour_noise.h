// From noise in the bands of a pixel to noise of its colour: standard errors of L*a*b* and the expected CIEDE2000.
//
// Sharma, Wu & Dalal 2005 for the difference; Patnaik 1949 for the distribution of a quadratic form.
#pragma once

#include "libvolpt/colour/colour_space.h"

namespace volpt {

/// How the noise of two bands is correlated.
enum class BandNoise {
    independent, ///< each path lives in one band
    shared,      ///< each path carries all bands; their covariance is not known, so results are upper bounds
};

struct NoisyColour {
    Triple xyz; ///< relative
    Triple lab;
    Triple lab_error; ///< standard errors
    double de2000;    ///< expected CIEDE2000 from the noise alone
};

/// The colour of one pixel and its noise to first order. `weights` are those of make_band_weights, `values` the means
/// of the bands and `variances` those of these means. Independent bands: the square of the difference is a quadratic
/// form of normal variables, approximated by a scaled chi-square distribution of the same mean and variance (exact for
/// one band, within 3 % otherwise). Shared paths: root mean square under the worst covariance. First order agrees with
/// resampling within 4 % up to relative standard errors of 3 %, and within 10 % at 10 %.
NoisyColour propagate_noise(std::span<Triple const> weights, std::span<double const> values,
                            std::span<double const> variances, BandNoise noise);

/// The same of three bands whose noise has this covariance, in units of the square roots of `variances`: the
/// expectation, by the same approximation as for independent bands.
NoisyColour propagate_noise(std::span<Triple const> weights, std::span<double const> values,
                            std::span<double const> variances, Matrix3 const& covariance);

} // namespace volpt
