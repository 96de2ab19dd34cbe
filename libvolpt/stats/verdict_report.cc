// A verdict as JSON and as text.
#include "libvolpt/stats/verdict.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {

nlohmann::ordered_json report_verdict(Verdict const& verdict, Criteria const& criteria)
{
    using Json = nlohmann::ordered_json;
    Json metrics = Json::object();
    for (MetricValue const& value : verdict.image.values) metrics[value.name] = value.value; // NaN is written as null
    Json largest;
    if (auto const& found = verdict.image.largest)
        largest = {{"x", found->x},
                   {"y", found->y},
                   {"channel", found->channel},
                   {"test", found->test},
                   {"reference", found->reference}};
    return {{"verdict", verdict.positive ? "pass" : "fail"},
            {"equal_bits", verdict.equal_bits},
            {"metrics", metrics},
            {"threshold", criteria.threshold ? Json(criteria.threshold->text()) : Json()},
            {"reasons", verdict.reasons},
            {"notices", verdict.notices},
            {"largest_difference", largest},
            {"non_finite",
             {{"test", verdict.image.non_finite_test},
              {"reference", verdict.image.non_finite_reference},
              {"differing", verdict.image.non_finite_differing}}}};
}

std::string format_verdict(Verdict const& verdict)
{
    std::string text = fmt::format("{:<12} {}\n{:<12} {}\n", "verdict", verdict.positive ? "pass" : "fail",
                                   "equal bits", verdict.equal_bits ? "yes" : "no");
    for (MetricValue const& value : verdict.image.values)
        text += fmt::format("{:<12} {:.6g}\n", value.name, value.value);
    if (verdict.image.largest && verdict.image.largest->absolute > 0)
        text += fmt::format("{:<12} pixel {},{} channel {}: {} against {}\n", "largest at", verdict.image.largest->x,
                            verdict.image.largest->y, verdict.image.largest->channel, verdict.image.largest->test,
                            verdict.image.largest->reference);
    if (verdict.image.non_finite_test + verdict.image.non_finite_reference > 0)
        text += fmt::format("{:<12} {} in the test, {} in the reference, {} differ\n", "NaN or inf",
                            verdict.image.non_finite_test, verdict.image.non_finite_reference,
                            verdict.image.non_finite_differing);
    for (std::string const& reason : verdict.reasons) text += fmt::format("{:<12} {}\n", "because", reason);
    return text;
}

} // namespace volpt
