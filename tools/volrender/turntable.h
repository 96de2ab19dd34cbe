// volrender --turntable: one render for each of several views around an object.
#pragma once

#include "tools/options/tool.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace volpt {

struct VolrenderOptions;

class TurntableOptions final : public OptionGroup {
public:
    std::optional<int> views;

    std::string title() const override { return "Turntable"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

/// `outputs` with the number of a view in place of %d or %03d. Error (usage) unless each name has exactly one such
/// place, in its last part.
std::vector<std::filesystem::path> number_outputs(std::vector<std::filesystem::path> const& outputs, int view);

/// Renders view after view, turned by equal parts of 360 degrees from the one that the options give, as runs of their
/// own would. The answers are printed one after the other, in JSON as {"views": [..]}. Error (usage) for options that
/// are not for several views: --resume, --trials, probes, tallies, detectors.
ExitStatus render_turntable(ToolRun const& run, VolrenderOptions const& options);

} // namespace volpt
