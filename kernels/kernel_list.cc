#include "kernels/gpu_backend.h"
#include "kernels/kernel_knobs.h"

#include <algorithm>

namespace volpt {
namespace {

KnobInfo make_choice(std::string_view name, std::string_view help, int standard, std::vector<int> values)
{
    auto const [least, most] = std::minmax_element(values.begin(), values.end());
    return {name, help, standard, *least, *most, values};
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

bool takes_layers(std::string_view kernel)
{
#define VOLPT_KERNEL(name, ...)                                                                                        \
    if (kernel == #name) return is_tuning_candidate(KernelId::name);
#include "kernels/kernels.def"
    return false;
}

bool takes_meshes(std::string_view kernel)
{
#define VOLPT_MESHES(name)                                                                                             \
    if (kernel == #name) return true;
#include "kernels/kernels.def"
    return false;
}

bool takes_emitters(std::string_view kernel)
{
#define VOLPT_EMITTERS(name)                                                                                           \
    if (kernel == #name) return true;
#include "kernels/kernels.def"
    return false;
}

bool takes_bidirectional_paths(std::string_view kernel)
{
#define VOLPT_BIDIRECTIONAL(name)                                                                                      \
    if (kernel == #name) return true;
#include "kernels/kernels.def"
    return false;
}

bool takes_chains(std::string_view kernel)
{
#define VOLPT_METROPOLIS(name)                                                                                         \
    if (kernel == #name) return true;
#include "kernels/kernels.def"
    return false;
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
