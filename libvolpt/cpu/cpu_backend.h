// The CPU as a backend: each renderer runs paths on the thread that calls it.
#pragma once

#include "libvolpt/backend/backend.h"

namespace volpt {

/// The backend of this processor. It has one device; a renderer adds samples before add_samples returns, and stops in
/// the middle when the poll says so. Make one renderer per thread; the banks of outcomes are in the shared state.
Backend const& cpu_backend();

/// One compiled way to run paths on this processor; all give the same bits.
struct CpuKernel {
    std::string_view name; ///< "x86-64-v4", "x86-64-v3", "sve", "neon", "scalar"
    std::string_view description;
    /// False if it was stopped: the tile is then incomplete, its sums and counts are worth nothing.
    bool (*render)(SceneView const&, RenderTile const&, TileSumsView, PathCounts&, StopPoll);
    /// Outcomes `first` to `end` - 1 of a level, with make_bank_outcome; `outcomes` is the g's part of bank `number`.
    void (*make_outcomes)(SceneView const&, Outcome* outcomes, std::uint32_t number, std::uint32_t g_index,
                          std::int32_t level, std::uint32_t first, std::uint32_t end);
};

/// Those that this processor can run, fastest first; none if volpt was built for others alone (VOLPT_CPU_LEVELS).
std::vector<CpuKernel> list_cpu_kernels();

/// The first of `kernels`, which are those of list_cpu_kernels. Throws Error (system) if there is none.
CpuKernel choose_fastest_kernel(std::vector<CpuKernel> const& kernels);

} // namespace volpt
