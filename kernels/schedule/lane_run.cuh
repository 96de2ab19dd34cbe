// A lane's share of the work: consecutive samples of one pixel, whose sums stay in shared memory until the run ends.
//
// Where paths are short, one atomic per path and band would cost as much as the path.
#pragma once

#include "kernels/schedule/path_work.cuh"

namespace volpt {

/// Sums of the runs of a block's lanes; a lane touches its own column only.
template <int bands, int threads>
struct RunSums {
    DeviceCount sums[bands][threads];
    DeviceCount squares[bands][threads];
};

/// Takes runs of the launch and starts their samples one after the other.
template <int bands, int threads, Steps steps>
class LaneRun {
public:
    __device__ LaneRun(LaunchParams const& params, RunSums<bands, threads>& shared) : params_(params), shared_(shared)
    {
        for (int b = 0; b < bands; ++b) clear(b);
    }

    /// False if this lane knows that `start` would find no sample.
    __device__ bool has_more() const { return left_ > 0u || !exhausted_; }

    /// Adds the radiance of the path that this lane started last and that has ended to the run's sums.
    __device__ void keep(PathState<bands> const& path)
    {
        for (int b = 0; b < bands; ++b) {
            float const value = path.throughput[b];
            shared_.sums[b][threadIdx.x] += to_fixed_point(value, params_.scene.sum_scale);
            shared_.squares[b][threadIdx.x] += to_fixed_point(value * value, params_.scene.square_scale);
        }
        if (left_ == 0u) flush();
    }

    /// Starts the next sample; false if there is none. All lanes of a warp that need one call together.
    __device__ bool start(PathState<bands>& path)
    {
        if (left_ == 0u && !take_run()) return false;
        --left_;
        path = start_path<bands>(params_.scene, name_sample(params_, place_, sample_++));
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
        std::uint32_t const slot = place_ - band * params_.pixels;
        for (int b = 0; b < bands; ++b) {
            std::size_t const at =
                std::size_t{bands > 1 ? static_cast<std::uint32_t>(b) : band} * params_.pixels + slot;
            DeviceCount const sum = shared_.sums[b][threadIdx.x];
            if (sum != 0) atomicAdd(params_.sums + at, sum);
            if constexpr (steps == Steps::spheres) {
                std::uint32_t const row = slot % kBankParts * params_.scene.bands;
                if (sum != 0)
                    atomicAdd(params_.bank_sums + row + (bands > 1 ? static_cast<std::uint32_t>(b) : band), sum);
            }
            DeviceCount const square = shared_.squares[b][threadIdx.x];
            if (square != 0) atomicAdd(params_.squares + at, square);
            clear(b);
        }
    }

    __device__ void clear(int b)
    {
        shared_.sums[b][threadIdx.x] = 0;
        shared_.squares[b][threadIdx.x] = 0;
    }

    LaunchParams const& params_;
    RunSums<bands, threads>& shared_;
    std::uint32_t place_ = 0;  ///< pixel and band
    std::uint32_t sample_ = 0; ///< the next
    std::uint32_t left_ = 0;
    bool exhausted_ = false; ///< the launch has no more runs
};

} // namespace volpt
