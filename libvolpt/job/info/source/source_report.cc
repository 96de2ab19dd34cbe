#include "libvolpt/job/info/source/source_report.h"

#include "libvolpt/sys/json.h"
#include "libvolpt/volume/source/label_signs.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kWindowLow = 1, kWindowHigh = 7; ///< of kPermilles
static_assert(kPermilles[kWindowLow] == 10 && kPermilles[kWindowHigh] == 990);

NumberTraits find_traits(ChannelStatistics const& channel)
{
    return {channel.finite + channel.nan + channel.infinite, channel.distinct.value_or(0), channel.minimum,
            channel.maximum, channel.are_integers && channel.nan + channel.infinite == 0};
}

/// Numbers are floats: the double of the shortest decimals that name it, 0.1 instead of 0.10000000149011612.
double spell_shortly(double value)
{
    return std::strtod(fmt::format("{}", static_cast<float>(value)).c_str(), nullptr);
}

std::string spell_window_option(std::array<double, 2> const& window)
{
    return fmt::format("--window {},{}", window[0], window[1]);
}

} // namespace

Json describe_source(SourceMeta const& source, std::string_view format)
{
    Json report{{"kind", "source"}, {"file", source.path}, {"format", format}, {"dims", source.dims}};
    report["pitch_mm"] = nullptr;
    report["size_mm"] = nullptr;
    if (auto const& pitch_mm = source.pitch_mm) {
        report["pitch_mm"] = *pitch_mm;
        std::array<double, 3> size_mm{};
        for (std::size_t i = 0; i < 3; ++i) size_mm[i] = spell_shortly(source.dims[i] * (*pitch_mm)[i]);
        report["size_mm"] = size_mm;
    }
    if (source.pitch_mm && !source.pitch_origin.empty()) report["pitch_from"] = source.pitch_origin;
    if (!source.pitch_mm && !source.pitch_advice.empty()) report["pitch_advice"] = source.pitch_advice;
    report["type"] = element_name(source.element);
    report["channels"] = source.channels;
    if (source.channel) {
        report["channel_names"] = source.channel_names;
        report["channel"] = *source.channel;
    }
    report["volumes"] = source.volume_count;
    if (source.volume_count > 1) report["volume"] = source.volume;
    auto const& first = source.first_voxel_world_mm;
    report["placement"] = {{"first_voxel_world_mm", first ? Json(*first) : Json(nullptr)},
                           {"rotation", source.rotation}};
    if (source.natural_window) report["natural_window"] = *source.natural_window;
    if (source.display_window) report["display_window"] = *source.display_window;
    if (auto const segments = list_segment_names(source); !segments.empty()) report["segments"] = segments;
    report["source_metadata"] = parse_json(source.metadata_json);
    return report;
}

Json report_values(ChannelStatistics const& channel)
{
    Json report{{"voxels", channel.finite + channel.nan + channel.infinite}};
    bool const has_numbers = channel.finite > 0;
    report["min"] = has_numbers ? Json(spell_shortly(channel.minimum)) : Json(nullptr);
    report["max"] = has_numbers ? Json(spell_shortly(channel.maximum)) : Json(nullptr);
    report["mean"] = has_numbers ? Json(channel.mean) : Json(nullptr);
    report["nan"] = channel.nan;
    report["infinite"] = channel.infinite;
    report["distinct"] = channel.distinct ? Json(*channel.distinct) : Json(nullptr);
    report["percentiles"] = Json::object();
    for (std::size_t i = 0; i < channel.percentiles.size(); ++i)
        report["percentiles"][fmt::format("{:g}", kPermilles[i] / 10.0)] = spell_shortly(channel.percentiles[i]);
    return report;
}

Json report_histogram(ValueHistogram const& histogram)
{
    return {{"quantity", "value"},
            {"low", histogram.low},
            {"bin_width", histogram.bin_width},
            {"counts", histogram.counts}};
}

std::optional<std::array<double, 2>> suggest_window(SourceMeta const& source,
                                                    std::vector<ChannelStatistics> const& channels)
{
    ChannelStatistics const& channel = channels.front();
    if (channels.size() > 1 || channel.finite == 0 || look_like_labels(source, find_traits(channel)))
        return std::nullopt;
    if (source.display_window) return source.display_window;
    std::array<double, 2> window{channel.percentiles[kWindowLow], channel.percentiles[kWindowHigh]};
    if (!(window[0] < window[1])) window = {channel.minimum, channel.maximum};
    if (!(window[0] < window[1])) return std::nullopt;
    return std::array{spell_shortly(window[0]), spell_shortly(window[1])};
}

std::string spell_options(std::array<double, 2> const& window, std::vector<ChannelStatistics> const& channels)
{
    bool const has_others = std::ranges::any_of(
        channels, [](ChannelStatistics const& channel) { return channel.nan + channel.infinite > 0; });
    return spell_window_option(window) + (has_others ? " --clamp" : "");
}

std::vector<std::string> list_source_notices(VolumeSource const& from, std::vector<ChannelStatistics> const& channels)
{
    SourceMeta const& source = from.meta();
    auto notices = join_notices(from);
    std::uint64_t nan = 0, infinite = 0;
    for (ChannelStatistics const& channel : channels) {
        nan += channel.nan;
        infinite += channel.infinite;
    }
    if (nan + infinite > 0)
        notices.push_back(fmt::format("{} NaN and {} infinite numbers: volprep refuses them without --clamp{}", nan,
                                      infinite, nan > 0 ? ", or --nan VALUE for NaN" : ""));
    if (!is_exact_in_float(source.element))
        notices.push_back(fmt::format("{} numbers are rounded to float (24 bits)", element_name(source.element)));
    if (channels.size() != 1) return notices;
    NumberTraits const traits = find_traits(channels.front());
    if (look_like_labels(source, traits)) {
        notices.push_back(advise_materials(source, traits));
    } else if (traits.minimum < 0 && !source.natural_window) {
        auto const window = suggest_window(source, channels);
        notices.push_back(fmt::format("numbers down to {:g}: volprep refuses negative ones unless {} maps them",
                                      traits.minimum, window ? spell_window_option(*window) : "--window LO,HI"));
    }
    return notices;
}

} // namespace volpt
