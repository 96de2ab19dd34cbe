// A verdict as JSON, as a table and as JUnit XML.
#pragma once

#include "libvolpt/stats/verdict/verdict.h"

#include <nlohmann/json_fwd.hpp>

#include <span>

namespace volpt {

/// Of report_verdict. New keys leave it as it is; it rises when a key is removed or changes its meaning.
inline constexpr int kVerdictSchemaVersion = 1;

/// As in docs/formats/volcompare-json.md. Keys: schema_version, verdict ("pass", "fail" or "undecided"), equal_bits,
/// metrics {name: value, null without finite pairs}, judged_by (describe_criterion), alpha (null unless it decided),
/// illuminant, observer, threshold (null if none), statistics and films (null if not asked for or not films), in_words
/// (describe_colours), reasons, notices, largest_difference {x, y, channel, test, reference} or null, non_finite {test,
/// reference, differing, places}.
nlohmann::ordered_json report_verdict(Verdict const& verdict, Criteria const& criteria);

/// The same as a short table, with line ends. A verdict that judges nothing (spell_verdict) has no reasons.
std::string format_verdict(Verdict const& verdict, Criteria const& criteria = {});

struct NamedVerdict {
    std::string name;
    Verdict verdict;
    Criteria criteria;
    double seconds = 0;
};

/// JUnit XML, which CI systems read as test results: one testsuite with a testcase per verdict. A negative verdict is a
/// failure with its reasons; metrics, what is judged by, and what alpha decided are properties.
std::string format_junit(std::string_view suite, std::span<NamedVerdict const> verdicts);

} // namespace volpt
