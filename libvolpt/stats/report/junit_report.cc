// Writes JUnit XML.
#include "libvolpt/stats/report/junit_report.h"

#include "libvolpt/image/drawing/markup.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {

std::string format_junit(std::string_view suite, std::span<NamedVerdict const> verdicts)
{
    auto const failures =
        std::ranges::count_if(verdicts, [](NamedVerdict const& named) { return !named.verdict.positive; });
    double seconds = 0;
    for (NamedVerdict const& named : verdicts) seconds += named.seconds;
    std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    xml +=
        fmt::format("<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\" time=\"{:.3f}\">\n",
                    escape_markup(suite), verdicts.size(), failures, seconds);
    for (NamedVerdict const& named : verdicts) {
        xml += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n    <properties>\n",
                           escape_markup(suite), escape_markup(named.name), named.seconds);
        for (MetricValue const& value : named.verdict.image.values)
            xml +=
                fmt::format("      <property name=\"{}\" value=\"{:.9g}\"/>\n", escape_markup(value.name), value.value);
        xml += "    </properties>\n";
        if (!named.verdict.positive) {
            std::string reasons;
            for (std::string const& reason : named.verdict.reasons) reasons += reason + "\n";
            xml += fmt::format("    <failure message=\"{}\">{}</failure>\n",
                               escape_markup(named.verdict.reasons.empty() ? "" : named.verdict.reasons.front()),
                               escape_markup(reasons));
        }
        xml += "  </testcase>\n";
    }
    return xml + "</testsuite>\n";
}

} // namespace volpt
