// Standard errors of sums of particles, from the spread between groups of them.
#pragma once

#include "libvolpt/core/light/tally_view.hd.h"

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace volpt {

/// Particles by group of samples; of each pixel, sample s is in group s % kTallyGroups.
using GroupCounts = std::array<std::uint64_t, kTallyGroups>;

/// The standard error of a cell, from the sums of its groups, in units of the result. The variance of a group's
/// estimate is inversely proportional to its number of particles, by which the squared differences from the mean are
/// weighted.
class GroupSpread {
public:
    explicit GroupSpread(GroupCounts const& particles)
    {
        std::uint64_t const all = std::accumulate(particles.begin(), particles.end(), std::uint64_t{0});
        for (std::size_t group = 0; group < kTallyGroups; ++group) {
            share_[group] = all == 0 ? 0 : static_cast<double>(particles[group]) / static_cast<double>(all);
            if (particles[group] > 0) ++count_;
        }
    }

    double find_standard_error(std::array<double, kTallyGroups> const& sums, double mean) const
    {
        if (count_ < 2) return std::numeric_limits<double>::quiet_NaN();
        double spread = 0;
        for (std::size_t group = 0; group < kTallyGroups; ++group) {
            if (share_[group] == 0) continue;
            double const difference = sums[group] / share_[group] - mean;
            spread += share_[group] * difference * difference;
        }
        return std::sqrt(spread / (count_ - 1));
    }

private:
    std::array<double, kTallyGroups> share_{};
    int count_ = 0; ///< of groups with particles
};

} // namespace volpt
