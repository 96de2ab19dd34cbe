#include "libvolpt/render/pool/work_item_size.h"

#include <algorithm>
#include <limits>

namespace volpt {
namespace {

// A worker whose share of the rest lasts no longer than this gets all of it: the others, who ask as long before they
// are idle, have emptied the pool before this worker asks again.
constexpr double kLastItem_s = 0.25;
// Stopping a unit in the middle, and starting a launch for what is returned.
constexpr double kReturn_s = 0.02;
constexpr double kSlowRate = 0.25; // of the fastest worker's
// At most so long before the end a slow worker leaves it to the others. A unit of tiles that show the object takes a
// thread up to .3 s, and a device whose launches still grow is rated .7 of what it will be: with .5 s bidirectional
// paths of a second ended 3 % late.
constexpr double kSlowEnd_s = 1;
constexpr double kMostSamples = 0x1p62; // of an item: exact as a double, and fits an integer

std::size_t count_active(PoolState const& pool)
{
    return static_cast<std::size_t>(std::ranges::count(pool.workers, WorkerStatus::active, &WorkerState::status));
}

/// When all work is done if every active worker is busy until then. Workers of unknown rate count with `default_rate`.
double predict_end_s(PoolState const& pool, double default_rate, std::optional<std::size_t> except = {})
{
    double end_s = std::numeric_limits<double>::infinity();
    for (;;) { // workers that are busy for longer take no part; each pass drops some of them or is the last
        double rates = 0;
        double paths = static_cast<double>(pool.paths_left);
        for (std::size_t i = 0; i < pool.workers.size(); ++i) {
            WorkerState const& worker = pool.workers[i];
            double const rate = worker.rate > 0 ? worker.rate : default_rate;
            double const from_s = std::max(pool.now_s, worker.busy_until_s);
            if (i == except || worker.status != WorkerStatus::active || rate <= 0 || from_s >= end_s) continue;
            rates += rate;
            paths += rate * (from_s - pool.now_s);
        }
        double const next_s = pool.now_s + paths / rates;
        if (!(next_s < end_s)) return end_s;
        end_s = next_s;
    }
}

/// Of a worker of unknown rate. If it is alone, no short rest remains; if not, the others find work too.
double choose_first_paths(PoolState const& pool, std::uint64_t first_paths)
{
    auto const first = static_cast<double>(first_paths), left = static_cast<double>(pool.paths_left);
    if (is_alone(pool)) return left < 2 * first ? left : first;
    auto const share = left / static_cast<double>(std::max<std::size_t>(1, count_active(pool)));
    return std::min(first, std::max(share, first / 8));
}

/// Whether `paths` would be done sooner if the worker left them to the others. Never so for the fastest.
bool would_others_finish_sooner(PoolState const& pool, std::size_t index, std::uint64_t paths)
{
    WorkerState const& worker = pool.workers[index];
    double const fastest = find_fastest_rate(pool, index);
    if (worker.rate <= 0 || fastest <= worker.rate) return false;
    double const own_end_s = worker.busy_until_s + static_cast<double>(paths) / worker.rate;
    return own_end_s > predict_end_s(pool, 0, index) + static_cast<double>(paths) / fastest;
}

/// Whether what a slow worker could still add takes the others less time than it costs them if it ends late and returns
/// some of it.
bool should_leave_the_end(PoolState const& pool, std::size_t index)
{
    WorkerState const& worker = pool.workers[index];
    if (!worker.can_return || !is_slow(pool, index)) return false;
    double others = 0;
    for (std::size_t i = 0; i < pool.workers.size(); ++i)
        if (i != index && pool.workers[i].status == WorkerStatus::active) others += pool.workers[i].rate;
    double const share_s = predict_end_s(pool, 0) - worker.busy_until_s;
    return share_s < std::min(kSlowEnd_s, kReturn_s * others / worker.rate);
}

} // namespace

bool is_alone(PoolState const& pool)
{
    auto const is_connected = [](WorkerState const& worker) { return worker.status != WorkerStatus::disconnected; };
    auto const first = std::ranges::find_if(pool.workers, is_connected);
    return first != pool.workers.end() && std::none_of(first + 1, pool.workers.end(), is_connected);
}

double find_fastest_rate(PoolState const& pool, std::optional<std::size_t> except)
{
    double fastest = 0;
    for (std::size_t i = 0; i < pool.workers.size(); ++i)
        if (i != except && pool.workers[i].status == WorkerStatus::active)
            fastest = std::max(fastest, pool.workers[i].rate);
    return fastest;
}

bool is_slow(PoolState const& pool, std::size_t index)
{
    double const rate = pool.workers[index].rate;
    return rate > 0 && rate < kSlowRate * find_fastest_rate(pool);
}

double choose_work_item_paths(PoolState const& pool, std::size_t index, WorkRequest const& request)
{
    WorkerState const& worker = pool.workers[index];
    if (worker.rate <= 0) return choose_first_paths(pool, request.first_paths);
    double const most = worker.rate * request.duration_s;
    if (is_alone(pool)) return most;
    double const share_s = std::max(0.0, predict_end_s(pool, worker.rate) - worker.busy_until_s);
    bool const is_last = share_s < kLastItem_s && !(worker.can_return && is_slow(pool, index));
    double const item_s = is_last ? share_s : share_s / 2;
    return std::min(most, worker.rate * std::max(item_s, request.least_s));
}

std::optional<std::uint64_t> choose_work_item_size(PoolState const& pool, std::size_t worker, double item_paths,
                                                   std::uint64_t paths_per_sample)
{
    if (would_others_finish_sooner(pool, worker, paths_per_sample) || should_leave_the_end(pool, worker))
        return std::nullopt;
    return static_cast<std::uint64_t>(
        std::clamp(item_paths / static_cast<double>(paths_per_sample), 1.0, kMostSamples));
}

bool should_recall(PoolState const& pool, std::size_t other, std::size_t index, WorkRequest const& request)
{
    WorkerState const& holder = pool.workers[other];
    bool const holds_any = holder.can_return && holder.has_taken && holder.status != WorkerStatus::disconnected;
    if (other == index || !holds_any || holder.is_recalled) return false;
    if (request.rate <= 0) return true; // nothing was left for a device when it was ready
    if (request.rate <= holder.rate) return false;
    double const left_s = holder.busy_until_s - pool.now_s;
    if (holder.rate <= 0 || left_s < -kReturn_s) return true;
    double const own_s = (static_cast<double>(request.pending_paths) + left_s * holder.rate) / request.rate + kReturn_s;
    return own_s < left_s;
}

} // namespace volpt
