// Structural similarity of two planes.
//
// Wang, Bovik, Sheikh & Simoncelli 2004.
#pragma once

#include <span>

namespace volpt {

/// Edge of the window; smaller planes have no SSIM.
inline constexpr int kSsimWindow = 11;

struct Plane {
    int width;
    int height;
    std::span<float const> values;
};

struct SsimMeans {
    double similarity = 0; ///< luminance, contrast and structure
    double structure = 0;  ///< contrast and structure alone
};

/// Means over all windows that lie inside the planes and hold only finite values; NaN without any. Gaussian window of
/// 11 x 11 values with sigma 1.5, K1 0.01, K2 0.03; `peak` is the value of full scale. `map`, if not empty, has the
/// planes' size and receives the similarity, NaN where no window is centred.
SsimMeans compare_structure(Plane test, Plane reference, double peak, int threads, std::span<float> map);

} // namespace volpt
