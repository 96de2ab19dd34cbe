#include "libvolpt/render/workers/kernel_tuning.h"

#include <algorithm>
#include <limits>

namespace volpt {
namespace {

// Rates of launches of 50 ms scatter by 2 %. On an H100 no knob of regen_pool gained more than that in any bench scene,
// and choosing the fastest of single measurements lost up to 12 % (docs/reports/performance.md).
constexpr double kClearGain = 1.03;
constexpr int kRounds = 3;
// Of a streaming kernel the last paths of a launch take up to 0.1 s, whatever their number. By launches of 50 ms that
// few samples had cut short, an H200 took regen_pool for a cloud of which stream_mk renders twice as much in the long
// run.
constexpr double kSaturatedGain = 1.1;
constexpr double kLongestLaunch_s = 0.3;

struct Candidate {
    TuningEntry entry;
    double least_gain = std::numeric_limits<double>::infinity(); ///< over the standard of the same round

    bool gains() const { return least_gain >= kClearGain; }
};

} // namespace

TuningLaunch find_tuning_launch(std::uint64_t first, std::function<double(std::uint64_t)> const& measure)
{
    TuningLaunch launch{std::max<std::uint64_t>(first, 1)};
    for (;;) {
        double const rate = measure(launch.paths);
        bool const gains = rate >= kSaturatedGain * launch.paths_per_second;
        launch.paths_per_second = std::max(launch.paths_per_second, rate);
        if (rate == 0 || !gains || static_cast<double>(launch.paths) >= rate * kLongestLaunch_s) return launch;
        launch.paths *= 2;
    }
}

std::vector<TuningEntry> tune_kernel(std::vector<RendererOptions> const& candidates,
                                     std::function<double(RendererOptions const&)> const& measure)
{
    std::vector<Candidate> all;
    for (RendererOptions const& options : candidates) all.push_back({{options}});
    auto const time = [&](Candidate& candidate) {
        double const rate = measure(candidate.entry.options);
        candidate.entry.paths_per_second = std::max(candidate.entry.paths_per_second, rate);
        return rate;
    };
    for (int round = 0; round < kRounds; ++round) {
        if (std::none_of(all.begin() + 1, all.end(), [](Candidate const& other) { return other.gains(); })) break;
        double const standard = time(all.front());
        if (standard == 0) break;
        for (auto other = all.begin() + 1; other != all.end(); ++other)
            if (other->gains()) other->least_gain = std::min(other->least_gain, time(*other) / standard);
    }
    // An unmeasured one has a gain of infinity and no rate.
    std::stable_sort(all.begin() + 1, all.end(), [](Candidate const& a, Candidate const& b) {
        return a.entry.paths_per_second > b.entry.paths_per_second;
    });
    auto const best = std::max_element(all.begin() + 1, all.end(), [](Candidate const& a, Candidate const& b) {
        return (a.entry.paths_per_second > 0 ? a.least_gain : 0) < (b.entry.paths_per_second > 0 ? b.least_gain : 0);
    });
    if (best != all.end() && best->gains() && best->entry.paths_per_second > 0)
        std::rotate(all.begin(), best, best + 1);
    std::vector<TuningEntry> entries;
    for (Candidate const& candidate : all) entries.push_back(candidate.entry);
    return entries;
}

bool TunedKernels::claim(std::string const& model)
{
    std::scoped_lock const lock(mutex_);
    return models_.try_emplace(model).second;
}

void TunedKernels::post(std::string const& model, RendererOptions const& best)
{
    std::scoped_lock const lock(mutex_);
    models_[model] = best;
}

std::optional<RendererOptions> TunedKernels::find(std::string const& model) const
{
    std::scoped_lock const lock(mutex_);
    return models_.at(model);
}

} // namespace volpt
