// The options of volrender, and what they may not change of a film to be resumed.
#pragma once

#include "libvolpt/film/film.h"
#include "tools/options/output_options.h"
#include "tools/options/run_options.h"
#include "tools/render_setup/device_choice.h"
#include "tools/render_setup/scene_choice.h"
#include "tools/volrender/detectors.h"
#include "tools/volrender/tally.h"
#include "tools/volrender/turntable.h"

namespace volpt {

struct VolrenderOptions : SceneOptions {
    FilmFileOptions output;
    SampleOptions samples;
    TallyOptions tally;
    DetectorOptions detectors;
    DeviceOptions device{list_kernel_names()};
    TurntableOptions turntable;

    /// All of them, in the order of --help.
    std::vector<OptionGroup*> list_groups()
    {
        std::vector<OptionGroup*> groups{&output, &samples};
        for (OptionGroup* const group : SceneOptions::list_groups()) {
            groups.push_back(group);
            if (group == &camera) groups.push_back(&turntable);
            if (group == &light) groups.push_back(&emitters);
        }
        groups.push_back(&tally);
        groups.push_back(&detectors);
        groups.push_back(&device);
        return groups;
    }
};

/// Error (usage) that names what differs if the options contradict the film to be resumed.
void check_same_scene(Scene const& wanted, Film const& film, std::optional<std::uint64_t> seed,
                      std::string const& path);

} // namespace volpt
