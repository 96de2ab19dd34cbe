// Judges a comparison.
#include "libvolpt/stats/verdict.h"

#include "libvolpt/stats/compare_films.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

void append(std::vector<std::string>& to, std::vector<std::string> const& from)
{
    to.insert(to.end(), from.begin(), from.end());
}

std::string describe(LargestDifference const& largest)
{
    return fmt::format("largest difference {:.6g} at pixel {},{} of channel {}: {} against {}", largest.absolute,
                       largest.x, largest.y, largest.channel, largest.test, largest.reference);
}

void judge_exactly(Verdict& verdict)
{
    verdict.positive = verdict.equal_bits;
    if (verdict.positive) return;
    append(verdict.reasons, verdict.image.mismatches);
    if (!verdict.image.matched()) return;
    if (verdict.image.largest && verdict.image.largest->absolute > 0)
        verdict.reasons.push_back(describe(*verdict.image.largest));
    else if (!verdict.image.equal_bits && verdict.reasons.empty())
        verdict.reasons.push_back("no finite value differs, but the bits do: layers, signs of zero, NaN or infinity");
}

void judge_by(Threshold const& threshold, Verdict& verdict)
{
    append(verdict.reasons, verdict.image.mismatches);
    if (verdict.image.matched()) {
        Threshold::Outcome const outcome = threshold.evaluate(verdict.image.values);
        if (!outcome.holds) append(verdict.reasons, outcome.failures);
        if (verdict.image.non_finite_differing > 0)
            verdict.reasons.push_back(fmt::format("{} values are NaN or infinite in one of the two, or differently so",
                                                  verdict.image.non_finite_differing));
    }
    verdict.positive = verdict.reasons.empty();
}

} // namespace

std::vector<Metric const*> select_metrics(Criteria const& criteria)
{
    std::vector<std::string> names = criteria.metrics;
    if (names.empty()) names = {"max", "mse", "rmse"};
    if (criteria.threshold)
        for (std::string const& name : criteria.threshold->names()) names.push_back(name.substr(0, name.find('.')));
    std::vector<Metric const*> metrics;
    for (std::string const& name : names) {
        Metric const* const metric = &find_metric(name);
        if (std::ranges::find(metrics, metric) == metrics.end()) metrics.push_back(metric);
    }
    return metrics;
}

Verdict judge(Subject const& test, Subject const& reference, Criteria const& criteria)
{
    Verdict verdict;
    verdict.image = compare_images(test.image, reference.image, select_metrics(criteria), criteria.settings);
    verdict.notices = verdict.image.notices;
    verdict.equal_bits = verdict.image.equal_bits;
    if (test.film && reference.film) {
        FilmComparison const films = compare_films(*test.film, *reference.film);
        verdict.equal_bits = films.equal;
        append(criteria.threshold ? verdict.notices : verdict.reasons, films.differences);
    }
    if (criteria.threshold)
        judge_by(*criteria.threshold, verdict);
    else
        judge_exactly(verdict);
    return verdict;
}

} // namespace volpt
