#include "kernels/host/gpu_device.h"

#include "kernels/host/device_banks.h"
#include "kernels/host/device_memory.h"
#include "kernels/paging/paged_memory.h"

#include <fmt/format.h>
#include <mutex>

namespace volpt {

namespace {

/// All but the free memory, which is 0.
std::vector<DeviceInfo> ask_for_devices(std::string* why)
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
    std::vector<DeviceInfo> devices;
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

} // namespace

// Asked for once: the clock rate alone takes a driver some ms, and a viewer opens its device for every frame.
std::vector<DeviceInfo> list_gpu_devices(std::string* why)
{
    static std::mutex mutex;
    static std::vector<DeviceInfo> devices;
    std::scoped_lock const lock(mutex);
    if (devices.empty()) devices = ask_for_devices(why);
    return devices;
}

DeviceInfo open_gpu_device(int index)
{
    std::string why;
    auto const devices = list_gpu_devices(&why);
    if (devices.empty()) fail_system(why, "GPU", "--device cpu gives the same picture");
    if (index < 0 || static_cast<std::size_t>(index) >= devices.size())
        fail_system(
            fmt::format("there is no device {}; the devices of this machine are 0 to {}", index, devices.size() - 1),
            "GPU", "volrender --list-devices names them");
    DeviceInfo device = devices[static_cast<std::size_t>(index)];
    check_cuda(cudaSetDevice(device.index), "opening the device");
    std::size_t total = 0;
    check_cuda(cudaMemGetInfo(&device.free_bytes, &total), "asking for free memory");
    return device;
}

MemoryPlan plan_gpu_memory(SceneView const& scene, std::uint32_t most_pixels, RendererOptions const& options,
                           KernelFunctions const& kernel, DeviceInfo const& device)
{
    SceneSizes const sizes = count_scene_sizes(scene);
    return plan_voxels(sizes.voxel_bytes,
                       {.table_bytes = sizes.table_bytes + count_bank_bytes(scene),
                        .film_bytes = count_film_bytes(most_pixels, count_sum_planes(scene),
                                                       keeps_half_apart(scene) ? FilmHalf::apart : FilmHalf::joined),
                        .workspace_bytes = kLaunches * kernel.count_workspace_bytes(scene, options.knobs),
                        .free_bytes = device.free_bytes,
                        .pages = find_page_support(device.index)},
                       options);
}

} // namespace volpt
