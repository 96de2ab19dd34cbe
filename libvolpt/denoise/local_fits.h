// Linear models of a noisy plane in overlapping windows, each direction of which is kept as far as it stands out of the
// noise.
//
// B. Bitterli et al., Nonlinearly Weighted First-order Regression for Denoising Monte Carlo Renderings (2016), for
// regression on what is known without noise; W. James & C. Stein, Estimation with Quadratic Loss (1961), for shrinkage.
#pragma once

#include "libvolpt/denoise/cell_moments.h"

#include <cstddef>
#include <span>

namespace volpt {

/// Adds to `estimate` what models in windows explain of `rest`, and subtracts it from `rest`. Windows are three cells
/// wide and high, weighted 1 2 1; between their centres, one to a cell, models are interpolated. `noise` is the
/// variance of each pixel times its weight squared. `leverage` grows by the part of a pixel's own noise that it keeps.
struct LocalFit {
    FeaturePlanes const& features;
    CellMoments const& moments; ///< of these features
    std::span<float const> noise;
    float noise_factor; ///< of the noise that a direction has to exceed
};
void add_local_fit(LocalFit const& fit, std::span<float> rest, std::span<float> estimate, std::span<float> leverage,
                   int threads);

/// As LocalFit, of the constant alone: means in small windows, for which planes of sums take the place of matrices.
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
