// Which compiled copies of the lane loops this processor can run.
#include "libvolpt/cpu/render_block.h"

namespace volpt {

using RenderFunction = bool(SceneView const&, RenderBlock const&, BlockSumsView, PathCounts&, StopPoll);
RenderFunction render_scalar_1, render_scalar_3;
#if VOLPT_X86_LANES
RenderFunction render_v3_1, render_v3_3, render_v4_1, render_v4_3;
#endif

bool carries_all_bands(SceneView const& scene) { return scene.path_bands == 3; }

namespace {

template <RenderFunction* one_band, RenderFunction* three_bands>
bool render(SceneView const& scene, RenderBlock const& block, BlockSumsView sums, PathCounts& counts, StopPoll poll)
{
    return (carries_all_bands(scene) ? three_bands : one_band)(scene, block, sums, counts, poll);
}

} // namespace

std::vector<CpuBackend> list_cpu_backends()
{
    std::vector<CpuBackend> backends;
#if VOLPT_X86_LANES
    if (__builtin_cpu_supports("x86-64-v4"))
        backends.push_back({"x86-64-v4", "AVX-512, 16 lanes a vector", render<render_v4_1, render_v4_3>});
    if (__builtin_cpu_supports("x86-64-v3"))
        backends.push_back({"x86-64-v3", "AVX2, 8 lanes a vector", render<render_v3_1, render_v3_3>});
#endif
    backends.push_back({"scalar", "any processor", render<render_scalar_1, render_scalar_3>});
    return backends;
}

} // namespace volpt
