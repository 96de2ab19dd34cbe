#include "libvolpt/stats/convergence/render_record.h"

#include "libvolpt/film/film_stats.h"
#include "libvolpt/stats/convergence/convergence_fit.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

namespace volpt {
namespace {

double parse_plain_number(std::string_view text)
{
    double number = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && std::isfinite(number) && number >= 0 ? number
                                                                                                            : kUnknown;
}

/// NaN for anything but a number above 0.
double take_positive(double number)
{
    return number > 0 ? number : kUnknown;
}

double find_number(Image const& image, std::string_view name)
{
    std::string const* const text = find_attribute(image, name);
    return text == nullptr ? kUnknown : take_positive(parse_plain_number(*text));
}

double count_mean_samples(Film const& film)
{
    double samples = 0;
    for (std::uint32_t y = 0; y < film.height(); ++y)
        for (std::uint32_t x = 0; x < film.width(); ++x) samples += static_cast<double>(film.samples_at(x, y));
    return samples / (static_cast<double>(film.width()) * film.height());
}

/// Of a film, or of an image made from one.
double count_samples(Subject const& subject)
{
    if (subject.film) return count_mean_samples(*subject.film);
    if (Channel const* const counts = subject.image.find("sample_count"))
        return take_positive(std::accumulate(counts->values.begin(), counts->values.end(), 0.0) /
                             static_cast<double>(counts->values.size()));
    if (find_attribute(subject.image, "scene_hash") == nullptr) return kUnknown;
    double const least = find_number(subject.image, "samples_min");
    return least == find_number(subject.image, "samples_max") ? least : kUnknown;
}

/// "cycles.LAYER.KEY": of the layer that is compared, else of the only one. Empty if there is none, or if there are
/// several.
std::string find_cycles_value(Image const& image, std::string const& layer, std::string_view key)
{
    std::vector<std::string> values;
    for (auto const& [name, value] : image.metadata) {
        constexpr std::string_view kPrefix = "cycles.";
        std::string const suffix = fmt::format(".{}", key);
        if (name.size() <= kPrefix.size() + suffix.size() || !name.starts_with(kPrefix) || !name.ends_with(suffix))
            continue;
        std::string const of = name.substr(kPrefix.size(), name.size() - kPrefix.size() - suffix.size());
        if (layer == of || layer.starts_with(of + ".")) return value;
        values.push_back(value);
    }
    return values.size() == 1 ? values.front() : std::string();
}

constexpr std::string_view kCyclesCaution =
    "the samples of Cycles are those that it was set to; with adaptive sampling "
    "(its noise threshold) pixels have fewer, and --spp gives the right numbers";

double find_cycles_samples(Subject const& subject, std::string const& layer)
{
    return take_positive(parse_plain_number(find_cycles_value(subject.image, layer, "samples")));
}

/// In another renderer's metadata.
double find_recorded_samples(Subject const& subject, std::string const& layer)
{
    if (subject.film) return kUnknown;
    double const cycles = find_cycles_samples(subject, layer);
    return std::isnan(cycles) ? find_number(subject.image, "samplesPerPixel") : cycles;
}

double find_seconds_of_film(Subject const& subject)
{
    std::string text;
    if (subject.film) {
        if (std::string const* const found = subject.film->provenance.find("seconds_render")) text = *found;
    } else if (std::string const* const provenance = find_attribute(subject.image, "provenance")) {
        auto const json = parse_json(*provenance);
        if (json.is_object() && json.contains("seconds_render") && json["seconds_render"].is_string())
            text = json["seconds_render"].get<std::string>();
    }
    return take_positive(parse_plain_number(text));
}

double find_seconds(Subject const& subject, std::string const& layer)
{
    double seconds = find_seconds_of_film(subject);
    if (subject.film || !std::isnan(seconds)) return seconds;
    seconds = take_positive(parse_clock_time(find_cycles_value(subject.image, layer, "render_time")));
    if (!std::isnan(seconds)) return seconds;
    if (std::string const* const text = find_attribute(subject.image, "RenderTime"))
        seconds = take_positive(parse_clock_time(*text));
    return std::isnan(seconds) ? find_number(subject.image, "renderTimeSeconds") : seconds;
}

bool is_digit(char letter)
{
    return std::isdigit(static_cast<unsigned char>(letter)) != 0;
}

bool is_separator(char letter)
{
    return letter == '_' || letter == '-' || letter == ' ' || letter == '=';
}

/// The digits that end at `end`; empty if they are the fraction of a number.
std::string take_digits_before(std::string const& text, std::size_t end)
{
    std::size_t begin = end;
    while (begin > 0 && is_digit(text[begin - 1])) --begin;
    if (begin >= 2 && text[begin - 1] == '.' && is_digit(text[begin - 2])) return {};
    return text.substr(begin, end - begin);
}

std::string take_digits_after(std::string const& text, std::size_t begin)
{
    std::size_t end = begin;
    while (end < text.size() && is_digit(text[end])) ++end;
    return text.substr(begin, end - begin);
}

/// The numbers beside the "spp" that begins at `at`: those that touch it, else those behind a separator.
void collect_numbers_beside(std::string const& text, std::size_t at, std::set<double>& numbers)
{
    std::size_t const end = at + 3;
    std::string before = take_digits_before(text, at), after = take_digits_after(text, end);
    if (before.empty() && after.empty()) {
        if (at > 0 && is_separator(text[at - 1])) before = take_digits_before(text, at - 1);
        if (end < text.size() && is_separator(text[end])) after = take_digits_after(text, end + 1);
    }
    for (std::string const& digits : {before, after})
        if (double const number = take_positive(parse_plain_number(digits)); number > 0) numbers.insert(number);
}

} // namespace

double parse_clock_time(std::string_view text)
{
    double seconds = 0;
    for (int parts = 0; parts < 3; ++parts) {
        std::size_t const colon = text.find(':');
        double const part = parse_plain_number(text.substr(0, colon));
        if (std::isnan(part)) return kUnknown;
        seconds = 60 * seconds + part;
        if (colon == std::string_view::npos) return seconds;
        text.remove_prefix(colon + 1);
    }
    return kUnknown;
}

double find_samples_in_name(std::string const& path)
{
    std::string name = std::filesystem::path(path).stem().string();
    for (char& letter : name) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    std::set<double> numbers;
    for (std::size_t at = name.find("spp"); at != std::string::npos; at = name.find("spp", at + 3))
        collect_numbers_beside(name, at, numbers);
    return numbers.size() == 1 ? *numbers.begin() : kUnknown;
}

RenderRecord find_render_record(Subject const& subject, std::string const& layer, RenderRecord const& stated,
                                std::vector<std::string>& notices)
{
    RenderRecord record;
    record.seconds = std::isnan(stated.seconds) ? find_seconds(subject, layer) : stated.seconds;
    if (double const counted = count_samples(subject); !std::isnan(counted)) {
        if (std::abs(stated.samples - counted) > 0.005 * counted) // false if none is stated
            fail_input(fmt::format("has {:g} samples per pixel, but {:g} are stated", counted, stated.samples),
                       subject.name, "the file counts its samples", "leave --spp out, or give the files in its order");
        record.samples = counted;
        record.source = SampleSource::film;
        return record;
    }
    double const recorded = find_recorded_samples(subject, layer);
    double const named = find_samples_in_name(subject.name);
    if (!std::isnan(stated.samples)) {
        double const other = std::isnan(recorded) ? named : recorded;
        if (std::abs(stated.samples - other) > 0)
            notices.push_back(fmt::format("{}: {:g} samples are stated, its {} has {:g}", subject.name, stated.samples,
                                          std::isnan(recorded) ? "name" : "metadata", other));
        record.samples = stated.samples;
        record.source = SampleSource::statement;
    } else if (!std::isnan(recorded)) {
        if (std::abs(named - recorded) > 0)
            fail_input(fmt::format("has {:g} samples by its metadata, and {:g} by its name", recorded, named),
                       subject.name, "one of them is wrong", "state the numbers with --spp, or rename the file");
        record.samples = recorded;
        record.source = SampleSource::metadata;
        bool const is_cycles = !std::isnan(find_cycles_samples(subject, layer));
        if (is_cycles && std::ranges::find(notices, kCyclesCaution) == notices.end())
            notices.emplace_back(kCyclesCaution);
    } else if (!std::isnan(named)) {
        record.samples = named;
        record.source = SampleSource::name;
    }
    return record;
}

} // namespace volpt
