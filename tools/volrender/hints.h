// Scene hints of a packed volume on their way into a render.
#pragma once

#include "libvolpt/scene/scene_hints.h"
#include "tools/options/common.h"
#include "tools/options/scene_options.h"
#include "tools/options/tool.h"

namespace volpt {

class HintOptions final : public OptionGroup {
public:
    bool use = true;

    std::string title() const override { return "Scene hints"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

/// The hints that `volume` carries, less those that `--hints off` or other options make void. A light image that is
/// nowhere is told by `run.notice` and dropped; what is left is told by `run.detail`.
SceneHints choose_hints(ToolRun const& run, HintOptions const& options, LightOptions const& light,
                        PackedVolume const& volume);

} // namespace volpt
