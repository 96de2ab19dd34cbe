// What is said of a printed picture before it is rendered.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace volpt {

/// Sentences on the `separation` of a printed picture's figures (VoxelStream::report_json): the share that the inks
/// cannot mix, the worst colours, what to expect and what to do. None for other volumes.
std::vector<std::string> describe_separation(nlohmann::json const& figures);

} // namespace volpt
