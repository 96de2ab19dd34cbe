// A lane's share of the work where paths are the states of Markov chains: chain after chain of the launch's passes.
//
// What the chains of a pass add to a pixel is one sample of it, whose square is known at the end of the pass only: the
// launch adds it up in a plane for each pass, and fold_passes then adds the planes to the film's sums.
#pragma once

#include "kernels/schedule/path_work.cuh"
#include "kernels/schedule/persistent.cuh"
#include "libvolpt/core/metropolis/run_chain.hd.h"

#include <algorithm>

namespace volpt {

/// begin_evaluation by a call: it holds the starts of both subpaths.
template <class M>
__device__ __noinline__ bool call_begin_evaluation(SceneView const& scene, PathOf<M>& path)
{
    return begin_evaluation(M{}, scene, path);
}

/// Takes chains of the launch and starts their paths one after the other.
template <class M, int threads>
class ChainRun {
public:
    __device__ explicit ChainRun(LaunchParams const& params) : params_(params) {}

    /// Counts the ended path that this lane started last.
    __device__ void keep(PathOf<M>& path)
    {
        end_evaluation(params_.scene, path);
        deposit(path);
        if (take_splat(path)) deposit(path);
    }

    /// Starts the chain's next path, or that of the next chain; false if there is none.
    __device__ bool start(PathOf<M>& path, LaneCounts& counts)
    {
        while (true) {
            if (has_chain_ && call_begin_evaluation<M>(params_.scene, path)) return true;
            has_chain_ = take_chain(path, counts);
            if (!has_chain_) return false;
        }
    }

private:
    __device__ bool take_chain(PathOf<M>& path, LaneCounts& counts)
    {
        std::uint32_t const run = take_number(params_.next);
        if (run >= params_.runs) return false;
        std::uint32_t const chains = params_.scene.metropolis.chains;
        std::uint32_t const of_pass = chains * params_.bands_apart;
        pass_ = run / of_pass;
        std::uint32_t const rest = run - pass_ * of_pass;
        std::uint32_t const band = rest / chains, number = rest - band * chains;
        std::uint32_t const row = number / params_.scene.width;
        PathId const id{number - row * params_.scene.width, row, params_.tile.first_sample + pass_, band, 0u};
        path = start_path_of<PathOf<M>, M::kSurfaces>(params_.scene, id, counts);
        path.memory = static_cast<PathMemory<PathOf<M>>*>(params_.path_memory) + blockIdx.x * threads + threadIdx.x;
        return true;
    }

    __device__ void deposit(PathOf<M> const& path) const
    {
        if (path.slot == kNoSlot) return;
        std::uint32_t const pixels = params_.scene.width * params_.scene.height;
        FixedDeposit<M::kBands> const values = round_deposit(path, params_.scene.sum_scale);
        for (int b = 0; b < M::kBands; ++b) {
            std::uint32_t const band = M::kBands > 1 ? static_cast<std::uint32_t>(b) : path.band;
            if (values.value[b] > 0u)
                atomicAdd(params_.pass_sums + (std::size_t{pass_} * params_.scene.bands + band) * pixels + path.slot,
                          DeviceCount{values.value[b]});
        }
    }

    LaunchParams const& params_;
    std::uint32_t pass_ = 0;
    bool has_chain_ = false;
};

/// Adds each of `passes` planes of `size` sums to the film's sums and squares.
static __global__ void fold_passes(DeviceCount const* pass_sums, std::uint32_t passes, std::size_t size,
                                   TilePlanesOf<DeviceCount> film)
{
    std::size_t const i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= size) return;
    DeviceCount total = 0, low = 0, high = 0;
    for (std::uint32_t pass = 0; pass < passes; ++pass) {
        DeviceCount const sum = bound_to_pass(pass_sums[pass * size + i]);
        FixedSumSquare const square = square_of_sum(sum);
        total += sum;
        low += square.low;
        high += square.high;
    }
    if (total == 0) return;
    atomicAdd(film.sums + i, total); // another launch may end now
    atomicAdd(film.low_squares + i, low);
    atomicAdd(film.high_squares + i, high);
}

/// Adds up plane blockIdx.y of `pixels` sums, of one pass and band: the lower halves of its numbers to
/// totals[kPassWords y], the upper ones to the word behind it.
static __global__ void total_passes(DeviceCount const* pass_sums, std::size_t pixels, DeviceCount* totals)
{
    DeviceCount low = 0, high = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) {
        DeviceCount const sum = bound_to_pass(pass_sums[blockIdx.y * pixels + i]);
        low += static_cast<std::uint32_t>(sum);
        high += sum >> 32;
    }
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        low += __shfl_down_sync(0xffffffffu, low, lanes);
        high += __shfl_down_sync(0xffffffffu, high, lanes);
    }
    if (threadIdx.x % 32 != 0) return;
    atomicAdd(totals + kPassWords * blockIdx.y, low);
    atomicAdd(totals + kPassWords * blockIdx.y + 1, high);
}

inline std::size_t count_pass_sums(SceneView const& scene)
{
    return std::size_t{scene.width} * scene.height * scene.bands;
}

/// The planes of a launch's passes lie behind the memory of its lanes.
inline std::size_t align_pass_sums(std::size_t lane_bytes)
{
    constexpr std::size_t kAlignment = 256;
    return (lane_bytes + kAlignment - 1) / kAlignment * kAlignment;
}

template <class K, int threads>
std::size_t count_chain_bytes(SceneView const& scene, KnobValues const& knobs)
{
    return align_pass_sums(count_lane_memory<K, threads>(scene, knobs)) +
           std::size_t{count_most_passes(scene)} * count_pass_sums(scene) * sizeof(DeviceCount);
}

template <class K, int threads>
void launch_chains(KernelJob const& job)
{
    constexpr unsigned kFoldThreads = 256;
    SceneView const& scene = job.params.scene;
    std::uint32_t const passes = job.params.tile.sample_count;
    std::size_t const size = count_pass_sums(scene);
    std::size_t const lane_bytes = count_lane_memory<K, threads>(scene, job.knobs);
    KernelJob chains = job;
    chains.params.runs = scene.metropolis.chains * job.params.bands_apart * passes;
    chains.params.pass_sums = reinterpret_cast<DeviceCount*>(job.workspace + align_pass_sums(lane_bytes));
    check_cuda(cudaMemsetAsync(chains.params.pass_sums, 0, passes * size * sizeof(DeviceCount), job.stream),
               "clearing memory");
    launch_persistent<K, Grid::resident, threads>(chains);
    auto const blocks = static_cast<unsigned>((size + kFoldThreads - 1) / kFoldThreads);
    fold_passes<<<blocks, kFoldThreads, 0, job.stream>>>(chains.params.pass_sums, passes, size, job.params.planes);
    check_launch("fold_passes");
    constexpr std::size_t kPixelsPerThread = 16, kMostBlocks = 256;
    std::size_t const pixels = size / scene.bands;
    auto const columns =
        std::clamp<std::size_t>(pixels / (kFoldThreads * kPixelsPerThread), std::size_t{1}, kMostBlocks);
    total_passes<<<dim3(static_cast<unsigned>(columns), passes * scene.bands), kFoldThreads, 0, job.stream>>>(
        chains.params.pass_sums, pixels, job.params.bank_sums);
    check_launch("total_passes");
}

template <class K>
KernelFunctions describe_chains()
{
    return {launch_chains<K, kBlockThreads>, count_chain_bytes<K, kBlockThreads>, inspect_persistent<K, kBlockThreads>,
            need_few_paths};
}

} // namespace volpt
