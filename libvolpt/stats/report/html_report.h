// One HTML page about verdicts: pictures, maps, the histogram of z, and every number.
#pragma once

#include "libvolpt/stats/verdict/verdict.h"

#include <span>

namespace volpt {

/// A section of the page: a verdict with the test and the reference that it is about.
struct ReportedPair {
    std::string name;
    Subject const& test;
    Subject const& reference;
    Verdict const& verdict;
    Criteria const& criteria;
};

/// Of several pairs, a table of all comes first, then those that failed. Pictures are sRGB-coded at exposure 1, with a
/// crop about the largest difference if there is one; the page loads nothing from elsewhere. It shows the values of the
/// pixel under the pointer for a pair alone and for pairs that failed, up to 2^20 pixels. Pairs of different sizes are
/// shown without maps. A side without channels, of a file that could not be read, has no picture.
std::string format_html(std::string_view title, std::span<ReportedPair const> pairs);

} // namespace volpt
