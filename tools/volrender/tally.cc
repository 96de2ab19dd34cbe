#include "tools/volrender/tally.h"

#include "formats/tally/tally_file.h"
#include "libvolpt/film/film_stats.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

namespace po = boost::program_options;

GroupCounts count_groups(Film const& film)
{
    GroupCounts particles;
    std::ranges::copy(count_group_samples(film, kTallyGroups), particles.begin());
    return particles;
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
    if (auto const text = given_text(values, "tally")) spec = parse_tally("--tally", *text);
}

SplitOutputs split_outputs(std::vector<std::filesystem::path> const& outputs, TallyOptions const& tally)
{
    SplitOutputs split;
    for (std::filesystem::path const& output : outputs)
        (is_tally_file(output)      ? split.tallies
         : is_detector_file(output) ? split.detectors
                                    : split.films)
            .push_back(output);
    if (!tally.is_given() && !split.tallies.empty())
        fail_usage(fmt::format("the output '{}' holds a tally, and none is asked for", split.tallies.front().string()),
                   "give --tally absorbed or --tally fluence, or an output .vpf, .exr, .png");
    if (tally.is_given() && split.tallies.empty())
        fail_usage("--tally has no file", fmt::format("give -o FILE with one of {}", kTallyExtensions));
    return split;
}

std::vector<DetectorSpec> choose_detectors(DetectorOptions const& options, SceneHints const& hints,
                                           std::vector<std::filesystem::path> const& files)
{
    if (!options.specs.empty() || files.empty()) return options.specs;
    if (hints.detectors.empty())
        fail_usage(fmt::format("the output '{}' holds what detectors count, and there is none", files.front().string()),
                   "give --detector, or an output .vpf, .exr, .png");
    return hints.detectors;
}

TallySpec choose_gates(TallySpec spec, SceneHints const& hints, BoundarySpec const& boundary,
                       std::vector<std::filesystem::path> const& films)
{
    std::optional<GatesHint> const& hint = hints.gates;
    if (spec.kind != TallyKind::none && spec.gate_ns == 0 && hint) {
        spec.gates = hint->count;
        spec.gate_ns = hint->width_ns;
    }
    if (hint && !spec.index && boundary.kind == BoundaryKind::none) spec.index = hint->index;
    if (spec.gate_ns > 0 && !films.empty())
        fail_usage(fmt::format("'{}' would lack the light that arrives after the last gate of {}",
                               films.front().string(), hint ? "--tally, or of the volume's scene" : "--tally"),
                   "render it without gates, or leave it out");
    return spec;
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
    tally = {{"kind", view.kind == TallyKind::fluence ? "fluence" : "absorbed"},
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

std::string spell_members(nlohmann::ordered_json const& object)
{
    std::string text;
    for (auto const& [key, value] : object.items())
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key,
                            value.is_string() ? value.get<std::string>() : format_json(value));
    return text;
}

} // namespace volpt
