#include "libvolpt/render/render_to_noise.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/stopwatch.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace volpt {
namespace {

using Clock = std::chrono::steady_clock;

/// Adds up work and time of the stages; everything else is the last stage's.
void add_stage(RenderReport& sum, RenderReport stage)
{
    stage.counts.add(sum.counts);
    stage.seconds_render += sum.seconds_render;
    stage.seconds_banks += sum.seconds_banks;
    for (std::size_t i = 0; i < std::min(stage.workers.size(), sum.workers.size()); ++i) {
        WorkerReport& worker = stage.workers[i];
        WorkerReport const& before = sum.workers[i];
        worker.counts.add(before.counts);
        worker.seconds_banks += before.seconds_banks;
        if (!worker.gpu || !before.gpu) continue;
        worker.gpu->seconds_device += before.gpu->seconds_device;
        if (worker.gpu->tuning.empty()) worker.gpu->tuning = before.gpu->tuning;
    }
    sum = std::move(stage);
}

class NoiseRun {
public:
    NoiseRun(RenderScene const& scene, Film& film, NoiseTarget const& target, RenderOptions const& options)
        : scene_(scene), film_(film), target_(target), options_(options), limit_s_(options.time_limit_s)
    {
        pixels_ = std::uint64_t{film.width()} * film.height();
        paths_per_sample_ = pixels_ * count_paths_per_sample(scene.view());
        if (options_.progress)
            options_.progress = [this, sink = options.progress](Progress const& stage) {
                return report_progress(sink, stage);
            };
    }

    NoiseRender run()
    {
        std::uint64_t const have = std::ranges::max(count_tile_samples(film_));
        std::uint64_t goal = std::min(target_.most_samples, std::max(count_first_samples(pixels_), have));
        while (render_to(goal)) {
            NoiseEstimate const estimate = estimate_noise(goal);
            bool const reached = estimate.de2000_p95 <= target_.de2000_p95 && goal >= estimate.evidence_samples;
            if (reached || goal >= target_.most_samples) break;
            goal = choose_next_samples(estimate, target_);
        }
        return result_;
    }

private:
    /// Returns whether it was not stopped.
    bool render_to(std::uint64_t goal)
    {
        goal_ = goal;
        if (limit_s_ > 0) options_.time_limit_s = std::max(1e-3, limit_s_ - seconds_since(start_));
        add_stage(result_.report, render_film(scene_, film_, {0, goal}, options_));
        done_paths_ = result_.report.counts.paths;
        // Later stages keep what the tuning chose.
        for (std::size_t i = 0; i < options_.gpus.size(); ++i)
            if (auto const& gpu = result_.report.workers[i].gpu; gpu && !gpu->tuning.empty())
                options_.gpus[i] = gpu->options;
        return result_.report.end == RenderEnd::finished;
    }

    NoiseEstimate estimate_noise(std::uint64_t samples)
    {
        NoiseEstimate& estimate = result_.last;
        ColourNoise const noise(film_, target_.illuminant);
        estimate = {.samples = samples,
                    .de2000_p95 = summarize_noise(measure_de2000_noise(film_, noise)).p95,
                    .pooled_p95 = summarize_noise(measure_pooled_noise(film_, noise)).p95,
                    .evidence_samples = predict_evidence(film_, samples, target_),
                    .is_bound = noise.is_bound()};
        estimate.predicted_samples = predict_samples(estimate, target_);
        if (target_.on_estimate) target_.on_estimate(estimate);
        return estimate;
    }

    bool report_progress(ProgressSink const& sink, Progress const& stage) const
    {
        std::uint64_t const predicted = std::max(result_.last.predicted_samples, goal_);
        std::uint64_t const total = done_paths_ + stage.total + (predicted - goal_) * paths_per_sample_;
        return sink({done_paths_ + stage.done, result_.last.samples == 0 ? 0 : total, stage.unit});
    }

    RenderScene const& scene_;
    Film& film_;
    NoiseTarget const& target_;
    RenderOptions options_;
    double limit_s_;
    Clock::time_point start_ = Clock::now();
    std::uint64_t pixels_ = 0, paths_per_sample_ = 0;
    std::uint64_t done_paths_ = 0; ///< of the stages before
    std::uint64_t goal_ = 0;
    NoiseRender result_;
};

} // namespace

std::uint64_t count_first_samples(std::uint64_t pixels)
{
    constexpr std::uint64_t kPixelSamples = 16, kFilmSamples = 4096;
    return std::max(kPixelSamples, (kFilmSamples + pixels - 1) / pixels);
}

std::uint64_t predict_evidence(Film const& film, std::uint64_t samples, NoiseTarget const& target)
{
    double const invisible = kInvisiblePart * target.de2000_p95;
    double factor = 0; // below two samples nothing is asked for: the noise is infinite
    for (BandEvidence const& band : measure_evidence(film, target.illuminant)) {
        double const ratio = band.relative_error / kEvidenceError, growth = ratio * ratio;
        if (growth > factor && band.de2000_at_most > invisible) factor = growth;
    }
    double const predicted = std::ceil(static_cast<double>(samples) * factor);
    return predicted < static_cast<double>(target.most_samples)
               ? std::max<std::uint64_t>(static_cast<std::uint64_t>(predicted), 1)
               : target.most_samples;
}

std::uint64_t predict_samples(NoiseEstimate const& estimate, NoiseTarget const& target)
{
    double const noise = estimate.pooled_p95 > target.de2000_p95 ? estimate.pooled_p95 : estimate.de2000_p95;
    double const ratio = noise / target.de2000_p95;
    double const predicted = std::ceil(static_cast<double>(estimate.samples) * ratio * ratio);
    bool const within = predicted < static_cast<double>(target.most_samples); // false for infinite noise
    if (!within) return target.most_samples;
    return std::max({static_cast<std::uint64_t>(predicted), estimate.samples, estimate.evidence_samples});
}

std::uint64_t choose_next_samples(NoiseEstimate const& estimate, NoiseTarget const& target)
{
    std::uint64_t const least = estimate.samples + std::max<std::uint64_t>(estimate.samples / 16, 1);
    return std::min(target.most_samples,
                    std::clamp(predict_samples(estimate, target), least, std::max(least, 4 * estimate.samples)));
}

NoiseRender render_to_noise(RenderScene const& scene, Film& film, NoiseTarget const& target,
                            RenderOptions const& options)
{
    if (!has_colour(film.scene()))
        fail_usage("the film's bands have no colour, so their colour noise is not defined", "give samples instead");
    return NoiseRun(scene, film, target, options).run();
}

} // namespace volpt
