// The figures that several metrics report: means over pairs of values, and pooled error maps.
#pragma once

#include "libvolpt/image/linear_rgb.h"
#include "libvolpt/stats/maps/colour_differences.h"
#include "libvolpt/stats/maps/pixel_maps.h"
#include "libvolpt/stats/metrics/metric.h"

#include <fmt/format.h>

namespace volpt {

/// `finish` of average_pairs where the mean is the value.
inline double keep_mean(double mean)
{
    return mean;
}

inline double squared_difference(double test, double reference)
{
    return (test - reference) * (test - reference);
}

/// finish(mean of map(test, reference)) over all channels and by channel, named as Metric::evaluate says. The error map
/// is that of map_pairs.
template <class Map, class Finish>
MetricResult average_pairs(std::string_view name, Image const& test, Image const& reference,
                           MetricSettings const& settings, Map map, Finish finish)
{
    require_comparable(test, reference);
    MetricResult result{.values = {{std::string(name), 0}}, .map = {}};
    PairSum all;
    auto const average = [&](PairSum const& part) { return part.count > 0 ? finish(part.mean()) : part.mean(); };
    for (std::size_t c = 0; c < test.channels.size(); ++c) {
        PairSum const part = sum_pairs(test.channels[c], reference.channels[c], settings.threads, map);
        result.values.push_back({std::string(name) + "." + test.channels[c].name, average(part)});
        all.add(part);
    }
    result.values.front().value = average(all);
    if (settings.keep_map == KeepMap::yes) result.map = map_pairs(test, reference, settings.threads, map);
    return result;
}

/// name.mean, name.median, name.p95 and name.max of a map whose finite values are not negative, with the map itself if
/// the settings ask for it.
inline MetricResult pool_map(std::string_view name, std::vector<float> map, MetricSettings const& settings)
{
    MapSummary const summary = summarize_map(map, settings.threads);
    MetricResult result{.values = {{fmt::format("{}.mean", name), summary.mean},
                                   {fmt::format("{}.median", name), summary.median},
                                   {fmt::format("{}.p95", name), summary.p95},
                                   {fmt::format("{}.max", name), summary.max}},
                        .map = {}};
    if (settings.keep_map == KeepMap::yes) result.map = std::move(map);
    return result;
}

/// pool_map of map_colour_differences. Error (usage) unless the images can be compared and have colours.
inline MetricResult measure_colours(std::string_view name, Image const& test, Image const& reference,
                                    MetricSettings const& settings, ColourDistance distance)
{
    require_comparable(test, reference);
    require_colours(test, name);
    return pool_map(name, map_colour_differences(test, reference, distance, settings.illuminant, settings.threads),
                    settings);
}

} // namespace volpt
