// Adds up device memory before any of it is allocated.
#include "kernels/gpu_memory.h"

#include "kernels/device_scene.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

/// CUDA's own needs and what fragmentation costs.
constexpr std::size_t kReserve_bytes = std::size_t{256} << 20;

double to_gib(std::size_t bytes) { return static_cast<double>(bytes) / (1 << 30); }

std::size_t total_bytes(GpuMemoryPlan const& plan)
{
    return plan.volume_bytes + plan.film_bytes + plan.workspace_bytes + kReserve_bytes;
}

/// What shrinks the largest part.
std::string suggest_way_out(GpuMemoryPlan const& plan)
{
    if (plan.workspace_bytes > std::max(plan.film_bytes, plan.volume_bytes)) return "give fewer --paths-per-lane, or another --kernel";
    if (plan.film_bytes > plan.volume_bytes) return "give a smaller --tile-size";
    return "give --volume-memory zerocopy, or --device cpu for the same picture";
}

} // namespace

GpuMemoryPlan plan_memory(SceneView const& scene, std::uint32_t most_pixels, GpuOptions const& options,
                          KernelFunctions const& kernel, std::size_t free_bytes)
{
    SceneBytes const bytes = count_scene_bytes(scene);
    GpuMemoryPlan plan;
    plan.free_bytes = free_bytes;
    plan.film_bytes = GpuRenderer::kBuffers * std::size_t{most_pixels} * scene.bands * 2 * sizeof(DeviceCount);
    plan.workspace_bytes = kLaunches * kernel.count_workspace_bytes(scene, options.shape);
    plan.volume_bytes = bytes.tables + bytes.voxels;
    plan.volume_memory = options.volume_memory;
    if (options.volume_memory == VolumeMemory::automatic)
        plan.volume_memory = total_bytes(plan) <= free_bytes ? VolumeMemory::device : VolumeMemory::zerocopy;
    if (plan.volume_memory == VolumeMemory::zerocopy) plan.volume_bytes = bytes.tables;
    return plan;
}

void check_memory(GpuMemoryPlan const& plan)
{
    if (total_bytes(plan) <= plan.free_bytes) return;
    fail_system(fmt::format("the render needs {:.2f} GiB of device memory (volume {:.2f}, film {:.2f}, paths {:.2f}, reserve {:.2f}) "
                            "and {:.2f} are free",
                            to_gib(total_bytes(plan)), to_gib(plan.volume_bytes), to_gib(plan.film_bytes),
                            to_gib(plan.workspace_bytes), to_gib(kReserve_bytes), to_gib(plan.free_bytes)),
                "GPU",
                suggest_way_out(plan));
}

} // namespace volpt
