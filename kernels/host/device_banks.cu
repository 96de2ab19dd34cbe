// One launch per level; each thread walks one outcome.
#include "kernels/host/device_banks.h"

#include "kernels/schedule/launch.cuh"
#include "libvolpt/core/make_outcome.hd.h"

namespace volpt {
namespace {

constexpr unsigned kBankThreads = 128;

/// Outcomes of `level` in all banks from `first_bank` on: [bank][g][level][place].
template <Steps kind>
__global__ void __launch_bounds__(kBankThreads)
    make_level(SceneView const __grid_constant__ scene, Outcome* banks, std::uint32_t first_bank, std::int32_t level)
{
    LongStepsView const& steps = scene.long_steps;
    std::uint32_t const index = blockIdx.x * kBankThreads + threadIdx.x;
    std::uint32_t const level_size = count_level_outcomes(steps);
    std::uint32_t const row = index / level_size; // of [bank][g]
    std::uint32_t const place = index - row * level_size;
    if (row >= kBanksAtOnce * steps.g_count) return;
    std::size_t const bank_size = std::size_t{level_size} * static_cast<std::uint32_t>(steps.bank.levels);
    Outcome* const bank = banks + row * bank_size;
    std::uint32_t const number = first_bank + row / steps.g_count, g_index = row % steps.g_count;
    bank[static_cast<std::size_t>(level) * level_size + place] =
        make_bank_outcome<kind>(scene, bank, number, g_index, level, place);
}

} // namespace

std::size_t count_bank_bytes(SceneView const& scene)
{
    return scene.long_steps.kind == Steps::plain
               ? 0
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
    auto* const make_outcomes = steps.kind == Steps::layers ? make_level<Steps::layers> : make_level<Steps::spheres>;
    std::uint32_t const outcomes_per_level = kBanksAtOnce * steps.g_count * count_level_outcomes(steps);
    Times& times = times_.emplace_back();
    times.start.record(stream);
    for (std::int32_t level = 0; level < steps.bank.levels; ++level)
        make_outcomes<<<(outcomes_per_level - 1) / kBankThreads + 1, kBankThreads, 0, stream>>>(
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
