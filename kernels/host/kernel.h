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

/// The instances of a kernel that are compiled together. In one unit with the rest, nvcc no longer inlined what was
/// called once without these: scenes with emitters ran at a third of their rate, FluenceMedium at .97 of its own.
enum class KernelPart {
    main,
    nested_solids, ///< of kernels with VOLPT_EMITTERS: solids that lie in others
    clear_flights, ///< of kernels with VOLPT_CLEAR_FLIGHTS: FluenceMedium
    bidirectional, ///< of kernels with VOLPT_BIDIRECTIONAL: bidirectional paths
    metropolis,    ///< of kernels with VOLPT_METROPOLIS: paths that Markov chains propose
};

#define VOLPT_KERNEL(name, ...)                                                                                        \
    template <KernelPart part>                                                                                         \
    KernelFunctions describe_##name();                                                                                 \
    template <>                                                                                                        \
    KernelFunctions describe_##name<KernelPart::main>();
#define VOLPT_EMITTERS(name)                                                                                           \
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
/// with layers that it is not compiled for, with a mesh, or with emitters.
KernelFunctions find_kernel_functions(RendererOptions const& options, SceneView const& scene);

} // namespace volpt
