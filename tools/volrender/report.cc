#include "tools/volrender/report.h"

#include "kernels/gpu_backend.h"
#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/cpu/cpu_backend.h"
#include "libvolpt/film/film_report.h"
#include "libvolpt/film/film_stats.h"
#include "libvolpt/scene/light/light_checks.h"
#include "libvolpt/sys/json.h"
#include "tools/volrender/work_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <unistd.h>

namespace volpt {
namespace {

/// Of the mean over the picture, the largest of all bands; nothing if it is not known.
std::optional<double> find_relative_error(nlohmann::ordered_json const& answer)
{
    nlohmann::ordered_json const &means = answer["mean"], &errors = answer["standard_error"];
    std::optional<double> largest;
    for (std::size_t band = 0; band < means.size(); ++band) {
        if (!means[band].is_number() || !errors[band].is_number() || means[band].get<double>() <= 0) return {};
        largest = std::max(largest.value_or(0), errors[band].get<double>() / means[band].get<double>());
    }
    return largest;
}

std::string describe_noise(nlohmann::ordered_json const& answer)
{
    std::optional<double> const error = find_relative_error(answer);
    std::string text = error ? fmt::format("{:.2g} % of the mean (one standard error, whole picture)", 100 * *error)
                             : "not known from so few samples";
    auto const p95 = answer.find("de2000_noise_p95");
    if (p95 != answer.end() && p95->is_number())
        text += fmt::format("; 95 % of the pixels below {:.2g} Delta E 2000{}", p95->get<double>(),
                            answer["de2000_noise_kind"] == "at_most" ? " (an upper bound)" : "");
    return text;
}

void print_summary(nlohmann::ordered_json const& answer, std::vector<std::filesystem::path> const& outputs)
{
    auto const count = [&](char const* key) { return answer[key].get<std::uint64_t>(); };
    std::vector<std::string> files, means;
    for (std::filesystem::path const& output : outputs) files.push_back(output.string());
    for (nlohmann::ordered_json const& mean : answer["mean"])
        means.push_back(mean.is_number() ? fmt::format("{:.4g}", mean.get<double>()) : "-");
    std::uint64_t const least = count("samples_min"), most = count("samples_max");
    fmt::print("files  {}\n", fmt::join(files, ", "));
    fmt::print("film   {} x {} pixels, {} band{}, {} sample{} per pixel\n", count("width"), count("height"),
               count("bands"), count("bands") == 1 ? "" : "s",
               least == most ? std::to_string(most) : fmt::format("{} to {}", least, most), most == 1 ? "" : "s");
    fmt::print("mean   {}\n", fmt::join(means, " "));
    fmt::print("noise  {}\n", describe_noise(answer));
    fmt::print("time   {:.3g} s, {:.3g} M paths per second on {} ({})\n", answer["seconds_render"].get<double>(),
               1e-6 * answer["paths_per_second"].get<double>(), answer["device"].get<std::string>(),
               answer["kernel"].get<std::string>());
    fmt::print("more   --verbose or --json prints all figures; volinfo prints those of a .vpf\n");
}

} // namespace

ExitStatus list_kernels(AnswerForm form)
{
    nlohmann::ordered_json answer = nlohmann::ordered_json::array();
    for (KernelInfo const& kernel : cpu_backend().list_kernels())
        answer.push_back({{"device", "cpu"}, {"kernel", kernel.name}, {"description", kernel.description}});
    if (gpu_backend() != nullptr)
        for (KernelInfo const& kernel : list_gpu_kernels())
            if (is_built(kernel.name))
                answer.push_back({{"device", "cuda"}, {"kernel", kernel.name}, {"description", kernel.description}});
    if (form == AnswerForm::json) {
        fmt::print("{}\n", format_json(answer, 2));
    } else {
        for (auto const& line : answer)
            fmt::print("{:4} {:14} {}\n", line["device"].get<std::string>(), line["kernel"].get<std::string>(),
                       line["description"].get<std::string>());
    }
    return ExitStatus::done;
}

ExitStatus list_devices(AnswerForm form)
{
    nlohmann::ordered_json answer = nlohmann::ordered_json::array();
    for (DeviceInfo const& gpu : list_gpus())
        answer.push_back({{"number", gpu.index},
                          {"name", gpu.name},
                          {"capability", gpu.capability},
                          {"multiprocessors", gpu.multiprocessors},
                          {"memory_bytes", gpu.memory_bytes}});
    if (form == AnswerForm::json) {
        fmt::print("{}\n", format_json(answer, 2));
        return ExitStatus::done;
    }
    fmt::print("cpu  {} threads\n", std::max(1u, std::thread::hardware_concurrency()));
    for (auto const& line : answer)
        fmt::print("{:<4} {}, {:.0f} GiB\n", line["number"].get<int>(), line["name"].get<std::string>(),
                   line["memory_bytes"].get<double>() / (1 << 30));
    return ExitStatus::done;
}

nlohmann::ordered_json report_answer(Film const& film, RenderOutcome const& outcome, ParticleAnswer const& particles,
                                     VolrenderOptions const& options, CommonOptions const& common)
{
    RenderReport const& report = outcome.report;
    double const seconds = std::max(report.seconds_render, 1e-9);
    auto const rate = [&](std::uint64_t count) { return static_cast<double>(count) / seconds; };
    nlohmann::ordered_json answer = report_film(film);
    answer["paths"] = report.counts.paths;
    answer["extensions"] = report.counts.extensions;
    answer["tentative_collisions"] = report.counts.tentative_collisions;
    answer["lost_paths"] = report.counts.lost_paths;
    answer["shadow_rays"] = report.counts.shadow_rays;
    answer["long_steps"] = report.counts.long_steps;
    answer["stepped_collisions"] = report.counts.stepped_collisions;
    answer["seconds_render"] = report.seconds_render;
    answer["seconds_banks"] = report.seconds_banks;
    if (report.workers.size() > 1) answer["seconds_gather"] = report.seconds_gather;
    answer["paths_per_second"] = rate(report.counts.paths);
    answer["extensions_per_second"] = rate(report.counts.extensions);
    answer["tentative_collisions_per_second"] = rate(report.counts.tentative_collisions);
    auto const& estimated = outcome.seconds_estimated;
    answer["seconds_estimated"] = estimated ? nlohmann::ordered_json(*estimated) : nlohmann::ordered_json();
    answer["estimate_error_percent"] =
        estimated ? nlohmann::ordered_json(100 * (*estimated / outcome.seconds_real - 1)) : nlohmann::ordered_json();
    if (options.samples.stop_at_de) answer["stop_at_de"] = *options.samples.stop_at_de;
    if (options.samples.stop_at_de || shows_material_colour(film.scene()))
        answer.update(report_colour(film, options.output.how.illuminant, common.threads));
    if (particles.tally != nullptr) answer.update(report_tally(*particles.tally));
    answer["device"] = report.device;
    answer["kernel"] = report.kernel;
    answer["tiles"] = report.tiles;
    if (common.answer == AnswerForm::text) return answer;
    if (particles.detectors != nullptr) answer["detectors"] = report_detectors(*particles.detectors);
    answer["workers"] = report_workers(report);
    return answer;
}

void print_answer(nlohmann::ordered_json const& answer, std::vector<std::filesystem::path> const& outputs,
                  CommonOptions const& common)
{
    if (common.answer == AnswerForm::json) {
        fmt::print("{}\n", format_json(answer, 2));
        return;
    }
    if (common.verbosity != Verbosity::verbose && isatty(STDOUT_FILENO) != 0) {
        print_summary(answer, outputs);
        return;
    }
    for (auto const& [key, value] : answer.items())
        fmt::print("{}: {}\n", key,
                   value.is_string()   ? value.get<std::string>()
                   : value.is_object() ? spell_members(value)
                                       : format_json(value));
}

void report_ceiling(RenderOutcome const& outcome, VolrenderOptions const& options, NoticeSink const& notice)
{
    if (outcome.report.end != RenderEnd::finished || !outcome.last_noise) return;
    NoiseEstimate const& noise = *outcome.last_noise;
    if (noise.de2000_p95 <= *options.samples.stop_at_de) return;
    notice(fmt::format(
        "the render ended at its limit of {} samples with a noise of {}{:.3g} Delta E 2000 (95th percentile); raise "
        "the limit with --spp",
        noise.samples, noise.is_bound ? "at most " : "", noise.de2000_p95));
}

void report_charts(ChartReport const& charts, NoticeSink const& notice)
{
    auto const describe_part = [](std::uint64_t part, std::uint64_t whole) {
        double const percent = 100 * static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(whole, 1));
        return fmt::format("{} of {} ({:.3g} %)", part, whole, percent);
    };
    if (charts.covered_texels < charts.texels)
        notice(fmt::format("no triangle lies over the centres of {} texels; what is not covered is 0 in pictures, and "
                           "told by the coverage of the film and the layer 'coverage.share' of .exr",
                           describe_part(charts.texels - charts.covered_texels, charts.texels)));
    if (charts.triangles_outside > 0)
        notice(fmt::format("{} triangles lie outside of 0 to 1 in texture space and are not measured",
                           charts.triangles_outside));
    if (charts.overlapped_texels > 0)
        notice(fmt::format("charts overlap: the centres of {} covered texels lie in several triangles ({} in all), "
                           "first at texel {},{}; there the triangle with the lowest number is measured",
                           describe_part(charts.overlapped_texels, charts.covered_texels), charts.overlapping_triangles,
                           charts.first_overlap[0], charts.first_overlap[1]));
}

void report_lost_light(Scene const& scene, NoticeSink const& notice)
{
    BoundarySpec const& boundary = scene.boundary;
    if (scene.camera.kind != CameraKind::probe || boundary.kind != BoundaryKind::rough) return;
    if (boundary.microfacets == Microfacets::multiple) return;
    notice(fmt::format("--microfacets single loses the light that would meet a second facet: at alpha {:.3g} colours "
                       "are too dark (docs/printing.md has figures); give --microfacets multiple for accurate colours",
                       boundary.alpha));
}

void report_missing_caustics(Scene const& scene, PackedVolume const& volume, NoticeSink const& notice)
{
    if (!misses_caustics(scene, volume.surroundings())) return;
    if (scene.integrator == Integrator::path)
        notice(
            "paths from the film do not find light of a point, spot, beam or parallel sun that mirrors or clear glass "
            "send on (caustics): it is missing; --integrator bdpt or light renders it, or give the emitter an extent");
    else
        notice(
            "bidirectional paths do not find light of a point, spot, beam or parallel sun that mirrors or clear glass "
            "send on, and that is seen by way of one, too: it is missing; give the emitter an extent");
}

void report_dim_light(Film const& film, NoticeSink const& notice)
{
    constexpr double kManyValues = 0.1;
    double const share = summarize_film(film).dim_share;
    if (share <= kManyValues) return;
    notice(
        fmt::format("{:.0f} % of the film's values are below {:.2g}, {} of its units, since the brightest light is up "
                    "to {:.2g}: their means are right, but rounding adds to their noise (and to the standard error); "
                    "to see more, lower the brightest light",
                    100 * share, std::ldexp(static_cast<double>(kDimUnits), -film.sum_log2()), kDimUnits,
                    std::ldexp(1.0, find_sample_log2(film.scene()) - film.sum_log2())));
}

void report_cut_paths(Film const& film, NoticeSink const& notice)
{
    FilmStatistics const& statistics = film.statistics;
    if (statistics.cut_paths == 0) return;
    double const share =
        static_cast<double>(statistics.cut_throughput) * 0x1p-24 / static_cast<double>(statistics.paths);
    notice(fmt::format(
        "the depth limit cut {} of {} paths, which carried {:.3g} of the total throughput: the image's mean is too low "
        "by at most {:.3g} times the brightest light",
        statistics.cut_paths, statistics.paths, share, share));
}

} // namespace volpt
