// Verdicts in the XML that CI systems read as test results.
#pragma once

#include "libvolpt/stats/verdict/verdict.h"

#include <span>

namespace volpt {

struct NamedVerdict {
    std::string name;
    Verdict verdict;
    double seconds = 0;
};

/// One testsuite, a testcase each; a negative verdict is a failure with its reasons, metrics are properties.
std::string format_junit(std::string_view suite, std::span<NamedVerdict const> verdicts);

} // namespace volpt
