#include "tools/volrender/work_report.h"

#include "libvolpt/sys/json.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

struct Spread {
    double mean = 0, deviation = 0, least = 0, most = 0;
};

Spread summarize(std::vector<double> const& values)
{
    Spread spread;
    auto const n = static_cast<double>(values.size());
    for (double const value : values) spread.mean += value / n;
    for (double const value : values) spread.deviation += (value - spread.mean) * (value - spread.mean);
    spread.deviation = values.size() > 1 ? std::sqrt(spread.deviation / (n - 1)) : 0;
    spread.least = *std::min_element(values.begin(), values.end());
    spread.most = *std::max_element(values.begin(), values.end());
    return spread;
}

double get_trial_seconds(RenderReport const& trial)
{
    DeviceReport const* const gpu = trial.only_gpu();
    return gpu != nullptr ? gpu->seconds_device : trial.seconds_render;
}

double get_median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    std::size_t const half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

nlohmann::ordered_json report_memory(MemoryPlan const& memory)
{
    return {
        {"volume_memory", to_word(memory.volume_memory)},
        {"volume_bytes", memory.volume_bytes},
        {"voxel_bytes_device", memory.voxel_bytes},
        {"voxel_bytes_host", memory.host_bytes},
        {"expected_hit_rate", memory.hit_rate ? nlohmann::ordered_json(*memory.hit_rate) : nlohmann::ordered_json()},
        {"film_bytes", memory.film_bytes},
        {"workspace_bytes", memory.workspace_bytes},
        {"free_bytes", memory.free_bytes}};
}

/// Why voxels are not on the device, if some are not.
std::string describe_host_part(DeviceReport const& gpu)
{
    MemoryPlan const& memory = gpu.memory;
    if (memory.volume_memory == VolumeMemory::zerocopy && gpu.options.volume_memory == VolumeMemory::automatic)
        return " (its voxels in host memory: this driver cannot map it behind device memory)";
    if (memory.volume_memory == VolumeMemory::zerocopy) return " (its voxels in host memory)";
    if (memory.volume_memory == VolumeMemory::device) return "";
    std::string const hits = memory.hit_rate ? fmt::format("; {:.2f} % of lookups are expected to be of the device's",
                                                           100 * *memory.hit_rate)
                                             : "";
    return fmt::format(" ({:.1f} MiB of voxels, {:.1f} MiB more in host memory{})",
                       static_cast<double>(memory.voxel_bytes) / (1 << 20),
                       static_cast<double>(memory.host_bytes) / (1 << 20), hits);
}

nlohmann::ordered_json report_gpu(DeviceReport const& gpu)
{
    nlohmann::ordered_json answer;
    answer["capability"] = gpu.device.capability;
    answer["driver"] = gpu.device.driver;
    answer["clock_mhz"] = gpu.device.clock_mhz;
    answer["multiprocessors"] = gpu.device.multiprocessors;
    answer["registers"] = gpu.facts.registers;
    answer["local_bytes"] = gpu.facts.local_bytes;
    answer["shared_bytes"] = gpu.facts.shared_bytes;
    answer["block_threads"] = gpu.facts.block_threads;
    answer["blocks_per_multiprocessor"] = gpu.facts.blocks_per_multiprocessor;
    answer["occupancy"] = gpu.facts.occupancy;
    answer["extension_efficiency"] = gpu.extension_efficiency;
    answer["regeneration_efficiency"] = gpu.regeneration_efficiency;
    answer["shadow_ray_efficiency"] = gpu.shadow_ray_efficiency;
    answer["memory"] = report_memory(gpu.memory);
    return answer;
}

} // namespace

void print_trials(std::vector<RenderReport> const& trials, Film const& film, AnswerForm form)
{
    RenderReport const& last = trials.back();
    std::vector<double> seconds;
    for (RenderReport const& trial : trials) seconds.push_back(get_trial_seconds(trial));
    Spread const spread = summarize(seconds);
    double const median = get_median(seconds);
    auto const rate = [&](std::uint64_t count) { return static_cast<double>(count) / std::max(median, 1e-9); };
    nlohmann::ordered_json answer;
    answer["trials"] = trials.size();
    answer["device"] = last.device;
    answer["kernel"] = last.kernel;
    answer["tiles"] = last.tiles;
    answer["seconds"] = {{"median", median},
                         {"mean", spread.mean},
                         {"standard_deviation", spread.deviation},
                         {"min", spread.least},
                         {"max", spread.most}};
    std::vector<double> seconds_banks;
    for (RenderReport const& trial : trials) seconds_banks.push_back(trial.seconds_banks);
    answer["seconds_banks"] = get_median(seconds_banks);
    answer["paths"] = last.counts.paths;
    answer["extensions"] = last.counts.extensions;
    answer["tentative_collisions"] = last.counts.tentative_collisions;
    answer["long_steps"] = last.counts.long_steps;
    answer["stepped_collisions"] = last.counts.stepped_collisions;
    answer["shadow_rays"] = last.counts.shadow_rays;
    answer["paths_per_second"] = rate(last.counts.paths);
    answer["extensions_per_second"] = rate(last.counts.extensions);
    answer["tentative_collisions_per_second"] = rate(last.counts.tentative_collisions);
    answer["shadow_rays_per_second"] = rate(last.counts.shadow_rays);
    if (DeviceReport const* const gpu = last.only_gpu()) answer["gpu"] = report_gpu(*gpu);
    if (last.workers.size() > 1) answer["workers"] = report_workers(last);
    answer["scene_hash"] = to_hex(film.scene_hash());
    answer["film_hash"] = to_hex(hash_film(film));
    answer["version"] = suite_version();
    answer["revision"] = suite_revision();
    if (form == AnswerForm::json) {
        fmt::print("{}\n", format_json(answer, 2));
        return;
    }
    nlohmann::ordered_json const lines = answer.flatten();
    for (auto const& [key, value] : lines.items())
        fmt::print("{:40} {}\n", key.substr(1), value.is_string() ? value.get<std::string>() : format_json(value));
}

nlohmann::ordered_json report_workers(RenderReport const& report)
{
    nlohmann::ordered_json answer = nlohmann::ordered_json::array();
    for (WorkerReport const& worker : report.workers) {
        nlohmann::ordered_json line;
        if (!worker.place.empty()) line["place"] = worker.place;
        line["device"] = worker.device;
        line["kernel"] = worker.kernel;
        line["paths"] = worker.counts.paths;
        line["seconds_banks"] = worker.seconds_banks;
        line["seconds_end"] = worker.end_s;
        if (worker.gpu) line["memory"] = report_memory(worker.gpu->memory);
        line["failure"] = worker.failure.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(worker.failure);
        answer.push_back(line);
    }
    return answer;
}

std::vector<std::string> describe_worker(WorkerReport const& worker)
{
    std::vector<std::string> lines;
    lines.push_back(fmt::format("{}{}{}: {:.3g} paths, done after {:.3f} s", worker.place,
                                worker.place.empty() ? "" : ": ", worker.device,
                                static_cast<double>(worker.counts.paths), worker.end_s));
    if (!worker.gpu) return lines;
    DeviceReport const& gpu = *worker.gpu;
    auto const mib = [](std::size_t bytes) { return static_cast<double>(bytes) / (1 << 20); };
    lines.push_back(fmt::format("{} (compute capability {}, CUDA {} driver)", gpu.device.name, gpu.device.capability,
                                gpu.device.driver));
    lines.push_back(
        fmt::format("device memory: volume {:.1f} MiB{}, film {:.1f} MiB, paths {:.1f} MiB; {:.0f} MiB are free",
                    mib(gpu.memory.volume_bytes), describe_host_part(gpu), mib(gpu.memory.film_bytes),
                    mib(gpu.memory.workspace_bytes), mib(gpu.memory.free_bytes)));
    for (auto const& [choice, paths_per_second] : gpu.tuning)
        lines.push_back(fmt::format("tuning: {:.3g} paths/s with {}", paths_per_second, choice));
    lines.push_back(fmt::format("kernel {}: {} registers, {} blocks of {} threads a multiprocessor", worker.kernel,
                                gpu.facts.registers, gpu.facts.blocks_per_multiprocessor, gpu.facts.block_threads));
    return lines;
}

} // namespace volpt
