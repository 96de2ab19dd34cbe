// Makes the outcomes of a bank's level.
#pragma once

#include "libvolpt/core/make_outcome.hd.h"

#include <type_traits>

namespace volpt {

template <class Isa>
void make_outcomes(SceneView const& scene, Outcome* outcomes, std::uint32_t number, std::uint32_t g_index,
                   std::int32_t level, std::uint32_t first, std::uint32_t end)
{
    auto const make = [&]<Steps kind>(std::integral_constant<Steps, kind>) {
        Outcome* const row = outcomes + static_cast<std::size_t>(level) * count_level_outcomes(scene.long_steps);
        for (std::uint32_t i = first; i < end; ++i)
            row[i] = make_bank_outcome<kind>(scene, outcomes, number, g_index, level, i);
    };
    if (scene.long_steps.kind == Steps::layers)
        make(std::integral_constant<Steps, Steps::layers>{});
    else
        make(std::integral_constant<Steps, Steps::spheres>{});
}

} // namespace volpt
