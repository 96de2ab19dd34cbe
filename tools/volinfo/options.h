// The words of volinfo, and what they ask for.
#pragma once

#include "libvolpt/job/info/source/source_info.h"
#include "tools/options/tool.h"
#include "tools/volinfo/source_options.h"

#include <optional>
#include <string>
#include <vector>

namespace volpt {

class InfoOptions final : public OptionGroup {
public:
    VerifyLevel verify = VerifyLevel::quick;
    std::optional<int> slice;
    PixelAspect aspect = PixelAspect::pitch;
    Histogram histogram = Histogram::left_out;
    std::optional<CoverageRequest> coverage;

    std::string title() const override { return "Contents"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

struct VolinfoOptions {
    InfoOptions info;
    SourceOptions source;

    /// All of them, in the order of --help.
    std::vector<OptionGroup*> list_groups() { return {&info, &source}; }
};

/// Whether the words are of a file that volprep reads, not of a packed volume or a film.
bool is_of_source(ToolRun const& run, VolinfoOptions const& options);

/// What the words of `run` ask for. Error (usage) for options of the other kind of file, and for a picture without a
/// slice or the reverse.
InfoRequest make_request(ToolRun const& run, VolinfoOptions const& options);
SourceInfoRequest make_source_request(ToolRun const& run, VolinfoOptions const& options);

} // namespace volpt
