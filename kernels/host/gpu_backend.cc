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
    if (scene.surface.on != 0u && !takes_meshes(options.kernel))
        fail_usage(fmt::format("kernel {} is not compiled for volumes that a mesh bounds", options.kernel),
                   "use --kernel auto");
    if (scene.surface.on != 0u && scene.long_steps.kind == Steps::spheres && !takes_layers(options.kernel))
        fail_usage(
            fmt::format("kernel {} is not compiled for long steps in volumes that a mesh bounds", options.kernel),
            "use --kernel auto, or --long-steps off");
    if (scene.long_steps.kind == Steps::layers && !takes_layers(options.kernel))
        fail_usage(fmt::format("kernel {} is not compiled for --long-steps layers", options.kernel),
                   "use --kernel auto, or --long-steps on");
    bool const is_bidirectional = scene.transport == Transport::bidirectional;
    if (is_bidirectional && !takes_bidirectional_paths(options.kernel))
        fail_usage(fmt::format("kernel {} is not compiled for bidirectional paths", options.kernel),
                   "use --kernel auto");
    bool const has_chains = scene.transport == Transport::metropolis;
    if (has_chains && !takes_chains(options.kernel))
        fail_usage(fmt::format("kernel {} is not compiled for Markov chains", options.kernel), "use --kernel auto");
    if (scene.transport != Transport::escape && !is_bidirectional && !has_chains && !takes_emitters(options.kernel))
        fail_usage(
            fmt::format("kernel {} is not compiled for scenes with emitters or interfaces inside", options.kernel),
            "use --kernel auto");
    KernelFunctions found{};
#define VOLPT_KERNEL(name, ...)                                                                                        \
    if (options.kernel == #name) found = describe_##name<KernelPart::main>();
#define VOLPT_CLEAR_FLIGHTS(name)                                                                                      \
    if (options.kernel == #name && !carries_all_bands(scene) && fits_fluence_medium(scene))                            \
        found = describe_##name<KernelPart::clear_flights>();
#define VOLPT_EMITTERS(name)                                                                                           \
    if (options.kernel == #name && has_nested_solids(scene)) found = describe_##name<KernelPart::nested_solids>();
#define VOLPT_BIDIRECTIONAL(name)                                                                                      \
    if (options.kernel == #name && is_bidirectional) found = describe_##name<KernelPart::bidirectional>();
#define VOLPT_METROPOLIS(name)                                                                                         \
    if (options.kernel == #name && has_chains) found = describe_##name<KernelPart::metropolis>();
#include "kernels/kernels.def"
    return found;
}

} // namespace volpt
