// Communicator kernels by a measurement or two each.
#include "libvolpt/render/workers/kernel_tuning.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

/// Within this of the best, one measurement of some milliseconds does not tell.
constexpr double kCloseRace = 0.9;
constexpr int kRematches = 2;

GpuOptions make_pool_shape(int min_blocks, int exit_votes)
{
    GpuOptions options{.kernel = "regen_pool"};
    options.shape.min_blocks = min_blocks;
    options.shape.exit_votes = exit_votes;
    return options;
}

void sort_entries(std::vector<PilotEntry>& entries)
{
    std::stable_sort(entries.begin(), entries.end(),
                     [](PilotEntry const& a, PilotEntry const& b) { return a.paths_per_second > b.paths_per_second; });
}

} // namespace

std::vector<GpuOptions> list_pilot_candidates()
{
    return {make_pool_shape(8, 4), make_pool_shape(8, 6), make_pool_shape(6, 4), make_pool_shape(8, 3),
            GpuOptions{.kernel = "regen_vote"}};
}

PilotResult run_pilot(std::vector<GpuOptions> const& candidates,
                      std::function<double(GpuOptions const&)> const& measure)
{
    PilotResult result;
    for (GpuOptions const& candidate : candidates) result.entries.push_back({candidate, measure(candidate)});
    sort_entries(result.entries);
    for (int round = 0; round < kRematches; ++round) {
        double const best = result.entries.front().paths_per_second;
        for (PilotEntry& entry : result.entries)
            if (entry.paths_per_second >= kCloseRace * best)
                entry.paths_per_second = std::max(entry.paths_per_second, measure(entry.options));
        sort_entries(result.entries);
    }
    return result;
}

std::string describe_choice(GpuOptions const& options)
{
    std::string text = options.kernel;
    GpuShape const& shape = options.shape;
    if (shape.min_blocks > 0) text += fmt::format(" --min-blocks {}", shape.min_blocks);
    if (shape.paths_per_lane > 0) text += fmt::format(" --paths-per-lane {}", shape.paths_per_lane);
    if (shape.exit_votes > 0) text += fmt::format(" --exit-votes {}", shape.exit_votes);
    if (shape.step_votes > 0) text += fmt::format(" --step-votes {}", shape.step_votes);
    if (shape.start_votes > 0) text += fmt::format(" --start-votes {}", shape.start_votes);
    if (shape.face_votes > 0) text += fmt::format(" --face-votes {}", shape.face_votes);
    if (shape.refill == Refill::off) text += " --refill off";
    return text;
}

} // namespace volpt
