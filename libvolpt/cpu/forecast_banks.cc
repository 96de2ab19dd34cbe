#include "libvolpt/cpu/forecast_banks.h"

#include "libvolpt/core/outcome.hd.h"
#include "libvolpt/cpu/cpu_backend.h"
#include "libvolpt/sys/stopwatch.h"

#include <algorithm>

namespace volpt {
namespace {

constexpr std::uint32_t kTimedOutcomes = 64; // of each row
constexpr std::uint32_t kTimedEdge = 16;     // pixels

/// One bank on one thread. A level is made of those below it, so each of its rows is filled by repeating what was
/// timed.
double time_bank_s(SceneView const& view)
{
    LongStepsView const& steps = view.long_steps;
    std::uint32_t const row_size = 1u << steps.bank.log2_size, timed = std::min(row_size, kTimedOutcomes);
    std::uint32_t const size = count_level_outcomes(steps);
    auto* const make_outcomes = choose_fastest_kernel(list_cpu_kernels()).make_outcomes;
    std::vector<Outcome> outcomes(static_cast<std::size_t>(steps.bank.levels) * size);
    double seconds = 0;
    for (std::uint32_t g = 0; g < steps.g_count; ++g)
        for (std::int32_t level = 0; level < steps.bank.levels; ++level)
            for (std::uint32_t first = 0; first < size; first += row_size) {
                double const start_s = read_steady_clock_s();
                make_outcomes(view, outcomes.data(), 0, g, level, first, first + timed);
                seconds += (read_steady_clock_s() - start_s) * row_size / timed;
                Outcome* const row = outcomes.data() + static_cast<std::size_t>(level) * size + first;
                for (std::uint32_t i = timed; i < row_size; ++i) row[i] = row[i - timed];
            }
    return seconds;
}

/// A sample of all pixels on one thread, from one of those in the middle.
double time_sample_s(RenderScene const& scene)
{
    SceneView const& view = scene.view();
    auto const renderer = cpu_backend().make_renderer(view, kTimedEdge * kTimedEdge, {}, nullptr);
    auto const middle = [](std::uint32_t length) { return length / 2 - std::min(length, kTimedEdge) / 2; };
    RenderTile area;
    area.x0 = middle(view.width);
    area.y0 = middle(view.height);
    area.x1 = area.x0 + std::min(view.width, kTimedEdge);
    area.y1 = area.y0 + std::min(view.height, kTimedEdge);
    double const start_s = read_steady_clock_s();
    renderer->open(0, area, FilmHalf::joined);
    renderer->add_samples(0, 0, 1, {});
    double const share = static_cast<double>(count_pixels_of(area)) / (double{1} * view.width * view.height);
    return (read_steady_clock_s() - start_s) / share;
}

} // namespace

BankForecast forecast_banks(RenderScene const& scene, PackedVolume const& volume, LightImage const* light,
                            SampleRange samples, int threads)
{
    BankForecast forecast;
    if (samples.count == 0 || scene.view().long_steps.kind == Steps::plain) return forecast;
    Scene without = scene.scene();
    without.long_steps = LongSteps::plain;
    RenderScene const plain(without, volume, light, 0);
    forecast.banks = (samples.first + samples.count - 1) / kBankSamples - samples.first / kBankSamples + 1;
    forecast.banks_s = static_cast<double>(forecast.banks) * time_bank_s(scene.view()) / threads;
    forecast.plain_s = static_cast<double>(samples.count) * time_sample_s(plain) / threads;
    return forecast;
}

} // namespace volpt
