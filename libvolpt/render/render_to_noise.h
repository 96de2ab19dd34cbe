// Renders until the noise of the colours is small enough.
#pragma once

#include "libvolpt/film/film_colour.h"
#include "libvolpt/render/render_film.h"

#include <functional>

namespace volpt {

/// The noise of a film, from its own sums.
struct NoiseEstimate {
    std::uint64_t samples = 0;           ///< per pixel
    double de2000_p95 = 0;               ///< 95th percentile over the pixels of the expected CIEDE2000 from noise alone
    double pooled_p95 = 0;               ///< the same over squares of pixels, which few samples do not inflate
    std::uint64_t evidence_samples = 0;  ///< from which on chance does not decide when to stop, predicted
    std::uint64_t predicted_samples = 0; ///< at which the render can stop, at most the ceiling
    bool is_bound = false;               ///< as ColourNoise has it: both figures of noise are upper bounds
};

struct NoiseTarget {
    double de2000_p95 = 0.5;
    std::uint64_t most_samples = 0; ///< the ceiling
    Illuminant illuminant = Illuminant::d65;
    std::function<void(NoiseEstimate const&)> on_estimate = {}; ///< may be empty; called after each estimate
};

/// Samples per pixel at the first estimate for an empty film: 16, or as many as make 4096 of the whole film.
std::uint64_t count_first_samples(std::uint64_t pixels);

/// A render that stops by its own estimates is biased: where light is rare, they and the mean follow the number of
/// paths that found it. The bias, as a part of the standard error of the film's mean, is about that mean's relative
/// error, however the number of samples is chosen (Stein 1945 among others): with this one a thirtieth.
inline constexpr double kEvidenceError = 1.0 / 32;
/// A band that makes less than this part of the target in Delta E needs no evidence.
inline constexpr double kInvisiblePart = 0.25;
/// Samples at which the film's mean is known to kEvidenceError in every band that is visible, predicted from `film`
/// with `samples`; at most the ceiling, at least 1.
std::uint64_t predict_evidence(Film const& film, std::uint64_t samples, NoiseTarget const& target);

/// Samples at which the noise, which falls with the root of their number, reaches the target, and at least those of the
/// evidence; at most the ceiling. From the pooled noise while that is above the target, else from the pixels' noise.
std::uint64_t predict_samples(NoiseEstimate const& estimate, NoiseTarget const& target);
/// Samples at the next estimate: those predicted, but at least a sixteenth more and at most four times as many.
std::uint64_t choose_next_samples(NoiseEstimate const& estimate, NoiseTarget const& target);

struct NoiseRender {
    RenderReport report;
    NoiseEstimate last; ///< its samples are 0 if none was made
};

/// Renders samples 0, 1, .. of all pixels: first count_first_samples, or as many as the pixel of `film` with the most;
/// then estimates the noise and goes on to choose_next_samples until noise and evidence, or the ceiling, is reached.
/// The numbers of samples change little with the estimates, never by a step: a coin that chooses between few and many
/// samples would bias the mean by a good part of its error. The number of samples follows from
/// the film's sums and half_sums alone, not from time, threads or device; a film that was stopped in between gets an
/// estimate at the samples that it has. Progress is relative to the predicted total, which is 0 before the first
/// estimate. Error (usage) for a film without colour.
NoiseRender render_to_noise(RenderScene const& scene, Film& film, NoiseTarget const& target,
                            RenderOptions const& options);

} // namespace volpt
