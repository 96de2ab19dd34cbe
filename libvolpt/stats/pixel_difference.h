// Walks two images of equal size and channels value by value; what the pixelwise metrics are made of.
#pragma once

#include "libvolpt/stats/metric.h"

#include <cmath>
#include <limits>
#include <optional>

namespace volpt
{

/// Error (usage) unless both have the same size and the same channels in the same order.
void require_comparable(Image const& test, Image const& reference);

/// Calls visit(index, test - reference) in double for every pair of finite values of a channel.
template <class Visit> void visit_differences(Channel const& test, Channel const& reference, Visit&& visit)
{
    for (std::size_t i = 0; i < test.values.size(); ++i)
        if (std::isfinite(test.values[i]) && std::isfinite(reference.values[i]))
            visit(i, static_cast<double>(test.values[i]) - static_cast<double>(reference.values[i]));
}

/// Mean of map(test - reference), then finish(mean): over all channels and by channel, named as Metric::evaluate says.
template <class Map, class Finish>
std::vector<MetricValue> average_differences(std::string_view name, Image const& test, Image const& reference, Map map,
                                             Finish finish)
{
    require_comparable(test, reference);
    std::vector<MetricValue> values{{std::string(name), 0}};
    double sum_all = 0, count_all = 0;
    auto const average = [&](double sum, double count) {
        return count > 0 ? finish(sum / count) : std::numeric_limits<double>::quiet_NaN();
    };
    for (std::size_t c = 0; c < test.channels.size(); ++c) {
        double sum = 0, count = 0;
        visit_differences(test.channels[c], reference.channels[c], [&](std::size_t, double difference) {
            sum += map(difference);
            count += 1;
        });
        values.push_back({std::string(name) + "." + test.channels[c].name, average(sum, count)});
        sum_all += sum;
        count_all += count;
    }
    values.front().value = average(sum_all, count_all);
    return values;
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
