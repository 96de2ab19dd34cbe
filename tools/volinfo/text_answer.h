// What volinfo prints for people.
#pragma once

#include "libvolpt/volume/source/value_statistics.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace volpt {

/// "key: value" lines; the keys of nested objects are joined by dots. Control characters are spelled (to_one_line).
std::string format_lines(nlohmann::ordered_json const& report);

/// For each channel a line per bin: its ends (integers: the first and last of them), how many numbers it holds, a bar.
std::string format_histograms(std::vector<ChannelStatistics> const& channels);

} // namespace volpt
