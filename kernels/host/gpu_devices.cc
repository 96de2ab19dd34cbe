// Lists the CUDA devices.
#include "kernels/host/gpu_devices.h"

#include "kernels/host/device_memory.h"

#include <fmt/format.h>

namespace volpt {

std::vector<GpuDevice> list_gpu_devices(std::string* why)
{
    int count = 0;
    cudaError_t const status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0) {
        if (why != nullptr)
            *why = status == cudaErrorInsufficientDriver
                       ? "the GPU's driver is too old for this program, or there is none"
                   : status == cudaSuccess ? "no CUDA device was found"
                                           : cudaGetErrorString(status);
        return {};
    }
    int driver = 0;
    check_cuda(cudaDriverGetVersion(&driver), "asking for the driver's version");
    std::vector<GpuDevice> devices;
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp properties{};
        check_cuda(cudaGetDeviceProperties(&properties, i), "asking for the device");
        int clock_khz = 0;
        check_cuda(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, i), "asking for the device");
        devices.push_back({i, properties.name, fmt::format("{}.{}", properties.major, properties.minor),
                           fmt::format("{}.{}", driver / 1000, driver % 1000 / 10), properties.multiProcessorCount,
                           clock_khz / 1000, properties.totalGlobalMem, 0});
    }
    return devices;
}

GpuDevice open_gpu_device(int index)
{
    std::string why;
    auto const devices = list_gpu_devices(&why);
    if (devices.empty()) fail_system(why, "GPU", "--device cpu gives the same picture");
    if (index < 0 || static_cast<std::size_t>(index) >= devices.size())
        fail_system(fmt::format("there is no device {}; those of this machine are 0 to {}", index, devices.size() - 1),
                    "GPU", "volrender --list-devices names them");
    GpuDevice device = devices[static_cast<std::size_t>(index)];
    check_cuda(cudaSetDevice(device.index), "opening the device");
    std::size_t total = 0;
    check_cuda(cudaMemGetInfo(&device.free_bytes, &total), "asking for free memory");
    return device;
}

} // namespace volpt
