// Provenance of outputs: who made a file, when, where and how. Recorded in every output, ignored by all comparisons.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace volpt {

/// Ordered key/value pairs; stored as a JSON object in UTF-8.
struct Provenance {
    std::vector<std::pair<std::string, std::string>> entries;

    void set(std::string key, std::string value); ///< replaces an entry of the same key
    std::string const* find(std::string_view key) const;
};

/// The version of this build, as --version shows it.
std::string_view suite_version();
/// The git revision that was configured, "-dirty" if changed since; "unknown" outside a checkout.
std::string_view suite_revision();

/// One line that a shell splits into these words again.
std::string format_command(std::vector<std::string> const& words);

/// Tool, version, revision, command line, host, time (UTC, ISO 8601) of this process.
Provenance make_provenance(std::string_view tool, std::vector<std::string> const& command_line);
/// Tool, version, revision, command (of these words) and time: neither host nor command line.
Provenance make_plain_provenance(std::string_view tool, std::vector<std::string> const& command_outline);

std::string to_json(Provenance const& provenance);
/// Error (input) naming `where` unless the text is a flat JSON object of strings.
Provenance parse_provenance(std::string_view json, std::string_view where);

} // namespace volpt
