// Smoothing of a picture's planes by B3-splines of growing width.
//
// H. Dammertz et al., Edge-Avoiding A-Trous Wavelet Transform for fast Global Illumination Filtering (2010), for the
// sparse kernels.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace volpt {

/// A row-by-row plane convolved with 1 4 6 4 1 along both axes, taps `step` pixels apart; mirrored at the edges.
/// Step 1, then 2, then 4 .. of the result before give standard deviations of about 1, 2.2, 4.6 .. pixels. On up to
/// `threads` threads, whose number no bit depends on.
std::vector<float> smooth_plane(std::span<float const> plane, std::size_t width, std::size_t height, std::size_t step,
                                int threads);

} // namespace volpt
