#include "kernels/gpu_library.h"

#include "kernels/gpu_backend.h"
#include "kernels/gpu_interface.h"

#include <string_view>

extern "C" __attribute__((visibility("default"))) volpt::Backend const* volpt_open_gpu_library(char const* interface)
{
    return interface == std::string_view(volpt::kGpuInterface) ? volpt::gpu_backend() : nullptr;
}
