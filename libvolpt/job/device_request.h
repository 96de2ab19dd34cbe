// Where a job renders: devices, kernels, tiles, memory.
#pragma once

#include "libvolpt/backend/kernel_choice.h"
#include "libvolpt/backend/render_tile.h"
#include "libvolpt/render/render_film.h"
#include "libvolpt/scene/render_scene.h"
#include "libvolpt/sys/text/enum_words.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

enum class DeviceChoice { automatic, cpu, cuda };
template <>
inline constexpr auto kWords<DeviceChoice> = list_words<DeviceChoice>({{DeviceChoice::automatic, "auto"},
                                                                       {DeviceChoice::cpu, "cpu"},
                                                                       {DeviceChoice::cuda, "cuda"}});

struct DeviceList {
    bool cpu = false;
    bool all_gpus = false;
    std::vector<int> gpus; ///< each once
};

/// Nothing here changes the bits of a film.
struct DeviceRequest {
    DeviceChoice device = DeviceChoice::automatic;
    std::optional<DeviceList> devices; ///< instead of `device`
    std::string kernel;                ///< empty: the fastest
    KnobValues knobs;                  ///< as given
    VolumeMemory volume_memory = VolumeMemory::automatic;
    CacheLimit cache;
    std::filesystem::path bank_cache; ///< folder in which outcomes of long steps are kept; empty: none
    std::uint32_t tile_size = 0;      ///< 0: chosen by the device
    std::optional<TileGrid> tiles;
};

/// Which of the processes on this machine this one is.
struct HostShare {
    int index = 0;
    int count = 1;
};

/// The options of a render as requested. DeviceChoice::automatic is the first GPU where there is one, or all if the
/// machine's processes are several, unless the kernel is one of the CPU's. Processes share the GPUs in turn. Error
/// (system) if GPUs are asked for and there is none, saying why; Error (usage) if the kernel is not the device's, or if
/// `devices` names a GPU that is not there.
RenderOptions choose_device(DeviceRequest const& device, Scene const& scene, HostShare share);

/// What DeviceRequest::kernel may be: kernels that this processor can run, then, in a build with CUDA, those of GPUs.
std::vector<std::string> list_kernel_names();

/// Whether the kernel that is asked for takes long steps in volumes that a mesh bounds: some kernels of GPUs do not.
bool takes_steps_in_meshes(DeviceRequest const& device);

/// The long steps for this scene on such a device: plain ones where the device's kernel does not take them, else as
/// the library's choose_long_steps says. `scene` is without long steps.
LongSteps choose_long_steps(RenderScene const& scene, PackedVolume const& volume, DeviceRequest const& device);

} // namespace volpt
