// Adds a device's tally to the host's.
#pragma once

#include "libvolpt/core/light/tally_view.hd.h"

#include <atomic>

namespace volpt {

/// `sums` and `energy_sums` are as many as those of `host`, whose threads may add at the same time.
inline void add_to_tally(TallyView const& host, std::uint32_t bands, std::uint64_t const* sums,
                         std::uint64_t const* energy_sums)
{
    auto const add = [](std::uint64_t* to, std::uint64_t const* from, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            if (from[i] != 0) std::atomic_ref(to[i]).fetch_add(from[i], std::memory_order_relaxed);
    };
    add(host.sums, sums, count_tally_sums(host, bands));
    add(host.energy_sums, energy_sums, count_energy_sums(bands));
}

} // namespace volpt
