// Renders until the noise of the colours is small enough.
#pragma once

#include "libvolpt/film/film_colour.h"
#include "libvolpt/render/render_film.h"

#include <functional>

namespace volpt {

/// What was found when a film of `samples` a pixel was looked at.
struct NoiseLook {
    std::uint64_t samples = 0;
    double de2000_p95 = 0;               ///< 95th percentile over the pixels of the expected CIEDE2000 from noise alone
    double pooled_p95 = 0;               ///< the same over squares of pixels, which few samples do not inflate
    std::uint64_t predicted_samples = 0; ///< at which it falls to the target, or the ceiling
};

struct NoiseTarget {
    double de2000_p95 = 0.5;
    std::uint64_t most_samples = 0; ///< the ceiling
    Illuminant illuminant = Illuminant::d65;
    std::function<void(NoiseLook const&)> looked = {}; ///< may be empty; called after each look
};

/// Samples of the first look at an empty film.
inline constexpr std::uint64_t kFirstLookSamples = 16;
/// Samples at which noise that falls with the root of their number has come down to the target, at most the ceiling:
/// the pooled noise while that is above the target.
std::uint64_t predict_samples(NoiseLook const& look, NoiseTarget const& target);
/// Samples of the look after this one: those predicted, but at least a sixteenth more and at most four times as many.
std::uint64_t choose_next_look(NoiseLook const& look, NoiseTarget const& target);

struct NoiseRender {
    RenderReport report;
    NoiseLook last; ///< samples 0: none was reached
};

/// Renders samples 0, 1, .. of all pixels: 16, or as many as the pixel of `film` that has most, then looks, and goes on
/// to choose_next_look until noise or ceiling is reached. How many it takes follows from the film's sums alone, not
/// from time, threads or device; a film that was stopped in between is looked at where it stands. Progress tells what
/// is done of what is predicted; its total is 0 before the first look. Error (usage) for a film without colour.
NoiseRender render_to_noise(RenderScene const& scene, Film& film, NoiseTarget const& target,
                            RenderOptions const& options);

} // namespace volpt
