#include "tools/volinfo/text_answer.h"

#include "libvolpt/sys/json.h"
#include "libvolpt/sys/text/one_line.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>

namespace volpt {
namespace {

constexpr std::size_t kBarColumns = 50;

void append_lines(std::string& text, std::string const& name, nlohmann::ordered_json const& value)
{
    bool const is_list_of_objects = value.is_array() && !value.empty() && value.front().is_object();
    if (value.is_object() || is_list_of_objects) {
        for (auto const& [key, member] : value.items()) {
            append_lines(text, name.empty() ? key : fmt::format("{}.{}", name, key), member);
        }
    } else {
        std::string const line =
            fmt::format("{}: {}", name, value.is_string() ? value.get<std::string>() : format_json(value));
        text += to_one_line(line) + "\n";
    }
}

/// "-1024", "12.5": no more digits than tell the ends of bins apart.
std::string spell_end(double value)
{
    return fmt::format("{:.6g}", value);
}

std::string spell_bin(ChannelStatistics const& channel, std::size_t bin)
{
    ValueHistogram const& histogram = channel.histogram;
    double const low = histogram.low + static_cast<double>(bin) * histogram.bin_width;
    if (histogram.bin_width == 0) return spell_end(low);
    double const high = std::min(low + histogram.bin_width, channel.maximum);
    if (!channel.are_integers) return fmt::format("{} .. {}", spell_end(low), spell_end(high));
    double const last = std::min(low + histogram.bin_width - 1, channel.maximum);
    return last > low ? fmt::format("{} .. {}", spell_end(low), spell_end(last)) : spell_end(low);
}

/// `indent` begins each line.
std::string format_histogram(ChannelStatistics const& channel, std::string_view indent)
{
    auto const& counts = channel.histogram.counts;
    if (counts.empty()) return {};
    std::vector<std::string> names;
    std::size_t width = 0;
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        names.push_back(spell_bin(channel, bin));
        width = std::max(width, names.back().size());
    }
    auto const most = static_cast<double>(*std::ranges::max_element(counts));
    std::string text;
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        double const length = std::ceil(static_cast<double>(counts[bin]) / most * kBarColumns);
        std::string const bar(static_cast<std::size_t>(length), '#');
        text += fmt::format("{}{:>{}} {:>12} {}", indent, names[bin], width, counts[bin], bar);
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text;
}

} // namespace

std::string format_lines(nlohmann::ordered_json const& report)
{
    std::string text;
    append_lines(text, {}, report);
    return text;
}

std::string format_histograms(std::vector<ChannelStatistics> const& channels)
{
    std::string text;
    for (std::size_t i = 0; i < channels.size(); ++i)
        text += fmt::format("histogram{}:\n{}", channels.size() > 1 ? fmt::format(".{}", i) : "",
                            format_histogram(channels[i], "  "));
    return text;
}

} // namespace volpt
