// Sensor, film and sampler of a Mitsuba scene as scene hints.
#pragma once

#include "formats/mitsuba/values.h"
#include "libvolpt/scene/scene_hints.h"

namespace volpt {

/// Fills camera, resolution and samples. What the renderer's camera cannot do (mirroring, lenses, other sensors) is
/// told.
void read_mitsuba_sensor(MitsubaTree const& tree, MitsubaNode const& sensor, SceneHints& hints,
                         std::vector<std::string>& notices);

/// The full horizontal angle for a fov measured along `axis` ("x", "y", "diagonal", "smaller", "larger"); absent for
/// another axis.
std::optional<double> find_fov_x_deg(double fov_deg, std::string const& axis, double width, double height);

} // namespace volpt
