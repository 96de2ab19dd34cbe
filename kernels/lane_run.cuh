// A lane's share of the work: some samples of one pixel in a row, whose sums stay in shared memory until the run ends.
//
// Where paths are short, one atomic a path and band would cost as much as the path.
#pragma once

#include "kernels/path_work.cuh"

namespace volpt {

/// Sums of the runs of a block's lanes; a lane touches its own column only.
template <int bands, int threads>
struct RunSums {
    DeviceCount sums[bands][threads];
    DeviceCount squares[bands][threads];
};

/// Takes runs off the batch and starts their samples one after the other.
template <int bands, int threads, Steps steps>
class LaneRun {
public:
    __device__ LaneRun(Batch const& batch, RunSums<bands, threads>& shared) : batch_(batch), shared_(shared)
    {
        for (int b = 0; b < bands; ++b) clear(b);
    }

    /// True if `start` would find a sample as far as this lane knows.
    __device__ bool has_more() const { return left_ > 0u || !drained_; }

    /// Keeps the radiance of the path that this lane's last `start` began and that has ended.
    __device__ void keep(PathState<bands> const& path)
    {
        for (int b = 0; b < bands; ++b) {
            float const value = path.throughput[b];
            shared_.sums[b][threadIdx.x] += to_fixed_point(value, batch_.scene.sum_scale);
            shared_.squares[b][threadIdx.x] += to_fixed_point(value * value, batch_.scene.square_scale);
        }
        if (left_ == 0u) flush();
    }

    /// Starts the next sample; false if there is none. The lanes of a warp that want one call together.
    __device__ bool start(PathState<bands>& path)
    {
        if (left_ == 0u && !take_run()) return false;
        --left_;
        path = start_path<bands>(batch_.scene, name_sample(batch_, place_, sample_++));
        return true;
    }

private:
    __device__ bool take_run()
    {
        if (drained_) return false;
        std::uint32_t const run = take_number(batch_.next);
        drained_ = run >= batch_.runs;
        if (drained_) return false;
        std::uint32_t const places = batch_.pixels * batch_.bands_apart;
        std::uint32_t const chunk = run / places;
        place_ = run - chunk * places;
        sample_ = chunk * batch_.run_samples;
        std::uint32_t const rest = batch_.block.sample_count - sample_;
        left_ = rest < batch_.run_samples ? rest : batch_.run_samples;
        return true;
    }

    __device__ void flush()
    {
        std::uint32_t const band = batch_.bands_apart > 1u ? place_ / batch_.pixels : 0u;
        std::uint32_t const slot = place_ - band * batch_.pixels;
        for (int b = 0; b < bands; ++b) {
            std::size_t const at = std::size_t{bands > 1 ? static_cast<std::uint32_t>(b) : band} * batch_.pixels + slot;
            DeviceCount const sum = shared_.sums[b][threadIdx.x];
            if (sum != 0) atomicAdd(batch_.sums + at, sum);
            if constexpr (steps == Steps::spheres) {
                std::uint32_t const row = slot % kBankParts * batch_.scene.bands;
                if (sum != 0) atomicAdd(batch_.bank_sums + row + (bands > 1 ? static_cast<std::uint32_t>(b) : band), sum);
            }
            DeviceCount const square = shared_.squares[b][threadIdx.x];
            if (square != 0) atomicAdd(batch_.squares + at, square);
            clear(b);
        }
    }

    __device__ void clear(int b)
    {
        shared_.sums[b][threadIdx.x] = 0;
        shared_.squares[b][threadIdx.x] = 0;
    }

    Batch const& batch_;
    RunSums<bands, threads>& shared_;
    std::uint32_t place_ = 0;  ///< pixel and band
    std::uint32_t sample_ = 0; ///< the next
    std::uint32_t left_ = 0;
    bool drained_ = false; ///< the batch has no more runs
};

} // namespace volpt
