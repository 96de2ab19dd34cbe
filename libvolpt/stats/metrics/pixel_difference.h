// Walks two images of equal size and channels value by value; what the pixelwise metrics are made of.
#pragma once

#include "libvolpt/stats/metrics/metric.h"
#include "libvolpt/sys/parallel.h"

#include <array>
#include <cmath>
#include <limits>
#include <optional>

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
};

/// Sum of map(test, reference), in double, over the pairs of finite values.
template <class Map>
PairSum sum_pairs(std::span<float const> test, std::span<float const> reference, Map map)
{
    // Sums side by side, so that the compiler can put them into one vector; their order never changes.
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
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        total.sum += sums[lane];
        total.count += counts[lane];
    }
    for (; i < test.size(); ++i)
        if (is_pair(test[i], reference[i])) {
            total.sum += map(static_cast<double>(test[i]), static_cast<double>(reference[i]));
            total.count += 1;
        }
    return total;
}

/// The same for a whole channel, on threads, in an order that does not depend on their number.
template <class Map>
PairSum sum_pairs(Channel const& test, Channel const& reference, MetricSettings const& settings, Map map)
{
    constexpr std::size_t kValuesAPiece = 1 << 16;
    std::size_t const size = test.values.size();
    std::vector<PairSum> parts((size + kValuesAPiece - 1) / kValuesAPiece);
    for_each_piece(settings.threads, parts.size(), [&](std::size_t piece) {
        std::size_t const first = piece * kValuesAPiece, count = std::min(kValuesAPiece, size - first);
        parts[piece] = sum_pairs(std::span(test.values).subspan(first, count),
                                 std::span(reference.values).subspan(first, count), map);
    });
    PairSum total;
    for (PairSum const& part : parts) {
        total.sum += part.sum;
        total.count += part.count;
    }
    return total;
}

/// Mean over the channels of map(test, reference) at each pixel; NaN where a channel has no pair.
template <class Map>
std::vector<float> map_pairs(Image const& test, Image const& reference, MetricSettings const& settings, Map map)
{
    std::vector<float> error(test.pixel_count());
    auto const width = static_cast<std::size_t>(test.width);
    for_each_rows(settings.threads, test.height, 16, [&](RowRange rows) {
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

/// Mean of map(test, reference), then finish(mean): over all channels and by channel, named as Metric::evaluate says.
/// The error map is that of map_pairs.
template <class Map, class Finish>
MetricResult average_pairs(std::string_view name, Image const& test, Image const& reference,
                           MetricSettings const& settings, Map map, Finish finish)
{
    require_comparable(test, reference);
    MetricResult result{.values = {{std::string(name), 0}}, .map = {}};
    PairSum all;
    auto const average = [&](PairSum const& part) {
        return part.count > 0 ? finish(part.sum / part.count) : std::numeric_limits<double>::quiet_NaN();
    };
    for (std::size_t c = 0; c < test.channels.size(); ++c) {
        PairSum const part = sum_pairs(test.channels[c], reference.channels[c], settings, map);
        result.values.push_back({std::string(name) + "." + test.channels[c].name, average(part)});
        all.sum += part.sum;
        all.count += part.count;
    }
    result.values.front().value = average(all);
    if (settings.keep_map == KeepMap::yes) result.map = map_pairs(test, reference, settings, map);
    return result;
}

/// What `finish` is where the mean itself is the value.
inline double keep_mean(double mean)
{
    return mean;
}

inline double squared_difference(double test, double reference)
{
    return (test - reference) * (test - reference);
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
/// if no pair is finite. `channel` restricts it to one channel's index.
std::optional<LargestDifference> find_largest_difference(Image const& test, Image const& reference,
                                                         std::optional<std::size_t> channel = {});

} // namespace volpt
