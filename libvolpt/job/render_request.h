#pragma once

#include "libvolpt/film/film.h"
#include "libvolpt/job/device_request.h"
#include "libvolpt/job/output_request.h"
#include "libvolpt/job/particles/tally_request.h"
#include "libvolpt/job/picture_request.h"
#include "libvolpt/job/sample_request.h"
#include "libvolpt/job/scene_request.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace volpt {

/// All that a render is made of. What is not given is that of the volume's hints, or the default that the programs
/// tell.
struct RenderRequest {
    std::filesystem::path volume_path;
    std::shared_ptr<PackedVolume const> volume; ///< checked in full, of the file `volume_path`; null: it is opened
    std::optional<Film> film;                   ///< to be continued, instead of the file samples.resume
    SceneRequest scene;
    SampleRequest samples;
    TallyRequest tally;
    DetectorRequest detectors;
    DeviceRequest device;
    OutputRequest output;
    PictureRequest pictures;
    /// Of this process; none: one for each core, which the ranks of one machine divide.
    std::optional<int> threads;
};

} // namespace volpt
