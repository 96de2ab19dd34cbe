#include "libvolpt/render/workers/kernel_tuning.h"

#include <algorithm>
#include <limits>

namespace volpt {
namespace {

// Rates of launches of 50 ms scatter by 2 %. On an H100 no knob of regen_pool gained more than that in any bench scene,
// and choosing the fastest of single measurements lost up to 12 % (docs/reports/performance.md).
constexpr double kClearGain = 1.03;
constexpr int kRounds = 3;

struct Candidate {
    TuningEntry entry;
    double least_gain = std::numeric_limits<double>::infinity(); ///< over the standard of the same round

    bool gains() const { return least_gain >= kClearGain; }
};

} // namespace

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
