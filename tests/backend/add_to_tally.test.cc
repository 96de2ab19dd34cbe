#include "libvolpt/backend/add_to_tally.h"

#include <gtest/gtest.h>
#include <vector>

namespace volpt {
namespace {

TEST(AddToTally, AddsEverySumToItsOwn)
{
    constexpr std::uint32_t kBands = 3;
    TallyView host;
    host.kind = TallyKind::fluence;
    host.gates = 2;
    for (std::uint32_t& cells : host.dims) cells = 2;
    std::vector<std::uint64_t> sums(kTallyGroups * 2 * kBands * 8), energy_sums(kEnergyParts * kEnergyKinds * kBands);
    host.sums = sums.data();
    host.energy_sums = energy_sums.data();
    std::vector<std::uint64_t> more(sums.size()), more_energy(energy_sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = 5 * i, more[i] = (std::uint64_t{1} << 40) + i;
    for (std::size_t i = 0; i < energy_sums.size(); ++i) energy_sums[i] = i, more_energy[i] = i % 3;
    add_to_tally(host, kBands, more.data(), more_energy.data());
    for (std::size_t i = 0; i < sums.size(); ++i) ASSERT_EQ(sums[i], (std::uint64_t{1} << 40) + 6 * i);
    for (std::size_t i = 0; i < energy_sums.size(); ++i) ASSERT_EQ(energy_sums[i], i + i % 3);
}

} // namespace
} // namespace volpt
