// Adds up device memory before any of it is allocated.
#include "kernels/host/gpu_memory.h"

#include "kernels/host/device_scene.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

/// CUDA's own needs and what fragmentation costs.
constexpr std::size_t kReserve_bytes = std::size_t{256} << 20;

double to_gib(std::size_t bytes)
{
    return static_cast<double>(bytes) / (1 << 30);
}

std::size_t total_bytes(GpuMemoryPlan const& plan)
{
    return plan.volume_bytes + plan.film_bytes + plan.workspace_bytes + kReserve_bytes;
}

/// What shrinks the largest part.
std::string suggest_way_out(GpuMemoryPlan const& plan)
{
    if (plan.workspace_bytes > std::max(plan.film_bytes, plan.volume_bytes))
        return "give fewer --paths-per-lane, or another --kernel";
    if (plan.film_bytes > plan.volume_bytes) return "give a smaller --tile-size";
    if (plan.volume_memory == VolumeMemory::device)
        return "give --volume-memory auto, or --device cpu for the same picture";
    return "--device cpu gives the same picture";
}

/// Bytes of voxels that the device may hold.
std::size_t count_limit(CacheLimit const& limit, std::size_t voxel_bytes)
{
    std::size_t const by_share =
        limit.share < 1 ? static_cast<std::size_t>(limit.share * static_cast<double>(voxel_bytes)) : SIZE_MAX;
    return std::min(limit.bytes, by_share);
}

VolumeMemory choose_volume_memory(VolumeMemory wanted, bool all_fits, PageSupport pages)
{
    if (wanted == VolumeMemory::cached && pages == PageSupport::no)
        fail_system("the driver cannot map host memory behind device memory", "--volume-memory cached",
                    "give --volume-memory zerocopy, or use a driver for CUDA 13 or later");
    if (wanted != VolumeMemory::automatic) return wanted;
    if (all_fits) return VolumeMemory::device;
    return pages == PageSupport::yes ? VolumeMemory::cached : VolumeMemory::zerocopy;
}

} // namespace

GpuMemoryPlan plan_memory(SceneView const& scene, std::uint32_t most_pixels, GpuOptions const& options,
                          KernelFunctions const& kernel, std::size_t free_bytes, PageSupport pages)
{
    SceneBytes const bytes = count_scene_bytes(scene);
    GpuMemoryPlan plan;
    plan.free_bytes = free_bytes;
    plan.film_bytes = GpuRenderer::kBuffers * std::size_t{most_pixels} * scene.bands * 2 * sizeof(DeviceCount);
    plan.workspace_bytes = kLaunches * kernel.count_workspace_bytes(scene, options.shape);
    plan.volume_bytes = bytes.tables;
    std::size_t const room = free_bytes - std::min(free_bytes, total_bytes(plan));
    std::size_t const most = std::min(room, count_limit(options.cache, bytes.voxels));
    plan.volume_memory = choose_volume_memory(options.volume_memory, bytes.voxels <= most, pages);
    if (plan.volume_memory == VolumeMemory::device) plan.voxel_bytes = bytes.voxels;
    if (plan.volume_memory == VolumeMemory::cached)
        plan.voxel_bytes = std::min(most, bytes.voxels + kPlanes * kPage_bytes);
    plan.host_bytes = bytes.voxels - std::min(bytes.voxels, plan.voxel_bytes);
    if (plan.volume_memory != VolumeMemory::cached) plan.hit_rate = plan.volume_memory == VolumeMemory::device ? 1 : 0;
    plan.volume_bytes += plan.voxel_bytes;
    return plan;
}

void check_memory(GpuMemoryPlan const& plan)
{
    if (total_bytes(plan) <= plan.free_bytes) return;
    fail_system(
        fmt::format(
            "the render needs {:.2f} GiB of device memory (volume {:.2f}, film {:.2f}, paths {:.2f}, reserve {:.2f}) "
            "and {:.2f} are free",
            to_gib(total_bytes(plan)), to_gib(plan.volume_bytes), to_gib(plan.film_bytes), to_gib(plan.workspace_bytes),
            to_gib(kReserve_bytes), to_gib(plan.free_bytes)),
        "GPU", suggest_way_out(plan));
}

} // namespace volpt
