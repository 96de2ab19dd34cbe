// What volinfo says of a file, told apart by its first bytes.
#pragma once

#include "libvolpt/sys/container/sectioned_file.h"

#include <nlohmann/json_fwd.hpp>

namespace volpt {

/// "kind" ("volume" or "film"), "file", "verified", and the keys of report_volume or of report_film with scene, tiles
/// by sample ranges, size and provenance. Error (input) if the file is neither or damaged.
nlohmann::ordered_json describe_file(std::filesystem::path const& path, VerifyLevel level);

/// "key: value" lines; keys of nested objects are joined by dots.
std::string format_lines(nlohmann::ordered_json const& report);

} // namespace volpt
