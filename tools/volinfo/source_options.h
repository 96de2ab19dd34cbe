// Options of volinfo for files that volprep reads.
#pragma once

#include "formats/open_source.h"
#include "libvolpt/job/info/source/source_info.h"
#include "tools/options/option_group.h"

namespace volpt {

class SourceOptions final : public OptionGroup {
public:
    SourceFileOptions file;
    SourceDepth depth = SourceDepth::values;

    std::string title() const override { return "Files that volprep reads"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

} // namespace volpt
