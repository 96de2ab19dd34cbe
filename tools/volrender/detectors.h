// --detector: light that leaves at places of the surface, its table and its file.
#pragma once

#include "libvolpt/scene/detectors/detector_tables.h"
#include "libvolpt/scene/detectors/detector_values.h"
#include "tools/options/option_group.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace volpt {

class DetectorOptions final : public OptionGroup {
public:
    std::vector<DetectorSpec> specs;

    std::string title() const override { return "Detectors"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

/// "disc center=0,0,5 radius=1mm", "rings width=0.1mm count=50": `option` names them in errors (usage), which say what
/// is wrong and what there is.
DetectorSpec parse_detector(std::string const& option, std::string_view text);

/// What detectors have counted, and which they were.
struct DetectorReport {
    std::vector<DetectorSpec> specs;
    std::vector<std::string> materials;
    std::vector<DetectorValues> values;
};

/// An array with an object for each detector.
nlohmann::ordered_json report_detectors(DetectorReport const& report);
/// A short table, for people.
std::string describe_detectors(DetectorReport const& report);

/// Whether the name ends as that of a table: .csv.
bool is_detector_file(std::filesystem::path const& path);
/// One line for each detector, gate, ring and band, after a line of names. Error (system) if it cannot be written.
void write_detectors(DetectorReport const& report, std::filesystem::path const& path);

} // namespace volpt
