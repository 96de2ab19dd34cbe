#include "kernels/gpu_backend.h"

#include "kernels/host/gpu_device.h"
#include "libvolpt/core/light/fluence_event.hd.h"
#include "libvolpt/sys/error.h"

#include <fmt/format.h>

namespace volpt {
namespace {

class GpuBackend final : public Backend {
public:
    std::string_view name() const override { return "GPU"; }
    std::vector<DeviceInfo> list_devices(std::string* why) const override { return list_gpu_devices(why); }
    std::span<KernelInfo const> list_kernels() const override { return list_gpu_kernels(); }
    std::vector<RendererOptions> list_tuning_candidates(SceneView const& scene) const override
    {
        return list_gpu_candidates(scene);
    }

    std::shared_ptr<SharedState> share(SceneView const&, int,
                                       std::function<BrickAccessCounts()> estimate_accesses) const override
    {
        return std::make_shared<BrickStore>(std::move(estimate_accesses));
    }

    MemoryPlan plan_memory(SceneView const& scene, std::uint32_t most_pixels,
                           RendererOptions const& options) const override
    {
        RendererOptions const filled = fill_in_kernel(*this, scene, options);
        KernelFunctions const kernel = find_kernel_functions(filled, scene);
        return plan_gpu_memory(scene, most_pixels, filled, kernel, open_gpu_device(filled.device));
    }

    std::unique_ptr<TileRenderer> make_renderer(SceneView const& scene, std::uint32_t most_pixels,
                                                RendererOptions const& options,
                                                std::shared_ptr<SharedState> shared) const override
    {
        return make_gpu_renderer(scene, most_pixels, fill_in_kernel(*this, scene, options),
                                 std::dynamic_pointer_cast<BrickStore>(std::move(shared)));
    }
};

/// The part of the kernel whose instances render the scene, if it has that part.
KernelPart find_part(KernelId kernel, SceneView const& scene)
{
    if (scene.transport == Transport::metropolis) return KernelPart::metropolis;
    if (scene.transport == Transport::bidirectional) return KernelPart::bidirectional;
    if (has_nested_solids(scene)) return KernelPart::nested_solids;
    if (has_part(kernel, KernelPart::clear_flights) && !carries_all_bands(scene) && fits_fluence_medium(scene))
        return KernelPart::clear_flights;
    return scene.transport == Transport::escape ? KernelPart::main : KernelPart::emitters;
}

std::string_view describe_scenes(KernelPart part)
{
    switch (part) {
    case KernelPart::bidirectional:
        return "bidirectional paths";
    case KernelPart::metropolis:
        return "Markov chains";
    default:
        return "scenes with emitters or interfaces inside";
    }
}

/// Error (usage) if no instance of the kernel renders the scene, or if this build lacks it.
void check_instances(std::string_view name, KernelId kernel, SceneView const& scene)
{
    KernelPart const part = find_part(kernel, scene);
    if (!has_part(kernel, part))
        fail_usage(fmt::format("kernel {} is not compiled for {}", name, describe_scenes(part)), "use --kernel auto");
    if (part == KernelPart::main && scene.surface.on != 0u && !takes_meshes(kernel))
        fail_usage(fmt::format("kernel {} is not compiled for volumes that a mesh bounds", name), "use --kernel auto");
    if (part == KernelPart::main && scene.surface.on != 0u && scene.long_steps.kind == Steps::spheres &&
        !takes_mesh_steps(kernel))
        fail_usage(fmt::format("kernel {} is not compiled for long steps in volumes that a mesh bounds", name),
                   "use --kernel auto, or --long-steps off");
    if (scene.long_steps.kind == Steps::layers && !is_tuning_candidate(kernel))
        fail_usage(fmt::format("kernel {} is not compiled for --long-steps layers", name),
                   "use --kernel auto, or --long-steps on");
    if (!is_built(kernel, part))
        fail_usage(
            fmt::format("kernel {} is not in this build for this scene: it has those that --kernel auto tries", name),
            "use --kernel auto, or build with -DVOLPT_BUILD_STUDY=ON, which adds the kernels that are there to be "
            "compared");
}

} // namespace

Backend const* gpu_backend()
{
    static GpuBackend const backend;
    return &backend;
}

std::vector<DeviceInfo> list_gpus(std::string* why)
{
    return list_gpu_devices(why);
}

KernelFunctions find_kernel_functions(RendererOptions const& options, SceneView const& scene)
{
    find_kernel(list_gpu_kernels(), "GPU", options);
    KernelFunctions found{};
#define VOLPT_KERNEL(name, ...)                                                                                        \
    if (options.kernel == #name) {                                                                                     \
        constexpr KernelId kId = KernelId::name;                                                                       \
        check_instances(options.kernel, kId, scene);                                                                   \
        KernelPart const part = find_part(kId, scene);                                                                 \
        if constexpr (is_built(kId, KernelPart::main))                                                                 \
            if (part == KernelPart::main) found = describe_##name<KernelPart::main>();                                 \
        if constexpr (is_built(kId, KernelPart::emitters))                                                             \
            if (part == KernelPart::emitters) found = describe_##name<KernelPart::emitters>();                         \
        if constexpr (is_built(kId, KernelPart::nested_solids))                                                        \
            if (part == KernelPart::nested_solids) found = describe_##name<KernelPart::nested_solids>();               \
        if constexpr (is_built(kId, KernelPart::clear_flights))                                                        \
            if (part == KernelPart::clear_flights) found = describe_##name<KernelPart::clear_flights>();               \
        if constexpr (is_built(kId, KernelPart::bidirectional))                                                        \
            if (part == KernelPart::bidirectional) found = describe_##name<KernelPart::bidirectional>();               \
        if constexpr (is_built(kId, KernelPart::metropolis))                                                           \
            if (part == KernelPart::metropolis) found = describe_##name<KernelPart::metropolis>();                     \
    }
#include "kernels/kernels.def"
    return found;
}

} // namespace volpt
