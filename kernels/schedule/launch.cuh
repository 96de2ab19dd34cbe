// From a job to a launch: the medium, the compiled instance, the grid.
#pragma once

#include "kernels/host/device_memory.h"
#include "kernels/host/kernel.h"
#include "libvolpt/core/light/transports.hd.h"

#include <algorithm>

#if !defined(VOLPT_KERNEL_PART)
#define VOLPT_KERNEL_PART main
#endif

namespace volpt {

/// Which a unit that kernel_part.cu.in makes defines before it includes the kernel's file.
constexpr KernelPart kPart = KernelPart::VOLPT_KERNEL_PART;

/// The medium of one homogeneous solid with nothing around it, the most frequent case: its instances take 20 registers
/// fewer than those of Surfaces::surroundings.
template <int bands, Steps steps>
using MeshMedium = Medium<bands, Extinction::bare, MajorantGrid::global, steps, Surfaces::triangles>;

/// with_gpu_medium for a volume that a mesh bounds.
template <KernelId kernel, int bands, class Run>
auto with_mesh_medium(SceneView const& scene, Run&& run)
{
    bool const is_simple = scene.surroundings.on == 0u && scene.texture_probe == nullptr &&
                           scene.solids.boundaries == nullptr && scene.medium.extinction == Extinction::bare;
    if constexpr (takes_mesh_steps(kernel))
        if (scene.long_steps.kind == Steps::spheres)
            return is_simple ? run(MeshMedium<bands, Steps::spheres>{})
                             : with_medium<bands, Steps::spheres, Surfaces::surroundings>(scene, run);
    if (is_simple) return run(MeshMedium<bands, Steps::plain>{});
    return with_medium<bands, Steps::plain, Surfaces::surroundings>(scene, run);
}

/// with_emitter_medium for one band or three on a path.
template <Surfaces surfaces, class Run>
auto with_gpu_emitter_medium(SceneView const& scene, Run&& run)
{
    return carries_all_bands(scene) ? with_emitter_medium<3, surfaces>(scene, run)
                                    : with_emitter_medium<1, surfaces>(scene, run);
}

/// with_bidirectional_medium for one band or three on a path.
template <Transport transport, class Run>
auto with_gpu_bidirectional_medium(SceneView const& scene, Run&& run)
{
    return carries_all_bands(scene) ? with_bidirectional_medium<3, transport>(scene, run)
                                    : with_bidirectional_medium<1, transport>(scene, run);
}

/// Calls `run` with the Medium of the scene, one band or three on a path, with or without long steps, for a kernel that
/// takes the scene (find_kernel_functions), in the part of the kernel that this unit holds.
template <KernelId kernel, class Run>
auto with_gpu_medium(SceneView const& scene, Run&& run)
{
    if constexpr (kPart == KernelPart::emitters) {
        return scene.surface.on != 0u ? with_gpu_emitter_medium<Surfaces::surroundings>(scene, run)
                                      : with_gpu_emitter_medium<Surfaces::box>(scene, run);
    } else if constexpr (kPart == KernelPart::nested_solids) {
        return with_gpu_emitter_medium<Surfaces::nested>(scene, run);
    } else if constexpr (kPart == KernelPart::clear_flights) {
        return run(FluenceMedium{});
    } else if constexpr (kPart == KernelPart::bidirectional) {
        return with_gpu_bidirectional_medium<Transport::bidirectional>(scene, run);
    } else if constexpr (kPart == KernelPart::metropolis) {
        return with_gpu_bidirectional_medium<Transport::metropolis>(scene, run);
    } else {
        if constexpr (takes_meshes(kernel))
            if (scene.surface.on != 0u)
                return carries_all_bands(scene) ? with_mesh_medium<kernel, 3>(scene, run)
                                                : with_mesh_medium<kernel, 1>(scene, run);
        if constexpr (is_tuning_candidate(kernel))
            if (scene.long_steps.kind == Steps::layers)
                return carries_all_bands(scene) ? with_medium<3, Steps::layers>(scene, run)
                                                : with_medium<1, Steps::layers>(scene, run);
        if (scene.long_steps.kind != Steps::plain)
            return carries_all_bands(scene) ? with_medium<3, Steps::spheres>(scene, run)
                                            : with_medium<1, Steps::spheres>(scene, run);
        return carries_all_bands(scene) ? with_medium<3>(scene, run) : with_medium<1>(scene, run);
    }
}

/// Calls `run` with `value`, which is one of `values`, as a constant.
template <int... values, class Run>
void with_constant(std::integer_sequence<int, values...>, int value, Run&& run)
{
    ((value == values ? run(std::integral_constant<int, values>{}) : void()), ...);
}

inline int count_multiprocessors()
{
    int device = 0, count = 0;
    check_cuda(cudaGetDevice(&device), "asking for the device");
    check_cuda(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "counting multiprocessors");
    return count;
}

struct BlockShape {
    int threads;
    std::size_t dynamic_bytes = 0; ///< of shared memory
};

template <class Kernel>
int count_resident_blocks(Kernel kernel, BlockShape block)
{
    int blocks = 0;
    check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block.threads, block.dynamic_bytes),
               "asking for the occupancy");
    return std::max(1, blocks);
}

/// Blocks that fill the device once, or fewer if `lanes` are enough.
template <class Kernel>
unsigned count_persistent_blocks(Kernel kernel, BlockShape block, std::uint32_t lanes)
{
    auto const full = static_cast<std::uint32_t>(count_multiprocessors() * count_resident_blocks(kernel, block));
    std::uint32_t const needed = (lanes - 1u) / static_cast<std::uint32_t>(block.threads) + 1u;
    return std::max(1u, std::min(full, needed));
}

template <class Kernel>
KernelFacts inspect_kernel(Kernel kernel, BlockShape block)
{
    cudaFuncAttributes attributes{};
    check_cuda(cudaFuncGetAttributes(&attributes, kernel), "asking for a kernel's attributes");
    int device = 0, most = 1;
    check_cuda(cudaGetDevice(&device), "asking for the device");
    check_cuda(cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, device), "asking for the device");
    int const blocks = count_resident_blocks(kernel, block);
    return {attributes.numRegs,
            attributes.localSizeBytes,
            attributes.sharedSizeBytes + block.dynamic_bytes,
            block.threads,
            blocks,
            static_cast<double>(blocks * block.threads) / most};
}

/// Error (system) if the launch just made failed.
inline void check_launch(std::string_view kernel)
{
    check_cuda(cudaGetLastError(), std::string("launching ") + std::string(kernel));
}

/// For kernels whose paths live in registers.
inline std::size_t need_no_workspace(SceneView const&, KnobValues const&)
{
    return 0;
}
inline std::uint32_t need_few_paths(KnobValues const&)
{
    return std::uint32_t{1} << 20;
}

/// The end of a kernel's file: the file defines the __global__ template `run_<name>`, and `describe` makes
/// the KernelFunctions of its family from a class with an id, a name and the instances: get<M, n>() is run_<name><M,
/// n>.
#define VOLPT_EXPORT_KERNEL(name, describe)                                                                            \
    namespace {                                                                                                        \
    struct Kernel {                                                                                                    \
        static constexpr KernelId kId = KernelId::name;                                                                \
        static constexpr std::string_view kName = #name;                                                               \
        template <class M, int n>                                                                                      \
        static auto get()                                                                                              \
        {                                                                                                              \
            return run_##name<M, n>;                                                                                   \
        }                                                                                                              \
    };                                                                                                                 \
    }                                                                                                                  \
    template <>                                                                                                        \
    KernelFunctions describe_##name<kPart>()                                                                           \
    {                                                                                                                  \
        return describe<Kernel>();                                                                                     \
    }

} // namespace volpt
