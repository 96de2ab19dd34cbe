// One self-contained page about verdicts: pictures, maps, the histogram of z, and every number.
#pragma once

#include "libvolpt/stats/report/junit_report.h"

namespace volpt {

/// A section of the page: a verdict with the two it is about.
struct ReportedPair {
    std::string name;
    Subject const& test;
    Subject const& reference;
    Verdict const& verdict;
    Criteria const& criteria;
};

/// Pictures are sRGB-coded at exposure 1; nothing is loaded from elsewhere. Pairs of sizes that differ are shown
/// without maps.
std::string format_html(std::string_view title, std::span<ReportedPair const> pairs);

} // namespace volpt
