#include "libvolpt/job/device_request.h"

#include "kernels/gpu_backend.h"
#include "libvolpt/cpu/choose_long_steps.h"
#include "libvolpt/cpu/cpu_backend.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace volpt {
namespace {

bool is_cpu_kernel(std::string const& name)
{
    auto const kernels = cpu_backend().list_kernels();
    return std::any_of(kernels.begin(), kernels.end(), [&](KernelInfo const& kernel) { return kernel.name == name; });
}

void check_tiles(TileGrid const& tiles, std::uint32_t width, std::uint32_t height)
{
    if (tiles.columns > width || tiles.rows > height)
        fail_usage(fmt::format("--tiles {}x{} asks for more tiles than the picture of {}x{} pixels has columns or rows",
                               tiles.columns, tiles.rows, width, height),
                   "give at most one tile per pixel");
}

std::vector<int> choose_listed_gpus(DeviceList const& list)
{
    if (!list.all_gpus && list.gpus.empty()) return {};
    std::string why;
    auto const present = list_gpus(&why);
    if (present.empty()) fail_system(why, "--devices", "--devices cpu gives the same picture");
    std::vector<int> gpus = list.gpus;
    if (list.all_gpus)
        for (DeviceInfo const& gpu : present) gpus.push_back(gpu.index);
    for (int const gpu : gpus)
        if (static_cast<std::size_t>(gpu) >= present.size())
            fail_usage(fmt::format("there is no GPU {}; this machine has {}, numbered from 0", gpu, present.size()),
                       "see --list-devices");
    return gpus;
}

std::vector<int> choose_gpus(DeviceRequest const& device, bool names_cpu_kernel, HostShare share)
{
    if (device.devices) return choose_listed_gpus(*device.devices);
    if (device.device == DeviceChoice::cuda && names_cpu_kernel)
        fail_usage(fmt::format("'{}' is a kernel of the CPU", device.kernel),
                   "leave --device cuda out, or see --list-kernels");
    if (device.device == DeviceChoice::cpu || names_cpu_kernel) return {};
    std::string why;
    if (auto const present = list_gpus(&why); !present.empty()) {
        std::vector<int> gpus(share.count > 1 ? present.size() : 1);
        std::iota(gpus.begin(), gpus.end(), 0);
        return gpus;
    }
    if (device.device == DeviceChoice::cuda) fail_system(why, "--device cuda", "--device cpu gives the same picture");
    return {};
}

std::vector<int> take_share(std::vector<int> const& gpus, HostShare share)
{
    std::vector<int> own;
    for (std::size_t i = 0; i < gpus.size(); ++i)
        if (i % static_cast<std::size_t>(share.count) == static_cast<std::size_t>(share.index)) own.push_back(gpus[i]);
    // More processes than GPUs: each may see one of its own by the same number (srun --gpus-per-task), or else shares
    // one.
    if (own.empty() && !gpus.empty()) own.push_back(gpus[static_cast<std::size_t>(share.index) % gpus.size()]);
    return own;
}

} // namespace

std::vector<std::string> list_kernel_names()
{
    std::vector<std::string> names;
    for (KernelInfo const& kernel : cpu_backend().list_kernels()) names.emplace_back(kernel.name);
    if (gpu_backend() != nullptr)
        for (KernelInfo const& kernel : list_gpu_kernels())
            if (is_built(kernel.name)) names.emplace_back(kernel.name);
    return names;
}

RenderOptions choose_device(DeviceRequest const& device, Scene const& scene, HostShare share)
{
    RenderOptions options;
    options.gpu_backend = gpu_backend();
    options.bank_cache = device.bank_cache;
    options.tile_size = device.tile_size;
    options.tiles = device.tiles;
    if (options.tiles) check_tiles(*options.tiles, scene.width, scene.height);
    if (scene.integrator == Integrator::mlt && (options.tiles || options.tile_size != 0))
        fail_usage("--integrator mlt renders the whole film at once: its chains add to any pixel",
                   "leave out --tiles and --tile-size");
    bool const names_cpu_kernel = is_cpu_kernel(device.kernel);
    if (names_cpu_kernel) options.cpu_backend = device.kernel;
    std::vector<int> const gpus = take_share(choose_gpus(device, names_cpu_kernel, share), share);
    for (int const gpu : gpus)
        options.gpus.push_back(
            {names_cpu_kernel ? std::string() : device.kernel, device.knobs, device.volume_memory, gpu, device.cache});
    if (gpus.empty() && share.count == 1) options.cpu_backend = device.kernel;
    if (device.devices && device.devices->cpu) options.cpu = CpuUse::beside_gpus;
    return options;
}

bool takes_steps_in_meshes(DeviceRequest const& device)
{
    return device.kernel.empty() || is_cpu_kernel(device.kernel) || takes_layers(device.kernel);
}

LongSteps choose_long_steps(RenderScene const& scene, PackedVolume const& volume, DeviceRequest const& device)
{
    if (scene.view().transport != Transport::escape) return LongSteps::plain;
    if (scene.view().surface.on != 0u && !takes_steps_in_meshes(device)) return LongSteps::plain;
    return choose_long_steps(scene.scene(), volume);
}

} // namespace volpt
