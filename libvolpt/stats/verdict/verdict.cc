#include "libvolpt/stats/verdict/verdict.h"

#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_output.h"

#include "libvolpt/stats/verdict/regions/noisy_region.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
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

/// Adds the figures and maps of noise to those of de2000, if de2000 was measured and the noise of a side is known.
void add_colour_noise(Subject const& test, Subject const& reference, MetricSettings const& settings,
                      ImageComparison& image)
{
    auto const map = std::ranges::find(image.maps, "de2000", &ErrorMap::metric);
    if (map == image.maps.end()) return;
    std::vector<float> noise = find_de2000_noise(test, settings.illuminant);
    std::vector<float> const other = find_de2000_noise(reference, settings.illuminant);
    if (noise.empty()) noise.assign(other.size(), 0.0f);
    for (std::size_t i = 0; i < other.size(); ++i) noise[i] = std::hypot(noise[i], other[i]);
    if (noise.empty()) return;

    std::vector<float> share(noise.size());
    double share_sum = 0, compared = 0;
    for (std::size_t i = 0; i < noise.size(); ++i) {
        float const difference = map->values[i];
        share[i] = noise[i] < difference ? noise[i] / difference : noise[i] > 0 ? 1.0f : 0.0f;
        if (std::isnan(difference)) share[i] = difference;
        if (std::isnan(share[i])) continue;
        share_sum += static_cast<double>(share[i]);
        compared += 1;
    }
    std::vector<float> compared_noise;
    for (std::size_t i = 0; i < noise.size(); ++i) {
        if (std::isnan(map->values[i]))
            noise[i] = map->values[i];
        else
            compared_noise.push_back(noise[i]);
    }
    if (compared_noise.empty()) return;
    NoiseSummary const summary = summarize_noise(std::move(compared_noise));
    auto const place = std::ranges::find(image.values, "de2000.max", &MetricValue::name);
    image.values.insert(place + 1, {{"de2000.noise_mean", summary.mean},
                                    {"de2000.noise_p95", summary.p95},
                                    {"de2000.noise_share", share_sum / compared}});
    image.maps.insert(map + 1, {{"de2000_noise", std::move(noise)}, {"de2000_noise_share", std::move(share)}});
}

/// Tells which side has a background that is darker than the other's.
void note_backdrops(Subject const& test, Subject const& reference, std::vector<std::string>& notices)
{
    auto const* const of_test = find_attribute(test.image, kBackdropAttribute);
    auto const* const of_reference = find_attribute(reference.image, kBackdropAttribute);
    bool const alike =
        of_test != nullptr && of_reference != nullptr ? *of_test == *of_reference : of_test == of_reference;
    if (alike) return;
    for (auto const& [subject, factor] : {std::pair{&test, of_test}, {&reference, of_reference}})
        if (factor != nullptr)
            notices.push_back(
                fmt::format("{}: shows the light behind the volume at {} of its radiance: the backgrounds "
                            "differ, unless it is written with volrender --backdrop 1",
                            subject->name, *factor));
}

/// Tells which side does not show light as it is.
void note_tones(Subject const& test, Subject const& reference, std::vector<std::string>& notices)
{
    auto const* const of_test = find_attribute(test.image, kToneAttribute);
    auto const* const of_reference = find_attribute(reference.image, kToneAttribute);
    if (of_test != nullptr && of_reference != nullptr && *of_test == *of_reference) return;
    for (auto const& [subject, tone] : {std::pair{&test, of_test}, {&reference, of_reference}})
        if (tone != nullptr)
            notices.push_back(fmt::format("{}: shows light by the tone {}: all of it differs from a picture without, "
                                          "unless it is written with volrender --tone srgb",
                                          subject->name, *tone));
}

/// What is left of a denoised picture's error is no noise that a test knows, and its bits depend on how it was
/// denoised.
void refuse_denoised(Subject const& test, Subject const& reference, Criteria const& criteria)
{
    bool const is_equality = criteria.purpose == Purpose::verdict && !criteria.threshold && !criteria.expectation;
    if (!is_equality && !criteria.expectation) return;
    for (Subject const* subject : {&test, &reference})
        if (find_attribute(subject->image, kDenoisedAttribute) != nullptr)
            fail_usage(fmt::format("{} is denoised: {}", subject->name,
                                   is_equality ? "its bits are not those of samples, so that equality says nothing of "
                                                 "the render"
                                               : "what is left of its error is no noise of samples, which "
                                                 "--statistical tests"),
                       "compare films, or pictures written with --denoise off; or give a --threshold");
}

void note_shared_noise(SharedNoise shared, std::vector<std::string>& notices)
{
    if (shared == SharedNoise::samples)
        notices.emplace_back("the films share samples: their difference has less noise than assumed, so that a bias "
                             "may be missed");
    if (shared == SharedNoise::random_numbers)
        notices.emplace_back("the films are of different scenes but of one seed: where their paths draw the same "
                             "numbers, the difference has less noise than assumed, so that a bias may be missed; give "
                             "one of them another --seed");
}

void judge_exactly(Verdict& verdict)
{
    verdict.positive = verdict.equal_bits;
    if (verdict.positive) return;
    append(verdict.reasons, verdict.image.mismatches);
    if (!verdict.image.matched()) return;
    if (verdict.image.largest && verdict.image.largest->absolute > 0)
        verdict.reasons.push_back(describe(*verdict.image.largest));
    else if (verdict.image.non_finite_differing > 0)
        verdict.reasons.push_back("no finite value differs; NaN or infinity does, first at " +
                                  describe(verdict.image.non_finite_places.front()));
    else if (!verdict.image.equal_bits && verdict.reasons.empty())
        verdict.reasons.push_back("no finite value differs, but the bits do: layers, pixels outside of "
                                  "the display window, or signs of zero");
}

void judge_by(Threshold const& threshold, Verdict& verdict)
{
    Threshold::Outcome const outcome = threshold.evaluate(verdict.image.values);
    if (!outcome.holds) append(verdict.reasons, outcome.failures);
}

NoisyImage describe_noise(Subject const& subject)
{
    return {subject.image, subject.sample_variance_floor, subject.shared_variance, subject.pixel_noise,
            subject.mean_variance};
}

std::string tell_samples(std::string_view side, double has, double needs)
{
    if (std::isnan(needs))
        return std::isnan(has)
                   ? std::string()
                   : fmt::format("; the {} has {:.0f} samples per pixel, and most of its light is in places "
                                 "that no contribution has reached",
                                 side, has);
    if (needs <= has) return {};
    return fmt::format("; the {} needs about {:.0f} samples per pixel, it has {:.0f}", side, needs, has);
}

/// Nothing speaks against the same expectation, but little could. Equal bits need no test.
void judge_decision(ExpectationComparison const& comparison, Verdict& verdict)
{
    if (comparison.is_decided || verdict.equal_bits || !verdict.reasons.empty()) return;
    verdict.undecided = true;
    verdict.reasons.push_back(
        fmt::format("undecided: only {:.2g} % of the light is in places where both sides have {:.0f} contributions, in "
                    "blocks of up "
                    "to {} x {} pixels{}{}",
                    100 * comparison.judged_light, kEnoughContributions, kBlockEdge, kBlockEdge,
                    tell_samples("test", comparison.test_samples, comparison.test_samples_needed),
                    tell_samples("reference", comparison.reference_samples, comparison.reference_samples_needed)));
}

void judge_by(ExpectationSettings const& settings, Subject const& test, Subject const& reference, Verdict& verdict)
{
    if (test.image.transfer != Transfer::linear || reference.image.transfer != Transfer::linear) {
        verdict.reasons.push_back("an sRGB-coded image has no expectation to test: its values are rounded and clamped");
        return;
    }
    verdict.expectation =
        compare_expectations(describe_noise(test), describe_noise(reference), verdict.image.channels, settings);
    append(verdict.reasons, verdict.expectation->reasons);
    append(verdict.notices, verdict.expectation->notices);
}

/// By threshold and test of expectations.
void judge_tolerantly(Subject const& test, Subject const& reference, Criteria const& criteria, Verdict& verdict)
{
    append(verdict.reasons, verdict.image.mismatches);
    if (!verdict.image.matched()) return;
    if (criteria.threshold) judge_by(*criteria.threshold, verdict);
    if (criteria.expectation) judge_by(*criteria.expectation, test, reference, verdict);
    if (verdict.image.non_finite_differing > 0)
        verdict.reasons.push_back(
            fmt::format("{} values are NaN or infinite in one of the two, or differently so, the first at {}",
                        verdict.image.non_finite_differing, describe(verdict.image.non_finite_places.front())));
}

} // namespace

std::string_view name_outcome(Verdict const& verdict)
{
    return verdict.positive ? "pass" : verdict.undecided ? "undecided" : "fail";
}

std::string describe_criterion(Criteria const& criteria)
{
    if (criteria.threshold) return criteria.expectation ? "threshold and statistics" : "threshold";
    return criteria.expectation ? "statistics" : "equality";
}

std::string spell_verdict(Verdict const& verdict, Criteria const& criteria)
{
    bool const is_judged = criteria.purpose == Purpose::verdict || criteria.threshold || criteria.expectation;
    return !is_judged ? "no threshold" : std::string(name_outcome(verdict));
}

std::vector<std::string> list_default_metrics()
{
    return {"max", "mse", "rmse"};
}

std::vector<Metric const*> select_metrics(Criteria const& criteria)
{
    std::vector<std::string> names = criteria.metrics;
    if (names.empty()) names = list_default_metrics();
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
    refuse_denoised(test, reference, criteria);
    Verdict verdict;
    std::vector<Metric const*> const metrics = select_metrics(criteria);
    MetricSettings settings = criteria.settings;
    if (std::ranges::find(metrics, "de2000", &Metric::name) != metrics.end()) settings.keep_map = KeepMap::yes;
    verdict.image = compare_images(test.image, reference.image, metrics, settings);
    add_colour_noise(test, reference, settings, verdict.image);
    if (criteria.settings.keep_map == KeepMap::no) verdict.image.maps.clear();
    for (Subject const* subject : {&test, &reference})
        for (std::string const& notice : subject->notices) verdict.notices.push_back(subject->name + ": " + notice);
    append(verdict.notices, verdict.image.notices);
    bool const has_noise =
        std::ranges::find(verdict.image.values, "de2000.noise_mean", &MetricValue::name) != verdict.image.values.end();
    if (verdict.image.alpha && has_noise) verdict.notices.emplace_back("the noise of Delta E is that over black");
    if (!verdict.image.equal_bits) {
        note_backdrops(test, reference, verdict.notices);
        note_tones(test, reference, verdict.notices);
    }
    verdict.equal_bits = verdict.image.equal_bits;
    bool const exactly = !criteria.threshold && !criteria.expectation;
    if (test.film && reference.film) {
        FilmComparison const films = compare_films(*test.film, *reference.film);
        verdict.equal_bits = films.equal;
        verdict.films = films.relation;
        append(exactly ? verdict.reasons : verdict.notices, films.differences);
        if (criteria.expectation && !films.equal) note_shared_noise(films.shared_noise, verdict.notices);
    }
    if (!verdict.films && criteria.expectation && !verdict.equal_bits)
        note_shared_noise(find_shared_noise(test, reference).value_or(SharedNoise::none), verdict.notices);
    if (exactly) {
        judge_exactly(verdict);
        return verdict;
    }
    judge_tolerantly(test, reference, criteria, verdict);
    if (verdict.expectation) judge_decision(*verdict.expectation, verdict);
    verdict.positive = verdict.reasons.empty();
    return verdict;
}

} // namespace volpt
