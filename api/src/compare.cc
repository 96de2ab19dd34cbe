#include "volpt/compare.h"

#include "api/src/access.h"
#include "libvolpt/stats/report/verdict_report.h"
#include "libvolpt/sys/json.h"
#include "tools/volcompare/held_compare.h"

#include <nlohmann/json.hpp>

namespace volpt::v0 {
namespace {

Verdict judge(SubjectMaker const& make_test, SubjectMaker const& make_reference, Options const& options)
{
    HeldVerdict const judged = compare_held(make_test, make_reference, spell_options(options), [](std::string_view) {});
    volpt::Verdict const& verdict = judged.verdict;
    return {verdict.positive, verdict.equal_bits, verdict.reasons, format_verdict(verdict),
            format_json(report_verdict(verdict, judged.criteria))};
}

SubjectMaker make_of_film(std::string name, Film const& film)
{
    return [name = std::move(name), &film](Illuminant illuminant) {
        return make_subject(name, Access::of(film), illuminant);
    };
}

SubjectMaker make_of_file(std::filesystem::path const& path)
{
    return [&path](Illuminant illuminant) { return read_subject(path, illuminant); };
}

} // namespace

Verdict compare(Film const& test, Film const& reference, Options const& options)
{
    return translate_errors(
        [&] { return judge(make_of_film("test", test), make_of_film("reference", reference), options); });
}

Verdict compare(std::filesystem::path const& test, std::filesystem::path const& reference, Options const& options)
{
    return translate_errors([&] { return judge(make_of_file(test), make_of_file(reference), options); });
}

} // namespace volpt::v0
