// One launch per level; each thread walks one outcome.
#include "kernels/host/device_banks.h"

#include "kernels/schedule/launch.cuh"
#include "libvolpt/core/make_outcome.hd.h"

namespace volpt {
namespace {

constexpr unsigned kBankThreads = 128;

/// Outcomes of `level` in all banks from `first_bank` on: [bank][g][level][number].
__global__ void __launch_bounds__(kBankThreads)
    make_level(SceneView const __grid_constant__ scene, Outcome* banks, std::uint32_t first_bank, std::int32_t level)
{
    LongStepsView const& steps = scene.long_steps;
    std::uint32_t const index = blockIdx.x * kBankThreads + threadIdx.x;
    std::uint32_t const number = index & ((1u << steps.bank.log2_size) - 1u);
    std::uint32_t const row = index >> steps.bank.log2_size; // of [bank][g]
    if (row >= kBanksAtOnce * steps.g_count) return;
    std::size_t const row_size = static_cast<std::size_t>(steps.bank.levels) << steps.bank.log2_size;
    Outcome* const bank = banks + row * row_size;
    bank[(static_cast<std::size_t>(level) << steps.bank.log2_size) + number] =
        make_bank_outcome(scene, bank, first_bank + row / steps.g_count, row % steps.g_count, level, number);
}

} // namespace

std::size_t count_bank_bytes(SceneView const& scene)
{
    return scene.long_steps.on == 0u ? 0
                                     : std::size_t{kBanksAtOnce} * count_outcomes(scene.long_steps) * sizeof(Outcome);
}

DeviceBanks::DeviceBanks(SceneView const& scene)
    : scene_(scene), bank_size_(count_outcomes(scene.long_steps)), outcomes_(kBanksAtOnce * bank_size_)
{
}

void DeviceBanks::make(std::uint32_t number, cudaStream_t stream)
{
    group_ = number / kBanksAtOnce;
    made_ = true;
    LongStepsView const& steps = scene_.long_steps;
    std::uint32_t const outcomes_per_level = kBanksAtOnce * steps.g_count << steps.bank.log2_size;
    Times& times = times_.emplace_back();
    times.start.record(stream);
    for (std::int32_t level = 0; level < steps.bank.levels; ++level)
        make_level<<<(outcomes_per_level - 1) / kBankThreads + 1, kBankThreads, 0, stream>>>(
            scene_, outcomes_.data(), group_ * kBanksAtOnce, level);
    check_launch("make_level");
    times.end.record(stream);
}

Outcome const* DeviceBanks::find(std::uint32_t number) const
{
    return outcomes_.data() + number % kBanksAtOnce * bank_size_;
}

double DeviceBanks::measure_seconds() const
{
    double seconds = 0;
    for (Times const& times : times_) {
        times.end.wait();
        seconds += times.end.seconds_since(times.start);
    }
    return seconds;
}

} // namespace volpt
