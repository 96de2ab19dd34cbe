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

/// pool_map of measure(test, reference), which ignores a channel A. Where a picture is not opaque, both are displayed
/// over each background of the settings, and the largest error of each pixel counts; NaN where one is NaN. Error
/// (usage) unless the images can be compared and have colours.
template <class Measure>
MetricResult pool_displayed(std::string_view name, Image const& test, Image const& reference,
                            MetricSettings const& settings, Measure measure)
{
    require_comparable(test, reference);
    require_colours(test, name);
    if (is_opaque(test) && is_opaque(reference)) return pool_map(name, measure(test, reference), settings);
    std::vector<BackgroundError> backgrounds;
    std::vector<float> largest;
    for (DisplayBackground const& background : settings.backgrounds) {
        std::vector<float> map = measure(display_over(test, background.colour, settings.threads),
                                         display_over(reference, background.colour, settings.threads));
        backgrounds.push_back({background, average_finite(map)});
        if (largest.empty()) {
            largest = std::move(map);
            continue;
        }
        for (std::size_t i = 0; i < map.size(); ++i)
            if (!std::isnan(largest[i]) && !(map[i] <= largest[i])) largest[i] = map[i];
    }
    MetricResult result = pool_map(name, std::move(largest), settings);
    result.backgrounds = std::move(backgrounds);
    return result;
}

/// pool_displayed of map_colour_differences.
inline MetricResult measure_colours(std::string_view name, Image const& test, Image const& reference,
                                    MetricSettings const& settings, ColourDistance distance)
{
    return pool_displayed(name, test, reference, settings, [&](Image const& t, Image const& r) {
        return map_colour_differences(t, r, distance, settings.illuminant, settings.threads);
    });
}

} // namespace volpt
