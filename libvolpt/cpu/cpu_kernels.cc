// The copies of the lane loops that this processor can run.
#include "libvolpt/cpu/cpu_backend.h"

#if VOLPT_LANES_sve
#include <sys/auxv.h>
#endif

namespace volpt {

using RenderFunction = bool(SceneView const&, RenderTile const&, TileSumsView, PathCounts&, StopPoll);
using OutcomesFunction = void(SceneView const&, Outcome*, std::uint32_t, std::uint32_t, std::int32_t, std::uint32_t,
                              std::uint32_t);
#if VOLPT_LANES_scalar
RenderFunction render_scalar_1_plain, render_scalar_3_plain, render_scalar_1_spheres, render_scalar_3_spheres;
OutcomesFunction make_outcomes_scalar;
#endif
#if VOLPT_LANES_v3
RenderFunction render_v3_1_plain, render_v3_3_plain, render_v3_1_spheres, render_v3_3_spheres;
OutcomesFunction make_outcomes_v3;
#endif
#if VOLPT_LANES_v4
RenderFunction render_v4_1_plain, render_v4_3_plain, render_v4_1_spheres, render_v4_3_spheres;
OutcomesFunction make_outcomes_v4;
#endif
#if VOLPT_LANES_neon
RenderFunction render_neon_1_plain, render_neon_3_plain, render_neon_1_spheres, render_neon_3_spheres;
#endif
#if VOLPT_LANES_sve
RenderFunction render_sve_1_plain, render_sve_3_plain, render_sve_1_spheres, render_sve_3_spheres;
#endif

namespace {

/// One path width each, without and with long steps.
template <RenderFunction* one_band, RenderFunction* three_bands, RenderFunction* one_stepping,
          RenderFunction* three_stepping>
bool render(SceneView const& scene, RenderTile const& tile, TileSumsView sums, PathCounts& counts, StopPoll poll)
{
    bool const steps = scene.long_steps.on != 0u;
    RenderFunction* const one = steps ? one_stepping : one_band;
    RenderFunction* const three = steps ? three_stepping : three_bands;
    return (carries_all_bands(scene) ? three : one)(scene, tile, sums, counts, poll);
}

} // namespace

std::vector<CpuKernel> list_cpu_kernels()
{
    std::vector<CpuKernel> kernels;
#if VOLPT_LANES_v4
    if (__builtin_cpu_supports("x86-64-v4"))
        kernels.push_back({"x86-64-v4", "AVX-512, 16 lanes per vector",
                           render<render_v4_1_plain, render_v4_3_plain, render_v4_1_spheres, render_v4_3_spheres>,
                           make_outcomes_v4});
#endif
#if VOLPT_LANES_v3
    if (__builtin_cpu_supports("x86-64-v3"))
        kernels.push_back({"x86-64-v3", "AVX2, 8 lanes per vector",
                           render<render_v3_1_plain, render_v3_3_plain, render_v3_1_spheres, render_v3_3_spheres>,
                           make_outcomes_v3});
#endif
#if VOLPT_LANES_sve
    if ((getauxval(AT_HWCAP) & HWCAP_SVE) != 0)
        kernels.push_back({"sve", "SVE, as many lanes per vector as the processor has",
                           render<render_sve_1_plain, render_sve_3_plain, render_sve_1_spheres, render_sve_3_spheres>});
#endif
#if VOLPT_LANES_neon
    kernels.push_back({"neon", "NEON, 4 lanes per vector",
                       render<render_neon_1_plain, render_neon_3_plain, render_neon_1_spheres, render_neon_3_spheres>});
#endif
#if VOLPT_LANES_scalar
    kernels.push_back(
        {"scalar", "any processor",
         render<render_scalar_1_plain, render_scalar_3_plain, render_scalar_1_spheres, render_scalar_3_spheres>,
         make_outcomes_scalar});
#endif
    return kernels;
}

} // namespace volpt
