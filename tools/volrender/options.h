// The words of volrender, and what they ask for.
#pragma once

#include "libvolpt/job/render_request.h"
#include "tools/options/output_options.h"
#include "tools/options/tool.h"
#include "tools/render_setup/emitter_options.h"
#include "tools/render_setup/run_options.h"
#include "tools/render_setup/scene_options.h"
#include "tools/volrender/particle_options.h"
#include "tools/volrender/turntable.h"

#include <filesystem>
#include <vector>

namespace volpt {

/// How pictures show a film.
class PictureOptions final : public OptionGroup {
public:
    PictureRequest request;

    std::string title() const override { return "Pictures"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

struct VolrenderOptions {
    FilmFileOptions output;
    PictureOptions pictures;
    SampleOptions samples;
    SceneOptions scene;
    EmitterOptions emitters;
    TallyOptions tally;
    DetectorOptions detectors;
    DeviceOptions device{list_kernel_names()};
    TurntableOptions turntable;

    /// All of them, in the order of --help.
    std::vector<OptionGroup*> list_groups();
};

/// What the words of `run` ask for, with these outputs and the volume that is the argument.
RenderRequest make_request(ToolRun const& run, VolrenderOptions const& options,
                           std::vector<std::filesystem::path> outputs);

/// The same with the outputs of -o; a film that is resumed without -o is written back to its own file. Error (usage) if
/// there is no volume, no output, or if options contradict --trials.
RenderRequest make_request(ToolRun const& run, VolrenderOptions const& options);

} // namespace volpt
