// The family of kernels that take several launches: paths in global memory, their counters, and the loop of launches.
#pragma once

#include "kernels/schedule/launch.cuh"
#include "kernels/schedule/path_memory.cuh"
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
    std::uint32_t unused_memory; ///< entries of a PathMemoryView that no path has
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

/// The parts of a workspace behind its counters: pools for `capacity` paths each, their memory (PathMemoryView).
template <class Path>
struct StreamLayout {
    std::size_t pool_bytes;
    std::size_t memory_at;
    std::size_t size_bytes;

    StreamLayout(std::uint32_t capacity, int pools)
    {
        constexpr std::size_t kAlignment = 256; // of the workspace
        pool_bytes = PathPoolView<Path>::kWords * std::size_t{capacity} * sizeof(std::uint32_t);
        std::size_t const pools_end = sizeof(StreamCounters) + static_cast<std::size_t>(pools) * pool_bytes;
        memory_at = (pools_end + kAlignment - 1) / kAlignment * kAlignment;
        size_bytes = memory_at + PathMemoryView<Path>::kEntryBytes * capacity;
    }
};

/// `part` keeps the functions of a kernel's units apart: with_gpu_medium differs between them.
template <KernelId kernel, int pools, KernelPart part = kPart>
std::size_t count_stream_bytes(SceneView const& scene, KnobValues const& knobs)
{
    std::uint32_t const capacity = count_stream_capacity<kernel>(knobs);
    return with_gpu_medium<kernel>(
        scene, [&](auto medium) { return StreamLayout<PathOf<decltype(medium)>>(capacity, pools).size_bytes; });
}

/// Pool `number` of a workspace whose full pools hold `full` paths, for at most `capacity` of them.
template <class Path>
PathPoolView<Path> view_pool(KernelJob const& job, std::uint32_t full, std::uint32_t number, std::uint32_t capacity)
{
    std::byte* const pools = job.workspace + sizeof(StreamCounters);
    return {reinterpret_cast<std::uint32_t*>(pools + number * StreamLayout<Path>(full, 1).pool_bytes), capacity};
}

/// The memory of the paths in a workspace with `pools` pools.
template <class Path>
PathMemoryView<Path> view_path_memory(KernelJob const& job, std::uint32_t full, int pools)
{
    if constexpr (HasMemory<Path>) {
        auto* const entries =
            reinterpret_cast<PathMemory<Path>*>(job.workspace + StreamLayout<Path>(full, pools).memory_at);
        return {entries, reinterpret_cast<std::uint32_t*>(entries + full)};
    } else {
        return {};
    }
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
