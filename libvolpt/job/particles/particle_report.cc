#include "libvolpt/job/particles/particle_report.h"

#include "formats/tally/tally_file.h"
#include "libvolpt/film/film_stats.h"
#include "libvolpt/sys/atomic_file.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <span>

namespace volpt {
namespace {

constexpr std::size_t kTableRows = 20; // of each detector

bool is_disc(DetectorSpec const& spec)
{
    return spec.kind == DetectorKind::disc;
}

/// The ring that a cell counts, in mm; infinite beyond the last.
struct RingExtent {
    double from_mm = 0;
    double to_mm = 0;

    /// NaN beyond the last.
    double divide_by_area(double weight) const
    {
        double const area_mm2 = std::numbers::pi * (to_mm * to_mm - from_mm * from_mm);
        return std::isfinite(area_mm2) ? weight / area_mm2 : std::numeric_limits<double>::quiet_NaN();
    }
};

RingExtent find_ring(DetectorSpec const& spec, std::uint32_t ring)
{
    if (is_disc(spec)) return {0, spec.radius_mm};
    double const from = ring * spec.ring_width_mm;
    return {from, ring < spec.ring_count ? from + spec.ring_width_mm : std::numeric_limits<double>::infinity()};
}

double find_time_ns(double optical_mm)
{
    return optical_mm / kLightSpeed_mm_per_ns;
}

nlohmann::ordered_json report_light(DetectorSpec const& spec, DetectedLight const& light, RingExtent const& extent)
{
    nlohmann::ordered_json paths = nlohmann::ordered_json::array(), errors = nlohmann::ordered_json::array();
    for (Measured const& path : light.partial_paths_mm) {
        paths.push_back(path.value);
        errors.push_back(path.error);
    }
    nlohmann::ordered_json answer{{"gate", light.gate}};
    if (!is_disc(spec)) {
        answer["from_mm"] = extent.from_mm;
        answer["to_mm"] = extent.to_mm; // null beyond the last
    }
    answer["band"] = light.band;
    answer["weight"] = light.weight.value;
    answer["standard_error"] = light.weight.error;
    answer["weight_per_mm2"] = extent.divide_by_area(light.weight.value);
    answer["optical_path_mm"] = light.optical_path_mm.value;
    answer["optical_path_error_mm"] = light.optical_path_mm.error;
    answer["time_ns"] = find_time_ns(light.optical_path_mm.value);
    answer["partial_paths_mm"] = paths;
    answer["partial_path_errors_mm"] = errors;
    return answer;
}

std::string describe_light(DetectedLight const& light)
{
    std::string text = fmt::format("{:.6g} +- {:.2g}", light.weight.value, light.weight.error);
    if (!(light.weight.value > 0)) return text;
    text += fmt::format(", optical path {:.5g} mm ({:.4g} ns), partial paths", light.optical_path_mm.value,
                        find_time_ns(light.optical_path_mm.value));
    for (Measured const& path : light.partial_paths_mm) text += fmt::format(" {:.5g}", path.value);
    return text + " mm";
}

std::string describe_cell(DetectorSpec const& spec, DetectedLight const& light, std::size_t bands)
{
    RingExtent const ring = find_ring(spec, light.ring);
    std::string name;
    if (spec.gate_ns > 0) name += fmt::format(" to {:.6g} ns", (light.gate + 1) * spec.gate_ns);
    if (!is_disc(spec) && light.ring < spec.ring_count) name += fmt::format(" to {:.6g} mm", ring.to_mm);
    if (!is_disc(spec) && light.ring == spec.ring_count) name += " beyond";
    if (bands > 1) name += fmt::format(" band {}", light.band);
    return fmt::format(" {}: {}", name, describe_light(light));
}

nlohmann::ordered_json report_shares(EnergyShares const& shares)
{
    return {{"reflected", shares.reflected},
            {"transmitted", shares.transmitted},
            {"absorbed", shares.absorbed},
            {"cut", shares.cut},
            {"roulette", shares.roulette}};
}

} // namespace

GroupCounts count_groups(Film const& film)
{
    GroupCounts particles;
    std::ranges::copy(count_group_samples(film, kTallyGroups), particles.begin());
    return particles;
}

void write_tallies(TallySums const& sums, Film const& film, VolumeMeta const& voxels,
                   std::vector<std::filesystem::path> const& files)
{
    if (files.empty()) return;
    TallyVolume const volume = make_tally_volume(sums, count_groups(film));
    for (std::filesystem::path const& file : files) write_tally(volume, voxels, file, film.provenance);
}

DetectorReport read_detectors(TallySums const& sums, DetectorTables const& detectors, Film const& film)
{
    return {detectors.specs(), detectors.materials(), measure_detectors(sums, count_groups(film))};
}

nlohmann::ordered_json report_detectors(DetectorReport const& report)
{
    nlohmann::ordered_json answer = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < report.specs.size(); ++i) {
        DetectorSpec const& spec = report.specs[i];
        nlohmann::ordered_json weights = nlohmann::ordered_json::array(), errors = nlohmann::ordered_json::array();
        for (DetectedLight const& total : report.values[i].total) {
            weights.push_back(total.weight.value);
            errors.push_back(total.weight.error);
        }
        nlohmann::ordered_json detector{{"kind", is_disc(spec) ? "disc" : "rings"},
                                        {"center_mm", *spec.center_world},
                                        {"direction", *spec.direction_world}};
        if (is_disc(spec)) detector["radius_mm"] = spec.radius_mm;
        if (!is_disc(spec)) detector["width_mm"] = spec.ring_width_mm;
        detector["gates"] = spec.gates;
        detector["gate_ns"] = spec.gate_ns;
        detector["materials"] = report.materials;
        detector["weight"] = weights;
        detector["standard_error"] = errors;
        auto& cells = detector["cells"] = nlohmann::ordered_json::array();
        for (DetectedLight const& light : report.values[i].cells)
            cells.push_back(report_light(spec, light, find_ring(spec, light.ring)));
        answer.push_back(detector);
    }
    return answer;
}

std::string describe_detectors(DetectorReport const& report)
{
    std::string text;
    for (std::size_t i = 0; i < report.specs.size(); ++i) {
        DetectorSpec const& spec = report.specs[i];
        DetectorValues const& values = report.values[i];
        text += fmt::format("detector {} ({} at {:.6g} mm, per launched watt; materials: {}):\n", i + 1,
                            is_disc(spec) ? "disc" : "rings", fmt::join(*spec.center_world, ","),
                            fmt::join(report.materials, ", "));
        std::size_t const bands = values.total.size(), rows = std::min(kTableRows, values.cells.size());
        for (DetectedLight const& light : std::span(values.cells).first(rows))
            text += describe_cell(spec, light, bands) + "\n";
        if (rows < values.cells.size())
            text += fmt::format("  {} more: --json or -o FILE.csv has all\n", values.cells.size() - rows);
        if (values.cells.size() > bands)
            for (DetectedLight const& light : values.total)
                text += fmt::format("  in all{}: {}\n", bands > 1 ? fmt::format(" in band {}", light.band) : "",
                                    describe_light(light));
    }
    return text;
}

void write_detectors(DetectorReport const& report, std::filesystem::path const& path)
{
    std::string text = "detector,gate,from_ns,to_ns,from_mm,to_mm,band,weight,standard_error,weight_per_mm2,"
                       "optical_path_mm,optical_path_error_mm";
    for (std::size_t i = 0; i < report.materials.size(); ++i)
        text += fmt::format(",partial_path_{0}_mm,partial_path_{0}_error_mm", i);
    text += "\n";
    for (std::size_t i = 0; i < report.specs.size(); ++i)
        for (DetectedLight const& light : report.values[i].cells) {
            DetectorSpec const& spec = report.specs[i];
            RingExtent const ring = find_ring(spec, light.ring);
            double const to_ns =
                spec.gate_ns > 0 ? (light.gate + 1) * spec.gate_ns : std::numeric_limits<double>::infinity();
            text += fmt::format("{},{},{:.9g},{:.9g},{:.9g},{:.9g},{},{:.9g},{:.3g},{:.9g},{:.9g},{:.3g}", i + 1,
                                light.gate, light.gate * spec.gate_ns, to_ns, ring.from_mm, ring.to_mm, light.band,
                                light.weight.value, light.weight.error, ring.divide_by_area(light.weight.value),
                                light.optical_path_mm.value, light.optical_path_mm.error);
            for (Measured const& partial : light.partial_paths_mm)
                text += fmt::format(",{:.9g},{:.3g}", partial.value, partial.error);
            text += "\n";
        }
    AtomicFile file(path);
    file.write(std::as_bytes(std::span(text)));
    file.commit();
}

nlohmann::ordered_json report_tally(TallySums const& sums)
{
    nlohmann::ordered_json answer;
    answer["energy"] = report_shares(sums.measure_total_energy());
    if (sums.bands() > 1) {
        auto& bands = answer["energy_by_band"] = nlohmann::ordered_json::array();
        for (EnergyShares const& shares : sums.measure_energy()) bands.push_back(report_shares(shares));
    }
    OutsideShares const outside = sums.measure_outside_energy();
    answer["energy_outside"] = {{"reflected", outside.reflected}, {"transmitted", outside.transmitted}};
    TallyView const& view = sums.view();
    if (view.kind == TallyKind::none) return answer;
    auto& tally = answer["tally"];
    tally = {{"kind", name_tally_kind(view.kind)},
             {"cells", view.dims},
             {"gates", view.gates},
             {"gate_ns", sums.spec().gate_ns}};
    if (view.kind == TallyKind::fluence) tally["estimator"] = sums_length(view) ? "length" : "collision";
    return answer;
}

void report_late_light(TallySums const& sums, NoticeSink const& notice)
{
    constexpr double kMost = 0.5;
    double const cut = sums.measure_total_energy().cut;
    if (sums.spec().gate_ns == 0 || cut <= kMost) return;
    notice(fmt::format("the last gate ended {:.3g} % of the launched energy: time counts from the launch, on the way "
                       "to the volume too; give more or wider gates, or place the emitter nearer",
                       100 * cut));
}

} // namespace volpt
