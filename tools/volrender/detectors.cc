#include "tools/volrender/detectors.h"

#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/text/nearest_name.h"
#include "libvolpt/sys/text/take_word.h"
#include "tools/options/units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <span>

namespace volpt {
namespace {

namespace po = boost::program_options;

constexpr std::size_t kTableRows = 20; // of each detector
constexpr double kMostGate_ns = 1e9;

struct Word {
    std::string_view key;
    std::string_view value;
};

/// The text of one detector, taken apart word by word.
class DetectorText {
public:
    DetectorText(std::string const& option, std::string_view text) : option_(option), text_(text) {}

    DetectorSpec parse()
    {
        std::string_view rest = text_;
        std::string_view const name = take_word(rest);
        if (name != "disc" && name != "rings") refuse(fmt::format("'{}' is no kind of detector: disc, rings", name));
        spec_.kind = name == "disc" ? DetectorKind::disc : DetectorKind::rings;
        for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) add_word(word);
        bool const is_disc = spec_.kind == DetectorKind::disc;
        for (char const* key : is_disc ? std::array{"center", "radius"} : std::array{"width", "count"})
            if (!has(key)) refuse(fmt::format("'{}' needs {}", name, key));
        if (has("angle") && has("na")) refuse("give angle or na, not both");
        if (has("gates") && !has("ns")) refuse("the gates have no width: give ns, nanoseconds");
        return spec_;
    }

private:
    [[noreturn]] void refuse(std::string const& what) const
    {
        fail_usage(fmt::format("{} '{}': {}", option_, text_, what),
                   "give for example 'disc center=0,0,5 radius=1mm na=0.5' or 'rings width=0.1mm count=50'");
    }

    bool has(std::string_view key) const { return std::ranges::find(seen_, key) != seen_.end(); }

    void add_word(std::string_view word)
    {
        bool const is_disc = spec_.kind == DetectorKind::disc;
        std::vector<std::string_view> known{"center", "direction", "angle", "na", "gates", "ns"};
        for (char const* key : is_disc ? std::vector{"radius"} : std::vector{"width", "count"}) known.push_back(key);
        auto const equals = word.find('=');
        std::string_view const key = word.substr(0, equals);
        if (equals == std::string_view::npos || std::ranges::find(known, key) == known.end()) {
            std::string_view const nearest = find_nearest_name(key, known);
            refuse(fmt::format("'{}' is none of its words{}: {}", word,
                               nearest.empty() ? "" : fmt::format(" (did you mean '{}='?)", nearest),
                               fmt::join(known, ", ")));
        }
        if (has(key)) refuse(fmt::format("'{}' is given twice", key));
        seen_.push_back(key);
        take(key, word.substr(equals + 1));
    }

    void take(std::string_view key, std::string_view value)
    {
        std::string const name = fmt::format("{} {}", option_, key);
        if (key == "center") spec_.center_world = parse_length_triple_mm(name, value, SingleValue::refused);
        if (key == "direction") spec_.direction_world = parse_triple(name, value, SingleValue::refused);
        if (key == "radius") spec_.radius_mm = parse_length_mm(name, value);
        if (key == "width") spec_.ring_width_mm = parse_length_mm(name, value);
        if (key == "count") spec_.ring_count = static_cast<std::uint32_t>(parse_integer(name, value, 1, kMostRings));
        if (key == "angle") spec_.acceptance_deg = parse_number(name, value);
        if (key == "na") spec_.numerical_aperture = parse_number(name, value);
        if (key == "gates") spec_.gates = static_cast<std::uint32_t>(parse_integer(name, value, 1, 65535));
        if (key == "ns") spec_.gate_ns = parse_number(name, value, 1e-9, kMostGate_ns);
    }

    std::string const& option_;
    std::string_view text_;
    DetectorSpec spec_;
    std::vector<std::string_view> seen_;
};

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

} // namespace

void DetectorOptions::declare(po::options_description& options)
{
    options.add_options()(
        "detector", repeatable_value("'KIND key=value ..'", {.words = {"disc", "rings"}}),
        "with --integrator light: count light that leaves the solid there, with the mean length of its paths by "
        "material; may be repeated: 'disc center=0,0,5 radius=1mm', or 'rings width=0.1mm count=50' about the point "
        "where the beam enters (or center=x,y,z); direction=x,y,z: outward axis (default: the surface normal); "
        "angle=DEGREES or na=NUMBER: largest angle to the axis; gates=N ns=T: time gates (default: those of --tally). "
        "The results are printed, and written to -o FILE.csv; without --detector, such a file has the detectors of the "
        "volume's scene");
}

void DetectorOptions::read(po::variables_map const& values)
{
    for (std::string const& text : given_texts(values, "detector")) specs.push_back(parse_detector("--detector", text));
}

DetectorSpec parse_detector(std::string const& option, std::string_view text)
{
    return DetectorText(option, text).parse();
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

bool is_detector_file(std::filesystem::path const& path)
{
    return path.extension() == ".csv";
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

} // namespace volpt
