#include "libvolpt/stats/report/verdict_report.h"

#include "libvolpt/image/drawing/markup.h"
#include "libvolpt/stats/verdict/colour_verdict.h"
#include "libvolpt/sys/text/one_line.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinity, so that it becomes a text; NaN becomes null.
Json to_json(double value)
{
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
}

/// NaN is a text here, not null: a place is listed for being NaN or infinite.
Json report_non_finite(ImageComparison const& image)
{
    auto const to_value = [](float value) {
        return std::isnan(value) ? Json("nan") : to_json(static_cast<double>(value));
    };
    Json places = Json::array();
    for (NonFinitePlace const& place : image.non_finite_places)
        places.push_back({{"x", place.x},
                          {"y", place.y},
                          {"channel", place.channel},
                          {"test", to_value(place.test)},
                          {"reference", to_value(place.reference)}});
    return {{"test", image.non_finite_test},
            {"reference", image.non_finite_reference},
            {"differing", image.non_finite_differing},
            {"places", places}};
}

/// Null unless alpha decided.
Json report_alpha(std::optional<DisplayedAlpha> const& alpha)
{
    if (!alpha) return {};
    Json names = Json::array();
    for (BackgroundError const& error : alpha->backgrounds) names.push_back(error.background.name);
    return {{"share_not_opaque", alpha->share},
            {"metrics", alpha->metrics},
            {"backgrounds", names},
            {"in_words", describe(*alpha)}};
}

Json report_effect(ChannelEffect const& effect)
{
    return {{"channel", effect.channel},
            {"test_mean", effect.test_mean},
            {"reference_mean", effect.reference_mean},
            {"difference", effect.difference},
            {"interval", {effect.low, effect.high}},
            {"relative_difference", to_json(effect.relative_difference)},
            {"z", to_json(effect.z)},
            {"mean_p", effect.mean_p},
            {"chi_squared", to_json(effect.chi_squared)},
            {"blocks", effect.blocks},
            {"blocks_p", effect.blocks_p},
            {"largest_block_z",
             {{"z", to_json(effect.block_z)},
              {"x", effect.block.x},
              {"y", effect.block.y},
              {"edge", effect.block.edge},
              {"p_corrected", effect.block_p}}},
            {"block_shift", to_json(effect.block_shift)}};
}

Json report_expectation(ExpectationComparison const& comparison, ExpectationSettings const& settings)
{
    Json channels = Json::array();
    for (ChannelEffect const& effect : comparison.effects) channels.push_back(report_effect(effect));
    return {{"same_expectation", comparison.same},
            {"alpha", settings.alpha},
            {"alpha_each_test", comparison.alpha_each},
            {"correction", to_word(settings.correction)},
            {"decided", comparison.is_decided},
            {"judged_light", comparison.judged_light},
            {"judged_values", comparison.judged_values},
            {"samples_needed",
             {{"test", to_json(comparison.test_samples_needed)},
              {"reference", to_json(comparison.reference_samples_needed)}}},
            {"values_tested", comparison.values_tested},
            {"values_joined", comparison.values_joined},
            {"values_without_noise", comparison.values_without_noise},
            {"values_different", comparison.values_different},
            {"largest_z",
             {{"z", to_json(comparison.largest_z)},
              {"x", comparison.largest.x},
              {"y", comparison.largest.y},
              {"edge", comparison.largest.edge},
              {"channel", comparison.channel},
              {"p_corrected", comparison.pixel_p}}},
            {"channels", channels},
            {"z_histogram", {{"end", kHistogramEnd}, {"step", kHistogramStep}, {"counts", comparison.histogram}}}};
}

std::string format_expectation(ExpectationComparison const& comparison)
{
    std::string text =
        fmt::format("{:<12} largest {:.2f} at pixel {},{} channel {} (p {:.2g}), {} of {} values differ\n", "z",
                    comparison.largest_z, comparison.largest.x, comparison.largest.y, to_one_line(comparison.channel),
                    comparison.pixel_p, comparison.values_different, comparison.values_tested);
    text += fmt::format("{:<12} {:.3g} % of the light; {} of {} values are pixels joined\n", "judged",
                        100 * comparison.judged_light, comparison.values_joined, comparison.values_tested);
    for (ChannelEffect const& effect : comparison.effects)
        text += fmt::format("{:<12} mean {:+.3g} % (difference {:.3g}, {:.3g} to {:.3g}, p {:.2g}); blocks p {:.2g}, "
                            "largest p {:.2g}; a block of {} x {} would be found at {:.2g} %\n",
                            "channel " + to_one_line(effect.channel), 100 * effect.relative_difference,
                            effect.difference, effect.low, effect.high, effect.mean_p, effect.blocks_p, effect.block_p,
                            kBlockEdge / 2, kBlockEdge / 2, 100 * effect.block_shift);
    return text;
}

std::string format_property(std::string_view name, std::string_view value)
{
    return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", escape_markup(name), escape_markup(value));
}

} // namespace

nlohmann::ordered_json report_verdict(Verdict const& verdict, Criteria const& criteria)
{
    Json metrics = Json::object();
    for (MetricValue const& value : verdict.image.values) metrics[value.name] = to_json(value.value);
    Json largest;
    if (auto const& found = verdict.image.largest)
        largest = {{"x", found->x},
                   {"y", found->y},
                   {"channel", found->channel},
                   {"test", found->test},
                   {"reference", found->reference}};
    Json statistics;
    if (verdict.expectation) statistics = report_expectation(*verdict.expectation, *criteria.expectation);
    return {{"schema_version", kVerdictSchemaVersion},
            {"verdict", name_outcome(verdict)},
            {"equal_bits", verdict.equal_bits},
            {"metrics", metrics},
            {"judged_by", describe_criterion(criteria)},
            {"alpha", report_alpha(verdict.image.alpha)},
            {"illuminant", to_word(criteria.settings.illuminant)},
            {"observer", kObserverName},
            {"threshold", criteria.threshold ? Json(criteria.threshold->text()) : Json()},
            {"statistics", statistics},
            {"films", verdict.films ? Json(describe(*verdict.films)) : Json()},
            {"in_words", describe_colours(verdict.image.values)},
            {"reasons", verdict.reasons},
            {"notices", verdict.notices},
            {"largest_difference", largest},
            {"non_finite", report_non_finite(verdict.image)}};
}

std::string format_verdict(Verdict const& verdict, Criteria const& criteria)
{
    std::string const word = spell_verdict(verdict, criteria);
    std::string text =
        fmt::format("{:<12} {}\n{:<12} {}\n", "verdict", word, "equal bits", verdict.equal_bits ? "yes" : "no");
    for (MetricValue const& value : verdict.image.values)
        text += fmt::format("{:<12} {:.6g}\n", to_one_line(value.name), value.value);
    if (verdict.image.alpha) text += fmt::format("{:<12} {}\n", "alpha", describe(*verdict.image.alpha));
    for (std::string const& sentence : describe_colours(verdict.image.values))
        text += fmt::format("{:<12} {}\n", "in words", sentence);
    if (verdict.image.largest && verdict.image.largest->absolute > 0)
        text += fmt::format("{:<12} pixel {},{} channel {}: {} against {}\n", "largest at", verdict.image.largest->x,
                            verdict.image.largest->y, to_one_line(verdict.image.largest->channel),
                            verdict.image.largest->test, verdict.image.largest->reference);
    if (!verdict.image.non_finite_places.empty())
        text += fmt::format("{:<12} {} in the test, {} in the reference, {} differ; first at {}\n", "NaN or inf",
                            verdict.image.non_finite_test, verdict.image.non_finite_reference,
                            verdict.image.non_finite_differing,
                            to_one_line(describe(verdict.image.non_finite_places.front())));
    if (verdict.films) text += fmt::format("{:<12} {}\n", "films", describe(*verdict.films));
    if (verdict.expectation) text += format_expectation(*verdict.expectation);
    bool const is_judged = word != "no threshold" || !verdict.image.matched();
    for (std::string const& reason : is_judged ? verdict.reasons : std::vector<std::string>{})
        text += fmt::format("{:<12} {}\n", "because", to_one_line(reason));
    return text;
}

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
            xml += format_property(value.name, fmt::format("{:.9g}", value.value));
        xml += format_property("judged_by", describe_criterion(named.criteria));
        if (named.verdict.image.alpha) xml += format_property("alpha", describe(*named.verdict.image.alpha));
        xml += "    </properties>\n";
        if (!named.verdict.positive) {
            std::string reasons;
            for (std::string const& reason : named.verdict.reasons) reasons += reason + "\n";
            xml += fmt::format("    <failure type=\"{}\" message=\"{}\">{}</failure>\n", name_outcome(named.verdict),
                               escape_markup(named.verdict.reasons.empty() ? "" : named.verdict.reasons.front()),
                               escape_markup(reasons));
        }
        xml += "  </testcase>\n";
    }
    return xml + "</testsuite>\n";
}

} // namespace volpt
