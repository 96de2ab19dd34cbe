// A lane's share of the work: consecutive samples of one pixel, whose sums stay in shared memory until the run ends.
//
// Where paths are short, one atomic per path and band would cost as much as the path.
#pragma once

#include "kernels/schedule/path_work.cuh"

namespace volpt {

/// Where the high word of a run's squares begins in the word that it shares with the run's sum.
inline constexpr int kRunSumBits = 40;
static_assert(std::uint64_t{kMostRunSamples} << kSampleLog2 < std::uint64_t{1} << kRunSumBits);

/// Sums of the runs of a block's lanes; a lane touches its own column only. Three words for value and square would take
/// more shared memory from the cache of voxels.
template <int bands, int threads>
struct RunSums {
    DeviceCount low_squares[bands][threads]; ///< the low word of the squares
    DeviceCount sums[bands][threads];        ///< of the values, + 2^kRunSumBits times the high word of the squares
};

/// Takes runs of the launch and starts their samples one after the other.
template <class M, int threads>
class LaneRun {
    static constexpr int bands = M::kBands;

public:
    __device__ LaneRun(LaunchParams const& params, RunSums<bands, threads>& shared) : params_(params), shared_(shared)
    {
        for (int b = 0; b < bands; ++b) clear(b);
    }

    /// False if this lane has found that there are no more samples.
    __device__ bool has_more() const { return left_ > 0u || !exhausted_; }

    /// Whether the last `start` found a sample.
    __device__ bool has_started() const { return !exhausted_; }

    /// Adds the radiance of the path that this lane started last and that has ended to the run's sums.
    __device__ void keep(PathOf<M>& path)
    {
        if constexpr (starts_at_emitters(M::kTransport) || HasMemory<PathOf<M>>) { // it may add to any pixel
            deposit_path<M>(params_, path);
            return;
        }
        if constexpr (has_surroundings(M::kSurfaces))
            if (params_.scene.texture_probe != nullptr)
                keep_probed_light(params_, name_sample(params_, place_, sample_ - 1u), path);
        FixedSample<bands> const sample = round_sample(path, params_.scene.sum_scale);
        for (int b = 0; b < bands; ++b) {
            DeviceCount const value{sample.value[b]};
            DeviceCount const before = shared_.low_squares[b][threadIdx.x], after = before + value * value;
            shared_.low_squares[b][threadIdx.x] = after;
            shared_.sums[b][threadIdx.x] += value + (after < before ? DeviceCount{1} << kRunSumBits : 0);
        }
        if (left_ == 0u) flush();
    }

    /// Starts the next sample; false if there is none. All lanes of a warp that need one call together.
    __device__ bool start(PathOf<M>& path, LaneCounts& counts)
    {
        if (left_ == 0u && !take_run()) return false;
        --left_;
        path = start_path_of<PathOf<M>, M::kSurfaces>(params_.scene, name_sample(params_, place_, sample_++), counts);
        if constexpr (HasMemory<PathOf<M>>)
            path.memory = static_cast<PathMemory<PathOf<M>>*>(params_.path_memory) + blockIdx.x * threads + threadIdx.x;
        return true;
    }

private:
    __device__ bool take_run()
    {
        if (exhausted_) return false;
        std::uint32_t const run = take_number(params_.next);
        exhausted_ = run >= params_.runs;
        if (exhausted_) return false;
        std::uint32_t const places = params_.pixels * params_.bands_apart;
        std::uint32_t const chunk = run / places;
        place_ = run - chunk * places;
        sample_ = chunk * params_.run_samples;
        std::uint32_t const rest = params_.tile.sample_count - sample_;
        left_ = rest < params_.run_samples ? rest : params_.run_samples;
        return true;
    }

    __device__ void flush()
    {
        std::uint32_t const band = params_.bands_apart > 1u ? place_ / params_.pixels : 0u;
        std::uint32_t const slot =
            place_ - band * params_.pixels + find_half_offset<bands>(params_, params_.tile.first_sample + sample_ - 1u);
#pragma unroll 1
        for (int b = 0; b < bands; ++b) { // rare: unrolled, it would take registers from every step
            std::size_t const at =
                std::size_t{bands > 1 ? static_cast<std::uint32_t>(b) : band} * params_.pixels + slot;
            DeviceCount const words = shared_.sums[b][threadIdx.x], low = shared_.low_squares[b][threadIdx.x];
            clear(b);
            DeviceCount const sum = words & ((DeviceCount{1} << kRunSumBits) - 1);
            if (sum == 0) continue;
            atomicAdd(params_.planes.sums + at, sum);
            atomicAdd(params_.planes.low_squares + at, low & ((DeviceCount{1} << kSquareHalfLog2) - 1));
            atomicAdd(params_.planes.high_squares + at,
                      (low >> kSquareHalfLog2) + ((words >> kRunSumBits) << (64 - kSquareHalfLog2)));
            if constexpr (M::kSteps != Steps::plain) {
                std::uint32_t const row = slot % kBankParts * params_.scene.bands;
                atomicAdd(params_.bank_sums + row + (bands > 1 ? static_cast<std::uint32_t>(b) : band), sum);
            }
        }
    }

    __device__ void clear(int b)
    {
        shared_.sums[b][threadIdx.x] = 0;
        shared_.low_squares[b][threadIdx.x] = 0;
    }

    LaunchParams const& params_;
    RunSums<bands, threads>& shared_;
    std::uint32_t place_ = 0;  ///< pixel and band
    std::uint32_t sample_ = 0; ///< the next
    std::uint32_t left_ = 0;
    bool exhausted_ = false; ///< the launch has no more runs
};

} // namespace volpt
