// What a Mitsuba scene says beside its medium, as scene hints: sensor and light.
#pragma once

#include "formats/mitsuba/values.h"
#include "libvolpt/scene/scene_hints.h"

namespace volpt {

/// The first sensor with its film and sampler, and the first constant or envmap emitter. `notices` say what the
/// renderer does otherwise.
SceneHints read_mitsuba_hints(MitsubaTree const& tree, std::vector<std::string>& notices);

/// The full horizontal angle for a fov measured along `axis` ("x", "y", "diagonal", "smaller", "larger"); absent for
/// another axis.
std::optional<double> find_fov_x_deg(double fov_deg, std::string const& axis, double width, double height);

} // namespace volpt
