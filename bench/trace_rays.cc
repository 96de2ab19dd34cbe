#include "bench/trace_rays.h"

namespace volpt::bench {

#define VOLPT_DECLARE_RAYS(isa)                                                                                        \
    TracePaths trace_paths_##isa;                                                                                      \
    FindHits find_hits_##isa;
VOLPT_DECLARE_RAYS(scalar)
VOLPT_DECLARE_RAYS(v3)
VOLPT_DECLARE_RAYS(v4)
#undef VOLPT_DECLARE_RAYS

RayTracer choose_ray_tracer()
{
#if VOLPT_RAYS_v4
    if (__builtin_cpu_supports("x86-64-v4")) return {"x86-64-v4", trace_paths_v4, find_hits_v4};
#endif
#if VOLPT_RAYS_v3
    if (__builtin_cpu_supports("x86-64-v3")) return {"x86-64-v3", trace_paths_v3, find_hits_v3};
#endif
    return {"scalar", trace_paths_scalar, find_hits_scalar};
}

} // namespace volpt::bench
