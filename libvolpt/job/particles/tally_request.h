// What particles leave in the volume and at its surface, as far as the caller asks for it.
#pragma once

#include "libvolpt/scene/detectors/detector_tables.h"
#include "libvolpt/scene/light/tally_sums.h"
#include "libvolpt/scene/scene_hints.h"

#include <filesystem>
#include <vector>

namespace volpt {

/// Where a tally goes: to files among the outputs, or to the caller.
enum class TallyUse { written, returned };

struct TallyRequest {
    TallySpec spec; ///< TallyKind::none: no tally
    TallyUse use = TallyUse::written;

    bool is_given() const { return spec.kind != TallyKind::none; }
};

struct DetectorRequest {
    std::vector<DetectorSpec> specs;
};

/// Output files by what they hold, as their extensions say.
struct SplitOutputs {
    std::vector<std::filesystem::path> films; ///< and pictures
    std::vector<std::filesystem::path> tallies;
    std::vector<std::filesystem::path> detectors; ///< .csv
};
/// Error (usage) if there is a tally to be written without a file, or a file without a tally.
SplitOutputs split_outputs(std::vector<std::filesystem::path> const& outputs, TallyRequest const& tally);

/// Those of the request; without any, if a file asks for detectors, those of the hints. Error (usage) if there are none
/// for `files`.
std::vector<DetectorSpec> choose_detectors(DetectorRequest const& request, SceneHints const& hints,
                                           std::vector<std::filesystem::path> const& files);

/// A tally that names no gates has those of the hints; without a boundary, their index too unless it names one. Error
/// (usage) if gates would cut the light of one of `films`.
TallySpec choose_gates(TallySpec spec, SceneHints const& hints, BoundarySpec const& boundary,
                       std::vector<std::filesystem::path> const& films);

} // namespace volpt
