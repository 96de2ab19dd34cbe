// The CUDA devices: which there are, the memory that a render takes on one, and a renderer on one.
#pragma once

#include "kernels/host/kernel.h"
#include "kernels/paging/brick_store.h"
#include "libvolpt/backend/backend.h"

namespace volpt {

/// Launches under way at a time, each with memory of its own for paths.
inline constexpr int kLaunches = 2;

/// See Backend::list_devices. The devices are those of the first call that found some.
std::vector<DeviceInfo> list_gpu_devices(std::string* why);

/// Makes a device current for the calling thread; `free_bytes` is filled in. Error (system) saying why there is none.
DeviceInfo open_gpu_device(int index);

/// Whether kernels keep a film's half apart: of particles it is not known at the end which sample they are of.
inline bool keeps_half_apart(SceneView const& scene)
{
    return carries_all_bands(scene) && !starts_at_emitters(scene.transport) && scene.transport != Transport::metropolis;
}

/// Queues on `stream`: adds `words` words of the half's sums to the others', which then hold all.
void join_half(DeviceCount* others, DeviceCount const* half, std::size_t words, cudaStream_t stream);

/// What a renderer takes for areas of `most_pixels` pixels on an open device. Error (system) if a cache is asked for
/// that the driver cannot make.
MemoryPlan plan_gpu_memory(SceneView const& scene, std::uint32_t most_pixels, RendererOptions const& options,
                           KernelFunctions const& kernel, DeviceInfo const& device);

/// See Backend::make_renderer; a kernel is named. `bricks` is of this scene, or null: then a cache holds the bricks of
/// the lowest Morton codes, and nothing is shared.
std::unique_ptr<TileRenderer> make_gpu_renderer(SceneView const& scene, std::uint32_t most_pixels,
                                                RendererOptions const& options, std::shared_ptr<BrickStore> bricks);

} // namespace volpt
