// Squared differences of renderings from a reference, and what is known of the noise in them.
#pragma once

#include "libvolpt/stats/convergence/convergence_fit.h"
#include "libvolpt/stats/convergence/render_record.h"

#include <string>
#include <vector>

namespace volpt {

/// A film or an image, and how it was rendered.
struct Rendering {
    Subject subject;
    RenderRecord record;
};

struct Measurement {
    MeasuredSquares squares;      ///< points in the order of the tests
    bool has_non_finite = false;  ///< a value is NaN or infinite
    double rounding = 0;          ///< variance of the last test's and the reference's rounding in their files
    std::string rounding_form;    ///< StoredRounding::form
    bool knows_reference = false; ///< its noise or its number of samples
};

/// Over the channels of the picture: of films alone, those with a standard error; else R, G, B, Y or band0, .., over
/// black where there is alpha, with a notice. sRGB-coded values of the images are decoded in place, straight ones
/// multiplied by alpha. Pixels in which a value is NaN or infinite are left out
/// of all, with a notice. Error (input) unless all have the reference's size and channels, films are of one scene and
/// share all or none of their samples with the reference, and some pixels are finite.
Measurement measure_squares(std::vector<Rendering>& tests, Rendering& reference, std::vector<std::string>& notices);

} // namespace volpt
