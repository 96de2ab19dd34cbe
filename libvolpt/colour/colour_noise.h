// What noise in the bands does to a colour: standard errors of L*a*b* and the expected CIEDE2000 difference.
//
// Sharma, Wu & Dalal 2005 for the difference; Patnaik 1949 for the law of a quadratic form.
#pragma once

#include "libvolpt/colour/colour_space.h"

namespace volpt {

/// How the noise of one band goes with that of another.
enum class BandNoise {
    independent, ///< each path lives in one band
    shared,      ///< paths carry all bands: nobody kept their covariance, so results are upper bounds over all of them
};

/// M of a colour: CIEDE2000 between it and lab + d is sqrt(d' M d) in the limit of small d. Parametric factors 1.
Matrix3 differentiate_de2000(Triple const& lab);

struct NoisyColour {
    Triple xyz; ///< relative
    Triple lab;
    Triple lab_error; ///< standard errors
    double de2000;    ///< expected CIEDE2000 from the noise alone
};

/// The colour of one pixel's bands and, to first order, its noise. `weights` are make_band_weights', `variances` those
/// of the bands' means. Independent bands: the difference's square is a quadratic form of normal variables, taken for a
/// scaled chi-square of the same mean and variance, exact for one band and within 3 % otherwise. Shared paths: root
/// mean square under the worst covariance. To first order: against resampling within 4 % up to relative standard errors
/// of 3 %, within 10 % at 10 %.
NoisyColour propagate_noise(std::span<Triple const> weights, std::span<double const> values,
                            std::span<double const> variances, BandNoise noise);

} // namespace volpt
