// What the host knows about a kernel: how to launch it, what memory it needs, what the compiler made of it.
#pragma once

#include "kernels/kernel_knobs.h"
#include "kernels/schedule/launch_params.h"
#include "libvolpt/backend/backend.h"

namespace volpt {

/// One launch: its parameters, the knobs, memory of `count_workspace_bytes` bytes on the device, and one word of host
/// memory that the device can write to.
struct KernelJob {
    LaunchParams params;
    KnobValues const& knobs;
    std::byte* workspace = nullptr;
    std::uint32_t volatile* mailbox = nullptr;
    cudaStream_t stream = nullptr;
};

/// What a kernel's file exports. A launch that never has to look at the device returns at once.
struct KernelFunctions {
    void (*launch)(KernelJob const& job);
    std::size_t (*count_workspace_bytes)(SceneView const& scene, KnobValues const& knobs);
    KernelFacts (*inspect)(SceneView const& scene, KnobValues const& knobs);
    std::uint32_t (*count_least_paths)(
        KnobValues const& knobs); ///< a launch with fewer mostly waits for its last paths
};

/// Defined for the parts that are built (is_built), in their units.
#define VOLPT_KERNEL(name, ...)                                                                                        \
    template <KernelPart part>                                                                                         \
    KernelFunctions describe_##name();                                                                                 \
    template <>                                                                                                        \
    KernelFunctions describe_##name<KernelPart::main>();
#define VOLPT_EMITTERS(name)                                                                                           \
    template <>                                                                                                        \
    KernelFunctions describe_##name<KernelPart::emitters>();                                                           \
    template <>                                                                                                        \
    KernelFunctions describe_##name<KernelPart::nested_solids>();
#define VOLPT_CLEAR_FLIGHTS(name)                                                                                      \
    template <>                                                                                                        \
    KernelFunctions describe_##name<KernelPart::clear_flights>();
#define VOLPT_BIDIRECTIONAL(name)                                                                                      \
    template <>                                                                                                        \
    KernelFunctions describe_##name<KernelPart::bidirectional>();
#define VOLPT_METROPOLIS(name)                                                                                         \
    template <>                                                                                                        \
    KernelFunctions describe_##name<KernelPart::metropolis>();
#include "kernels/kernels.def"

/// The functions of the kernel that `options` names. Error (usage) as find_kernel, and if it cannot render `scene`: one
/// with layers that it is not compiled for, with a mesh, or with emitters; or one whose instances this build lacks.
KernelFunctions find_kernel_functions(RendererOptions const& options, SceneView const& scene);

} // namespace volpt
