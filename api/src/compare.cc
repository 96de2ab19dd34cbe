#include "volpt/compare.h"

#include "api/src/access.h"
#include "libvolpt/stats/report/verdict_report.h"
#include "libvolpt/sys/json.h"
#include "tools/volcompare/held_compare.h"

#include <nlohmann/json.hpp>

namespace volpt::v0 {
namespace {

Verdict judge(Subject test, Subject reference, Options const& options)
{
    HeldVerdict const judged = compare_held(test, reference, spell_options(options), [](std::string_view) {});
    volpt::Verdict const& verdict = judged.verdict;
    return {verdict.positive, verdict.equal_bits, verdict.reasons, format_verdict(verdict),
            format_json(report_verdict(verdict, judged.criteria))};
}

} // namespace

Verdict compare(Film const& test, Film const& reference, Options const& options)
{
    return translate_errors([&] {
        return judge(make_subject("test", Access::of(test)), make_subject("reference", Access::of(reference)), options);
    });
}

Verdict compare(std::filesystem::path const& test, std::filesystem::path const& reference, Options const& options)
{
    return translate_errors([&] { return judge(read_subject(test), read_subject(reference), options); });
}

} // namespace volpt::v0
