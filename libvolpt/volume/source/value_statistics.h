// Range, mean, percentiles and histogram of the numbers of a foreign volume, in memory that does not grow with its
// depth.
#pragma once

#include "libvolpt/sys/progress.h"
#include "libvolpt/volume/source/volume_source.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace volpt {

/// Thousandths of the finite numbers for which ChannelStatistics has a percentile: integers, so that ranks are exact.
inline constexpr std::array<int, 9> kPermilles{1, 10, 50, 250, 500, 750, 950, 990, 999};

/// Bin i counts the numbers from low + i * bin_width to below low + (i + 1) * bin_width, the last bin also the largest.
struct ValueHistogram {
    double low = 0;
    double bin_width = 0; ///< 0 if all numbers are equal: then there is one bin
    std::vector<std::uint64_t> counts;
};

/// Of the finite numbers, but for `nan` and `infinite`.
struct ChannelStatistics {
    std::uint64_t finite = 0;
    std::uint64_t nan = 0;
    std::uint64_t infinite = 0; ///< of either sign
    double minimum = 0, maximum = 0, mean = 0;
    /// The smallest number that is not exceeded by at least this share of the numbers, for each of kPermilles; exact.
    /// Empty if no number is finite.
    std::vector<double> percentiles;
    std::optional<std::size_t> distinct; ///< how many different numbers, if at most DistinctValues::kMost
    bool are_integers = true;
    ValueHistogram histogram; ///< at most 32 bins; integers have bins of whole width
};

/// One for each channel. Reads the source once, and a second time if a channel has more than DistinctValues::kMost
/// different numbers; at most 5.1 MiB of memory a channel besides the eight layers that are read at a time. Error
/// (input) as read_slab, Error (system) if the sink asks to stop.
std::vector<ChannelStatistics> measure_values(VolumeSource& source, ProgressSink const& progress);

} // namespace volpt
