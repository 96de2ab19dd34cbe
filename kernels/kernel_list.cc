#include "kernels/gpu_backend.h"
#include "kernels/kernel_knobs.h"

#include <algorithm>
#include <optional>

namespace volpt {
namespace {

KnobInfo make_choice(std::string_view name, std::string_view help, int standard, std::vector<int> values)
{
    auto const [least, most] = std::minmax_element(values.begin(), values.end());
    return {name, help, standard, *least, *most, values};
}

std::optional<KernelId> find_id(std::string_view kernel)
{
#define VOLPT_KERNEL(name, ...)                                                                                        \
    if (kernel == #name) return KernelId::name;
#include "kernels/kernels.def"
    return std::nullopt;
}

bool is_built(std::string_view kernel, KernelPart part)
{
    auto const id = find_id(kernel);
    return id && is_built(*id, part);
}

} // namespace

std::span<KernelInfo const> list_gpu_kernels()
{
    static std::vector<KernelInfo> const kernels{
#define VOLPT_KNOB(knob, standard, least, most, help) KnobInfo{#knob, help, standard, least, most},
#define VOLPT_CHOICE(knob, standard, help, ...) make_choice(#knob, help, standard, {__VA_ARGS__}),
#define VOLPT_SWITCH(knob, standard, help) KnobInfo{#knob, help, standard, 0, 1, {}, KnobInfo::Kind::on_off},
#define VOLPT_KERNEL(name, description, knobs) {#name, description, {knobs}},
#include "kernels/kernels.def"
    };
    return kernels;
}

bool is_built(std::string_view kernel)
{
    auto const parts = {KernelPart::main,          KernelPart::emitters,      KernelPart::nested_solids,
                        KernelPart::clear_flights, KernelPart::bidirectional, KernelPart::metropolis};
    return std::any_of(parts.begin(), parts.end(), [&](KernelPart part) { return is_built(kernel, part); });
}

bool takes_voxels(std::string_view kernel)
{
    return is_built(kernel, KernelPart::main);
}

bool takes_layers(std::string_view kernel)
{
    auto const id = find_id(kernel);
    return id && is_built(*id, KernelPart::main) && is_tuning_candidate(*id);
}

bool takes_meshes(std::string_view kernel)
{
    auto const id = find_id(kernel);
    return id && is_built(*id, KernelPart::main) && takes_meshes(*id);
}

bool takes_emitters(std::string_view kernel)
{
    return is_built(kernel, KernelPart::emitters);
}

bool takes_bidirectional_paths(std::string_view kernel)
{
    return is_built(kernel, KernelPart::bidirectional);
}

bool takes_chains(std::string_view kernel)
{
    return is_built(kernel, KernelPart::metropolis);
}

std::vector<RendererOptions> list_gpu_candidates(SceneView const& scene)
{
    if (scene.transport == Transport::bidirectional) {
        return {
#define VOLPT_BIDIRECTIONAL_CANDIDATE(name, ...) {#name, {__VA_ARGS__}},
#include "kernels/kernels.def"
        };
    }
    if (scene.transport == Transport::metropolis) {
        return {
#define VOLPT_METROPOLIS(name) {#name, {}},
#include "kernels/kernels.def"
        };
    }
    bool const is_nested = scene.solids.around != nullptr;
    std::vector<RendererOptions> candidates;
    if (scene.transport == Transport::emitters || is_nested) {
#define VOLPT_EMITTERS_CANDIDATE(name, ...) candidates.push_back({#name, {__VA_ARGS__}});
#include "kernels/kernels.def"
    }
#define VOLPT_CANDIDATE(name, ...) candidates.push_back({#name, {__VA_ARGS__}});
#include "kernels/kernels.def"
    std::erase_if(candidates, [&](RendererOptions const& options) {
        return (scene.transport != Transport::escape || is_nested) && !takes_emitters(options.kernel);
    });
    return candidates;
}

} // namespace volpt
