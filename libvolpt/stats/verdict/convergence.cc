#include "libvolpt/stats/verdict/convergence.h"

#include "libvolpt/stats/verdict/compare_films.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace volpt {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double count_mean_samples(Film const& film)
{
    double samples = 0;
    for (std::uint32_t y = 0; y < film.height(); ++y)
        for (std::uint32_t x = 0; x < film.width(); ++x) samples += static_cast<double>(film.samples_at(x, y));
    return samples / (static_cast<double>(film.width()) * film.height());
}

double read_seconds(Film const& film)
{
    std::string const* const text = film.provenance.find("seconds_render");
    double seconds = 0;
    if (text == nullptr || std::from_chars(text->data(), text->data() + text->size(), seconds).ec != std::errc{})
        return kUnknown;
    return seconds > 0 ? seconds : kUnknown;
}

bool is_part(Film const& film, Film const& whole)
{
    for (std::size_t tile = 0; tile < film.tile_ranges.size(); ++tile)
        for (SampleRange const& range : film.tile_ranges[tile])
            if (!missing_ranges(whole.tile_ranges[tile], range).empty()) return false;
    return film.seed() == whole.seed();
}

/// Mean over pixels and bands of the squared difference, and of the reference's squared standard error.
struct Squares {
    double difference = 0;
    double reference_noise = 0;
};
Squares average_squares(Image const& image, Image const& reference)
{
    Squares squares;
    double count = 0;
    for (Channel const& channel : image.channels) {
        Channel const* const error = reference.find("standard_error." + channel.name);
        if (error == nullptr) continue; // a layer
        std::vector<float> const& truth = reference.find(channel.name)->values;
        for (std::size_t i = 0; i < truth.size(); ++i) {
            double const difference = static_cast<double>(channel.values[i]) - static_cast<double>(truth[i]);
            squares.difference += difference * difference;
            squares.reference_noise += static_cast<double>(error->values[i]) * static_cast<double>(error->values[i]);
            count += 1;
        }
    }
    return {squares.difference / count, squares.reference_noise / count};
}

ConvergencePoint measure_point(Subject const& subject, Subject const& reference, Convergence& convergence)
{
    FilmComparison const films = compare_films(*subject.film, *reference.film);
    if (films.relation == FilmRelation::other_scene)
        fail_input("is not of the reference's scene: " + films.differences.front(), subject.name,
                   "convergence is measured on films of one scene", "leave it out");
    bool const part = is_part(*subject.film, *reference.film);
    if (films.shared_noise == SharedNoise::samples && !part)
        fail_input("shares only some of its samples with the reference", subject.name,
                   "the films must share all samples or none", "render it with another --seed");
    Squares const squares = average_squares(subject.image, reference.image);
    double const square = squares.difference + (part ? 1 : -1) * squares.reference_noise;
    if (!std::isfinite(square) || square <= 0)
        fail_input("has no error above the noise of the reference", subject.name,
                   "the reference needs many times as many samples", "render a longer reference");
    if (!part && squares.reference_noise > 0.25 * squares.difference)
        convergence.notices.push_back(fmt::format("{}: {:.0f} % of the squared difference is the reference's own noise",
                                                  subject.name, 100 * squares.reference_noise / squares.difference));
    return {subject.name, count_mean_samples(*subject.film), read_seconds(*subject.film), std::sqrt(square)};
}

/// Least squares of log(error) over log(x).
double fit_slope(std::vector<ConvergencePoint> const& points, double ConvergencePoint::*x)
{
    double mean_x = 0, mean_y = 0, square = 0, product = 0;
    for (ConvergencePoint const& point : points) {
        mean_x += std::log(point.*x) / static_cast<double>(points.size());
        mean_y += std::log(point.error) / static_cast<double>(points.size());
    }
    for (ConvergencePoint const& point : points) {
        double const apart = std::log(point.*x) - mean_x;
        square += apart * apart;
        product += apart * (std::log(point.error) - mean_y);
    }
    return square > 0 ? product / square : kUnknown;
}

} // namespace

Convergence measure_convergence(std::span<Subject const> films)
{
    for (Subject const& subject : films)
        if (!subject.film)
            fail_input("is an image, not a film", subject.name, "an image does not record its number of samples",
                       "give the .vpf");
    auto const reference =
        std::ranges::max_element(films, {}, [](Subject const& subject) { return count_mean_samples(*subject.film); });
    Convergence convergence;
    convergence.reference = reference->name;
    for (Subject const& subject : films)
        if (&subject != &*reference) convergence.points.push_back(measure_point(subject, *reference, convergence));
    std::ranges::sort(convergence.points, {}, &ConvergencePoint::samples);
    convergence.slope_samples = fit_slope(convergence.points, &ConvergencePoint::samples);
    convergence.slope_time = fit_slope(convergence.points, &ConvergencePoint::seconds);
    if (std::isnan(convergence.slope_samples))
        fail_input("the films have the same number of samples", "--convergence", "a slope needs two points",
                   "give films of different sample counts");
    convergence.as_expected = std::abs(convergence.slope_samples + 0.5) <= kSlopeTolerance;
    if (!convergence.as_expected)
        convergence.notices.push_back(
            fmt::format("the error falls with the power {:.3f} of the samples, not -1/2", convergence.slope_samples));
    return convergence;
}

} // namespace volpt
