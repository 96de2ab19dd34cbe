#include "libvolpt/job/particles/tally_request.h"

#include "formats/tally/tally_file.h"
#include "libvolpt/sys/error.h"

#include <fmt/format.h>

namespace volpt {
namespace {

bool is_detector_file(std::filesystem::path const& path)
{
    return path.extension() == ".csv";
}

} // namespace

SplitOutputs split_outputs(std::vector<std::filesystem::path> const& outputs, TallyRequest const& tally)
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
    if (tally.is_given() && tally.use == TallyUse::written && split.tallies.empty())
        fail_usage("--tally has no file", fmt::format("give -o FILE with one of {}", kTallyExtensions));
    return split;
}

std::vector<DetectorSpec> choose_detectors(DetectorRequest const& request, SceneHints const& hints,
                                           std::vector<std::filesystem::path> const& files)
{
    if (!request.specs.empty() || files.empty()) return request.specs;
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

} // namespace volpt
