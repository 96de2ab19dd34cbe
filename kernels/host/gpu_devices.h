// The device that a renderer works on.
#pragma once

#include "kernels/host/gpu.h"

namespace volpt {

/// Makes a device current for the calling thread; `free_bytes` is filled in. Error (system) saying why there is none.
GpuDevice open_gpu_device(int index);

} // namespace volpt
