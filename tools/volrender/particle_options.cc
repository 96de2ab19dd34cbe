// One group after the other: tally, detectors.
#include "tools/volrender/particle_options.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/text/nearest_name.h"
#include "libvolpt/sys/text/take_word.h"
#include "tools/options/units.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {
namespace {

namespace po = boost::program_options;

constexpr double kMostGate_ns = 1e9;

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

} // namespace

void TallyOptions::declare(po::options_description& options)
{
    options.add_options()(
        "tally", text_value("KIND[:gates=N,ns=T,index=N,grid=XxYxZ,estimator=E]", {.words = {"absorbed", "fluence"}}),
        "with --integrator light: write absorbed power or fluence rate by voxel, per launched watt, to -o "
        "FILE.nii.gz, .nii, .jnii, .mha, .nrrd or .vpk; KIND is absorbed or fluence; gates, ns: N gates of T ns, by "
        "the time since launch; later light is cut; index: index of refraction inside, for the time (default: that of "
        "the boundary); grid: cells other than the voxels; estimator: of fluence, collision or length (default: the "
        "one with less noise). If tallies are the only outputs, particles are not connected to the film");
}

void TallyOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "tally")) request.spec = parse_tally("--tally", *text);
}

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
    for (std::string const& text : given_texts(values, "detector"))
        request.specs.push_back(parse_detector("--detector", text));
}

DetectorSpec parse_detector(std::string const& option, std::string_view text)
{
    return DetectorText(option, text).parse();
}

} // namespace volpt
