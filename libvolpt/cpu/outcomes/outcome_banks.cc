#include "libvolpt/cpu/outcomes/outcome_banks.h"

#include "libvolpt/cpu/cpu_backend.h"

#include <algorithm>
#include <array>
#include <barrier>
#include <span>
#include <system_error>

namespace volpt {
namespace {

/// A bank takes 5 MB for one g, of layers 74. Tiles with the same first sample are at most one unit of work apart,
/// hence in two banks; tiles of merged films may be in more.
constexpr std::size_t kMostKeptBytes = std::size_t{320} << 20;
constexpr std::size_t kLeastBanksKept = 2;

/// By index of g, how many levels of a bank are there.
using LevelsMade = std::array<std::int32_t, kMaxBankedG>;

/// The part of a bank that belongs to a g: levels of count_level_outcomes each.
template <class Values>
auto get_levels(LongStepsView const& steps, Values& outcomes, std::uint32_t g)
{
    std::size_t const size = static_cast<std::size_t>(steps.bank.levels) * count_level_outcomes(steps);
    return std::span(outcomes).subspan(g * size, size);
}

/// Makes the levels that a bank lacks.
void complete_bank(SceneView const& scene, std::uint32_t number, int threads, LevelsMade const& made,
                   std::vector<Outcome>& outcomes)
{
    LongStepsView const& steps = scene.long_steps;
    std::uint32_t const size = count_level_outcomes(steps);
    auto const workers = static_cast<std::uint32_t>(std::max(1, threads));
    auto* const make_outcomes = choose_fastest_kernel(list_cpu_kernels()).make_outcomes;
    std::barrier level_done(static_cast<std::ptrdiff_t>(workers));
    auto const work = [&](std::uint32_t worker) {
        auto const first = static_cast<std::uint32_t>(std::uint64_t{size} * worker / workers);
        auto const end = static_cast<std::uint32_t>(std::uint64_t{size} * (worker + 1) / workers);
        for (std::int32_t level = 0; level < steps.bank.levels; ++level) {
            for (std::uint32_t g = 0; g < steps.g_count; ++g)
                if (level >= made[g])
                    make_outcomes(scene, get_levels(steps, outcomes, g).data(), number, g, level, first, end);
            level_done.arrive_and_wait();
        }
    };
    // Plain threads, not oneTBB: ThreadSanitizer sees what they hand over.
    std::vector<std::jthread> helpers;
    for (std::uint32_t i = 1; i < workers; ++i) helpers.emplace_back(work, i);
    work(0);
}

} // namespace

std::vector<Outcome> make_bank(SceneView const& scene, std::uint32_t number, int threads)
{
    std::vector<Outcome> outcomes(count_outcomes(scene.long_steps));
    complete_bank(scene, number, threads, {}, outcomes);
    return outcomes;
}

OutcomeBanks::Bank OutcomeBanks::find(std::uint32_t number)
{
    std::scoped_lock const lock(mutex_);
    Bank& bank = banks_[number];
    if (bank) return bank;
    Bank const made = bank = read_or_make(number);
    std::size_t const most = std::max(kLeastBanksKept, kMostKeptBytes / (made->size() * sizeof(Outcome)));
    if (banks_.size() > most) banks_.erase(banks_.begin()->first == number ? std::prev(banks_.end()) : banks_.begin());
    return made;
}

OutcomeBanks::Bank OutcomeBanks::read_or_make(std::uint32_t number)
{
    LongStepsView const& steps = scene_.long_steps;
    std::vector<Outcome> outcomes(count_outcomes(steps));
    std::array<BankKey, kMaxBankedG> keys;
    LevelsMade made{};
    bool is_complete = true;
    for (std::uint32_t g = 0; g < steps.g_count; ++g) {
        keys[g] = {.seed = scene_.seed,
                   .number = number,
                   .g_index = g,
                   .log2_size = steps.bank.log2_size,
                   .g = steps.g[g],
                   .kind = steps.kind};
        made[g] = cache_.read(keys[g], get_levels(steps, outcomes, g));
        is_complete = is_complete && made[g] == steps.bank.levels;
    }
    if (!is_complete) complete_bank(scene_, number, threads_, made, outcomes);
    auto const bank = std::make_shared<std::vector<Outcome> const>(std::move(outcomes));
    if (is_complete || !cache_.holds(keys[0])) return bank;
    // Flushing to a disk takes longer than reading from it: the render goes on meanwhile.
    try {
        writer_ = std::jthread([this, bank, keys, made] {
            LongStepsView const& view = scene_.long_steps;
            for (std::uint32_t g = 0; g < view.g_count; ++g)
                if (made[g] < view.bank.levels) cache_.write(keys[g], get_levels(view, *bank, g));
        });
    } catch (std::system_error const&) {
        return bank; // no thread is left for it: as for every failure to write
    }
    return bank;
}

} // namespace volpt
