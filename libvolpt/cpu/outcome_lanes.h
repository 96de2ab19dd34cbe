// Makes the outcomes of a bank's level.
#pragma once

#include "libvolpt/core/make_outcome.hd.h"

namespace volpt {

template <class Isa>
void make_outcomes(SceneView const& scene, Outcome* outcomes, std::uint32_t number, std::uint32_t g_index,
                   std::int32_t level, std::uint32_t first, std::uint32_t end)
{
    Outcome* const row = outcomes + (static_cast<std::size_t>(level) << scene.long_steps.bank.log2_size);
    for (std::uint32_t i = first; i < end; ++i) row[i] = make_bank_outcome(scene, outcomes, number, g_index, level, i);
}

} // namespace volpt
