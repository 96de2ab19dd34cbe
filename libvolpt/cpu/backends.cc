// Which compiled copies of the lane loops this processor can run.
#include "libvolpt/cpu/render_block.h"

namespace volpt {

using RenderFunction = bool(SceneView const&, RenderTile const&, TileSumsView, PathCounts&, StopPoll);
RenderFunction render_scalar_1_plain, render_scalar_3_plain, render_scalar_1_spheres, render_scalar_3_spheres;
#if VOLPT_X86_LANES
RenderFunction render_v3_1_plain, render_v3_3_plain, render_v3_1_spheres, render_v3_3_spheres;
RenderFunction render_v4_1_plain, render_v4_3_plain, render_v4_1_spheres, render_v4_3_spheres;
#endif

bool carries_all_bands(SceneView const& scene)
{
    return scene.path_bands == 3;
}

namespace {

/// One path width each, without and with long steps.
template <RenderFunction* one_band, RenderFunction* three_bands, RenderFunction* one_stepping,
          RenderFunction* three_stepping>
bool render(SceneView const& scene, RenderTile const& block, TileSumsView sums, PathCounts& counts, StopPoll poll)
{
    bool const steps = scene.long_steps.on != 0u;
    RenderFunction* const one = steps ? one_stepping : one_band;
    RenderFunction* const three = steps ? three_stepping : three_bands;
    return (carries_all_bands(scene) ? three : one)(scene, block, sums, counts, poll);
}

} // namespace

std::vector<CpuBackend> list_cpu_backends()
{
    std::vector<CpuBackend> backends;
#if VOLPT_X86_LANES
    if (__builtin_cpu_supports("x86-64-v4"))
        backends.push_back({"x86-64-v4", "AVX-512, 16 lanes a vector",
                            render<render_v4_1_plain, render_v4_3_plain, render_v4_1_spheres, render_v4_3_spheres>});
    if (__builtin_cpu_supports("x86-64-v3"))
        backends.push_back({"x86-64-v3", "AVX2, 8 lanes a vector",
                            render<render_v3_1_plain, render_v3_3_plain, render_v3_1_spheres, render_v3_3_spheres>});
#endif
    backends.push_back(
        {"scalar", "any processor",
         render<render_scalar_1_plain, render_scalar_3_plain, render_scalar_1_spheres, render_scalar_3_spheres>});
    return backends;
}

} // namespace volpt
