// Rays on one thread of the CPU, compiled once per instruction set of the CPU backend.
#pragma once

#include "bench/ray_work.hd.h"

#include <span>

namespace volpt::bench {

struct PathSums {
    std::uint64_t checksum = 0;
    std::uint64_t rays = 0;
};

/// Paths [first, end), each a primary ray and what `bounce` says.
using TracePaths = PathSums(RayScene const& scene, Bounce bounce, std::uint32_t first, std::uint32_t end);

/// The nearest triangles from t_min_mm on, from whichever side; as many hits as rays.
using FindHits = void(BvhView const& bvh, std::span<WorldRay const> rays, float t_min_mm, SurfaceHit* hits);

struct RayTracer {
    char const* isa;
    TracePaths* trace_paths;
    FindHits* find_hits;
};

/// The best that this processor can run.
RayTracer choose_ray_tracer();

} // namespace volpt::bench
