#include "libvolpt/film/film_report.h"

#include "libvolpt/film/film_banks.h"
#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_image.h"
#include "libvolpt/film/film_stats.h"
#include "libvolpt/film/passes/pass_totals.h"
#include "libvolpt/sys/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace volpt {

namespace {

nlohmann::ordered_json report_long_steps(Film const& film)
{
    BankErrors const banks = measure_bank_errors(film);
    std::vector<double> errors;
    for (std::size_t band = 0; band < film.bands(); ++band) errors.push_back(std::sqrt(banks.film_variance(band)));
    return {{"long_steps", film.long_steps.steps},
            {"stepped_collisions", film.long_steps.collisions},
            {"banks", film.long_steps.bank_sums.size()},
            {"bank_error", errors}};
}

nlohmann::ordered_json report_coverage(Film const& film)
{
    double hits = 0, samples = 0;
    for (std::uint64_t const count : film.coverage) hits += static_cast<double>(count);
    for (std::size_t tile = 0; tile < film.tile_ranges.size(); ++tile)
        samples += static_cast<double>(count_samples(film.tile_ranges[tile])) *
                   static_cast<double>(count_tile_pixels(film, tile));
    return {{"coverage", samples > 0 ? hits / samples : 0.0},
            {"uncovered_pixels", std::ranges::count(film.coverage, std::uint64_t{0})}};
}

} // namespace

nlohmann::ordered_json report_film(Film const& film)
{
    FilmSummary const summary = summarize_film(film);
    nlohmann::ordered_json report{
        {"scene_hash", to_hex(film.scene_hash())},
        {"film_hash", to_hex(hash_film(film))},
        {"seed", film.seed()},
        {"width", film.width()},
        {"height", film.height()},
        {"bands", film.bands()},
        {"samples", summary.samples_min},
        {"samples_min", summary.samples_min},
        {"samples_max", summary.samples_max},
        {"paths", film.statistics.paths},
        {"extensions", film.statistics.extensions},
        {"tentative_collisions", film.statistics.tentative_collisions},
        {"cut_paths", film.statistics.cut_paths},
        {"cut_throughput", std::ldexp(static_cast<double>(film.statistics.cut_throughput), -24)},
        {"mean", summary.mean},
        {"standard_error", summary.standard_error},
        {"dim_share", summary.dim_share}};
    if (film.scene().long_steps != LongSteps::plain) report.update(report_long_steps(film));
    if (film.counts_coverage()) report.update(report_coverage(film));
    return report;
}

nlohmann::ordered_json report_film_with_scene(Film const& film)
{
    nlohmann::ordered_json report = report_film(film);
    report["scene"] = nlohmann::ordered_json::object();
    for (auto const& [field, value] : describe_scene(film.scene())) report["scene"][field] = value;
    report["provenance"] = nlohmann::ordered_json::parse(to_json(film.provenance));
    return report;
}

nlohmann::ordered_json report_colour(Film const& film, Illuminant illuminant, int threads)
{
    ColourNoise const of_film(film, illuminant, threads);
    NoiseSummary const noise = summarize_noise(measure_de2000_noise(film, of_film, threads));
    return {{"illuminant", to_word(illuminant)},
            {"observer", kObserverName},
            {"de2000_noise_mean", noise.mean},
            {"de2000_noise_p95", noise.p95},
            {"de2000_noise_kind", of_film.is_bound() ? "at_most" : "expected"}};
}

std::vector<std::pair<std::string, std::string>> list_film_attributes(Film const& film, KeepProvenance keep)
{
    std::vector<std::pair<std::string, std::string>> attributes;
    nlohmann::ordered_json const report = report_film(film);
    for (auto const& [key, value] : report.items())
        attributes.emplace_back(key, value.is_string() ? value.get<std::string>() : format_json(value));
    attributes.emplace_back("rounding_variance", format_json(find_rounding_variance(film)));
    if (auto const shared = list_shared_variances(film); !shared.empty())
        attributes.emplace_back("shared_variance", format_json(shared));
    if (auto const means = list_mean_variances(film); !means.empty())
        attributes.emplace_back("mean_variance", format_json(means));
    for (auto const& [field, value] : describe_scene(film.scene())) attributes.emplace_back("scene." + field, value);
    if (keep == KeepProvenance::yes) attributes.emplace_back("provenance", to_json(film.provenance));
    return attributes;
}

} // namespace volpt
