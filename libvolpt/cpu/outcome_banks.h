// Banks of outcomes for long steps, made on the processor and kept while they are used.
#pragma once

#include "libvolpt/core/outcome.hd.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace volpt {

/// All outcomes of bank `number` of a scene with long steps on, as BankView has them; on `threads` threads. A function
/// of the scene's seed, g and levels, and of `number`.
std::vector<Outcome> make_bank(SceneView const& scene, std::uint32_t number, int threads);

/// Makes each bank when it is first asked for and keeps the last few.
class OutcomeBanks {
public:
    using Bank = std::shared_ptr<std::vector<Outcome> const>;

    OutcomeBanks(SceneView const& scene, int threads) : scene_(scene), threads_(threads) {}

    /// Any thread; those that ask while a bank is made wait for it.
    Bank find(std::uint32_t number);

private:
    SceneView const& scene_;
    int threads_;
    std::mutex mutex_;
    std::map<std::uint32_t, Bank> banks_;
};

} // namespace volpt
