#include "libvolpt/cpu/outcome_banks.h"

#include "libvolpt/core/make_outcome.hd.h"

#include <algorithm>
#include <barrier>
#include <thread>

namespace volpt {
namespace {

/// Each takes 5 MB for one g. Tiles with the same first sample are at most one unit of work apart, hence in two banks;
/// tiles of merged films may be in more.
constexpr std::size_t kBanksKept = 16;

} // namespace

std::vector<Outcome> make_bank(SceneView const& scene, std::uint32_t number, int threads)
{
    LongStepsView const& steps = scene.long_steps;
    std::uint32_t const size = 1u << steps.bank.log2_size;
    std::vector<Outcome> outcomes(count_outcomes(steps));
    auto const workers = static_cast<std::uint32_t>(std::max(1, threads));
    std::barrier level_done(static_cast<std::ptrdiff_t>(workers));
    auto const work = [&](std::uint32_t worker) {
        for (std::int32_t level = 0; level < steps.bank.levels; ++level) {
            for (std::uint32_t g = 0; g < steps.g_count; ++g) {
                Outcome* const bank =
                    outcomes.data() + std::size_t{g} * static_cast<std::size_t>(steps.bank.levels) * size;
                Outcome* const row = bank + static_cast<std::size_t>(level) * size;
                for (std::uint32_t i = worker; i < size; i += workers)
                    row[i] = make_bank_outcome(scene, bank, number, g, level, i);
            }
            level_done.arrive_and_wait();
        }
    };
    // Plain threads, not oneTBB: ThreadSanitizer sees what they hand over.
    std::vector<std::jthread> helpers;
    for (std::uint32_t i = 1; i < workers; ++i) helpers.emplace_back(work, i);
    work(0);
    return outcomes;
}

OutcomeBanks::Bank OutcomeBanks::find(std::uint32_t number)
{
    std::scoped_lock const lock(mutex_);
    Bank& bank = banks_[number];
    if (bank) return bank;
    Bank const made = bank = std::make_shared<std::vector<Outcome> const>(make_bank(scene_, number, threads_));
    if (banks_.size() > kBanksKept)
        banks_.erase(banks_.begin()->first == number ? std::prev(banks_.end()) : banks_.begin());
    return made;
}

} // namespace volpt
