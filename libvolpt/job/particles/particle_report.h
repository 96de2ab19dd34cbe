// What particles have left: files of tallies, tables of detectors, and what became of their energy.
#pragma once

#include "libvolpt/film/film.h"
#include "libvolpt/scene/detectors/detector_tables.h"
#include "libvolpt/scene/detectors/detector_values.h"
#include "libvolpt/scene/light/group_spread.h"
#include "libvolpt/scene/light/tally_sums.h"
#include "libvolpt/sys/progress.h"
#include "libvolpt/volume/volume.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace volpt {

/// What detectors have counted, and which they were.
struct DetectorReport {
    std::vector<DetectorSpec> specs;
    std::vector<std::string> materials;
    std::vector<DetectorValues> values;
};

/// Of particles by group, the samples of `film`.
DetectorReport read_detectors(TallySums const& sums, DetectorTables const& detectors, Film const& film);
/// An array with an object for each detector.
nlohmann::ordered_json report_detectors(DetectorReport const& report);
/// A short table, for people.
std::string describe_detectors(DetectorReport const& report);
/// One line for each detector, gate, ring and band, after a line of names. Error (system) if it cannot be written.
void write_detectors(DetectorReport const& report, std::filesystem::path const& path);

/// The samples of `film`, by group of particles.
GroupCounts count_groups(Film const& film);

/// `film` says which samples the sums are of, and has the provenance.
void write_tallies(TallySums const& sums, Film const& film, VolumeMeta const& voxels,
                   std::vector<std::filesystem::path> const& files);
/// `energy`, by band too where there are several, `energy_outside`, and `tally` where there is one.
nlohmann::ordered_json report_tally(TallySums const& sums);
/// A notice if the last gate ended most of what was launched.
void report_late_light(TallySums const& sums, NoticeSink const& notice);

} // namespace volpt
