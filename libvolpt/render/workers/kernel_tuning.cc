#include "libvolpt/render/workers/kernel_tuning.h"

#include <algorithm>

namespace volpt {
namespace {

/// Rates within this factor of the best cannot be told apart by one measurement of some milliseconds.
constexpr double kCloseRace = 0.9;
constexpr int kRematches = 2;

void sort_entries(std::vector<TuningEntry>& entries)
{
    std::stable_sort(entries.begin(), entries.end(), [](TuningEntry const& a, TuningEntry const& b) {
        return a.paths_per_second > b.paths_per_second;
    });
}

} // namespace

std::vector<TuningEntry> tune_kernel(std::vector<RendererOptions> const& candidates,
                                     std::function<double(RendererOptions const&)> const& measure)
{
    std::vector<TuningEntry> entries;
    for (RendererOptions const& candidate : candidates) entries.push_back({candidate, measure(candidate)});
    sort_entries(entries);
    for (int round = 0; round < kRematches; ++round) {
        double const best = entries.front().paths_per_second;
        for (TuningEntry& entry : entries)
            if (entry.paths_per_second >= kCloseRace * best)
                entry.paths_per_second = std::max(entry.paths_per_second, measure(entry.options));
        sort_entries(entries);
    }
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
