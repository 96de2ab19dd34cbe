// A build without CUDA.
#include "kernels/gpu_backend.h"

namespace volpt {

Backend const* gpu_backend()
{
    return nullptr;
}

std::vector<DeviceInfo> list_gpus(std::string* why)
{
    if (why != nullptr) *why = "this volpt was built without GPU code (VOLPT_CUDA)";
    return {};
}

} // namespace volpt
