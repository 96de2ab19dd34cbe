// Finds kernels by name.
#pragma once

#include "kernels/host/kernel.h"

namespace volpt {

/// Error (usage) naming the kernels there are, or what a kernel lacks of `shape`.
KernelFunctions find_gpu_kernel(std::string_view name, GpuShape const& shape);

} // namespace volpt
