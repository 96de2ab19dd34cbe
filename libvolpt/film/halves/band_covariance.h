// How the noise of the bands is correlated where one path carries all of them: from what the two halves of a film's
// samples differ by (half_samples.h).
//
// How much noise a pixel has follows from its squares, as if samples were independent. Two halves of a single pixel say
// little, but how bands are correlated, and how much less noise stratified samples have, changes slowly over the
// picture, so the differences of many pixels are taken together.
#pragma once

#include "libvolpt/colour/colour_space.h"
#include "libvolpt/film/film.h"

#include <array>
#include <vector>

namespace volpt {

/// Of the three bands of a film whose paths carry all of them. No bit depends on `threads`.
class BandCovariances {
public:
    /// In units of each pixel's standard errors, products of the differences are added up over squares of 8 x 8 pixels.
    /// Where fewer than 64 pixels or not both bands have noise, the squares about it are added, or the whole film is.
    explicit BandCovariances(Film const& film, int threads = 1);

    /// False if the film keeps no half, one side of it has no samples, or there are too few pixels.
    bool are_known() const { return !squares_.empty(); }
    /// Covariance of the bands of a pixel, in units of the standard errors that follow from its squares: 1 on the
    /// diagonal for independent samples, less for stratified ones. `pixel` counts row by row.
    Matrix3 at(std::size_t pixel) const;

private:
    /// Of bands 0 and 1, 0 and 2, 1 and 2, and of each with itself.
    struct Coefficients {
        std::array<float, 3> pairs, squares;
    };

    std::size_t width_, columns_;
    std::vector<Coefficients> squares_; ///< row by row
};

} // namespace volpt
