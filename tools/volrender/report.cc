#include "tools/volrender/report.h"

#include "kernels/gpu_backend.h"
#include "libvolpt/cpu/cpu_backend.h"
#include "libvolpt/film/film_report.h"
#include "libvolpt/job/particles/particle_report.h"
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

/// "reflected 0.25, absorbed 0.75": an object of report_tally in one line.
std::string spell_members(nlohmann::ordered_json const& object)
{
    std::string text;
    for (auto const& [key, value] : object.items())
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key,
                            value.is_string() ? value.get<std::string>() : format_json(value));
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

nlohmann::ordered_json report_answer(Film const& film, RenderOutcome const& outcome, RenderJob const& job,
                                     CommonOptions const& common)
{
    RenderRequest const& request = job.request();
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
    if (request.samples.stop_at_de) answer["stop_at_de"] = *request.samples.stop_at_de;
    if (request.samples.stop_at_de || shows_material_colour(film.scene()))
        answer.update(report_colour(film, request.output.how.illuminant, common.threads));
    if (job.tally) answer.update(report_tally(*job.tally));
    answer["device"] = report.device;
    answer["kernel"] = report.kernel;
    answer["tiles"] = report.tiles;
    if (common.answer == AnswerForm::text) return answer;
    if (outcome.detectors) answer["detectors"] = report_detectors(*outcome.detectors);
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

} // namespace volpt
