// Where a tool renders.
#pragma once

#include "libvolpt/render/render_film.h"
#include "libvolpt/scene/render_scene.h"
#include "tools/options/run_options.h"

#include <cstdint>
#include <string>
#include <vector>

namespace volpt {

/// Which of the processes on this machine this one is.
struct HostShare {
    int index = 0;
    int count = 1;
};

/// The options of a render as the command line has them. Device auto is the first GPU where there is one, or all if the
/// machine's processes are several, unless --kernel names one of the CPU's. Processes share the GPUs in turn. Error
/// (system) if --device cuda has none, saying why; Error (usage) if the kernel is not the device's, or if --devices
/// names a GPU that is not there.
RenderOptions choose_device(DeviceOptions const& device, Scene const& scene, HostShare share);

/// What --kernel may be: kernels that this processor can run, then, in a build with CUDA, those of GPUs.
std::vector<std::string> list_kernel_names();

/// Whether the kernel that is asked for takes long steps in volumes that a mesh bounds: some kernels of GPUs do not.
bool takes_steps_in_meshes(DeviceOptions const& device);

/// What --long-steps auto is in this scene on such a device: off where the device's kernel does not take them, else as
/// the library's choose_long_steps says. `scene` is without long steps.
LongSteps choose_long_steps(RenderScene const& scene, PackedVolume const& volume, DeviceOptions const& device);

} // namespace volpt
