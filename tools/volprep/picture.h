// Options of volprep for pictures that are printed in inks.
#pragma once

#include "libvolpt/print/print_volume.h"
#include "tools/options/option_group.h"

#include <optional>
#include <string>

namespace volpt {

class PictureGroup final : public OptionGroup {
public:
    std::optional<std::string> path;
    PictureOptions picture; ///< ink_depth_mm, halftone and intent are set

    std::string title() const override { return "Prints of pictures"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

} // namespace volpt
