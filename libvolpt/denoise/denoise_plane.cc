#include "libvolpt/denoise/denoise_plane.h"

#include "libvolpt/denoise/local_fits.h"
#include "libvolpt/denoise/smooth_plane.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

using Plane = std::vector<float>;

class PlaneDenoiser {
public:
    PlaneDenoiser(NoisyPlane const& noisy, FeatureSet const& features, int threads, GoesOn const& goes_on)
        : noisy_(noisy), threads_(threads), goes_on_(goes_on), rest_(noisy.values), estimate_(noisy.values.size()),
          leverage_(noisy.values.size()), weights_(noisy.values.size(), 1.0f), noise_(noisy.values.size())
    {
        weigh(features);
    }

    /// Windows of cells of `largest` down to `smallest` pixels.
    void explain(std::vector<FeatureSet::Plane> const& planes, std::size_t smallest, std::size_t largest,
                 float noise_factor)
    {
        explain_in(planes, smallest, largest, noise_factor, rest_, estimate_, leverage_);
    }

    /// By windows' means, without features.
    void explain_means(std::size_t edge, float noise_factor)
    {
        check_interruption(goes_on_);
        add_mean_fit({noisy_.width, noisy_.height, weights_, noise_, edge, noise_factor}, rest_, estimate_, leverage_,
                     threads_);
    }

    /// What is left is kept as far as it is more than noise, pixel by pixel.
    void keep_details(float noise_factor)
    {
        check_interruption(goes_on_);
        Plane energy(rest_.size()), noise(rest_.size());
        visit_pixels([&](std::size_t i) {
            energy[i] = rest_[i] * rest_[i] * weights_[i];
            noise[i] = noisy_.variances[i] * weights_[i];
        });
        energy = smooth(energy);
        noise = smooth(noise);
        visit_pixels([&](std::size_t i) {
            float const excess = energy[i] - noise_factor * noise[i];
            float const factor = excess > 0 ? excess / energy[i] : 0.0f;
            estimate_[i] += factor * rest_[i];
            rest_[i] -= factor * rest_[i];
            leverage_[i] += factor * std::max(0.0f, 1 - leverage_[i]);
        });
    }

    DenoisedPlane finish()
    {
        DenoisedPlane denoised{std::move(estimate_), Plane(rest_.size())};
        Plane risk(rest_.size());
        visit_pixels([&](std::size_t i) {
            risk[i] = rest_[i] * rest_[i] - noisy_.variances[i] * (1 - 2 * std::min(leverage_[i], 1.0f));
        });
        risk = smooth(risk);
        visit_pixels([&](std::size_t i) {
            denoised.errors[i] = std::sqrt(std::max(risk[i], std::min(leverage_[i], 1.0f) * noisy_.variances[i]));
        });
        return denoised;
    }

private:
    void explain_in(std::vector<FeatureSet::Plane> const& planes, std::size_t smallest, std::size_t largest,
                    float noise_factor, Plane& rest, Plane& estimate, Plane& leverage)
    {
        FeaturePlanes features{noisy_.width, noisy_.height, {}, weights_};
        for (FeatureSet::Plane const& plane : planes) features.planes.emplace_back(*plane);
        std::vector<CellMoments> moments{CellMoments::of_features(features, smallest, threads_)};
        while (moments.back().grid().edge < largest) moments.push_back(moments.back().merge());
        for (auto level = moments.rbegin(); level != moments.rend(); ++level) {
            check_interruption(goes_on_);
            add_local_fit({features, *level, noise_, noise_factor}, rest, estimate, leverage, threads_);
        }
    }

    /// Weights are the inverse of the variance, which few samples tell badly: of its own regression.
    void weigh(FeatureSet const& features)
    {
        Plane rest = noisy_.variances, fitted(rest.size()), unused(rest.size());
        explain_in(features.fine, 8, 16, 0.0f, rest, fitted, unused);
        Plane const near = smooth(noisy_.variances);
        double sum = 0;
        for (float const variance : near) sum += static_cast<double>(variance);
        auto const least = static_cast<float>(1e-4 * sum / static_cast<double>(near.size()));
        visit_pixels([&](std::size_t i) {
            float const variance = std::clamp(fitted[i], near[i] / 16, near[i] * 16);
            weights_[i] = 1 / std::max(std::max(variance, least), 1e-30f);
            noise_[i] = noisy_.variances[i] * weights_[i] * weights_[i];
        });
    }

    template <class Visit>
    void visit_pixels(Visit const& visit) const
    {
        constexpr int kRowsPerPiece = 32;
        parallel_for_rows(threads_, static_cast<int>(noisy_.height), kRowsPerPiece, [&](RowRange rows) {
            std::size_t const end = static_cast<std::size_t>(rows.end) * noisy_.width;
            for (std::size_t i = static_cast<std::size_t>(rows.first) * noisy_.width; i < end; ++i) visit(i);
        });
    }

    Plane smooth(Plane const& plane) const
    {
        Plane const once = smooth_plane(plane, noisy_.width, noisy_.height, 1, threads_);
        return smooth_plane(once, noisy_.width, noisy_.height, 2, threads_);
    }

    NoisyPlane const& noisy_;
    int threads_;
    GoesOn const& goes_on_;
    Plane rest_, estimate_, leverage_;
    Plane weights_;
    Plane noise_; ///< variance times the weight squared
};

/// Noise energies that a direction must exceed: more where windows have few pixels, whose energies scatter more.
constexpr float kWideNoise = 1.5f, kFineNoise = 2, kMeanNoise = 3, kDetailNoise = 1.5f;

} // namespace

DenoisedPlane denoise_plane(NoisyPlane const& noisy, FeatureSet const& features, int threads, GoesOn const& goes_on)
{
    PlaneDenoiser denoiser(noisy, features, threads, goes_on);
    denoiser.explain(features.wide, 16, 64, kWideNoise);
    denoiser.explain(features.fine, 8, 8, kFineNoise);
    denoiser.explain_means(4, kMeanNoise);
    denoiser.explain_means(2, kMeanNoise);
    denoiser.keep_details(kDetailNoise);
    return denoiser.finish();
}

} // namespace volpt
