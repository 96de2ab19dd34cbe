// The CPU's threads as one worker.
#pragma once

#include "libvolpt/render/workers/worker.h"

namespace volpt {

enum class Company { alone, beside_others };

/// Renders on `options.threads` threads with `options.cpu_backend`, in units of one file tile and a few samples; a unit
/// that a stop finds unfinished is dropped. Error (usage) on an unknown backend.
std::unique_ptr<Worker> make_cpu_worker(WorkerContext const& place, RenderOptions const& options,
                                        Company total_workers);

} // namespace volpt
