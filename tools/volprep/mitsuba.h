// Options of volprep for Mitsuba scenes, and their way into the reader.
#pragma once

#include "formats/mitsuba/reader.h"
#include "tools/options/option_group.h"

#include <string>
#include <vector>

namespace volpt {

struct VolprepOptions;

class MitsubaGroup final : public OptionGroup {
public:
    std::map<std::string, std::string> definitions;
    bool approximate_shape = false;

    std::string title() const override { return "Mitsuba scenes"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

/// Error (usage) for options that a scene answers itself.
std::unique_ptr<VoxelStream> open_mitsuba_from_options(std::string const& input, VolprepOptions const& options);

} // namespace volpt
