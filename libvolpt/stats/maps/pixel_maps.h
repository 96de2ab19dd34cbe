// What pixelwise metrics are made of: sums and maps over pairs of values of two images, and figures of a map.
#pragma once

#include "libvolpt/image/image.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace volpt {

/// Error (usage) unless both have the same size and the same channels in the same order.
void require_comparable(Image const& test, Image const& reference);

/// Both finite.
inline bool is_pair(float test, float reference)
{
    constexpr float kLargest = std::numeric_limits<float>::max();
    return std::abs(test) <= kLargest && std::abs(reference) <= kLargest;
}

struct PairSum {
    double sum = 0;
    double count = 0;

    void add(PairSum const& other)
    {
        sum += other.sum;
        count += other.count;
    }
    /// NaN without pairs.
    double mean() const { return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN(); }
};

/// Sum of map(test, reference), in double, over the pairs of finite values.
template <class Map>
PairSum sum_pairs(std::span<float const> test, std::span<float const> reference, Map map)
{
    // Partial sums side by side, so that the compiler can keep them in one vector; their order never changes.
    constexpr std::size_t kLanes = 8;
    std::array<double, kLanes> sums{}, counts{};
    std::size_t i = 0;
    for (; i + kLanes <= test.size(); i += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            float const t = test[i + lane], r = reference[i + lane];
            bool const counts_in = is_pair(t, r);
            double const value = map(static_cast<double>(t), static_cast<double>(r));
            sums[lane] += counts_in ? value : 0.0;
            counts[lane] += counts_in ? 1.0 : 0.0;
        }
    PairSum total;
    for (std::size_t lane = 0; lane < kLanes; ++lane) total.add({sums[lane], counts[lane]});
    for (; i < test.size(); ++i)
        if (is_pair(test[i], reference[i]))
            total.add({map(static_cast<double>(test[i]), static_cast<double>(reference[i])), 1});
    return total;
}

/// The same for a whole channel on several threads, in an order that does not depend on their number.
template <class Map>
PairSum sum_pairs(Channel const& test, Channel const& reference, int threads, Map map)
{
    constexpr std::size_t kValuesPerPiece = 1 << 16;
    std::size_t const size = test.values.size();
    std::vector<PairSum> parts((size + kValuesPerPiece - 1) / kValuesPerPiece);
    parallel_for(threads, parts.size(), [&](std::size_t piece) {
        std::size_t const first = piece * kValuesPerPiece, count = std::min(kValuesPerPiece, size - first);
        parts[piece] = sum_pairs(std::span(test.values).subspan(first, count),
                                 std::span(reference.values).subspan(first, count), map);
    });
    PairSum total;
    for (PairSum const& part : parts) total.add(part);
    return total;
}

/// Mean over the channels of map(test, reference) at each pixel; NaN where a value is NaN or infinite.
template <class Map>
std::vector<float> map_pairs(Image const& test, Image const& reference, int threads, Map map)
{
    std::vector<float> error(test.pixel_count());
    auto const width = static_cast<std::size_t>(test.width);
    parallel_for_rows(threads, test.height, 16, [&](RowRange rows) {
        for (std::size_t i = static_cast<std::size_t>(rows.first) * width;
             i < static_cast<std::size_t>(rows.end) * width; ++i) {
            double sum = 0;
            for (std::size_t c = 0; c < test.channels.size(); ++c) {
                float const t = test.channels[c].values[i], r = reference.channels[c].values[i];
                sum += is_pair(t, r) ? map(static_cast<double>(t), static_cast<double>(r))
                                     : std::numeric_limits<double>::quiet_NaN();
            }
            error[i] = static_cast<float>(sum / static_cast<double>(test.channels.size()));
        }
    });
    return error;
}

struct LargestDifference {
    int x = 0;
    int y = 0; ///< from the top
    std::string channel;
    float test = 0;
    float reference = 0;
    double absolute = 0;
};

/// The largest absolute difference of finite values, the first in channel and row order if several are equal; nothing
/// if no pair is finite. `channel` is the index of the only channel to look at.
std::optional<LargestDifference> find_largest_difference(Image const& test, Image const& reference,
                                                         std::optional<std::size_t> channel = {});

/// Mean of the finite values, NaN without any.
double average_finite(std::span<float const> map);

/// Figures of the finite values of a map; NaN without any. Percentiles are by nearest rank: the smallest value that at
/// least 50 or 95 of 100 values do not exceed.
struct MapSummary {
    double mean, median, p95, max;
};
/// The finite values must not be negative.
MapSummary summarize_map(std::span<float const> map, int threads);

} // namespace volpt
