// Means of a noisy plane in small overlapping windows, kept as far as they stand out of the noise: local fits of the
// constant alone, for which planes of sums take the place of matrices.
#pragma once

#include <cstddef>
#include <span>

namespace volpt {

/// As LocalFit, without features.
struct MeanFit {
    std::size_t width, height;
    std::span<float const> weights;
    std::span<float const> noise; ///< variance of each pixel times its weight squared
    std::size_t edge;             ///< of a cell, pixels
    float noise_factor;           ///< of the noise that a mean has to exceed
};
void add_mean_fit(MeanFit const& fit, std::span<float> rest, std::span<float> estimate, std::span<float> leverage,
                  int threads);

} // namespace volpt
