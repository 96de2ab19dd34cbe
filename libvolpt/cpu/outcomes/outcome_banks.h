// Banks of outcomes for long steps, made on the processor and kept while they are used.
#pragma once

#include "libvolpt/backend/backend.h"
#include "libvolpt/core/outcome.hd.h"
#include "libvolpt/cpu/outcomes/bank_cache.h"

#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace volpt {

/// All outcomes of bank `number` of a scene with long steps, in the order of BankView, made on `threads` threads. They
/// depend on the scene's seed, g and levels, and on `number` alone.
std::vector<Outcome> make_bank(SceneView const& scene, std::uint32_t number, int threads);

/// Reads or makes each bank when it is first asked for and keeps the last few.
class OutcomeBanks final : public SharedState {
public:
    using Bank = std::shared_ptr<std::vector<Outcome> const>;

    OutcomeBanks(SceneView const& scene, int threads, BankCache cache = BankCache())
        : scene_(scene), threads_(threads), cache_(std::move(cache))
    {
    }

    /// From any thread; calls wait while a bank is being made.
    Bank find(std::uint32_t number);

private:
    Bank read_or_make(std::uint32_t number);

    SceneView const& scene_;
    int threads_;
    BankCache cache_;
    std::mutex mutex_;
    std::map<std::uint32_t, Bank> banks_;
    std::jthread writer_; ///< of the bank made last
};

} // namespace volpt
