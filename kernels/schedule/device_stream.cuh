// The family of kernels that take several launches: paths in global memory, their counters, and the loop of launches.
#pragma once

#include "kernels/schedule/launch.cuh"
#include "kernels/schedule/path_pool.cuh"

namespace volpt {

inline constexpr int kStreamThreads = 256;
/// Blocks that a multiprocessor must have room for. Left to itself, the compiler spills with long steps to stay at 64
/// registers.
template <class M>
inline constexpr int kStreamBlocks = kIsBareTally<M>                      ? 2
                                     : M::kTransport != Transport::escape ? 1
                                     : M::kSurfaces != Surfaces::box      ? 2
                                     : M::kSteps != Steps::plain          ? 3
                                                                          : 1;

/// At the front of a workspace.
struct StreamCounters {
    std::uint32_t live[2];       ///< paths in the pool that is read, and in the one that is written
    std::uint32_t connecting[2]; ///< paths of a second stream there (stream_mk)
};

/// Paths of a full pool.
template <KernelId kernel>
std::uint32_t count_stream_capacity(KnobValues const& knobs)
{
    int device = 0, threads = 0;
    check_cuda(cudaGetDevice(&device), "asking for the device");
    check_cuda(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device),
               "asking for the device");
    return static_cast<std::uint32_t>(count_multiprocessors() * threads * read_knobs<kernel>(knobs).paths_per_lane);
}

/// Enough to fill a pool many times over, so that the time while it runs empty matters little.
template <KernelId kernel>
std::uint32_t count_refilled_paths(KnobValues const& knobs)
{
    constexpr std::uint32_t kPoolFills = 32;
    return std::min(kPoolFills * count_stream_capacity<kernel>(knobs), std::uint32_t{1} << 30);
}

inline std::size_t count_pool_words(SceneView const& scene, std::uint32_t capacity)
{
    auto const count = [&](auto one, auto three) {
        using One = decltype(one);
        using Three = decltype(three);
        return carries_all_bands(scene) ? PathPoolView<Three>::kWords : PathPoolView<One>::kWords;
    };
    bool const is_nested = has_nested_solids(scene);
    int const words = scene.transport == Transport::escape ? count(PathState<1>{}, PathState<3>{})
                      : scene.transport == Transport::emitters
                          ? (is_nested ? count(LitPath<1, RegionState>{}, LitPath<3, RegionState>{})
                                       : count(LitPath<1>{}, LitPath<3>{}))
                      : scene.transport == Transport::tallies ? count(TallyPath<1>{}, TallyPath<3>{})
                      : is_nested ? count(ParticlePath<1, RegionState>{}, ParticlePath<3, RegionState>{})
                                  : count(ParticlePath<1>{}, ParticlePath<3>{});
    return static_cast<std::size_t>(words) * capacity;
}

template <KernelId kernel, int pools>
std::size_t count_stream_bytes(SceneView const& scene, KnobValues const& knobs)
{
    return sizeof(StreamCounters) +
           pools * count_pool_words(scene, count_stream_capacity<kernel>(knobs)) * sizeof(std::uint32_t);
}

/// Pool `number` of a workspace whose full pools hold `full` paths, for at most `capacity` of them.
template <class Path>
PathPoolView<Path> view_pool(KernelJob const& job, std::uint32_t full, std::uint32_t number, std::uint32_t capacity)
{
    auto* const words = reinterpret_cast<std::uint32_t*>(job.workspace + sizeof(StreamCounters));
    return {words + number * count_pool_words(job.params.scene, full), capacity};
}

inline StreamCounters* view_counters(KernelJob const& job)
{
    return reinterpret_cast<StreamCounters*>(job.workspace);
}

inline unsigned count_stream_blocks(std::uint32_t paths)
{
    return (paths - 1) / kStreamThreads + 1;
}

/// Adds the block's live paths to the counter; every thread calls.
__device__ inline void count_live(StreamCounters* counters, bool live)
{
    int const lanes = __syncthreads_count(live);
    if (threadIdx.x == 0 && lanes > 0) atomicAdd(&counters->live[0], static_cast<std::uint32_t>(lanes));
}

/// Writes the number of live paths to mapped host memory, so that nothing waits for a copy.
static __global__ void report_live(StreamCounters const* counters, int which, std::uint32_t volatile* mailbox)
{
    *mailbox = counters->live[which] + counters->connecting[which];
}

/// Launches `step(n)` for n = 0, 1, .. until no path is in pool `which(n)` after it. The host looks only every
/// few steps: a step without live paths does nothing.
template <class Step, class Which>
void run_steps(KernelJob const& job, Step&& step, Which&& which)
{
    constexpr std::uint32_t kStepsBetweenLooks = 16;
    std::uint32_t n = 0;
    do {
        for (std::uint32_t i = 0; i < kStepsBetweenLooks; ++i) step(n++);
        report_live<<<1, 1, 0, job.stream>>>(view_counters(job), which(n - 1), job.mailbox);
        check_launch("report_live");
        check_cuda(cudaStreamSynchronize(job.stream), "running paths");
    } while (*job.mailbox > 0);
}

/// The end of the file of a kernel of several launches: `launch` runs a job, `extend` is the __global__ template whose
/// instances for each medium take nearly all of the time, `pools` pools are in the workspace, and `least_paths` is a
/// function of the knobs.
#define VOLPT_EXPORT_STREAM_KERNEL(name, extend, pools, least_paths)                                                   \
    template <>                                                                                                        \
    KernelFunctions describe_##name<kPart>()                                                                           \
    {                                                                                                                  \
        auto const inspect = [](SceneView const& scene, KnobValues const&) {                                           \
            return with_gpu_medium<KernelId::name>(                                                                    \
                scene, [](auto medium) { return inspect_kernel(extend<decltype(medium)>, {kStreamThreads}); });        \
        };                                                                                                             \
        return {launch, count_stream_bytes<KernelId::name, pools>, inspect, least_paths<KernelId::name>};              \
    }

} // namespace volpt
