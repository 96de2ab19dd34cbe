// Half of a film's samples, whose sums are kept beside those of all where paths carry all bands: what both halves
// differ by tells how the noise of the bands is correlated (band_covariance.h).
//
// F. Rousselle, C. Knaus & M. Zwicker, Adaptive Rendering with Non-Local Means Filtering (2012), for half buffers.
#pragma once

#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/film/film.h"

#include <algorithm>

namespace volpt {

/// Of `range`, how many samples from its first one on are on that one's side; all where the film keeps no half.
inline std::uint64_t count_run(Film const& film, SampleRange const& range)
{
    return film.keeps_half ? std::min(range.count, find_run_end(range.first) - range.first) : range.count;
}

/// How many of the samples are in the half.
std::uint64_t count_half_samples(SampleRanges const& ranges);

/// Where a sum has samples from: of paths those of its pixel, of particles those of all pixels.
struct HalfCounts {
    std::uint64_t all = 0;
    std::uint64_t half = 0; ///< of these

    std::uint64_t rest() const { return all - half; }
    /// Both sides have samples.
    bool is_split() const { return half > 0 && half < all; }
};

/// By tile.
std::vector<HalfCounts> count_halves(Film const& film);
/// Of all pixels together.
HalfCounts add_up_halves(Film const& film, std::vector<HalfCounts> const& tiles);

} // namespace volpt
