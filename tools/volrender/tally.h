// --tally: what particles leave in the volume, its files, and what became of their energy.
#pragma once

#include "libvolpt/film/film.h"
#include "libvolpt/scene/light/tally_sums.h"
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/sys/progress.h"
#include "libvolpt/volume/volume.h"
#include "tools/options/option_group.h"
#include "tools/volrender/detectors.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace volpt {

class TallyOptions final : public OptionGroup {
public:
    TallySpec spec; ///< TallyKind::none: not given

    bool is_given() const { return spec.kind != TallyKind::none; }
    std::string title() const override { return "Tally"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

/// Of -o.
struct SplitOutputs {
    std::vector<std::filesystem::path> films; ///< and pictures
    std::vector<std::filesystem::path> tallies;
    std::vector<std::filesystem::path> detectors;
};
/// Error (usage) if there is a tally without a file, or a file without a tally.
SplitOutputs split_outputs(std::vector<std::filesystem::path> const& outputs, TallyOptions const& tally);

/// Those of --detector; without it, if a file asks for detectors, those of the hints. Error (usage) if there are none
/// for `files`.
std::vector<DetectorSpec> choose_detectors(DetectorOptions const& options, SceneHints const& hints,
                                           std::vector<std::filesystem::path> const& files);

/// A tally that names no gates has those of the hints; without a boundary, their index too unless it names one. Error
/// (usage) if gates would cut the light of one of `films`.
TallySpec choose_gates(TallySpec spec, SceneHints const& hints, BoundarySpec const& boundary,
                       std::vector<std::filesystem::path> const& films);

/// `film` says which samples the sums are of, and has the provenance.
void write_tallies(TallySums const& sums, Film const& film, VolumeMeta const& voxels,
                   std::vector<std::filesystem::path> const& files);

/// Of particles by group, the samples of `film`.
DetectorReport read_detectors(TallySums const& sums, DetectorTables const& detectors, Film const& film);

/// `energy`, by band too where there are several, `energy_outside`, and `tally` where there is one.
nlohmann::ordered_json report_tally(TallySums const& sums);

/// Tells if the last gate ended most of what was launched.
void report_late_light(TallySums const& sums, NoticeSink const& notice);

/// "reflected 0.25, absorbed 0.75": an object of report_tally in one line.
std::string spell_members(nlohmann::ordered_json const& object);

} // namespace volpt
