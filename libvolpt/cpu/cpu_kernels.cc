// The copies of the lane loops that this processor can run.
#include "libvolpt/cpu/cpu_backend.h"

#if VOLPT_LANES_sve
#include <sys/auxv.h>
#endif

namespace volpt {

using RenderFunction = bool(SceneView const&, RenderTile const&, TileSumsView, PathCounts&, StopPoll);
using OutcomesFunction = void(SceneView const&, Outcome*, std::uint32_t, std::uint32_t, std::int32_t, std::uint32_t,
                              std::uint32_t);
#define VOLPT_DECLARE_LANES(isa)                                                                                       \
    RenderFunction render_##isa##_1_plain, render_##isa##_3_plain, render_##isa##_1_spheres, render_##isa##_3_spheres, \
        render_##isa##_1_layers, render_##isa##_3_layers, render_##isa##_1_mesh_plain, render_##isa##_3_mesh_plain,    \
        render_##isa##_1_mesh_spheres, render_##isa##_3_mesh_spheres, render_##isa##_1_emitters,                       \
        render_##isa##_3_emitters, render_##isa##_bidirectional, render_##isa##_metropolis;                            \
    OutcomesFunction make_outcomes_##isa;
VOLPT_DECLARE_LANES(scalar)
VOLPT_DECLARE_LANES(v3)
VOLPT_DECLARE_LANES(v4)
VOLPT_DECLARE_LANES(neon)
VOLPT_DECLARE_LANES(sve)
#undef VOLPT_DECLARE_LANES

namespace {

/// `functions`: for each value of Steps, for solids that triangles bound without and with steps through spheres, and
/// for scenes with emitters, one for one band on a path and one for three. The first two have any number of bands.
template <RenderFunction* bidirectional, RenderFunction* metropolis, RenderFunction*... functions>
bool render(SceneView const& scene, RenderTile const& tile, TileSumsView sums, PathCounts& counts, StopPoll poll)
{
    if (scene.transport == Transport::bidirectional) return bidirectional(scene, tile, sums, counts, poll);
    if (scene.transport == Transport::metropolis) return metropolis(scene, tile, sums, counts, poll);
    constexpr RenderFunction* kFunctions[] = {functions...};
    constexpr std::uint32_t kMesh = 3, kEmitters = 5;
    std::uint32_t const steps = static_cast<std::uint32_t>(scene.long_steps.kind);
    std::uint32_t const kind = scene.transport != Transport::escape ? kEmitters
                               : scene.surface.on != 0u             ? kMesh + steps
                                                                    : steps;
    return kFunctions[2u * kind + (carries_all_bands(scene) ? 1u : 0u)](scene, tile, sums, counts, poll);
}

/// The functions of an instruction set in a CpuKernel; `emitters` is the one that runs scenes with emitters for it
/// (CMakeLists.txt).
#define VOLPT_LANE_FUNCTIONS_WITH(isa, emitters)                                                                       \
    render<render_##emitters##_bidirectional, render_##emitters##_metropolis, render_##isa##_1_plain,                  \
           render_##isa##_3_plain, render_##isa##_1_spheres, render_##isa##_3_spheres, render_##isa##_1_layers,        \
           render_##isa##_3_layers, render_##isa##_1_mesh_plain, render_##isa##_3_mesh_plain,                          \
           render_##isa##_1_mesh_spheres, render_##isa##_3_mesh_spheres, render_##emitters##_1_emitters,               \
           render_##emitters##_3_emitters>,                                                                            \
        make_outcomes_##isa
#define VOLPT_EXPAND_LANE_FUNCTIONS(isa, emitters) VOLPT_LANE_FUNCTIONS_WITH(isa, emitters)
#define VOLPT_LANE_FUNCTIONS(isa) VOLPT_EXPAND_LANE_FUNCTIONS(isa, VOLPT_EMITTERS_OF_##isa)

} // namespace

std::vector<CpuKernel> list_cpu_kernels()
{
    std::vector<CpuKernel> kernels;
#if VOLPT_LANES_v4
    if (__builtin_cpu_supports("x86-64-v4"))
        kernels.push_back({"x86-64-v4", "AVX-512, 16 lanes per vector", VOLPT_LANE_FUNCTIONS(v4)});
#endif
#if VOLPT_LANES_v3
    if (__builtin_cpu_supports("x86-64-v3"))
        kernels.push_back({"x86-64-v3", "AVX2, 8 lanes per vector", VOLPT_LANE_FUNCTIONS(v3)});
#endif
#if VOLPT_LANES_sve
    if ((getauxval(AT_HWCAP) & HWCAP_SVE) != 0)
        kernels.push_back({"sve", "SVE, as many lanes per vector as the processor has", VOLPT_LANE_FUNCTIONS(sve)});
#endif
#if VOLPT_LANES_neon
    kernels.push_back({"neon", "NEON, 4 lanes per vector", VOLPT_LANE_FUNCTIONS(neon)});
#endif
#if VOLPT_LANES_scalar
    kernels.push_back({"scalar", "any processor", VOLPT_LANE_FUNCTIONS(scalar)});
#endif
    return kernels;
}

} // namespace volpt
