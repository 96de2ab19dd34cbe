#include "libvolpt/stats/convergence/convergence.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace volpt {
namespace {

double sum(std::vector<double> const& values)
{
    double total = 0;
    for (double const value : values) total += value;
    return total;
}

void check_points(MeasuredSquares const& squares, std::vector<Rendering> const& tests, Convergence& convergence)
{
    double const noise = sum(squares.reference_noise);
    bool const knows_noise = !squares.reference_noise.empty();
    for (std::size_t i = 0; i < tests.size(); ++i) {
        PointSquares const& point = squares.points[i];
        std::string const& name = tests[i].subject.name;
        double const difference = sum(point.differences);
        bool const part = point.relation == NoiseRelation::part;
        if (!knows_noise && point.samples >= squares.reference_samples)
            fail_input(fmt::format("has {:g} samples, the reference {:g}", point.samples, squares.reference_samples),
                       name, "the noise of the reference is not known, and must be less than the test's",
                       "render a longer reference, or name its noise with --noise-layer");
        double const left = difference + (part ? 1 : -1) * noise;
        if (!std::isfinite(left) || difference <= 0 || left <= 0)
            fail_input(difference > 0 ? "has no error above the noise of the reference" : "is equal to the reference",
                       name, "the reference needs many times as many samples", "render a longer reference");
        if (!part && noise > 0.25 * difference)
            convergence.notices.push_back(fmt::format(
                "{}: {:.0f} % of the squared difference is the reference's own noise", name, 100 * noise / difference));
    }
}

/// The slopes by both assumptions, if a relation is unknown.
std::optional<SlopeRange> find_range(Measurement const& measured, double slope)
{
    bool const unknown = std::ranges::any_of(
        measured.squares.points, [](PointSquares const& point) { return point.relation == NoiseRelation::unknown; });
    if (!unknown || !measured.knows_reference) return std::nullopt;
    double const independent = fit_convergence(measured.squares, NoiseRelation::independent).slope_samples.value;
    double const part = fit_convergence(measured.squares, NoiseRelation::part).slope_samples.value;
    if (std::isnan(independent) || std::isnan(part)) return SlopeRange{kUnknown, kUnknown};
    return SlopeRange{std::min({slope, independent, part}), std::max({slope, independent, part})};
}

void note_reference(Measurement const& measured, Convergence& convergence)
{
    if (!measured.knows_reference)
        convergence.notices.push_back(fmt::format("{}: its noise and its number of samples are not known; it counts as "
                                                  "exact",
                                                  convergence.reference));
    if (!convergence.slope_range) return;
    auto const [low, high] = *convergence.slope_range;
    if (high - low <= kSlopeTolerance) return;
    convergence.notices.push_back(fmt::format(
        "the files do not tell whether the renderings share samples with the reference: the slope is {:.3f} "
        "to {:.3f}; a reference of many times as many samples tells more",
        low, high));
}

/// Tells what keeps the error from falling, where c is significant.
void note_floor(Measurement const& measured, ConvergenceFit const& fit, Convergence& convergence)
{
    constexpr double kLeastShare = 0.1, kDeviations = 3;
    double const share = fit.floor_share.value, last = convergence.points.back().error;
    double const rounding = measured.rounding / (last * last);
    if (rounding > kLeastShare)
        convergence.notices.push_back(
            fmt::format("{:.0f} % of the squared error at {:g} samples is rounding to {} in the files",
                        100 * std::min(rounding, 1.0), convergence.points.back().samples, measured.rounding_form));
    // An independent reference whose noise is not subtracted adds its own a / N.
    bool const subtracted = !measured.squares.reference_noise.empty() ||
                            measured.squares.points.back().relation != NoiseRelation::unknown ||
                            std::isnan(convergence.reference_samples);
    double const own =
        subtracted ? 0 : fit.noise_share * convergence.points.back().samples / convergence.reference_samples;
    double const left = share - own - rounding;
    if (!(left > kLeastShare && left > kDeviations * fit.floor_share.standard_error)) return;
    convergence.notices.push_back(
        fmt::format("{:.0f} % of the squared error at {:g} samples does not fall with the samples, and the error stays "
                    "above {:.3g} "
                    "(by a fit of a / samples + c): a bias, as of clamped or denoised light or another scene{}",
                    100 * std::min(share, 1.0), convergence.points.back().samples, convergence.floor,
                    measured.knows_reference ? "" : ", or the reference's own noise"));
}

void note_names(std::vector<Rendering> const& tests, Rendering const& reference, Convergence& convergence)
{
    std::vector<std::string> named;
    auto const add = [&](Rendering const& rendering) {
        if (rendering.record.source == SampleSource::name)
            named.push_back(fmt::format("{:g}", rendering.record.samples));
    };
    std::ranges::for_each(tests, add);
    add(reference);
    if (!named.empty())
        convergence.notices.push_back(fmt::format("samples by the names of the files: {}", fmt::join(named, ", ")));
}

/// Of images made from films, whose sample numbers are not recorded.
void note_parts(Measurement const& measured, std::vector<Rendering> const& tests, Rendering const& reference,
                Convergence& convergence)
{
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < tests.size(); ++i)
        if (measured.squares.points[i].relation == NoiseRelation::part &&
            !(tests[i].subject.film && reference.subject.film))
            parts.push_back(tests[i].subject.name);
    if (!parts.empty())
        convergence.notices.push_back(
            fmt::format("{}: of the reference's scene and seed, so their samples are taken to "
                        "be part of the reference's",
                        fmt::join(parts, ", ")));
}

void note_slope(Convergence& convergence)
{
    double const slope = convergence.slope_samples.value, error = convergence.slope_samples.standard_error;
    if (std::abs(slope + 0.5) > kSlopeTolerance)
        convergence.notices.push_back(
            fmt::format("the error falls with the power {:.3f} of the samples, not -1/2", slope));
    if (2 * error > kSlopeTolerance)
        convergence.notices.push_back(fmt::format("the slope is uncertain by +- {:.2g} (one standard error): larger "
                                                  "pictures or a wider range of samples tell more",
                                                  error));
}

} // namespace

std::size_t find_longest(std::span<Rendering const> renderings)
{
    for (Rendering const& rendering : renderings)
        if (!(rendering.record.samples > 0))
            fail_input("does not tell its number of samples", rendering.subject.name,
                       "convergence is measured over the samples per pixel",
                       "give --spp N,N,.. in the order of the files, or name it as in cube_64spp.exr; a reference "
                       "without a number goes to --reference");
    auto const longest =
        std::ranges::max_element(renderings, {}, [](Rendering const& rendering) { return rendering.record.samples; });
    return static_cast<std::size_t>(std::distance(renderings.begin(), longest));
}

Convergence measure_convergence(std::vector<Rendering> tests, Rendering reference)
{
    find_longest(tests);
    std::ranges::stable_sort(tests, {}, [](Rendering const& test) { return test.record.samples; });
    Convergence convergence;
    convergence.reference = reference.subject.name;
    convergence.reference_samples = reference.record.samples;
    note_names(tests, reference, convergence);
    Measurement const measured = measure_squares(tests, reference, convergence.notices);
    check_points(measured.squares, tests, convergence);
    ConvergenceFit const fit = fit_convergence(measured.squares, NoiseRelation::unknown);
    for (std::size_t i = 0; i < tests.size(); ++i)
        convergence.points.push_back({tests[i].subject.name, tests[i].record.samples, tests[i].record.source,
                                      tests[i].record.seconds, fit.errors[i], fit.slopes[i]});
    convergence.slope_samples = fit.slope_samples;
    convergence.slope_time = fit.slope_time;
    if (std::isnan(convergence.slope_samples.value))
        fail_input("the renderings have the same number of samples", "--convergence", "a slope needs two points",
                   "give renderings of different sample counts");
    convergence.slope_range = find_range(measured, fit.slope_samples.value);
    convergence.floor_share = fit.floor_share;
    convergence.floor = convergence.points.back().error * std::sqrt(std::max(fit.floor_share.value, 0.0));
    convergence.as_expected =
        std::abs(convergence.slope_samples.value + 0.5) <= kSlopeTolerance && !measured.has_non_finite;
    note_parts(measured, tests, reference, convergence);
    note_slope(convergence);
    note_reference(measured, convergence);
    note_floor(measured, fit, convergence);
    return convergence;
}

} // namespace volpt
